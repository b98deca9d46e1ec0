/*
 * cuda_library_ops.cuh - the operators as the functors that CCCL's libraries know
 *
 * CUB and Thrust choose their scan by the functor, so they get their own functors where these
 * exist. The results are the same as with cuda_ops.cuh.
 *
 * What they add up in is what the functor returns: where that is wider than the elements, each is
 * converted when it is loaded, and where the results are floats of 16 bits, each is rounded when it
 * is stored.
 */
#ifndef CUDA_LIBRARY_OPS_CUH
#define CUDA_LIBRARY_OPS_CUH

#include "cuda_ops.cuh"
#include "cuda_wide.cuh"

#include <cuda/functional>
#include <cuda/std/functional>

/* CUDA's own type of an element; it converts to f32 and, rounded to nearest even, back. */
template <typename T>
using cuda_library_element =
    std::conditional_t<std::is_same_v<T, cuda_f16>, __half,
                       std::conditional_t<std::is_same_v<T, cuda_bf16>, __nv_bfloat16, T>>;

/* Integers are added in their own type: sums wrap. */
template <typename T, typename Visit>
scan_status cuda_visit_functor(const cuda_sum<T> &, Visit visit)
{
    using total = std::conditional_t<cuda_is_half<T>, float, T>;
    return visit(cuda::std::plus<total>(), total(0));
}

template <typename T, typename Visit>
scan_status cuda_visit_functor(const cuda_extremum<T> &op, Visit visit)
{
    using element = cuda_library_element<T>;
    const auto worst = static_cast<element>(cuda_widen(op.worst));
    return op.greatest ? visit(cuda::maximum<element>(), worst)
                       : visit(cuda::minimum<element>(), worst);
}

template <typename T, typename Visit>
scan_status cuda_visit_functor(const cuda_affine<T> &op, Visit visit)
{
    return visit(op, op.identity());
}

/* visit(functor, identity, pair) for the problem, also of narrow types and of wider sums;
 * SCAN_UNSUPPORTED if there is none. The pair is a cuda_wide: of the elements' type, and of the
 * results', which is often the same. */
template <typename Visit>
scan_status cuda_visit_library(const scan_host *host, const scan_problem *problem, Visit visit)
{
    const auto visit_with = [&](auto op, auto pair) {
        return cuda_visit_functor(
            op, [&](auto functor, auto identity) { return visit(functor, identity, pair); });
    };
    if (scan_result(problem) == problem->dtype)
        return cuda_visit_operator_1_1(host, problem->op, problem->dtype, [&](auto op) {
            using element = cuda_library_element<typename decltype(op)::value>;
            return visit_with(op, cuda_wide<element, element>());
        });
    return cuda_visit_wide(host, problem, [&](auto op, auto element) {
        using from = cuda_library_element<decltype(element)>;
        return visit_with(op, cuda_wide<from, typename decltype(op)::value>());
    });
}

/* The contract's supports of what cuda_visit_library finds. */
inline scan_status cuda_library_supports(const scan_host *host, const scan_plugin *, void *,
                                         const scan_problem *problem)
{
    return cuda_visit_library(host, problem, [](auto...) { return SCAN_OK; });
}

#endif
