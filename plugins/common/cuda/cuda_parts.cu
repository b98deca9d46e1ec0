/*
 * cuda_parts.cu - the devices of plugins in several parts: a context for each part, and access to
 * each other's memory
 */
#include "cuda_parts.h"

scan_status cuda_parts_use(const cuda_parts *parts, uint32_t part)
{
    return cuda_check(parts->of[0]->host, cudaSetDevice(cuda_parts_device(parts, part)),
                      "cudaSetDevice");
}

scan_status cuda_parts_open(cuda_parts *parts, uint32_t count)
{
    const scan_host *host = parts->of[0]->host;
    if (count <= parts->open)
        return SCAN_OK;
    if (count > parts->devices)
        host->message(host, "%u parts share %u CUDA device%s", count, parts->devices,
                      parts->devices == 1 ? "" : "s");
    scan_status status = SCAN_OK;
    while (parts->open < count && status == SCAN_OK) {
        void *context = nullptr;
        status = cuda_memory.open(
            host, nullptr, static_cast<uint32_t>(cuda_parts_device(parts, parts->open)), &context);
        if (status == SCAN_OK) {
            cuda_context *cuda = static_cast<cuda_context *>(context);
            cuda->parts = parts;
            parts->of[parts->open++] = cuda;
        }
    }
    const scan_status back = cuda_parts_use(parts, 0);
    return status == SCAN_OK ? back : status;
}

/* Lets kernels on `from` access memory of `to`. `from` is current. */
static scan_status connect_pair(const scan_host *host, int from, int to)
{
    int possible = 0;
    cudaError_t error = cudaDeviceCanAccessPeer(&possible, from, to);
    if (error != cudaSuccess)
        return cuda_check(host, error, "cudaDeviceCanAccessPeer");
    if (possible == 0)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "CUDA device %d cannot access the memory of device %d (no peer access)",
                          from, to);
    error = cudaDeviceEnablePeerAccess(to, 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled) {
        (void)cudaGetLastError();
        error = cudaSuccess;
    }
    if (error == cudaSuccess)
        return SCAN_OK;
    (void)cudaGetLastError();
    return host->fail(
        host, error == cudaErrorPeerAccessUnsupported ? SCAN_UNSUPPORTED : SCAN_ERROR,
        "CUDA device %d and the memory of device %d: cudaDeviceEnablePeerAccess: %s (%s)", from, to,
        cudaGetErrorString(error), cudaGetErrorName(error));
}

scan_status cuda_parts_connect(cuda_parts *parts, uint32_t count)
{
    const scan_host *host = parts->of[0]->host;
    scan_status status = cuda_parts_open(parts, count);
    if (status != SCAN_OK || count <= parts->connected)
        return status;
    const uint32_t used = count < parts->devices ? count : parts->devices;
    status = cuda_parts_each(parts, used, [&](uint32_t from, const cuda_context *cuda) {
        scan_status of_pair = SCAN_OK;
        for (uint32_t to = 0; to < used && of_pair == SCAN_OK; to++)
            if (to != from && (from >= parts->connected || to >= parts->connected))
                of_pair = connect_pair(host, cuda->device, cuda_parts_device(parts, to));
        return of_pair;
    });
    if (status == SCAN_OK)
        parts->connected = count;
    return status;
}
