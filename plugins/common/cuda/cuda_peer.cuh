/*
 * cuda_peer.cuh - a plugin around a library's scan: its scratch, and one call
 *
 * A call is a function object
 *
 *     cudaError_t call(void *temporary, size_t &bytes, const T *in, T *out, int64_t n,
 *                      cudaStream_t stream)
 *
 * as in CUB and other libraries: with temporary == nullptr it only sets `bytes` to the bytes it
 * needs, otherwise it launches the scan on the stream. create asks it for the bytes, and run
 * launches it, for n > 0. It keeps the library's handle, the operator and the kind of scan, and has
 * no destructor. cuda_instance_run and cuda_instance_destroy are the slots.
 */
#ifndef CUDA_PEER_CUH
#define CUDA_PEER_CUH

#include "cuda_common.h"

template <typename T, typename Call> struct cuda_peer : cuda_instance {
    cuda_peer(Call given, const char *name, uint64_t count)
        : cuda_instance(), call(given), what(name), n(static_cast<int64_t>(count)), bytes(0)
    {
    }
    Call call;
    const char *what; /* the name of the call, for messages */
    int64_t n;
    size_t bytes; /* bytes of temporary storage, in `memory` */
};

template <typename T, typename Call>
scan_status cuda_peer_run(cuda_instance *instance, scan_buffer in, scan_buffer out)
{
    cuda_peer<T, Call> *self = static_cast<cuda_peer<T, Call> *>(instance);
    cuda_context *cuda = self->cuda;
    cuda_begin(cuda);
    if (self->n == 0)
        return SCAN_OK;
    scan_status status = cuda_mark(cuda, nullptr);
    if (status != SCAN_OK)
        return status;
    size_t bytes = self->bytes;
    cudaError_t error =
        self->call(self->memory, bytes, static_cast<const T *>(scan_host_pointer(in)),
                   static_cast<T *>(scan_host_pointer(out)), self->n, cuda->stream);
    return error == cudaSuccess ? cuda_finish(cuda) : cuda_check(cuda->host, error, self->what);
}

/* The contract's create, for elements of type T. A library may ask for 0 bytes, but never gets
 * nullptr, because then it would not scan. */
template <typename T, typename Call>
scan_status cuda_peer_create(cuda_context *cuda, const scan_problem *problem, const char *what,
                             Call call, void **self_p)
{
    cuda_peer<T, Call> *self = nullptr;
    scan_status status = cuda_instance_create(cuda, &self, call, what, problem->n);
    if (status != SCAN_OK)
        return status;
    self->run = cuda_peer_run<T, Call>;
    if (self->n > 0) {
        cudaError_t error =
            self->call(nullptr, self->bytes, nullptr, nullptr, self->n, cuda->stream);
        status = error == cudaSuccess
                     ? cuda_allocate_scratch(cuda, self->bytes > 0 ? self->bytes : 1, &self->memory)
                     : cuda_check(cuda->host, error, what);
    }
    if (status != SCAN_OK) {
        cuda_instance_destroy(self);
        return status;
    }
    *self_p = self;
    return SCAN_OK;
}

#endif
