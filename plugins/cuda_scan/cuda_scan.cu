/*
 * cuda_scan.cu - the fastest of our scans for n, type and device, from a table
 *
 * This plugin runs what a program gets that links libscan_cuda.a: one block or one cluster for
 * small n (cuda_single), one wave in registers in between (cuda_wave), and a pipeline with
 * look-ahead for large n (cuda_lookahead); on older devices a look-back (cuda_lookback). Rows of a
 * matrix and other axes take the kernels of cuda_rows. scan_table.h says where each begins;
 * `method` sets one of them, so that
 *
 *     scanbench tune cuda_scan --sizes 1e3..1e9/4 --set method=1,2,3,5
 *
 * measures the table. Float sums have the same bits in every run, so look-back is not for them.
 *
 * Work is that of the kernel, 5¾n in one wave and 5½n with look-ahead. Moves 2n elements.
 */
#include "cuda_accurate.h"
#include "cuda_common.h"
#include "scan_cuda.h"

enum { TUNABLE_METHOD, TUNABLE_ACCURATE };

struct scan_instance : cuda_instance {
    scan_cuda_plan *plan;
    uint64_t n; /* of one scan */
};

static scan_status told(const cuda_context *cuda, scan_cuda_status status,
                        const scan_cuda_error &error)
{
    if (status == SCAN_CUDA_OK)
        return SCAN_OK;
    const bool known = status != SCAN_CUDA_GAVE_UP && status != SCAN_CUDA_INVALID;
    return cuda->host->fail(cuda->host, known ? static_cast<scan_status>(+status) : SCAN_ERROR,
                            "%s", error.text);
}

static scan_status run(cuda_instance *instance, scan_buffer from, scan_buffer to)
{
    const auto *self = static_cast<const scan_instance *>(instance);
    cuda_context *cuda = self->cuda;
    scan_cuda_error error;
    cuda_begin(cuda);
    if (self->n == 0)
        return SCAN_OK;
    scan_status status = cuda_mark(cuda, "kernel:scan");
    if (status != SCAN_OK)
        return status;
    status = told(cuda,
                  scan_cuda_plan_run(self->plan, scan_host_pointer(from), scan_host_pointer(to),
                                     self->n, cuda->stream, &error),
                  error);
    if (status == SCAN_OK)
        status = cuda_finish(cuda);
    if (status == SCAN_OK)
        status = told(cuda, scan_cuda_plan_check(self->plan, &error), error);
    return status;
}

static unsigned flags_of(const scan_problem *problem)
{
    const bool is_wide = scan_result(problem) != problem->dtype;
    return (is_wide ? SCAN_CUDA_WIDE : 0) |
           (problem->tunables[TUNABLE_ACCURATE] != 0 ? SCAN_CUDA_ACCURATE : 0);
}

static scan_status make_plan(const cuda_context *cuda, const scan_problem *problem,
                             scan_cuda_plan **plan_p)
{
    const scan_cuda_problem asked = {
        static_cast<scan_cuda_type>(problem->dtype),
        static_cast<scan_cuda_op>(problem->op),
        static_cast<scan_cuda_kind>(problem->kind),
        static_cast<scan_cuda_method>(problem->tunables[TUNABLE_METHOD]),
        flags_of(problem),
        problem->n,
        scan_rows(problem),
        scan_inner(problem)};
    scan_cuda_error error;
    if ((asked.flags & SCAN_CUDA_WIDE) != 0 && problem->op != SCAN_OP_SUM)
        return cuda->host->fail(cuda->host, SCAN_UNSUPPORTED,
                                "only sums have results wider than the input");
    return told(cuda, scan_cuda_plan_create(&asked, plan_p, &error), error);
}

static scan_status supports(const scan_host *, const scan_plugin *, void *context,
                            const scan_problem *problem)
{
    scan_cuda_plan *plan = nullptr;
    const scan_status status =
        make_plan(static_cast<const cuda_context *>(context), problem, &plan);
    if (status == SCAN_OK)
        scan_cuda_plan_destroy(plan);
    return status;
}

static void destroy(void *opaque)
{
    const auto *self = static_cast<const scan_instance *>(static_cast<cuda_instance *>(opaque));
    scan_cuda_plan_destroy(self->plan);
    cuda_instance_destroy(opaque);
}

static scan_status give_memory(scan_instance *self)
{
    const size_t bytes = scan_cuda_plan_bytes(self->plan);
    scan_cuda_error error;
    if (bytes == 0)
        return SCAN_OK;
    const scan_status status = cuda_allocate_scratch(self->cuda, bytes, &self->memory);
    return status == SCAN_OK
               ? told(self->cuda, scan_cuda_plan_use(self->plan, self->memory, bytes, &error),
                      error)
               : status;
}

static scan_status create(const scan_host *, const scan_plugin *, void *context,
                          const scan_problem *problem, void **self_p)
{
    auto *cuda = static_cast<cuda_context *>(context);
    scan_instance *self = nullptr;
    scan_status status = cuda_instance_create(cuda, &self);
    if (status != SCAN_OK)
        return status;
    self->run = run;
    self->n = problem->n;
    status = make_plan(cuda, problem, &self->plan);
    if (status == SCAN_OK)
        status = give_memory(self);
    if (status != SCAN_OK) {
        destroy(static_cast<cuda_instance *>(self));
        return status;
    }
    *self_p = static_cast<cuda_instance *>(self);
    return SCAN_OK;
}

static const int64_t methods[] = {SCAN_CUDA_BY_TABLE,  SCAN_CUDA_SINGLE, SCAN_CUDA_LOOKBACK,
                                  SCAN_CUDA_LOOKAHEAD, SCAN_CUDA_ROWS,   SCAN_CUDA_WAVE};

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_LIST(
        "method",
        "0: by n, shape and device; 1: one block or cluster, 2: back, 3: ahead, 4: rows, 5: wave",
        0, methods),
    CUDA_ACCURATE_TUNABLE,
};

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "cuda_scan",
    .name = "One cluster, one wave or look-ahead, by n",
    .version = "1.0",
    .summary = "what libscan_cuda.a gives a program: the fastest of our scans for n and device",
    .reference = "",
    .flags = SCAN_FLAG_IN_PLACE | SCAN_FLAG_ROWS | SCAN_FLAG_INNER,
    .tile = 4096, /* of 4 bytes in one line of a look-back; two of 8 bytes */
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    SCAN_TUNABLES(tunables),
    CUDA_BACKEND,
    .supports = supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = destroy,
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

SCAN_EXPORT_PLUGINS(&plugin);
