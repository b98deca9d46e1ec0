/*
 * cuda_wide.cuh - results wider than the input: which types become which, and 16 bytes of results
 * of the elements that one access loads
 */
#ifndef CUDA_WIDE_CUH
#define CUDA_WIDE_CUH

#include "cuda_access.cuh"
#include "cuda_half.cuh"
#include "cuda_ops.cuh"
#include "scan_plugin.h"

/* Elements From, whose results are To. */
template <typename From, typename To> struct cuda_wide {
    using from = From;
    using to = To;
};

/* What sums of T are made in: signed integers as unsigned, so that they wrap. */
template <typename T>
using cuda_summed = std::conditional_t<std::is_same_v<T, int32_t>, uint32_t,
                                       std::conditional_t<std::is_same_v<T, int64_t>, uint64_t, T>>;

template <typename To, typename From> __host__ __device__ inline To cuda_convert(From element)
{
    if constexpr (std::is_same_v<To, From>)
        return element;
    else if constexpr (cuda_is_half<From>)
        return cuda_half<From>::to_f32(element);
    else
        return static_cast<To>(element);
}

/* The elements of a vector of results, 4 or 8 bytes, to which it is aligned. */
template <typename From, typename To> struct alignas(16 * sizeof(From) / sizeof(To)) cuda_piece {
    static constexpr unsigned count = 16 / sizeof(To);
    unsigned word[4 * sizeof(From) / sizeof(To)];

    __device__ From element(unsigned e) const
    {
        if constexpr (sizeof(From) < 4)
            return static_cast<From>(word[e * sizeof(From) / 4] >> e * sizeof(From) % 4 * 8);
        else
            return cuda_same_bits<From>(word[e]);
    }
    __device__ cuda_vector<To> results() const
    {
        cuda_vector<To> made;
#pragma unroll
        for (unsigned e = 0; e < count; e++)
            made.element[e] = cuda_convert<To>(element(e));
        return made;
    }
};

/* The elements of a vector of results of type T. */
template <typename T, typename From>
using cuda_source =
    std::conditional_t<std::is_same_v<T, From>, cuda_vector<T>, cuda_piece<From, T>>;

/* Elements from the last multiple of such a source to `array`, which is aligned to its elements. */
template <typename T, typename From>
__host__ __device__ inline unsigned cuda_source_skew(const From *array)
{
    return static_cast<unsigned>(reinterpret_cast<uintptr_t>(array) % sizeof(cuda_source<T, From>) /
                                 sizeof(From));
}

/* Loads the source at `from`, to which that is aligned, and converts it. */
template <typename T, typename From>
__device__ inline cuda_vector<T> cuda_load_results(const From *from)
{
    if constexpr (std::is_same_v<T, From>) {
        return cuda_same_bits<cuda_vector<T>>(*reinterpret_cast<const uint4 *>(from));
    } else {
        const auto source = *reinterpret_cast<const cuda_source<T, From> *>(from);
        return source.results();
    }
}

/* visit(result, cuda_wide) for the pair of SCAN_WIDE_1_1 and SCAN_WIDE_HALF_1_1 that a type is in;
 * `result` is the dtype of its results. Returns: is there one? */
template <typename Visit> bool cuda_find_wider(uint32_t dtype, Visit visit)
{
    const auto is = [&](uint32_t from, uint32_t to, auto pair) {
        if (dtype == from)
            visit(to, pair);
        return dtype == from;
    };
    return is(SCAN_DTYPE_I8, SCAN_DTYPE_I32, cuda_wide<int8_t, int32_t>()) ||
           is(SCAN_DTYPE_U8, SCAN_DTYPE_U32, cuda_wide<uint8_t, uint32_t>()) ||
           is(SCAN_DTYPE_I16, SCAN_DTYPE_I32, cuda_wide<int16_t, int32_t>()) ||
           is(SCAN_DTYPE_U16, SCAN_DTYPE_U32, cuda_wide<uint16_t, uint32_t>()) ||
           is(SCAN_DTYPE_I32, SCAN_DTYPE_I64, cuda_wide<int32_t, int64_t>()) ||
           is(SCAN_DTYPE_U32, SCAN_DTYPE_U64, cuda_wide<uint32_t, uint64_t>()) ||
           is(SCAN_DTYPE_F32, SCAN_DTYPE_F64, cuda_wide<float, double>()) ||
           is(SCAN_DTYPE_F16, SCAN_DTYPE_F32, cuda_wide<cuda_f16, float>()) ||
           is(SCAN_DTYPE_BF16, SCAN_DTYPE_F32, cuda_wide<cuda_bf16, float>());
}

/* visit(cuda_wide) if the two are such a pair. Returns: are they? */
template <typename Visit> bool cuda_find_wide(uint32_t dtype, uint32_t result, Visit visit)
{
    bool found = false;
    (void)cuda_find_wider(dtype, [&](uint32_t to, auto pair) {
        found = to == result;
        if (found)
            visit(pair);
    });
    return found;
}

/* visit(operator, element) for a problem with wider results, which sums alone have; of the element
 * only its type counts. Returns what that does, or SCAN_UNSUPPORTED. */
template <typename Visit>
scan_status cuda_visit_wide(const scan_host *host, const scan_problem *problem, Visit visit)
{
    scan_status status = SCAN_UNSUPPORTED;
    if (problem->op != SCAN_OP_SUM)
        return host->fail(host, status, "only sums have results wider than the input");
    (void)cuda_find_wide(problem->dtype, scan_result(problem), [&](auto pair) {
        using of = decltype(pair);
        status = visit(cuda_sum<cuda_summed<typename of::to>>(), typename of::from());
    });
    return status;
}

#endif
