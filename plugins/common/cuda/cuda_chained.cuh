/*
 * cuda_chained.cuh - a plugin whose tiles exchange status words within one launch
 *
 * The plugin names a launcher of its kernels, a struct for each operator that loads and launches
 * them on arrays of its arrays_type (lookback_launcher.cuh shows one), and how the tunables become
 * its settings:
 *
 *     struct my_method : cuda_chained_method<my_launcher> {
 *         static my_settings settings(const scan_problem *problem);
 *     };
 *
 * One with other launchers, as for wider results, has its own `visit`.
 *
 * An instance allocates its status words once. Nothing is cleared between runs (cuda_turn.h). If a
 * tile gave up waiting (cuda_words.h), the run fails, and the next run begins with new words.
 */
#ifndef CUDA_CHAINED_CUH
#define CUDA_CHAINED_CUH

#include "cuda_common.h"
#include "cuda_lines.cuh"
#include "cuda_ops.cuh"
#include "cuda_words.h"

/* What does not depend on the operator. */
struct cuda_chained_base : cuda_instance {
    cuda_words words; /* on the device in `memory` */
};

template <typename Op, typename Launcher> struct cuda_chained : cuda_chained_base {
    Op op;
    Launcher launcher;
    uint64_t n; /* elements, of all rows together */
    bool inclusive;
};

/* Goes on to a launch, clears the words if that must be, and launches. */
template <typename Op, typename Launcher>
scan_status cuda_chained_launch(cuda_chained<Op, Launcher> *self,
                                const typename Launcher::arrays_type &arrays)
{
    cuda_context *cuda = self->cuda;
    const cudaError_t error =
        cuda_words_advance(&self->words, self->launcher.tickets_of(arrays), cuda->stream);
    if (error != cudaSuccess)
        return cuda_check(cuda->host, error, "cudaMemsetAsync of the status words");
    const scan_status status = cuda_mark(cuda, Launcher::phase);
    if (status != SCAN_OK)
        return status;
    return cuda_check(cuda->host,
                      self->launcher.launch(self->op, arrays, self->words, cuda->stream),
                      Launcher::phase);
}

template <typename Op, typename Launcher>
scan_status cuda_chained_run(cuda_instance *instance, scan_buffer from, scan_buffer to)
{
    using T = typename Op::value;
    auto *self = static_cast<cuda_chained<Op, Launcher> *>(instance);
    cuda_context *cuda = self->cuda;
    cuda_begin(cuda);
    if (self->n == 0)
        return SCAN_OK;
    using element = std::remove_pointer_t<decltype(Launcher::arrays_type::in)>;
    scan_status status = cuda_chained_launch(self, {static_cast<element *>(scan_host_pointer(from)),
                                                    static_cast<T *>(scan_host_pointer(to)),
                                                    self->n, self->inclusive});
    if (status == SCAN_OK)
        status = cuda_finish(cuda);
    const unsigned tile = cuda_words_failed_tile(&self->words);
    if (status == SCAN_OK && tile != CUDA_NO_TILE)
        status = cuda->host->fail(cuda->host, SCAN_ERROR,
                                  "tile %u looked %u times for words of tiles before it and did "
                                  "not find all",
                                  tile, self->words.patience);
    if (status != SCAN_OK)
        cuda_words_forget(&self->words); /* how many tickets were taken is not known */
    return status;
}

inline void cuda_chained_destroy(void *opaque)
{
    const auto *self = static_cast<const cuda_chained_base *>(static_cast<cuda_instance *>(opaque));
    cuda_words_destroy(&self->words);
    cuda_instance_destroy(opaque);
}

template <typename Op, typename Launcher>
scan_status cuda_chained_allocate(cuda_chained<Op, Launcher> *self)
{
    const uint64_t bytes =
        cuda_words_bytes(self->launcher.most_tiles(self->n), sizeof(typename Launcher::word));
    scan_status status = cuda_allocate_scratch(self->cuda, bytes, &self->memory);
    if (status == SCAN_OK)
        status = cuda_check(self->cuda->host, cuda_words_create(&self->words),
                            "cudaHostAlloc of a word");
    if (status == SCAN_OK)
        cuda_words_use(&self->words, self->memory, bytes);
    return status;
}

template <typename Launcher>
scan_status cuda_chained_load(const cuda_context *cuda, const scan_problem *problem,
                              const typename Launcher::settings &settings, Launcher *launcher_p)
{
    cuda_reason reason;
    const scan_status status =
        launcher_p->load(cuda->limits, scan_elements(problem), settings, &reason);
    return status == SCAN_OK ? SCAN_OK : cuda->host->fail(cuda->host, status, "%s", reason.text);
}

template <typename Op, typename Launcher>
scan_status cuda_chained_build(cuda_context *cuda, const scan_problem *problem,
                               const typename Launcher::settings &settings, Op op, void **self_p)
{
    Launcher launcher = {};
    cuda_chained<Op, Launcher> *self = nullptr;
    scan_status status = cuda_chained_load(cuda, problem, settings, &launcher);
    if (status != SCAN_OK || (status = cuda_instance_create(cuda, &self)) != SCAN_OK)
        return status;
    self->run = cuda_chained_run<Op, Launcher>;
    self->op = op;
    self->launcher = launcher;
    self->n = scan_elements(problem);
    self->inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    if ((status = cuda_chained_allocate(self)) != SCAN_OK) {
        cuda_chained_destroy(static_cast<cuda_instance *>(self));
        return status;
    }
    *self_p = static_cast<cuda_instance *>(self);
    return SCAN_OK;
}

template <template <typename...> class Launcher> struct cuda_chained_method {
    /* visit(operator, launcher) for the problem; returns what that does, or SCAN_UNSUPPORTED. */
    template <typename Visit>
    static scan_status visit(const scan_host *host, const scan_problem *problem, Visit visit)
    {
        return cuda_visit_operator_1_1(host, problem->op, problem->dtype, [&](auto op) {
            return visit(op, Launcher<decltype(op)>());
        });
    }
};

/* The slots. */
#define CUDA_CHAINED(Method)                                                       \
    CUDA_BACKEND, .supports = cuda_chained_supports<Method>,                       \
                  .create = cuda_chained_create<Method>, .run = cuda_instance_run, \
                  .destroy = cuda_chained_destroy

template <typename Method>
scan_status cuda_chained_supports(const scan_host *host, const scan_plugin *, void *context,
                                  const scan_problem *problem)
{
    return Method::visit(host, problem, [&](auto, auto launcher) {
        return cuda_chained_load(static_cast<const cuda_context *>(context), problem,
                                 Method::settings(problem), &launcher);
    });
}

template <typename Method>
scan_status cuda_chained_create(const scan_host *host, const scan_plugin *, void *context,
                                const scan_problem *problem, void **self_p)
{
    return Method::visit(host, problem, [&](auto op, auto launcher) {
        return cuda_chained_build<decltype(op), decltype(launcher)>(
            static_cast<cuda_context *>(context), problem, Method::settings(problem), op, self_p);
    });
}

#endif
