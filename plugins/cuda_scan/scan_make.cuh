/*
 * scan_make.cuh - makes the plan of scan_cuda.h that a problem is for
 */
#ifndef SCAN_MAKE_CUH
#define SCAN_MAKE_CUH

#include "cuda_wide.cuh"
#include "scan_one.cuh"

#include <cstdlib>
#include <new>

inline void scan_plan_free(scan_cuda_plan *plan)
{
    if (plan != nullptr)
        cuda_words_destroy(&plan->words);
    free(plan); /* plans have no destructors */
}

template <typename Plan, typename Op>
scan_status scan_plan_make_for(Op op, const scan_table &table, const scan_cuda_problem &problem,
                               scan_cuda_plan **plan_p, cuda_reason *reason)
{
    if (scan_rounds<Op> && (problem.flags & SCAN_CUDA_ACCURATE) != 0)
        return cuda_fail(reason, SCAN_UNSUPPORTED,
                         "accurate float results are sums of f32, made in f64 and rounded to f32");
    void *place = malloc(sizeof(Plan));
    if (place == nullptr)
        return cuda_fail(reason, SCAN_NO_MEMORY, "no %zu bytes of host memory for a plan",
                         sizeof(Plan));
    auto *self = new (place) Plan();
    self->problem = problem;
    self->op = op;
    const scan_status status = scan_plan_fill(self, table, reason);
    if (status == SCAN_OK)
        *plan_p = self;
    else
        scan_plan_free(self);
    return status;
}

/* Makes the plan of the problem's operator. */
inline scan_status scan_plan_find(const scan_table &table, const scan_cuda_problem &problem,
                                  scan_cuda_plan **plan_p, cuda_reason *reason)
{
    scan_status status = SCAN_OK;
    const auto make = [&](auto op) {
        status = scan_plan_make_for<scan_plan<decltype(op)>>(op, table, problem, plan_p, reason);
    };
    const auto make_wide = [&](uint32_t, auto pair) {
        using from = typename decltype(pair)::from;
        using op = cuda_sum<cuda_summed<typename decltype(pair)::to>>;
        using ahead = lookahead_launcher<op, from>;
        using array_plan = scan_one_plan<op, ahead, SCAN_CUDA_LOOKAHEAD>;
        using rows_plan = scan_one_plan<op, rows_any_launcher<op, from>, SCAN_CUDA_ROWS>;
        const bool is_array = scan_is_array(problem) && problem.method != SCAN_CUDA_ROWS;
        if (is_array)
            status = scan_plan_make_for<array_plan>(op(), table, problem, plan_p, reason);
        const bool is_older = status == SCAN_UNSUPPORTED && problem.method == SCAN_CUDA_BY_TABLE;
        if (!is_array || is_older)
            status = scan_plan_make_for<rows_plan>(op(), table, problem, plan_p, reason);
    };
    const bool is_wide = (problem.flags & SCAN_CUDA_WIDE) != 0;
    const bool is_accurate = (problem.flags & SCAN_CUDA_ACCURATE) != 0;
    if (is_accurate && !is_wide && problem.op == SCAN_CUDA_SUM && problem.type == SCAN_CUDA_F32) {
        using op = cuda_sum<cuda_accurate_f32>;
        using plan = scan_one_plan<op, lookahead_launcher<op>, SCAN_CUDA_LOOKAHEAD>;
        return scan_plan_make_for<plan>(op(), table, problem, plan_p, reason);
    }
    const bool found = is_wide
                           ? problem.op == SCAN_CUDA_SUM && cuda_find_wider(problem.type, make_wide)
                           : cuda_find_operator(problem.op, problem.type, make) ||
                                 cuda_find_narrow(problem.op, problem.type, make) ||
                                 cuda_find_half(problem.op, problem.type, make);
    if (!found)
        return cuda_fail(reason, SCAN_INVALID, "there is no op %u on type %u%s",
                         static_cast<unsigned>(problem.op), static_cast<unsigned>(problem.type),
                         is_wide ? " with wider results" : "");
    return status;
}

inline scan_status scan_plan_make(const scan_table &table, const scan_cuda_problem &given,
                                  scan_cuda_plan **plan_p, cuda_reason *reason)
{
    constexpr uint64_t most = UINT64_C(1) << 56; /* so that bytes can be counted */
    scan_cuda_problem problem = given;
    problem.rows = given.rows == 0 ? 1 : given.rows;
    problem.inner = given.inner == 0 ? 1 : given.inner;
    if (problem.rows > most || problem.inner > most / problem.rows ||
        problem.most_n > most / problem.rows / problem.inner)
        return cuda_fail(reason, SCAN_INVALID, "%llu x %llu x %llu: more than 2^56 elements",
                         static_cast<unsigned long long>(problem.rows),
                         static_cast<unsigned long long>(problem.most_n),
                         static_cast<unsigned long long>(problem.inner));
    if (static_cast<unsigned>(problem.kind) > SCAN_CUDA_INCLUSIVE ||
        static_cast<unsigned>(problem.method) >= SCAN_CUDA_METHODS ||
        (problem.flags &
         ~(SCAN_CUDA_ANY_ORDER | SCAN_CUDA_WIDE | SCAN_CUDA_ACCURATE | SCAN_CUDA_OVERLAP)) != 0)
        return cuda_fail(reason, SCAN_INVALID,
                         "kind %u, method %u, flags %#x: one of these is not valid",
                         static_cast<unsigned>(problem.kind), static_cast<unsigned>(problem.method),
                         problem.flags);
    return scan_plan_find(table, problem, plan_p, reason);
}

#endif
