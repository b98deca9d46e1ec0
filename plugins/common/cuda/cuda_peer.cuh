/*
 * cuda_peer.cuh - a plugin around a library's scan: its scratch, and one call
 *
 * A call is a function object in one of three forms, and returns cudaError_t or void:
 *
 *     call(void *temporary, size_t &bytes, const From *in, T *out, int64_t n, cudaStream_t stream)
 *         as in CUB: with temporary == nullptr it only sets `bytes` to the bytes it needs,
 *         otherwise it scans. create asks it for the bytes
 *     call(const From *in, T *out, int64_t n, cudaStream_t stream)
 *         needs no scratch, or allocates it (SCAN_FLAG_ALLOCATES_IN_RUN)
 *     call(const From *in, T *out, int64_t n)
 *         the same for a library without a stream argument
 *
 * From is T unless results are wider than the input.
 *
 * It keeps the operator and the kind of scan, and has no destructor. n may be 0: a library that
 * cannot take that returns before its call, or is refused in supports. cuda_instance_run and
 * cuda_instance_destroy are the slots.
 *
 * cuda_peer_where says where the library's work is, so that `device` is timed there, and run waits
 * for it.
 */
#ifndef CUDA_PEER_CUH
#define CUDA_PEER_CUH

#include "cuda_common.h"

#include <type_traits>

enum cuda_peer_where {
    /* On the stream that the call gets, without waiting for it. */
    CUDA_PEER_GIVEN_STREAM,
    /* On the default stream, where kernel<<<grid, block>>> launches, without waiting for it; with
     * nvcc --default-stream per-thread that is the calling thread's. What a call without a stream
     * argument does. */
    CUDA_PEER_DEFAULT_STREAM,
    /* On the default stream or others, and the call waits for the device before it returns or in
     * between, as cudaMalloc, cudaFree, cudaMemcpy and cudaDeviceSynchronize do. Its times on the
     * device hold the host's gaps. */
    CUDA_PEER_WAITS
};

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define CUDA_PEER_STREAM cudaStreamPerThread
#else
#define CUDA_PEER_STREAM cudaStreamLegacy
#endif

template <typename T, typename From, typename Call> struct cuda_peer : cuda_instance {
    cuda_peer(Call given, const char *name, uint64_t count, cuda_peer_where place)
        : cuda_instance(), call(given), what(name), n(static_cast<int64_t>(count)), bytes(0),
          where(place)
    {
    }
    Call call;
    const char *what; /* the name of the call, for messages */
    int64_t n;
    size_t bytes; /* bytes of temporary storage, in `memory` */
    cuda_peer_where where;
};

/* What a library that returns nothing has to say: its launches' errors appear in cuda_finish. */
template <typename Call, typename... Arguments>
cudaError_t cuda_peer_result(Call &call, Arguments &&...arguments)
{
    if constexpr (std::is_void_v<std::invoke_result_t<Call &, Arguments...>>) {
        call(arguments...);
        return cudaSuccess;
    } else {
        return call(arguments...);
    }
}

template <typename T, typename From, typename Call>
constexpr bool cuda_peer_has_scratch =
    std::is_invocable_v<Call &, void *, size_t &, const From *, T *, int64_t, cudaStream_t>;
template <typename T, typename From, typename Call>
constexpr bool cuda_peer_has_stream =
    cuda_peer_has_scratch<T, From, Call> ||
    std::is_invocable_v<Call &, const From *, T *, int64_t, cudaStream_t>;

/* Calls the library in its form. */
template <typename T, typename From, typename Call>
cudaError_t cuda_peer_invoke(cuda_peer<T, From, Call> *self, size_t &bytes, const From *in, T *out,
                             cudaStream_t stream)
{
    if constexpr (cuda_peer_has_scratch<T, From, Call>) {
        return cuda_peer_result(self->call, self->memory, bytes, in, out, self->n, stream);
    } else if constexpr (cuda_peer_has_stream<T, From, Call>) {
        return cuda_peer_result(self->call, in, out, self->n, stream);
    } else {
        static_assert(std::is_invocable_v<Call &, const From *, T *, int64_t>,
                      "the call has none of the forms at the top of cuda_peer.cuh");
        return cuda_peer_result(self->call, in, out, self->n);
    }
}

template <typename T, typename From, typename Call>
scan_status cuda_peer_run(cuda_instance *instance, scan_buffer in, scan_buffer out)
{
    auto *self = static_cast<cuda_peer<T, From, Call> *>(instance);
    cuda_context *cuda = self->cuda;
    if (self->where == CUDA_PEER_GIVEN_STREAM)
        cuda_begin(cuda);
    else
        cuda_begin_on(cuda, CUDA_PEER_STREAM);
    scan_status status = cuda_mark(cuda, nullptr);
    if (status != SCAN_OK)
        return status;
    if (self->where == CUDA_PEER_WAITS)
        cuda_open_gate(cuda);
    size_t bytes = self->bytes;
    const cudaError_t error =
        cuda_peer_invoke(self, bytes, static_cast<const From *>(scan_host_pointer(in)),
                         static_cast<T *>(scan_host_pointer(out)), cuda->stream);
    return error == cudaSuccess ? cuda_finish(cuda) : cuda_check(cuda->host, error, self->what);
}

/* A library may ask for 0 bytes, but never gets nullptr, because then it would not scan. */
template <typename T, typename From, typename Call>
scan_status cuda_peer_scratch(cuda_context *cuda, cuda_peer<T, From, Call> *self)
{
    if constexpr (cuda_peer_has_scratch<T, From, Call>) {
        const cudaError_t error = cuda_peer_invoke(
            self, self->bytes, static_cast<const From *>(nullptr), static_cast<T *>(nullptr),
            self->where == CUDA_PEER_GIVEN_STREAM ? cuda->stream : CUDA_PEER_STREAM);
        if (error != cudaSuccess)
            return cuda_check(cuda->host, error, self->what);
        return cuda_allocate_scratch(cuda, self->bytes > 0 ? self->bytes : 1, &self->memory);
    }
    return SCAN_OK;
}

/* The contract's create, for results of type T, and elements of the same unless another is given.
 */
template <typename T, typename From = T, typename Call>
scan_status cuda_peer_create(cuda_context *cuda, const scan_problem *problem, const char *what,
                             Call call, void **self_p,
                             cuda_peer_where where = cuda_peer_has_stream<T, From, Call>
                                                         ? CUDA_PEER_GIVEN_STREAM
                                                         : CUDA_PEER_DEFAULT_STREAM)
{
    cuda_peer<T, From, Call> *self = nullptr;
    scan_status status = cuda_instance_create(cuda, &self, call, what, problem->n, where);
    if (status != SCAN_OK)
        return status;
    self->run = cuda_peer_run<T, From, Call>;
    status = cuda_peer_scratch(cuda, self);
    if (status != SCAN_OK) {
        cuda_instance_destroy(self);
        return status;
    }
    *self_p = self;
    return SCAN_OK;
}

#endif
