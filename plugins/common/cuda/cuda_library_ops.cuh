/*
 * cuda_library_ops.cuh - the operators as the functors that CCCL's libraries know
 *
 * CUB and Thrust choose their scan by the functor, so they get their own functors where these
 * exist. The results are the same as with cuda_ops.cuh.
 */
#ifndef CUDA_LIBRARY_OPS_CUH
#define CUDA_LIBRARY_OPS_CUH

#include "cuda_ops.cuh"

#include <cuda/functional>
#include <cuda/std/functional>

template <typename T, typename Visit>
scan_status cuda_visit_functor(const cuda_sum<T> &, Visit visit)
{
    return visit(cuda::std::plus<T>(), T(0));
}

template <typename T, typename Visit>
scan_status cuda_visit_functor(const cuda_extremum<T> &op, Visit visit)
{
    return op.greatest ? visit(cuda::maximum<T>(), op.worst) : visit(cuda::minimum<T>(), op.worst);
}

template <typename T, typename Visit>
scan_status cuda_visit_functor(const cuda_affine<T> &op, Visit visit)
{
    return visit(op, op.identity());
}

/* visit(functor, identity) for the problem, also of narrow types; SCAN_UNSUPPORTED if there is
 * none. The functor and the identity have the element's type, and so has what CUB and Thrust add up
 * in: sums wrap. */
template <typename Visit>
scan_status cuda_visit_library(const scan_host *host, const scan_problem *problem, Visit visit)
{
    return cuda_visit_with_narrow(host, problem->op, problem->dtype,
                                  [&](auto op) { return cuda_visit_functor(op, visit); });
}

#endif
