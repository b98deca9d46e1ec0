/*
 * cuda_lines.cuh - a warp's part of a tile: lines of 32 x 16 bytes, in registers
 *
 * A line is what a warp accesses at once: 16 bytes in each lane. So nothing is exchanged but the
 * lanes' totals. The lines are scanned side by side, which hides the latency of the shuffles.
 * Order: line, lane, element. The tunable `rows` of plugins is the number of lines of a warp.
 *
 * Indices may begin before the array, where they wrap around below 0: so that a tile can begin
 * where 16-byte accesses can, wherever the array begins. What lies outside counts as the identity.
 */
#ifndef CUDA_LINES_CUH
#define CUDA_LINES_CUH

#include "cuda_access.cuh"
#include "cuda_packed.cuh"

#include <cstdint>
#include <type_traits>

/* pick(std::integral_constant<unsigned, LINES>()) with `lines` as a compile-time constant, so that
 * a kernel's lines stay in registers. `lines` is 1, 2, 4 or 8. */
template <typename Pick> auto cuda_pick_lines(unsigned lines, Pick pick)
{
    switch (lines) {
    case 1:
        return pick(std::integral_constant<unsigned, 1>());
    case 2:
        return pick(std::integral_constant<unsigned, 2>());
    case 4:
        return pick(std::integral_constant<unsigned, 4>());
    default:
        return pick(std::integral_constant<unsigned, 8>());
    }
}

/* Elements from the last multiple of 16 bytes to `array`, which is aligned to its elements. */
template <typename T> __host__ __device__ inline unsigned cuda_skew(const T *array)
{
    return static_cast<unsigned>(reinterpret_cast<uintptr_t>(array) % 16 / sizeof(T));
}

/* What is scanned. Both arrays are aligned to their elements, no more; out may be in, if elements
 * and results are of one type. */
template <typename T, typename From = T> struct cuda_arrays {
    const From *in;
    T *out;
    uint64_t n;
    bool inclusive;
};

/* The total of one lane's part of a line. */
template <typename Op, typename T>
__device__ inline cuda_total<T> cuda_total_of(Op op, const cuda_vector<T> &values)
{
    if constexpr (sizeof(T) < 4) {
        return cuda_packed_total(op, values);
    } else {
        cuda_total<T> total = op.widen(values.element[0]);
#pragma unroll
        for (unsigned e = 1; e < cuda_vector<T>::count; e++)
            total = op(total, op.widen(values.element[e]));
        return total;
    }
}

/* Are elements narrower than their totals? */
template <typename T> inline constexpr bool cuda_is_widened = sizeof(T) < sizeof(cuda_total<T>);

/* What stands before each lane's part of a line in the warp's part. Elements that are narrower than
 * their totals keep it, and are scanned once, when it is known what stands before the warp's part:
 * then a total is added, where otherwise each element would be, and what rounds is rounded once.
 * The others are scanned at once. */
template <typename T, unsigned LINES, bool WIDENED = cuda_is_widened<T>> struct cuda_lines_before {
};

template <typename T, unsigned LINES> struct cuda_lines_before<T, LINES, true> {
    cuda_total<T> before[LINES];
    bool is_inclusive;
};

template <typename Op, unsigned LINES>
struct cuda_lines : cuda_lines_before<typename Op::value, LINES> {
    using T = typename Op::value;
    using total_type = cuda_total<T>;
    static constexpr bool is_narrow = sizeof(T) < 4; /* and packed */
    static constexpr bool is_widened = cuda_is_widened<T>;
    static constexpr unsigned per_lane = 16 / sizeof(T); /* elements of a line */
    static constexpr unsigned per_line = CUDA_WARP * per_lane;
    static constexpr unsigned elements = LINES * per_line; /* of a warp */

    cuda_vector<T> line[LINES];

    /* The warp's elements in[first ...] of in[0 ... n-1]; in + first is a multiple of 16 bytes. */
    __device__ void load(Op op, const T *in, uint64_t n, uint64_t first)
    {
        const unsigned lane = threadIdx.x % CUDA_WARP;
        if (is_whole(n, first)) {
            const uint4 *const from = reinterpret_cast<const uint4 *>(in + first) + lane;
#pragma unroll
            for (unsigned r = 0; r < LINES; r++)
                line[r] = cuda_same_bits<cuda_vector<T>>(from[r * CUDA_WARP]);
            return;
        }
#pragma unroll
        for (unsigned r = 0; r < LINES; r++) {
            if constexpr (is_narrow)
                line[r] = {};
#pragma unroll
            for (unsigned e = 0; e < per_lane; e++) {
                const uint64_t i = first + r * per_line + lane * per_lane + e;
                cuda_set_element(line[r], e, i < n ? in[i] : op.narrow(op.identity()));
            }
        }
    }

    /* Scans the warp's part, as if it were all there is; returns its total in every lane. */
    __device__ total_type scan(Op op, bool inclusive)
    {
        const unsigned lane = threadIdx.x % CUDA_WARP;
        total_type up_to[LINES];
#pragma unroll
        for (unsigned r = 0; r < LINES; r++)
            up_to[r] = cuda_total_of(op, line[r]);
#pragma unroll
        for (unsigned step = 1; step < CUDA_WARP; step *= 2) {
#pragma unroll
            for (unsigned r = 0; r < LINES; r++) {
                const total_type left = cuda_shuffle_up(up_to[r], step);
                if (lane >= step || cuda_is_idempotent<Op>) /* where not, left is the same */
                    up_to[r] = op(left, up_to[r]);
            }
        }
        if constexpr (is_widened)
            this->is_inclusive = inclusive;
        total_type total = op.identity();
#pragma unroll
        for (unsigned r = 0; r < LINES; r++) {
            const total_type left = cuda_shuffle_up(up_to[r], 1);
            const total_type running = lane == 0 ? total : op(total, left);
            total = op(total, cuda_shuffle_from(up_to[r], CUDA_WARP - 1));
            if constexpr (is_widened)
                this->before[r] = running;
            else
                scan_line(op, r, running, inclusive);
        }
        return total;
    }

    /* Puts `prefix` before all of the scan. */
    __device__ void put_before(Op op, const total_type &prefix)
    {
        if constexpr (is_widened) {
            if (this->is_inclusive)
                scan_widened<true>(op, prefix);
            else
                scan_widened<false>(op, prefix);
        } else {
#pragma unroll
            for (unsigned r = 0; r < LINES; r++) {
#pragma unroll
                for (unsigned e = 0; e < per_lane; e++)
                    line[r].element[e] = op(prefix, line[r].element[e]);
            }
        }
    }

    /* Stores the scan, with `prefix` before all of it, to the same places of out[0 ... n-1]. */
    __device__ void store(Op op, T *out, uint64_t n, uint64_t first, total_type prefix)
    {
        const unsigned lane = threadIdx.x % CUDA_WARP;
        put_before(op, prefix);
        if (is_whole(n, first) && cuda_skew(out + first) == 0) {
            uint4 *const to = reinterpret_cast<uint4 *>(out + first) + lane;
#pragma unroll
            for (unsigned r = 0; r < LINES; r++)
                to[r * CUDA_WARP] = cuda_same_bits<uint4>(line[r]);
            return;
        }
#pragma unroll
        for (unsigned r = 0; r < LINES; r++) {
#pragma unroll
            for (unsigned e = 0; e < per_lane; e++) {
                const uint64_t i = first + r * per_line + lane * per_lane + e;
                if (i < n)
                    out[i] = cuda_element(line[r], e);
            }
        }
    }

  private:
    __device__ void scan_line(Op op, unsigned r, T running, bool inclusive)
    {
#pragma unroll
        for (unsigned e = 0; e < per_lane; e++) {
            const T next = op(running, line[r].element[e]);
            line[r].element[e] = inclusive ? next : running;
            running = next;
        }
    }

    template <bool INCLUSIVE> __device__ void scan_widened(Op op, const total_type &prefix)
    {
#pragma unroll
        for (unsigned r = 0; r < LINES; r++) {
            if constexpr (is_narrow)
                cuda_packed_scan<INCLUSIVE>(op, line[r], op(prefix, this->before[r]));
            else
                scan_and_narrow<INCLUSIVE>(op, line[r], op(prefix, this->before[r]));
        }
    }

    template <bool INCLUSIVE>
    static __device__ void scan_and_narrow(Op op, cuda_vector<T> &values, total_type running)
    {
#pragma unroll
        for (unsigned e = 0; e < per_lane; e++) {
            const total_type next = op(running, op.widen(values.element[e]));
            values.element[e] = op.narrow(INCLUSIVE ? next : running);
            running = next;
        }
    }

    static __device__ bool is_whole(uint64_t n, uint64_t first)
    {
        return first < n && n - first >= elements;
    }
};

#endif
