/*
 * scan_plan.cuh - a plan of scan_cuda.h: its methods, loaded for one operator, and their launch
 *
 * The kernels are those of the plugins cuda_single, cuda_lookback and cuda_lookahead. Look-back and
 * look-ahead share the plan's memory: each launch has a number of its own, whichever kernel it is,
 * and their words differ (lookahead_launcher.cuh).
 */
#ifndef SCAN_PLAN_CUH
#define SCAN_PLAN_CUH

#include "lookahead_launcher.cuh"
#include "lookback_launcher.cuh"
#include "scan_choice.h"
#include "single_launcher.cuh"

#include <cstdlib>
#include <new>

/* What does not depend on the operator. */
struct scan_cuda_plan {
    cudaError_t (*launch)(scan_cuda_plan *self, unsigned row, const void *in, void *out, uint64_t n,
                          cudaStream_t stream);
    scan_cuda_problem problem;
    unsigned element_bytes;
    int device;
    scan_choices choices;
    uint64_t bytes;   /* that the words need; 0: no method has words */
    cuda_words words; /* its memory is the caller's */
};

/* What a row of the table chooses. Of the launchers only that of its method is loaded. */
template <typename Op> struct scan_step {
    single_launcher<Op> single;
    lookback_launcher<Op> lookback;
    lookahead_launcher<Op> lookahead;
};

template <typename Op> struct scan_plan : scan_cuda_plan {
    Op op;
    scan_step<Op> step[SCAN_MOST_CHOICES];
};

/* Do the operator's results depend on the order of additions? */
template <typename Op> constexpr bool scan_rounds = false;
template <> inline constexpr bool scan_rounds<cuda_sum<float>> = true;
template <> inline constexpr bool scan_rounds<cuda_sum<double>> = true;
template <> inline constexpr bool scan_rounds<cuda_affine<float>> = true;

template <typename Op, typename Launcher>
cudaError_t scan_launch_chained(scan_cuda_plan *self, const Launcher &launcher, Op op,
                                const cuda_arrays<typename Op::value> &arrays, cudaStream_t stream)
{
    cudaError_t error = cuda_words_advance(&self->words, launcher.tickets_of(arrays), stream);
    if (error == cudaSuccess)
        error = launcher.launch(op, arrays, self->words, stream);
    if (error != cudaSuccess)
        self->words.turn = {}; /* it took no tickets: the next launch begins with new words */
    return error;
}

template <typename Op>
cudaError_t scan_launch(scan_cuda_plan *plan, unsigned row, const void *in, void *out, uint64_t n,
                        cudaStream_t stream)
{
    using T = typename Op::value;
    auto *self = static_cast<scan_plan<Op> *>(plan);
    const cuda_arrays<T> arrays = {static_cast<const T *>(in), static_cast<T *>(out), n,
                                   self->problem.kind == SCAN_CUDA_INCLUSIVE};
    const scan_step<Op> &step = self->step[row];
    switch (self->choices.row[row].method) {
    case SCAN_CUDA_SINGLE:
        return step.single.launch(self->op, arrays, stream);
    case SCAN_CUDA_LOOKBACK:
        return scan_launch_chained(self, step.lookback, self->op, arrays, stream);
    default:
        return scan_launch_chained(self, step.lookahead, self->op, arrays, stream);
    }
}

/* ---- how a plan is made --------------------------------------------------------------- */

/* A table is measured on one device. One whose multiprocessors do not hold as many blocks gets what
 * fits. */
template <typename Op>
scan_status scan_load_lookahead(lookahead_launcher<Op> *launcher, const cuda_limits &limits,
                                uint64_t most_n, const lookahead_settings &wanted,
                                cuda_reason *reason)
{
    lookahead_settings fitting = wanted;
    const scan_status status = launcher->load(limits, most_n, wanted, reason);
    if (status != SCAN_UNSUPPORTED || wanted.ctas <= 1)
        return status;
    fitting.ctas = 0;
    return launcher->load(limits, most_n, fitting, reason);
}

/* Loads row `row`, which scans up to most_n elements, and adds to self->bytes what it needs. */
template <typename Op>
scan_status scan_load_row(scan_plan<Op> *self, const cuda_limits &limits, unsigned row,
                          uint64_t most_n, cuda_reason *reason)
{
    const scan_choice &choice = self->choices.row[row];
    scan_step<Op> *step = &self->step[row];
    scan_status status = SCAN_OK;
    uint64_t bytes = 0;
    switch (choice.method) {
    case SCAN_CUDA_SINGLE:
        return step->single.load(limits, most_n, choice.single, reason);
    case SCAN_CUDA_LOOKBACK:
        status = step->lookback.load(limits, most_n, choice.lookback, reason);
        bytes = cuda_words_bytes(step->lookback.most_tiles(most_n),
                                 sizeof(typename lookback_launcher<Op>::word));
        break;
    default:
        status = scan_load_lookahead(&step->lookahead, limits, most_n, choice.lookahead, reason);
        bytes = cuda_words_bytes(step->lookahead.most_tiles(most_n),
                                 sizeof(typename lookahead_launcher<Op>::word));
        break;
    }
    if (status == SCAN_OK && bytes > self->bytes)
        self->bytes = bytes;
    return status;
}

/* The rows that arrays of up to most_n elements need; the last of them reaches that far. */
template <typename Op>
scan_status scan_load_rows(scan_plan<Op> *self, const cuda_limits &limits, cuda_reason *reason)
{
    constexpr uint64_t size = sizeof(typename Op::value);
    const uint64_t most_n = self->problem.most_n;
    const unsigned last = scan_choices_find(self->choices, most_n * size);
    if (last == self->choices.count)
        return cuda_fail(
            reason, SCAN_UNSUPPORTED,
            "before compute capability 9.0, or in code made for it, a float scan of "
            "more than %llu bytes has no fixed order; allow any "
            "(SCAN_CUDA_ANY_ORDER)",
            static_cast<unsigned long long>(self->choices.row[self->choices.count - 1].most_bytes));
    scan_status status = SCAN_OK;
    for (unsigned row = 0; row <= last && status == SCAN_OK; row++) {
        const uint64_t here = self->choices.row[row].most_bytes / size;
        status = scan_load_row(self, limits, row, here < most_n ? here : most_n, reason);
    }
    return status;
}

/* Of the code that the device runs of these kernels. */
template <typename Op>
scan_status scan_ask_version(const cuda_limits &limits, int *version_p, cuda_reason *reason)
{
    cuda_loaded loaded = {};
    const scan_status status =
        cuda_load(limits, reinterpret_cast<const void *>(lookahead_kernel_of<Op>(1)), CUDA_WARP, 0,
                  &loaded, reason);
    *version_p = loaded.code_version;
    return status;
}

inline void scan_plan_free(scan_cuda_plan *plan)
{
    if (plan != nullptr)
        cuda_words_destroy(&plan->words);
    free(plan); /* plans have no destructors */
}

/* Fills in a plan that is all 0. */
template <typename Op>
scan_status scan_plan_fill(scan_plan<Op> *self, const scan_table &table, cuda_reason *reason)
{
    const bool in_order = scan_rounds<Op> && (self->problem.flags & SCAN_CUDA_ANY_ORDER) == 0;
    if (in_order && self->problem.method == SCAN_CUDA_LOOKBACK)
        return cuda_fail(reason, SCAN_UNSUPPORTED,
                         "a look-back adds floats in no fixed order; allow any "
                         "(SCAN_CUDA_ANY_ORDER)");
    cuda_limits limits = {};
    int version = 0;
    scan_status status = cuda_fail_if(reason, cudaGetDevice(&self->device), "cudaGetDevice");
    if (status == SCAN_OK)
        status = cuda_ask_limits(self->device, &limits, reason);
    if (status == SCAN_OK)
        status = scan_ask_version<Op>(limits, &version, reason);
    if (status != SCAN_OK)
        return status;
    self->choices = scan_choices_for(table, self->problem.method, version, in_order);
    status = scan_load_rows(self, limits, reason);
    if (status == SCAN_OK && self->bytes > 0)
        status = cuda_fail_if(reason, cuda_words_create(&self->words), "cudaHostAlloc of a word");
    return status;
}

template <typename Op>
scan_status scan_plan_make_for(Op op, const scan_table &table, const scan_cuda_problem &problem,
                               scan_cuda_plan **plan_p, cuda_reason *reason)
{
    void *place = malloc(sizeof(scan_plan<Op>));
    if (place == nullptr)
        return cuda_fail(reason, SCAN_NO_MEMORY, "no %zu bytes of host memory for a plan",
                         sizeof(scan_plan<Op>));
    auto *self = new (place) scan_plan<Op>();
    self->launch = scan_launch<Op>;
    self->problem = problem;
    self->element_bytes = sizeof(typename Op::value);
    self->op = op;
    const scan_status status = scan_plan_fill(self, table, reason);
    if (status == SCAN_OK)
        *plan_p = self;
    else
        scan_plan_free(self);
    return status;
}

inline scan_status scan_plan_make(const scan_table &table, const scan_cuda_problem &problem,
                                  scan_cuda_plan **plan_p, cuda_reason *reason)
{
    constexpr uint64_t most = UINT64_C(1) << 56; /* so that bytes can be counted */
    if (static_cast<unsigned>(problem.kind) > SCAN_CUDA_INCLUSIVE ||
        static_cast<unsigned>(problem.method) >= SCAN_CUDA_METHODS ||
        (problem.flags & ~SCAN_CUDA_ANY_ORDER) != 0 || problem.most_n > most)
        return cuda_fail(reason, SCAN_INVALID,
                         "kind %u, method %u, flags %#x, most_n %llu: one of these is not valid",
                         static_cast<unsigned>(problem.kind), static_cast<unsigned>(problem.method),
                         problem.flags, static_cast<unsigned long long>(problem.most_n));
    scan_status status = SCAN_OK;
    const bool is_operator = cuda_find_operator(problem.op, problem.type, [&](auto op) {
        status = scan_plan_make_for(op, table, problem, plan_p, reason);
    });
    if (!is_operator)
        return cuda_fail(reason, SCAN_INVALID, "there is no op %u on type %u",
                         static_cast<unsigned>(problem.op), static_cast<unsigned>(problem.type));
    return status;
}

#endif
