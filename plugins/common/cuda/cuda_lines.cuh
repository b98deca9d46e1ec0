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

/* What is scanned. Both arrays are aligned to their elements, no more; out may be in. */
template <typename T> struct cuda_arrays {
    const T *in;
    T *out;
    uint64_t n;
    bool inclusive;
};

template <typename Op, unsigned LINES> struct cuda_lines {
    using T = typename Op::value;
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
#pragma unroll
            for (unsigned e = 0; e < per_lane; e++) {
                const uint64_t i = first + r * per_line + lane * per_lane + e;
                line[r].element[e] = i < n ? in[i] : op.identity();
            }
        }
    }

    /* Scans the warp's part, as if it were all there is; returns its total in every lane. */
    __device__ T scan(Op op, bool inclusive)
    {
        const unsigned lane = threadIdx.x % CUDA_WARP;
        T up_to[LINES];
#pragma unroll
        for (unsigned r = 0; r < LINES; r++) {
            up_to[r] = line[r].element[0];
#pragma unroll
            for (unsigned e = 1; e < per_lane; e++)
                up_to[r] = op(up_to[r], line[r].element[e]);
        }
#pragma unroll
        for (unsigned step = 1; step < CUDA_WARP; step *= 2) {
#pragma unroll
            for (unsigned r = 0; r < LINES; r++) {
                const T left = cuda_shuffle_up(up_to[r], step);
                if (lane >= step)
                    up_to[r] = op(left, up_to[r]);
            }
        }
        T total = op.identity();
#pragma unroll
        for (unsigned r = 0; r < LINES; r++) {
            const T left = cuda_shuffle_up(up_to[r], 1);
            T running = lane == 0 ? total : op(total, left);
            total = op(total, cuda_shuffle_from(up_to[r], CUDA_WARP - 1));
#pragma unroll
            for (unsigned e = 0; e < per_lane; e++) {
                const T next = op(running, line[r].element[e]);
                line[r].element[e] = inclusive ? next : running;
                running = next;
            }
        }
        return total;
    }

    /* Stores the scan, with `prefix` before all of it, to the same places of out[0 ... n-1]. */
    __device__ void store(Op op, T *out, uint64_t n, uint64_t first, T prefix)
    {
        const unsigned lane = threadIdx.x % CUDA_WARP;
#pragma unroll
        for (unsigned r = 0; r < LINES; r++) {
#pragma unroll
            for (unsigned e = 0; e < per_lane; e++)
                line[r].element[e] = op(prefix, line[r].element[e]);
        }
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
                    out[i] = line[r].element[e];
            }
        }
    }

  private:
    static __device__ bool is_whole(uint64_t n, uint64_t first)
    {
        return first < n && n - first >= elements;
    }
};

#endif
