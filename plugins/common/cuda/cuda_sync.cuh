/*
 * cuda_sync.cuh - how kernels talk to each other: words in global memory, and clusters of blocks
 *
 * A relaxed access is never torn and never kept in a register or in the L1 cache, but orders
 * nothing. That is enough where a word carries all that is said (cuda_tagged.cuh). On host
 * compilers the same names lead to the emulator (emulator/emulator.h).
 */
#ifndef CUDA_SYNC_CUH
#define CUDA_SYNC_CUH

#include <cstdint>
#include <cuda_runtime.h>

/* Who sees what is stored: the blocks of one device, or also those of others, through peer memory.
 */
enum class cuda_scope { device, system };

/* Two words side by side, accessed at once. Each is never torn, but they may belong to different
 * stores. */
struct alignas(16) cuda_two_words {
    uint64_t first;
    uint64_t second;
};

#ifdef __CUDACC__

/* A variable in shared memory. */
#define CUDA_SHARED(type, name) __shared__ type name

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700 /* the memory model begins with 7.0 */
#define CUDA_RELAXED(access, scope) access ".volatile.global"
#else
#define CUDA_RELAXED(access, scope) access ".relaxed." scope ".global"
#endif

template <cuda_scope SCOPE = cuda_scope::device>
__device__ inline uint64_t cuda_load_relaxed(const uint64_t *from)
{
    uint64_t word;
    if constexpr (SCOPE == cuda_scope::device)
        asm volatile(CUDA_RELAXED("ld", "gpu") ".u64 %0, [%1];"
                     : "=l"(word)
                     : "l"(from)
                     : "memory");
    else
        asm volatile(CUDA_RELAXED("ld", "sys") ".u64 %0, [%1];"
                     : "=l"(word)
                     : "l"(from)
                     : "memory");
    return word;
}

template <cuda_scope SCOPE = cuda_scope::device>
__device__ inline void cuda_store_relaxed(uint64_t *to, uint64_t word)
{
    if constexpr (SCOPE == cuda_scope::device)
        asm volatile(CUDA_RELAXED("st", "gpu") ".u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
    else
        asm volatile(CUDA_RELAXED("st", "sys") ".u64 [%0], %1;" ::"l"(to), "l"(word) : "memory");
}

template <cuda_scope SCOPE = cuda_scope::device>
__device__ inline cuda_two_words cuda_load_relaxed(const cuda_two_words *from)
{
    uint64_t first, second;
    if constexpr (SCOPE == cuda_scope::device)
        asm volatile(CUDA_RELAXED("ld", "gpu") ".v2.u64 {%0, %1}, [%2];"
                     : "=l"(first), "=l"(second)
                     : "l"(from)
                     : "memory");
    else
        asm volatile(CUDA_RELAXED("ld", "sys") ".v2.u64 {%0, %1}, [%2];"
                     : "=l"(first), "=l"(second)
                     : "l"(from)
                     : "memory");
    return {first, second};
}

template <cuda_scope SCOPE = cuda_scope::device>
__device__ inline void cuda_store_relaxed(cuda_two_words *to, const cuda_two_words &words)
{
    const uint64_t first = words.first, second = words.second;
    if constexpr (SCOPE == cuda_scope::device)
        asm volatile(CUDA_RELAXED("st", "gpu") ".v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(first),
                     "l"(second)
                     : "memory");
    else
        asm volatile(CUDA_RELAXED("st", "sys") ".v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(first),
                     "l"(second)
                     : "memory");
}

/* ---- clusters, from compute capability 9.0 on; elsewhere a cluster is one block ---------- */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

__device__ inline unsigned cuda_cluster_rank()
{
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

/* A barrier of the cluster in two halves, for whole warps: all blocks have begun, and what they
 * have shown (cuda_phases_show) can be used. It orders no other accesses, which would be a fence of
 * the whole device. */
__device__ inline void cuda_cluster_arrive()
{
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
}

__device__ inline void cuda_cluster_wait()
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

#else

__device__ inline unsigned cuda_cluster_rank()
{
    return 0;
}
__device__ inline void cuda_cluster_arrive()
{
}
__device__ inline void cuda_cluster_wait()
{
}
#endif

#else /* the emulator */

#define CUDA_SHARED(type, name) type &name = *static_cast<type *>(emulator::shared(sizeof(type)))

template <cuda_scope SCOPE = cuda_scope::device>
inline uint64_t cuda_load_relaxed(const uint64_t *from)
{
    return emulator::load(from, sizeof *from, emulator::order::relaxed);
}

/* What is stored for other devices is on its way for a while, and comes in any order. */
template <cuda_scope SCOPE = cuda_scope::device>
inline void cuda_store_relaxed(uint64_t *to, uint64_t word)
{
    if constexpr (SCOPE == cuda_scope::device)
        emulator::store(to, word, sizeof *to, emulator::order::relaxed);
    else
        emulator::store_late(to, word, sizeof *to);
}

/* The order of the two is open: each is done first half of the time. */
template <cuda_scope SCOPE = cuda_scope::device>
inline cuda_two_words cuda_load_relaxed(const cuda_two_words *from)
{
    cuda_two_words words;
    const bool backwards = emulator::toss();
    if (backwards)
        words.second = cuda_load_relaxed<SCOPE>(&from->second);
    words.first = cuda_load_relaxed<SCOPE>(&from->first);
    if (!backwards)
        words.second = cuda_load_relaxed<SCOPE>(&from->second);
    return words;
}

template <cuda_scope SCOPE = cuda_scope::device>
inline void cuda_store_relaxed(cuda_two_words *to, const cuda_two_words &words)
{
    const bool backwards = emulator::toss();
    if (backwards)
        cuda_store_relaxed<SCOPE>(&to->second, words.second);
    cuda_store_relaxed<SCOPE>(&to->first, words.first);
    if (!backwards)
        cuda_store_relaxed<SCOPE>(&to->second, words.second);
}

inline unsigned cuda_cluster_rank()
{
    return emulator::cluster_rank();
}
inline void cuda_cluster_arrive()
{
    emulator::cluster_arrive();
}
inline void cuda_cluster_wait()
{
    emulator::cluster_wait();
}

#endif

#endif
