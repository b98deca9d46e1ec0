/*
 * cuda_cub.cu - a peer: DeviceScan of NVIDIA's CUB, as it comes with the toolkit
 *
 * One pass over the data: a tile waits for the prefixes of the tiles before it while
 * they are still being made (Merrill and Garland, "Single-pass Parallel Prefix Scan
 * with Decoupled Look-back", NVIDIA NVR-2016-002). Temporary storage is allocated in
 * create; run launches and waits. Counts are 64-bit at every n.
 *
 * Moves 2n elements.
 */
#include "cuda_common.h"
#include "cuda_library_ops.cuh"

#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>

template <typename Functor, typename T> struct cub_scan : cuda_instance {
    Functor functor;
    T identity;
    bool inclusive;
    int64_t n;
    size_t bytes; /* of temporary storage, in `memory` */
};

/* DeviceScan's own protocol: with temporary == nullptr it only sets *bytes. */
template <typename Functor, typename T>
static cudaError_t call_cub(const cub_scan<Functor, T> *self, void *temporary, size_t *bytes,
                            const T *in, T *out)
{
    cudaStream_t stream = self->cuda->stream;
    return self->inclusive
               ? cub::DeviceScan::InclusiveScan(temporary, *bytes, in, out, self->functor, self->n,
                                                stream)
               : cub::DeviceScan::ExclusiveScan(temporary, *bytes, in, out, self->functor,
                                                self->identity, self->n, stream);
}

template <typename Functor, typename T>
static scan_status run(cuda_instance *instance, scan_buffer in, scan_buffer out)
{
    const cub_scan<Functor, T> *self = static_cast<const cub_scan<Functor, T> *>(instance);
    cuda_context *cuda = self->cuda;
    cuda_begin(cuda);
    if (self->n == 0)
        return SCAN_OK;
    scan_status status = cuda_mark(cuda, nullptr);
    if (status != SCAN_OK)
        return status;
    size_t bytes = self->bytes;
    cudaError_t error =
        call_cub(self, self->memory, &bytes, static_cast<const T *>(scan_host_pointer(in)),
                 static_cast<T *>(scan_host_pointer(out)));
    if (error != cudaSuccess)
        return cuda_check(cuda->host, error, "cub::DeviceScan");
    return cuda_finish(cuda);
}

template <typename Functor, typename T>
static scan_status create_scan(cuda_context *cuda, const scan_problem *problem, Functor functor,
                               T identity, void **self_p)
{
    cub_scan<Functor, T> *self = nullptr;
    scan_status status = cuda_instance_create(cuda, &self);
    if (status != SCAN_OK)
        return status;
    self->run = run<Functor, T>;
    self->functor = functor;
    self->identity = identity;
    self->inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    self->n = static_cast<int64_t>(problem->n);
    if (self->n > 0) {
        cudaError_t error = call_cub<Functor, T>(self, nullptr, &self->bytes, nullptr, nullptr);
        status = error == cudaSuccess
                     ? cuda_allocate_scratch(cuda, self->bytes, &self->memory)
                     : cuda_check(cuda->host, error, "cub::DeviceScan, asked for its storage");
    }
    if (status != SCAN_OK) {
        cuda_instance_destroy(self);
        return status;
    }
    *self_p = self;
    return SCAN_OK;
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    return cuda_visit_library(host, problem, [&](auto functor, auto identity) {
        return create_scan(static_cast<cuda_context *>(context), problem, functor, identity,
                           self_p);
    });
}

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_PEER,
    .id = "cuda_cub",
    .name = "CUB DeviceScan",
    .version = TEXT(CUB_VERSION),
    .summary = "NVIDIA's single-pass scan with decoupled look-back",
    .reference = "Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, "
                 "NVR-2016-002",
    /* Look-back takes whatever prefixes are there: float sums depend on the timing. */
    .flags = SCAN_FLAG_NONDETERMINISTIC,
    .ops = {SCAN_OPS_1_0},
    CUDA_BACKEND,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
