/*
 * lookahead_load.h - loads a kernel that runs the pipeline with look-ahead, and asks how many of
 * its CTAs a device holds
 */
#ifndef LOOKAHEAD_LOAD_H
#define LOOKAHEAD_LOAD_H

#include "cuda_access.cuh"
#include "lookahead_shape.h"

/* SCAN_OK, or SCAN_UNSUPPORTED: the pipeline cannot run with this kernel or these settings. */
inline scan_status lookahead_check(const cuda_limits &device, const void *kernel,
                                   const lookahead_settings &how, cuda_reason *reason)
{
    if (how.block % CUDA_WARP != 0)
        return cuda_fail(reason, SCAN_UNSUPPORTED, "block %u: whole warps of 32 threads only",
                         how.block);
    cuda_loaded loaded = {};
    const scan_status status = cuda_load(device, kernel, CUDA_WARP, 0, &loaded, reason);
    if (status != SCAN_OK || loaded.code_version >= 90)
        return status;
    return cuda_fail(reason, SCAN_UNSUPPORTED,
                     "bulk copies need compute capability 9.0, and code made for it; this is %d.%d",
                     loaded.code_version / 10, loaded.code_version % 10);
}

/* SCAN_OK and *ctas_p: of this shape, how many the whole device holds at once, or as many as are
 * wanted. */
template <typename T, typename From = T>
scan_status lookahead_load(const cuda_limits &device, const void *kernel,
                           const lookahead_settings &how, const lookahead_shape &shape,
                           unsigned *ctas_p, cuda_reason *reason)
{
    const uint64_t shared = lookahead_shared<T, From>(shape, how.lines);
    const unsigned wanted = how.ctas * device.processors;
    cuda_loaded loaded = {};
    const scan_status status =
        cuda_load(device, kernel, lookahead_threads(shape), shared, &loaded, reason);
    if (status != SCAN_OK)
        return status;
    if (loaded.resident < wanted)
        return cuda_fail(reason, SCAN_UNSUPPORTED,
                         "a multiprocessor holds %u blocks of %u threads and %llu bytes of shared "
                         "memory, not %u",
                         loaded.resident / device.processors, lookahead_threads(shape),
                         static_cast<unsigned long long>(shared), how.ctas);
    *ctas_p = wanted > 0 ? wanted : loaded.resident;
    return SCAN_OK;
}

#endif
