/*
 * scan_one.cuh - a plan of scan_cuda.h that has one method, whatever the size: look-ahead for
 * accurate sums and those wider than their elements; for wider ones of rows and tensors, and before
 * compute capability 9.0, the kernels of cuda_rows
 */
#ifndef SCAN_ONE_CUH
#define SCAN_ONE_CUH

#include "scan_plan.cuh"

#include <type_traits>

/* METHOD: SCAN_CUDA_LOOKAHEAD or SCAN_CUDA_ROWS, whichever the launcher is for. */
template <typename Op, typename Launcher, scan_cuda_method METHOD>
struct scan_one_plan : scan_cuda_plan {
    Op op;
    Launcher launcher;
};

/* Threads that scan a tile of look-ahead whose results are wider. On an H200 12 warps wrote faster
 * than 8, `device` of exclusive sums of 4 x 10^7: i8 to i32 54.8 and 57.9 us, where a copy takes
 * 54.1; i32 to i64 124 and 138, copy 120. At 10^8 they reach 97 and 98 % of the copy; 8 warps do 98
 * from i16 to i32, 92 from bf16 to f32 and 87 from f32 to f64, where more were not measured.
 * 0: the table's. */
template <typename To, typename From> constexpr unsigned scan_wide_block()
{
    const bool is_wide = std::is_integral_v<To> && sizeof(From) < sizeof(To);
    return is_wide && (sizeof(From) == 1 || sizeof(To) == 8) ? 384 : 0;
}

/* Look-ahead with such a block, where the kernel has registers for it. */
template <typename Launcher>
scan_status scan_load_one_array(Launcher *launcher, const cuda_limits &limits, uint64_t most_n,
                                lookahead_settings wanted, uint64_t *bytes_p, cuda_reason *reason)
{
    using arrays = typename Launcher::arrays_type;
    constexpr unsigned block =
        scan_wide_block<std::remove_cv_t<std::remove_pointer_t<decltype(arrays::out)>>,
                        std::remove_cv_t<std::remove_pointer_t<decltype(arrays::in)>>>();
    const unsigned usual = wanted.block;
    if (block > 0)
        wanted.block = block;
    scan_status status = scan_load_lookahead(launcher, limits, most_n, wanted, bytes_p, reason);
    if (status == SCAN_UNSUPPORTED && wanted.block != usual) {
        wanted.block = usual;
        status = scan_load_lookahead(launcher, limits, most_n, wanted, bytes_p, reason);
    }
    return status;
}

template <typename Plan>
bool scan_one_has_words(const scan_cuda_plan *plan, unsigned, const void *in, uint64_t n)
{
    const auto *self = static_cast<const Plan *>(plan);
    using arrays = typename decltype(Plan::launcher)::arrays_type;
    return self->launcher.tickets_of(scan_arrays<arrays>(plan, in, nullptr, n)) > 0;
}

template <typename Plan>
cudaError_t scan_one_launch(scan_cuda_plan *plan, unsigned index, const void *in, void *out,
                            uint64_t n, cudaStream_t stream)
{
    const auto *self = static_cast<const Plan *>(plan);
    using arrays_type = typename decltype(Plan::launcher)::arrays_type;
    const auto arrays = scan_arrays<arrays_type>(plan, in, out, n);
    if (!scan_one_has_words<Plan>(plan, index, in, n))
        return self->launcher.launch(self->op, arrays, self->words, stream);
    return scan_launch_chained(plan, self->launcher, self->op, arrays, stream);
}

/* Fills in a plan of which only problem and op are not 0. */
template <typename Op, typename Launcher, scan_cuda_method METHOD>
scan_status scan_plan_fill(scan_one_plan<Op, Launcher, METHOD> *self, const scan_table &table,
                           cuda_reason *reason)
{
    using plan = scan_one_plan<Op, Launcher, METHOD>;
    using arrays = typename Launcher::arrays_type;
    const scan_cuda_problem &problem = self->problem;
    self->launch = scan_one_launch<plan>;
    self->has_words = scan_one_has_words<plan>;
    self->element_bytes = sizeof(*arrays::in);
    self->result_bytes = sizeof(*arrays::out);
    self->choices = scan_choices_for(table, METHOD, 0, false);
    if ((problem.method != SCAN_CUDA_BY_TABLE && problem.method != METHOD) ||
        (METHOD == SCAN_CUDA_LOOKAHEAD && !scan_is_array(problem)))
        return cuda_fail(reason, SCAN_UNSUPPORTED,
                         "wider and accurate sums of one array are made by look-ahead; wider ones "
                         "of rows and tensors by SCAN_CUDA_ROWS, accurate ones by no method");
    cuda_limits limits = {};
    const scan_choice &choice = self->choices.at[0];
    scan_status status = scan_ask_device(self, &limits, reason);
    if (status != SCAN_OK)
        return status;
    if constexpr (METHOD == SCAN_CUDA_ROWS)
        status = scan_load_tensor(&self->launcher, problem, limits, problem.most_n, choice.rows,
                                  &self->bytes, reason);
    else
        status = scan_load_one_array(&self->launcher, limits, problem.most_n, choice.lookahead,
                                     &self->bytes, reason);
    return status == SCAN_OK ? scan_make_words(self, reason) : status;
}

#endif
