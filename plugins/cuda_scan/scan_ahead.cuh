/*
 * scan_ahead.cuh - a plan of scan_cuda.h for sums wider than their elements, and accurate ones: the
 * pipeline of cuda_lookahead, whatever the size
 */
#ifndef SCAN_AHEAD_CUH
#define SCAN_AHEAD_CUH

#include "scan_plan.cuh"

template <typename Op, typename From> struct scan_ahead_plan : scan_cuda_plan {
    using kernels = std::conditional_t<std::is_same_v<From, typename Op::value>,
                                       lookahead_plain<Op>, lookahead_wide<Op, From>>;
    Op op;
    lookahead_launcher<Op, kernels, From> launcher;
};

template <typename Op, typename From>
cudaError_t scan_ahead_launch(scan_cuda_plan *plan, unsigned, const void *in, void *out, uint64_t n,
                              cudaStream_t stream)
{
    const auto *self = static_cast<const scan_ahead_plan<Op, From> *>(plan);
    return scan_launch_chained(plan, self->launcher, self->op,
                               {static_cast<const From *>(in),
                                static_cast<typename Op::value *>(out), n,
                                plan->problem.kind == SCAN_CUDA_INCLUSIVE},
                               stream);
}

inline bool scan_ahead_has_words(const scan_cuda_plan *, unsigned, const void *, uint64_t)
{
    return true;
}

/* Fills in a plan of which only problem and op are not 0. */
template <typename Op, typename From>
scan_status scan_plan_fill(scan_ahead_plan<Op, From> *self, const scan_table &table,
                           cuda_reason *reason)
{
    const scan_cuda_problem &problem = self->problem;
    self->launch = scan_ahead_launch<Op, From>;
    self->has_words = scan_ahead_has_words;
    self->element_bytes = sizeof(From);
    self->result_bytes = sizeof(typename Op::value);
    self->choices = scan_choices_for(table, SCAN_CUDA_LOOKAHEAD, 0, false);
    if (problem.rows != 1 || problem.inner != 1 ||
        (problem.method != SCAN_CUDA_BY_TABLE && problem.method != SCAN_CUDA_LOOKAHEAD))
        return cuda_fail(reason, SCAN_UNSUPPORTED,
                         "wider and accurate sums are those of one array, by look-ahead");
    cuda_limits limits = {};
    scan_status status = cuda_fail_if(reason, cudaGetDevice(&self->device), "cudaGetDevice");
    if (status == SCAN_OK)
        status = cuda_ask_limits(self->device, &limits, reason);
    if (status == SCAN_OK)
        status = scan_load_lookahead(&self->launcher, limits, problem.most_n,
                                     self->choices.at[0].lookahead, reason);
    if (status != SCAN_OK)
        return status;
    self->bytes = cuda_words_bytes(self->launcher.most_tiles(problem.most_n),
                                   sizeof(typename decltype(self->launcher)::word));
    return cuda_fail_if(reason, cuda_words_create(&self->words), "cudaHostAlloc of a word");
}

#endif
