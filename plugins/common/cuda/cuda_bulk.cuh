/*
 * cuda_bulk.cuh - copies into shared memory and out of it that run by themselves, and the barriers
 * they arrive at
 *
 * A bulk copy is one instruction of one thread; hardware beside the multiprocessor's warps moves
 * the bytes. Those of a load are counted by a barrier in shared memory. Such a barrier has phases:
 * one is over when as many arrivals as it was set up for, and all bytes that were announced, have
 * come. Who waits names the parity of the phase; so nobody may be two phases behind.
 *
 * An asynchronous load is one of a vector by one thread, which does not wait for it, and can let it
 * arrive at such a barrier.
 *
 * Within a cluster a block can also send a value into another one's shared memory, which arrives at
 * a barrier there.
 *
 * From compute capability 9.0 on (PTX: mbarrier, cp.async, cp.async.bulk, st.async). Code for older
 * devices stops with an error, and plugins refuse those. On host compilers the same names lead to
 * the emulator.
 */
#ifndef CUDA_BULK_CUH
#define CUDA_BULK_CUH

#include "cuda_access.cuh"

#include <cstdint>
#include <cuda_runtime.h>

struct alignas(8) cuda_phases {
    uint64_t state;
};

using cuda_policy = uint64_t; /* of the L2 cache */

#ifdef __CUDACC__

/* Shared memory whose size the launch decides. */
#define CUDA_SHARED_BYTES(name, size) extern __shared__ __align__(128) unsigned char name[]

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

__device__ inline unsigned cuda_shared_address(const void *shared)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}

/* By one thread, before cuda_phases_show. */
__device__ inline void cuda_phases_begin(cuda_phases *at, unsigned arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(cuda_shared_address(at)),
                 "r"(arrivals)
                 : "memory");
}

/* By the same thread: the copies see the barriers that it has set up; other threads do after
 * __syncthreads. */
__device__ inline void cuda_phases_show()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ inline void cuda_phases_arrive(cuda_phases *at)
{
    asm volatile("{\n\t.reg .b64 phase;\n\t"
                 "mbarrier.arrive.release.cta.shared::cta.b64 phase, [%0];\n\t}" ::"r"(
                     cuda_shared_address(at))
                 : "memory");
}

/* Arrives, and announces bytes that will come in this phase. */
__device__ inline void cuda_phases_announce(cuda_phases *at, unsigned bytes)
{
    asm volatile(
        "{\n\t.reg .b64 phase;\n\t"
        "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 phase, [%0], %1;\n\t}" ::"r"(
            cuda_shared_address(at)),
        "r"(bytes)
        : "memory");
}

/* Waits until the current phase is not one of this parity. The first phase has parity 0. */
__device__ inline void cuda_phases_wait(cuda_phases *at, unsigned parity)
{
    unsigned over = 0;
    while (over == 0)
        asm volatile("{\n\t.reg .pred over;\n\t"
                     "mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 over, [%1], %2;\n\t"
                     "selp.u32 %0, 1, 0, over;\n\t}"
                     : "=r"(over)
                     : "r"(cuda_shared_address(at)), "r"(parity)
                     : "memory");
}

/* How a load treats the lines of the L2 cache that it goes through: as any access does, or such
 * that they leave the cache before others. */
__device__ inline cuda_policy cuda_policy_of(bool leaves_first)
{
    cuda_policy policy;
    if (leaves_first)
        asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    else
        asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

/* Addresses and size are multiples of 16 bytes, which were announced at `arrives_at`. */
__device__ inline void cuda_bulk_load(void *to_shared, const void *from, unsigned bytes,
                                      cuda_phases *arrives_at, cuda_policy policy)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
                 "[%0], [%1], %2, [%3], %4;" ::"r"(cuda_shared_address(to_shared)),
                 "l"(__cvta_generic_to_global(from)), "r"(bytes),
                 "r"(cuda_shared_address(arrives_at)), "l"(policy)
                 : "memory");
}

/* 16 bytes; both addresses are multiples of 16. */
__device__ inline void cuda_async_load(void *to_shared, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(cuda_shared_address(to_shared)),
                 "l"(__cvta_generic_to_global(from))
                 : "memory");
}

/* The thread arrives when all asynchronous loads have come that it has begun. */
__device__ inline void cuda_async_arrive(cuda_phases *at)
{
    asm volatile(
        "cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(cuda_shared_address(at))
        : "memory");
}

/* Where a variable of this block's shared memory lies in block `rank` of the cluster. */
__device__ inline unsigned cuda_shared_address_in(const void *shared, unsigned rank)
{
    unsigned address;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(address)
        : "r"(cuda_shared_address(shared)), "r"(rank));
    return address;
}

/* Sends 4 or 8 bytes to where `mine` lies in block `rank` of the cluster, which has shown its
 * barriers; they arrive at the barrier where `arrives_at` lies there. */
template <typename T>
__device__ inline void cuda_send(T *mine, unsigned rank, const T &value, cuda_phases *arrives_at)
{
    const unsigned to = cuda_shared_address_in(mine, rank);
    const unsigned barrier = cuda_shared_address_in(arrives_at, rank);
    if constexpr (sizeof(T) == 4)
        asm volatile(
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to),
            "r"(cuda_same_bits<unsigned>(value)), "r"(barrier)
            : "memory");
    else
        asm volatile(
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(to),
            "l"(cuda_same_bits<unsigned long long>(value)), "r"(barrier)
            : "memory");
}

/* The thread calls cuda_bulk_wait_read before the shared memory is written again. */
__device__ inline void cuda_bulk_store(void *to, const void *from_shared, unsigned bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n\t"
                 "cp.async.bulk.commit_group;" ::"l"(__cvta_generic_to_global(to)),
                 "r"(cuda_shared_address(from_shared)), "r"(bytes)
                 : "memory");
}

/* Waits until this thread's bulk stores, but the NEWEST of them, have read shared memory. */
template <int NEWEST = 0> __device__ inline void cuda_bulk_wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(NEWEST) : "memory");
}

/* Between ordinary accesses to shared memory and a bulk copy that comes after them. */
__device__ inline void cuda_bulk_fence()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

#else

__device__ inline void cuda_phases_begin(cuda_phases *, unsigned)
{
    __trap();
}
__device__ inline void cuda_phases_show()
{
}
__device__ inline void cuda_phases_arrive(cuda_phases *)
{
}
__device__ inline void cuda_phases_announce(cuda_phases *, unsigned)
{
}
__device__ inline void cuda_phases_wait(cuda_phases *, unsigned)
{
}
__device__ inline cuda_policy cuda_policy_of(bool)
{
    return 0;
}
__device__ inline void cuda_bulk_load(void *, const void *, unsigned, cuda_phases *, cuda_policy)
{
}
__device__ inline void cuda_async_load(void *, const void *)
{
}
__device__ inline void cuda_async_arrive(cuda_phases *)
{
}
template <typename T> __device__ inline void cuda_send(T *, unsigned, const T &, cuda_phases *)
{
}
__device__ inline void cuda_bulk_store(void *, const void *, unsigned)
{
}
template <int NEWEST = 0> __device__ inline void cuda_bulk_wait_read()
{
}
__device__ inline void cuda_bulk_fence()
{
}

#endif

#else /* the emulator */

#define CUDA_SHARED_BYTES(name, size) \
    unsigned char *const name = static_cast<unsigned char *>(emulator::shared(size))

inline void cuda_phases_begin(cuda_phases *at, unsigned arrivals)
{
    emulator::phases_begin(at, arrivals);
}
inline void cuda_phases_show()
{
}
inline void cuda_phases_arrive(cuda_phases *at)
{
    emulator::phases_arrive(at, 0);
}
inline void cuda_phases_announce(cuda_phases *at, unsigned bytes)
{
    emulator::phases_arrive(at, bytes);
}
inline void cuda_phases_wait(cuda_phases *at, unsigned parity)
{
    emulator::phases_wait(at, parity);
}
inline cuda_policy cuda_policy_of(bool)
{
    return 0;
}
inline void cuda_bulk_load(void *to_shared, const void *from, unsigned bytes,
                           cuda_phases *arrives_at, cuda_policy)
{
    emulator::bulk_load(to_shared, from, bytes, arrives_at);
}
inline void cuda_async_load(void *to_shared, const void *from)
{
    emulator::async_load(to_shared, from);
}
inline void cuda_async_arrive(cuda_phases *at)
{
    emulator::async_arrive(at);
}
template <typename T>
inline void cuda_send(T *mine, unsigned rank, const T &value, cuda_phases *arrives_at)
{
    emulator::send(mine, rank, &value, sizeof value, arrives_at);
}
inline void cuda_bulk_store(void *to, const void *from_shared, unsigned bytes)
{
    emulator::bulk_store(to, from_shared, bytes);
}
template <int NEWEST = 0> inline void cuda_bulk_wait_read()
{
    emulator::bulk_wait_read(NEWEST);
}
inline void cuda_bulk_fence()
{
    emulator::bulk_fence();
}

#endif

/* Where a warp is that goes through the stages of a pipeline again and again: the block's tile
 * number k lies in stage k mod stages, in the phase k / stages of its barriers. */
struct cuda_place {
    unsigned stage = 0;
    unsigned parity = 0;

    __device__ void advance(unsigned stages)
    {
        if (++stage == stages) {
            stage = 0;
            parity ^= 1;
        }
    }
};

/*
 * A warp arrives once, by its first lane, when all lanes are done. Compiled with
 * CUDA_EACH_LANE_ARRIVES each lane arrives: for compute-sanitizer's racecheck, which takes the
 * other lanes' accesses for races where the compiler has left out a __syncwarp between lanes that
 * run together anyway.
 */
#ifdef CUDA_EACH_LANE_ARRIVES
enum : unsigned { CUDA_ARRIVALS = CUDA_WARP };
#else
enum : unsigned { CUDA_ARRIVALS = 1 };
#endif

__device__ inline void cuda_phases_arrive_warp(cuda_phases *at)
{
    __syncwarp();
    if (CUDA_ARRIVALS > 1 || threadIdx.x % CUDA_WARP == 0)
        cuda_phases_arrive(at);
}

#endif
