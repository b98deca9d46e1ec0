/*
 * cuda_ops.cuh - the contract's operators on the device, and which one a problem means
 *
 * An operator is a small value passed to the kernels: op.identity() and op(left, right), in that
 * order, because affine does not commute. They are of totals, which are the elements' type, or
 * wider: op.widen(element) is the total of one element, op.narrow(total) the element that it stands
 * for. Twelve of them serve every op and dtype of version 1.0 of the contract, six more the
 * integers of 8 and 16 bits, four the floats of 16 bits, and one accurate sums of f32: a sum of
 * signed integers is one of unsigned (wrapping is then defined), and max and min are one operator
 * with a direction. Each has kernels of its own, so the narrow types are visited only by plugins
 * that declare them.
 */
#ifndef CUDA_OPS_CUH
#define CUDA_OPS_CUH

#include "cuda_half.cuh"
#include "scan_plugin.h"

#include <cmath>
#include <cuda_runtime.h>
#include <limits>
#include <type_traits>

/* An f32 of a sum that is accurate: made in f64, and rounded once, where it leaves. */
struct cuda_accurate_f32 {
    float value;
};

template <typename T> inline constexpr bool cuda_is_accurate = std::is_same_v<T, cuda_accurate_f32>;

/* What kernels add up elements of type T in: T, or for narrow integers 32 bits, for floats f32, for
 * accurate sums f64. */
template <typename T>
using cuda_narrow_total =
    std::conditional_t<cuda_is_half<T>, float,
                       std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>>;
template <typename T>
using cuda_total = std::conditional_t<cuda_is_accurate<T>, double,
                                      std::conditional_t<sizeof(T) >= 4, T, cuda_narrow_total<T>>>;

/* The least value of a type, -infinity for floats; and the greatest. */
template <typename T> constexpr T cuda_least()
{
    using limits = std::numeric_limits<T>;
    if constexpr (cuda_is_half<T>)
        return static_cast<T>(0x8000 | cuda_half<T>::INFINITE);
    else if constexpr (limits::has_infinity)
        return -limits::infinity();
    else
        return limits::lowest();
}

template <typename T> constexpr T cuda_greatest()
{
    using limits = std::numeric_limits<T>;
    if constexpr (cuda_is_half<T>)
        return static_cast<T>(cuda_half<T>::INFINITE);
    else if constexpr (limits::has_infinity)
        return limits::infinity();
    else
        return limits::max();
}

/* An element as its total, and back: of floats of 16 bits, and of accurate sums, the rounding. */
template <typename T> __host__ __device__ inline cuda_total<T> cuda_widen(T element)
{
    if constexpr (cuda_is_half<T>)
        return cuda_half<T>::to_f32(element);
    else if constexpr (cuda_is_accurate<T>)
        return element.value;
    else
        return element;
}

template <typename T> __host__ __device__ inline T cuda_narrow(cuda_total<T> of)
{
    if constexpr (cuda_is_half<T>)
        return cuda_half<T>::from_f32(of);
    else if constexpr (cuda_is_accurate<T>)
        return {static_cast<float>(of)};
    else
        return static_cast<T>(of);
}

template <typename T> struct cuda_sum {
    using value = T;
    using total = cuda_total<T>;
    /* Not for floats: sums out of order can overflow where sums of neighbours do not. */
    static constexpr bool commutes = std::numeric_limits<T>::is_integer;

    __host__ __device__ total identity() const
    {
        return total(0);
    }
    __host__ __device__ total operator()(total left, total right) const
    {
        return left + right;
    }
    __host__ __device__ total widen(T element) const
    {
        return cuda_widen(element);
    }
    __host__ __device__ T narrow(total of) const
    {
        return cuda_narrow<T>(of);
    }
};

/* Totals of narrow elements are maxima in both directions, for min of complements, ~min(l, r) is
 * max(~l, ~r), or of floats of other sign. So the kernels of both need one packed instruction each
 * time. */
template <typename T> struct cuda_extremum {
    using value = T;
    using total = cuda_total<T>;
    static constexpr bool commutes = true;
    static constexpr bool is_narrow = sizeof(T) < sizeof(total);
    T worst;       /* the identity */
    bool greatest; /* max, else min */

    /* What a narrow element is combined with, by exclusive or. */
    __host__ __device__ unsigned flip() const
    {
        return greatest ? 0u : cuda_is_half<T> ? 0x80008000u : ~0u;
    }
    __host__ __device__ total identity() const
    {
        return widen(worst);
    }
    __host__ __device__ total operator()(total left, total right) const
    {
        if constexpr (cuda_is_half<T>)
            return fmaxf(left, right);
        else if constexpr (is_narrow)
            return left < right ? right : left;
        /* Two instructions, of which one is done; otherwise a comparison and two choices. */
        else if constexpr (std::is_same_v<T, float>)
            return greatest ? fmaxf(left, right) : fminf(left, right);
        else if constexpr (std::is_integral_v<T> && sizeof(T) == 4)
            return greatest ? (left < right ? right : left) : (left < right ? left : right);
        else
            return (left < right) == greatest ? right : left;
    }
    __host__ __device__ total widen(T element) const
    {
        if constexpr (is_narrow)
            return cuda_widen(static_cast<T>(static_cast<unsigned>(element) ^ flip()));
        else
            return element;
    }
    __host__ __device__ T narrow(total of) const
    {
        if constexpr (is_narrow)
            return static_cast<T>(static_cast<unsigned>(cuda_narrow<T>(of)) ^ flip());
        else
            return of;
    }
};

template <typename T> struct alignas(2 * sizeof(T)) cuda_pair {
    T a;
    T b;
};

template <typename T> struct cuda_affine {
    using value = cuda_pair<T>;
    using total = value;
    static constexpr bool commutes = false;

    __host__ __device__ value identity() const
    {
        return {T(1), T(0)};
    }
    __host__ __device__ value operator()(value left, value right) const
    {
        return {left.a * right.a, left.b * right.a + right.b};
    }
    __host__ __device__ value widen(value element) const
    {
        return element;
    }
    __host__ __device__ value narrow(value of) const
    {
        return of;
    }
};

template <typename T> cuda_extremum<T> cuda_max()
{
    return {cuda_least<T>(), true};
}

template <typename T> cuda_extremum<T> cuda_min()
{
    return {cuda_greatest<T>(), false};
}

/* visit(operator) for op on dtype. Returns: is there such an operator? */
template <typename Visit> bool cuda_find_sum(uint32_t dtype, Visit visit)
{
    switch (dtype) {
    case SCAN_DTYPE_I32:
    case SCAN_DTYPE_U32:
        visit(cuda_sum<uint32_t>());
        return true;
    case SCAN_DTYPE_I64:
    case SCAN_DTYPE_U64:
        visit(cuda_sum<uint64_t>());
        return true;
    case SCAN_DTYPE_F32:
        visit(cuda_sum<float>());
        return true;
    case SCAN_DTYPE_F64:
        visit(cuda_sum<double>());
        return true;
    default:
        return false;
    }
}

template <typename Visit> bool cuda_find_extremum(bool max, uint32_t dtype, Visit visit)
{
    switch (dtype) {
    case SCAN_DTYPE_I32:
        visit(max ? cuda_max<int32_t>() : cuda_min<int32_t>());
        return true;
    case SCAN_DTYPE_U32:
        visit(max ? cuda_max<uint32_t>() : cuda_min<uint32_t>());
        return true;
    case SCAN_DTYPE_I64:
        visit(max ? cuda_max<int64_t>() : cuda_min<int64_t>());
        return true;
    case SCAN_DTYPE_U64:
        visit(max ? cuda_max<uint64_t>() : cuda_min<uint64_t>());
        return true;
    case SCAN_DTYPE_F32:
        visit(max ? cuda_max<float>() : cuda_min<float>());
        return true;
    case SCAN_DTYPE_F64:
        visit(max ? cuda_max<double>() : cuda_min<double>());
        return true;
    default:
        return false;
    }
}

template <typename Visit> bool cuda_find_affine(uint32_t dtype, Visit visit)
{
    if (dtype == SCAN_DTYPE_U32X2)
        visit(cuda_affine<uint32_t>());
    else if (dtype == SCAN_DTYPE_F32X2)
        visit(cuda_affine<float>());
    return dtype == SCAN_DTYPE_U32X2 || dtype == SCAN_DTYPE_F32X2;
}

/* Of the integers of 8 and 16 bits. */
template <typename Visit> bool cuda_find_narrow_sum(uint32_t dtype, Visit visit)
{
    switch (dtype) {
    case SCAN_DTYPE_I8:
    case SCAN_DTYPE_U8:
        visit(cuda_sum<uint8_t>());
        return true;
    case SCAN_DTYPE_I16:
    case SCAN_DTYPE_U16:
        visit(cuda_sum<uint16_t>());
        return true;
    default:
        return false;
    }
}

template <typename Visit> bool cuda_find_narrow_extremum(bool max, uint32_t dtype, Visit visit)
{
    switch (dtype) {
    case SCAN_DTYPE_I8:
        visit(max ? cuda_max<int8_t>() : cuda_min<int8_t>());
        return true;
    case SCAN_DTYPE_U8:
        visit(max ? cuda_max<uint8_t>() : cuda_min<uint8_t>());
        return true;
    case SCAN_DTYPE_I16:
        visit(max ? cuda_max<int16_t>() : cuda_min<int16_t>());
        return true;
    case SCAN_DTYPE_U16:
        visit(max ? cuda_max<uint16_t>() : cuda_min<uint16_t>());
        return true;
    default:
        return false;
    }
}

template <typename Visit> bool cuda_find_narrow(uint32_t op, uint32_t dtype, Visit visit)
{
    switch (op) {
    case SCAN_OP_SUM:
        return cuda_find_narrow_sum(dtype, visit);
    case SCAN_OP_MAX:
    case SCAN_OP_MIN:
        return cuda_find_narrow_extremum(op == SCAN_OP_MAX, dtype, visit);
    default:
        return false;
    }
}

/* Of the floats of 16 bits. */
template <typename T, typename Visit> bool cuda_find_half_of(uint32_t op, Visit visit)
{
    if (op == SCAN_OP_SUM)
        visit(cuda_sum<T>());
    else if (op == SCAN_OP_MAX || op == SCAN_OP_MIN)
        visit(op == SCAN_OP_MAX ? cuda_max<T>() : cuda_min<T>());
    return op == SCAN_OP_SUM || op == SCAN_OP_MAX || op == SCAN_OP_MIN;
}

template <typename Visit> bool cuda_find_half(uint32_t op, uint32_t dtype, Visit visit)
{
    return dtype == SCAN_DTYPE_F16    ? cuda_find_half_of<cuda_f16>(op, visit)
           : dtype == SCAN_DTYPE_BF16 ? cuda_find_half_of<cuda_bf16>(op, visit)
                                      : false;
}

/* Of version 1.0. */
template <typename Visit> bool cuda_find_operator(uint32_t op, uint32_t dtype, Visit visit)
{
    switch (op) {
    case SCAN_OP_SUM:
        return cuda_find_sum(dtype, visit);
    case SCAN_OP_MAX:
    case SCAN_OP_MIN:
        return cuda_find_extremum(op == SCAN_OP_MAX, dtype, visit);
    case SCAN_OP_AFFINE:
        return cuda_find_affine(dtype, visit);
    default:
        return false;
    }
}

/* visit(operator) for the problem's operator; SCAN_UNSUPPORTED if there is none in version 1.0. */
template <typename Visit>
scan_status cuda_visit_operator(const scan_host *host, uint32_t op, uint32_t dtype, Visit visit)
{
    scan_status status = SCAN_OK;
    if (!cuda_find_operator(op, dtype, [&](auto found) { status = visit(found); }))
        return host->fail(host, SCAN_UNSUPPORTED, "no op %u on dtype %u", op, dtype);
    return status;
}

/* The same with 8 and 16 bits, for plugins with SCAN_NARROW_OPS_1_1 and SCAN_HALF_OPS_1_1. */
template <typename Visit>
scan_status cuda_visit_operator_1_1(const scan_host *host, uint32_t op, uint32_t dtype, Visit visit)
{
    scan_status status = SCAN_OK;
    const auto keep = [&](auto found) { status = visit(found); };
    if (cuda_find_narrow(op, dtype, keep) || cuda_find_half(op, dtype, keep))
        return status;
    return cuda_visit_operator(host, op, dtype, visit);
}

#endif
