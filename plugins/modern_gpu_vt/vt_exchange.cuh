/*
 * vt_exchange.cuh - exchanges a warp's elements between the order of memory and the order of
 * threads
 *
 * Memory is fastest if the lanes of a warp access 16 bytes each, side by side; the scan needs VT
 * consecutive elements in one thread. Each warp converts one order into the other in its own part
 * of shared memory, so that no barrier of the block is needed.
 *
 * A lane's row of VT elements is accessed in the widest pieces that divide it. With an odd number
 * of pieces to a row the lanes' pieces fall into different banks; with an even number, 16 bytes of
 * padding after every 128 achieve that.
 */
#ifndef VT_EXCHANGE_CUH
#define VT_EXCHANGE_CUH

#include "cuda_access.cuh"

#include <cstdint>

template <unsigned BYTES>
using vt_piece =
    std::conditional_t<BYTES == 16, uint4, std::conditional_t<BYTES == 8, uint2, unsigned>>;

template <typename T, unsigned VT> struct vt_exchange {
    static constexpr unsigned per_unit = 16 / sizeof(T);   /* elements in 16 bytes */
    static constexpr unsigned elements = CUDA_WARP * VT;   /* of a warp */
    static constexpr unsigned units = elements / per_unit; /* of 16 bytes */
    static constexpr unsigned rounds = (units + CUDA_WARP - 1) / CUDA_WARP;
    static constexpr unsigned width = VT % per_unit == 0                 ? per_unit
                                      : per_unit % 4 == 0 && VT % 2 == 0 ? 2
                                                                         : 1;
    static constexpr bool padded = width == per_unit && VT / width % 2 == 0;
    static constexpr unsigned room = padded ? units + units / 8 : units; /* units it takes */
    using piece = vt_piece<width * sizeof(T)>;

    static __device__ unsigned unit_place(unsigned unit)
    {
        return padded ? unit + unit / 8 : unit;
    }
    static __device__ unsigned place(unsigned element)
    {
        return padded ? element + element / (8 * per_unit) * per_unit : element;
    }

    /* Loads from[0 ... left-1], with `identity` after it; thread `lane` gets its row. */
    static __device__ void load(uint4 *memory, const T *from, uint64_t left, T identity,
                                T (&row)[VT])
    {
        const unsigned lane = threadIdx.x % CUDA_WARP;
        if (left >= elements) {
            uint4 unit[rounds];
#pragma unroll
            for (unsigned k = 0; k < rounds; k++)
                if (k * CUDA_WARP + lane < units)
                    unit[k] = __ldcs(reinterpret_cast<const uint4 *>(from) + k * CUDA_WARP + lane);
#pragma unroll
            for (unsigned k = 0; k < rounds; k++)
                if (k * CUDA_WARP + lane < units)
                    memory[unit_place(k * CUDA_WARP + lane)] = unit[k];
        } else {
            T *const element = reinterpret_cast<T *>(memory);
#pragma unroll 1
            for (unsigned i = lane; i < elements; i += CUDA_WARP)
                element[place(i)] = i < left ? from[i] : identity;
        }
        __syncwarp();
#pragma unroll
        for (unsigned i = 0; i < VT; i += width) {
            const piece raw = *piece_at(memory, lane * VT + i);
            memcpy(&row[i], &raw, sizeof raw);
        }
    }

    /* Stores the rows to to[0 ... left-1]. */
    static __device__ void store(uint4 *memory, T *to, uint64_t left, const T (&row)[VT])
    {
        const unsigned lane = threadIdx.x % CUDA_WARP;
        /* Each lane overwrites only what it alone has read. */
#pragma unroll
        for (unsigned i = 0; i < VT; i += width) {
            piece raw;
            memcpy(&raw, &row[i], sizeof raw);
            *piece_at(memory, lane * VT + i) = raw;
        }
        __syncwarp();
        if (left >= elements) {
#pragma unroll
            for (unsigned k = 0; k < rounds; k++)
                if (k * CUDA_WARP + lane < units)
                    __stcs(reinterpret_cast<uint4 *>(to) + k * CUDA_WARP + lane,
                           memory[unit_place(k * CUDA_WARP + lane)]);
        } else {
            const T *const element = reinterpret_cast<const T *>(memory);
#pragma unroll 1
            for (unsigned i = lane; i < left; i += CUDA_WARP)
                to[i] = element[place(i)];
        }
    }

  private:
    static __device__ piece *piece_at(uint4 *memory, unsigned element)
    {
        return reinterpret_cast<piece *>(reinterpret_cast<T *>(memory) + place(element));
    }
};

#endif
