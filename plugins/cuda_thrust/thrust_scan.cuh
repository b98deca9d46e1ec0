/*
 * thrust_scan.cuh - calls Thrust's scans, with Thrust's allocator or with ours
 */
#ifndef THRUST_SCAN_CUH
#define THRUST_SCAN_CUH

#include "cuda_library_ops.cuh"
#include "thrust_scan.h"

#include <thrust/execution_policy.h>
#include <thrust/scan.h>

#include <exception>
#include <new>
#include <type_traits>

template <typename Functor, typename T> struct thrust_scan : cuda_instance {
    Functor functor;
    T identity;
    bool inclusive;
    bool cached;
    uint64_t n;
    uint64_t bytes; /* kept for Thrust, in `memory` */
};

/* Temporary storage is a few words per tile, and a tile has hundreds of elements. */
inline uint64_t thrust_storage(uint64_t n)
{
    return n / 16 + 65536;
}

/* Hands out the memory that the instance keeps. It should be enough; if it is not, it grows once.
 * Thrust allocates one piece at a time. */
class kept_memory
{
  public:
    using value_type = char;

    kept_memory(cuda_instance *owner, uint64_t *bytes) : owner_(owner), bytes_(bytes)
    {
    }
    char *allocate(std::ptrdiff_t wanted)
    {
        const uint64_t bytes = static_cast<uint64_t>(wanted);
        if (bytes > *bytes_) {
            void *memory = nullptr;
            if (cuda_allocate_scratch(owner_->cuda, bytes, &memory) != SCAN_OK)
                throw std::bad_alloc();
            cuda_release_scratch(owner_->memory);
            owner_->memory = memory;
            *bytes_ = bytes;
        }
        return static_cast<char *>(owner_->memory);
    }
    void deallocate(char *, std::size_t)
    {
    }

  private:
    cuda_instance *owner_;
    uint64_t *bytes_;
};

/* Without an initial value Thrust makes inclusive scans in the elements' type. */
template <typename Functor, typename T, typename Policy, typename From, typename To>
void thrust_call(const thrust_scan<Functor, T> *self, const Policy &policy, const From *in, To *out)
{
    if (!self->inclusive)
        thrust::exclusive_scan(policy, in, in + self->n, out, self->identity, self->functor);
    else if constexpr (std::is_same_v<T, From>)
        thrust::inclusive_scan(policy, in, in + self->n, out, self->functor);
    else
        thrust::inclusive_scan(policy, in, in + self->n, out, self->identity, self->functor);
}

template <typename Functor, typename T, typename From, typename To>
scan_status thrust_run(cuda_instance *instance, scan_buffer from, scan_buffer to)
{
    thrust_scan<Functor, T> *self = static_cast<thrust_scan<Functor, T> *>(instance);
    cuda_context *cuda = self->cuda;
    const auto *in = static_cast<const From *>(scan_host_pointer(from));
    auto *out = static_cast<To *>(scan_host_pointer(to));
    cuda_begin(cuda);
    if (self->n == 0)
        return SCAN_OK;
    scan_status status = cuda_mark(cuda, nullptr);
    if (status != SCAN_OK)
        return status;
    try {
        kept_memory kept(self, &self->bytes);
        if (self->cached)
            thrust_call(self, thrust::cuda::par(kept).on(cuda->stream), in, out);
        else
            thrust_call(self, thrust::cuda::par.on(cuda->stream), in, out);
    } catch (const std::bad_alloc &problem) {
        (void)cudaGetLastError();
        return cuda->host->fail(cuda->host, SCAN_NO_MEMORY, "thrust: %s", problem.what());
    } catch (const std::exception &problem) {
        (void)cudaGetLastError();
        return cuda->host->fail(cuda->host, SCAN_ERROR, "thrust: %s", problem.what());
    }
    return cuda_finish(cuda);
}

template <typename Functor, typename T, typename From, typename To>
scan_status thrust_create(cuda_context *cuda, const scan_problem *problem, Functor functor,
                          T identity, cuda_wide<From, To>, bool cached, void **self_p)
{
    thrust_scan<Functor, T> *self = nullptr;
    scan_status status = cuda_instance_create(cuda, &self);
    if (status != SCAN_OK)
        return status;
    self->run = thrust_run<Functor, T, From, To>;
    self->functor = functor;
    self->identity = identity;
    self->inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    self->cached = cached;
    self->n = problem->n;
    if (cached) {
        self->bytes = thrust_storage(problem->n);
        status = cuda_allocate_scratch(cuda, self->bytes, &self->memory);
    }
    if (status != SCAN_OK) {
        cuda_instance_destroy(self);
        return status;
    }
    *self_p = self;
    return SCAN_OK;
}

/* Compiles thrust_create for a functor, the type that it returns, and those of elements and
 * results. */
#define THRUST_COMPILE_FROM(functor, T, From, To)                                        \
    template scan_status thrust_create(cuda_context *, const scan_problem *, functor, T, \
                                       cuda_wide<From, To>, bool, void **)
#define THRUST_COMPILE(functor, T) THRUST_COMPILE_FROM(functor, T, T, T)

#endif
