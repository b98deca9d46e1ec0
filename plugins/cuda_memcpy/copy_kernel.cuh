/*
 * copy_kernel.cuh - reads elements once and writes what is made of them once, in vectors: a copy,
 * one that inverts every bit, or one that converts elements to a wider type
 */
#ifndef COPY_KERNEL_CUH
#define COPY_KERNEL_CUH

#include "cuda_wide.cuh"

#include <cstdint>

enum : unsigned { COPY_BLOCK = 512 };

/* What is made of elements: `loaded` are those of 16 bytes of results, one `element` is by itself.
 */
struct copy_same {
    using from = unsigned char;
    using to = unsigned char;
    using loaded = uint4;

    static __device__ uint4 vector(const uint4 &v)
    {
        return v;
    }
    static __device__ unsigned char element(unsigned char byte)
    {
        return byte;
    }
};

struct copy_inverted : copy_same {
    static __device__ uint4 vector(const uint4 &v)
    {
        return uint4{~v.x, ~v.y, ~v.z, ~v.w};
    }
    static __device__ unsigned char element(unsigned char byte)
    {
        return static_cast<unsigned char>(~byte);
    }
};

template <typename From, typename To> struct copy_widened {
    using from = From;
    using to = To;
    using loaded = cuda_piece<From, To>;

    static __device__ uint4 vector(const loaded &piece)
    {
        return cuda_same_bits<uint4>(piece.results());
    }
    static __device__ To element(From one)
    {
        return cuda_convert<To>(one);
    }
};

/* `in` and `out` are aligned to whole vectors of each. Tiles of VECTORS * COPY_BLOCK vectors of
 * results: a thread loads all of its vectors before it stores the first. The grid may be smaller
 * than the number of tiles. READ_ONCE: what is loaded leaves the L2 cache before what is stored.
 * `in` may be `out` if the types are the same. */
template <typename Pass, unsigned VECTORS, bool READ_ONCE>
__global__ void __launch_bounds__(COPY_BLOCK)
    copy_vectors(const void *in, void *out, uint64_t elements)
{
    using from = typename Pass::from;
    using to = typename Pass::to;
    using loaded = typename Pass::loaded;
    constexpr uint64_t tile = VECTORS * COPY_BLOCK;
    constexpr unsigned count = 16 / sizeof(to);
    const uint64_t vectors = elements / count;
    const auto *source = static_cast<const loaded *>(in);
    auto *target = static_cast<uint4 *>(out);
    for (uint64_t start = blockIdx.x * tile; start < vectors; start += gridDim.x * tile) {
        loaded values[VECTORS];
#pragma unroll
        for (unsigned v = 0; v < VECTORS; v++) {
            const uint64_t i = start + v * COPY_BLOCK + threadIdx.x;
            if (i < vectors)
                values[v] = READ_ONCE ? cuda_load_once(source + i) : source[i];
        }
#pragma unroll
        for (unsigned v = 0; v < VECTORS; v++) {
            const uint64_t i = start + v * COPY_BLOCK + threadIdx.x;
            if (i < vectors)
                target[i] = Pass::vector(values[v]);
        }
    }
    if (blockIdx.x == 0 && threadIdx.x < elements % count) {
        const uint64_t last = vectors * count + threadIdx.x;
        static_cast<to *>(out)[last] = Pass::element(static_cast<const from *>(in)[last]);
    }
}

#endif
