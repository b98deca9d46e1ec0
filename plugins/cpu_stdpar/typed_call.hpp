/*
 * typed_call.hpp - the instance of a scan's template that a problem calls
 *
 * An engine is a struct with a template `scan<E, R, T, Op, kind>`, of elements E that are combined
 * as T and stored as R, and `boxes_floats`: are floats put into structs for max and min?
 */
#ifndef TYPED_CALL_HPP
#define TYPED_CALL_HPP

#include "operators.hpp"
#include "scan_plugin.h"

#include <type_traits>

/* `rows` rows, each of `n` elements of `inner` scans side by side; one of no elements where there
 * are none. */
struct scan_shape {
    uint64_t rows, n, inner;

    explicit scan_shape(const scan_problem &problem)
        : rows(problem.n > 0 ? scan_rows(&problem) : 1), n(problem.n),
          inner(problem.n > 0 ? scan_inner(&problem) : 1)
    {
    }
};

using scan_call = void(const void *in, void *out, const scan_shape &shape);

/* Few long rows are scanned one after the other, each by all threads; of others every thread has
 * some. */
template <typename T> bool rows_one_by_one(const scan_shape &shape, uint64_t threads)
{
    constexpr uint64_t rows_of_thread = 4, least_bytes = uint64_t{1} << 20;
    return shape.inner == 1 && (shape.rows == 1 || (shape.rows < threads * rows_of_thread &&
                                                    shape.n * sizeof(T) >= least_bytes));
}

template <typename Engine, typename T, typename Op, typename E = T, typename R = E>
scan_call *call_for_kind(uint32_t kind)
{
    if (kind == SCAN_KIND_EXCLUSIVE)
        return Engine::template scan<E, R, T, Op, SCAN_KIND_EXCLUSIVE>;
    return Engine::template scan<E, R, T, Op, SCAN_KIND_INCLUSIVE>;
}

template <typename Engine, typename T> scan_call *call_for_op(uint32_t op, uint32_t kind)
{
    return op == SCAN_OP_SUM   ? call_for_kind<Engine, T, sum_of>(kind)
           : op == SCAN_OP_MAX ? call_for_kind<Engine, T, max_of>(kind)
                               : call_for_kind<Engine, T, min_of>(kind);
}

template <typename Engine, typename T> scan_call *call_for_float(uint32_t op, uint32_t kind)
{
    if (!Engine::boxes_floats || op == SCAN_OP_SUM)
        return call_for_op<Engine, T>(op, kind);
    return op == SCAN_OP_MAX ? call_for_kind<Engine, boxed<T>, on_boxed<max_of>>(kind)
                             : call_for_kind<Engine, boxed<T>, on_boxed<min_of>>(kind);
}

/* Elements are rounded once, when they are stored: in structs sums are not left there before. */
template <typename Engine, typename E> scan_call *call_for_half(uint32_t op, uint32_t kind)
{
    using T = std::conditional_t<Engine::boxes_floats, boxed<float>, float>;
    using sum = std::conditional_t<Engine::boxes_floats, on_boxed<sum_of>, sum_of>;
    using max = std::conditional_t<Engine::boxes_floats, on_boxed<max_of>, max_of>;
    using min = std::conditional_t<Engine::boxes_floats, on_boxed<min_of>, min_of>;
    return op == SCAN_OP_SUM   ? call_for_kind<Engine, T, sum, E>(kind)
           : op == SCAN_OP_MAX ? call_for_kind<Engine, T, max, E>(kind)
                               : call_for_kind<Engine, T, min, E>(kind);
}

/* Sums are computed as unsigned: the same bits, and overflow is defined. */
template <typename Engine, typename Signed> scan_call *call_for_signed(uint32_t op, uint32_t kind)
{
    return op == SCAN_OP_SUM ? call_for_op<Engine, std::make_unsigned_t<Signed>>(op, kind)
                             : call_for_op<Engine, Signed>(op, kind);
}

/* Of elements E, converted to wider integers first. */
template <typename Engine, typename E, typename T>
scan_call *call_for_wide(uint32_t op, uint32_t kind)
{
    using U = std::make_unsigned_t<T>;
    return op == SCAN_OP_SUM   ? call_for_kind<Engine, U, sum_of, E, U>(kind)
           : op == SCAN_OP_MAX ? call_for_kind<Engine, T, max_of, E, T>(kind)
                               : call_for_kind<Engine, T, min_of, E, T>(kind);
}

/* Of f32, converted to f64 first. */
template <typename Engine> scan_call *call_for_wide_float(uint32_t op, uint32_t kind)
{
    using T = std::conditional_t<Engine::boxes_floats, boxed<double>, double>;
    using E = std::conditional_t<Engine::boxes_floats, to_be_boxed, float>;
    using max = std::conditional_t<Engine::boxes_floats, on_boxed<max_of>, max_of>;
    using min = std::conditional_t<Engine::boxes_floats, on_boxed<min_of>, min_of>;
    return op == SCAN_OP_SUM   ? call_for_kind<Engine, double, sum_of, float, double>(kind)
           : op == SCAN_OP_MAX ? call_for_kind<Engine, T, max, E, T>(kind)
                               : call_for_kind<Engine, T, min, E, T>(kind);
}

/* The pairs of SCAN_WIDE_1_1. */
template <typename Engine> scan_call *call_for_results(const scan_problem &problem)
{
    switch (problem.dtype) {
    case SCAN_DTYPE_I8:
        return call_for_wide<Engine, int8_t, int32_t>(problem.op, problem.kind);
    case SCAN_DTYPE_U8:
        return call_for_wide<Engine, uint8_t, uint32_t>(problem.op, problem.kind);
    case SCAN_DTYPE_I16:
        return call_for_wide<Engine, int16_t, int32_t>(problem.op, problem.kind);
    case SCAN_DTYPE_U16:
        return call_for_wide<Engine, uint16_t, uint32_t>(problem.op, problem.kind);
    case SCAN_DTYPE_I32:
        return call_for_wide<Engine, int32_t, int64_t>(problem.op, problem.kind);
    case SCAN_DTYPE_U32:
        return call_for_wide<Engine, uint32_t, uint64_t>(problem.op, problem.kind);
    default:
        return call_for_wide_float<Engine>(problem.op, problem.kind);
    }
}

template <typename Engine> scan_call *call_for(const scan_problem &problem)
{
    if (scan_result(&problem) != problem.dtype)
        return call_for_results<Engine>(problem);
    switch (problem.dtype) {
    case SCAN_DTYPE_I8:
        return call_for_signed<Engine, int8_t>(problem.op, problem.kind);
    case SCAN_DTYPE_U8:
        return call_for_op<Engine, uint8_t>(problem.op, problem.kind);
    case SCAN_DTYPE_I16:
        return call_for_signed<Engine, int16_t>(problem.op, problem.kind);
    case SCAN_DTYPE_U16:
        return call_for_op<Engine, uint16_t>(problem.op, problem.kind);
    case SCAN_DTYPE_I32:
        return call_for_signed<Engine, int32_t>(problem.op, problem.kind);
    case SCAN_DTYPE_U32:
        return call_for_op<Engine, uint32_t>(problem.op, problem.kind);
    case SCAN_DTYPE_I64:
        return call_for_signed<Engine, int64_t>(problem.op, problem.kind);
    case SCAN_DTYPE_U64:
        return call_for_op<Engine, uint64_t>(problem.op, problem.kind);
    case SCAN_DTYPE_F32:
        return call_for_float<Engine, float>(problem.op, problem.kind);
    case SCAN_DTYPE_F64:
        return call_for_float<Engine, double>(problem.op, problem.kind);
    case SCAN_DTYPE_F16:
        return call_for_half<Engine, f16>(problem.op, problem.kind);
    case SCAN_DTYPE_BF16:
        return call_for_half<Engine, bf16>(problem.op, problem.kind);
    case SCAN_DTYPE_U32X2:
        return call_for_kind<Engine, pair<uint32_t>, affine_of>(problem.kind);
    default:
        return call_for_kind<Engine, pair<float>, affine_of>(problem.kind);
    }
}

#endif
