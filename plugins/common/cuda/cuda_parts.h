/*
 * cuda_parts.h - what CUDA plugins that work in several parts share (scan_parts.h): a context for
 * each part, buffers on its device, one run on all of them, and its times
 *
 * Part p lies on device (i + p) modulo the number of visible devices, where i is the worker's
 * device. So parts may share a device, down to one for all; every part has a context of its own,
 * and streams. Contexts are opened when a problem needs them: a plugin in one part has the context
 * of a plugin without parts, and nothing else.
 *
 * Between calls of the plugin the worker's device is the current one.
 */
#ifndef CUDA_PARTS_H
#define CUDA_PARTS_H

#include "cuda_common.h"
#include "scan_parts.h"

/* Of a worker. */
struct cuda_parts {
    uint32_t devices;                  /* visible */
    uint32_t open;                     /* contexts that exist, at least 1 */
    uint32_t connected;                /* parts whose devices access each other's memory */
    cuda_context *of[SCAN_PARTS_MOST]; /* of[0] is the worker's, which the slots get */
};

/* The contract's slots: memory works on a buffer of any part, whatever device is current. */
extern const scan_memory cuda_parts_memory;
#define CUDA_PARTS_BACKEND .backend = "cuda", .memory = &cuda_parts_memory, .probe = cuda_probe
scan_status cuda_parts_allocate(void *context, uint32_t part, uint64_t bytes,
                                scan_buffer *buffer_p);

/* Of the context that the slots get. */
inline cuda_parts *cuda_parts_of(void *context)
{
    return static_cast<cuda_context *>(context)->parts;
}

/* The device on which a part lies. */
inline int cuda_parts_device(const cuda_parts *parts, uint32_t part)
{
    const uint32_t first = static_cast<uint32_t>(parts->of[0]->device);
    return static_cast<int>((first + part) % parts->devices);
}

/* Opens the contexts of parts 0 ... count-1. SCAN_OK, or SCAN_NO_MEMORY or SCAN_ERROR. */
scan_status cuda_parts_open(cuda_parts *parts, uint32_t count);

/* The same, and lets kernels on each of their devices access the memory of all. SCAN_UNSUPPORTED
 * names two devices that cannot. */
scan_status cuda_parts_connect(cuda_parts *parts, uint32_t count);

/* Do two of the parts share a device? Then no kernel may wait for another part's unless both fit
 * the device at once. */
inline bool cuda_parts_share(const cuda_parts *parts, uint32_t count)
{
    return count > parts->devices;
}

/* The most of `count` parts that share a device. */
inline uint32_t cuda_parts_sharing(const cuda_parts *parts, uint32_t count)
{
    return (count + parts->devices - 1) / parts->devices;
}

/* Makes the part's device the current one of this thread. */
scan_status cuda_parts_use(const cuda_parts *parts, uint32_t part);

/* act(part, context) for each part in turn, while its device is current; then the worker's is
 * again. Ends with the first status that is not SCAN_OK. */
template <typename Act> scan_status cuda_parts_each(cuda_parts *parts, uint32_t count, Act act)
{
    scan_status status = SCAN_OK;
    for (uint32_t p = 0; p < count && status == SCAN_OK; p++) {
        status = cuda_parts_use(parts, p);
        if (status == SCAN_OK)
            status = act(p, parts->of[p]);
    }
    const scan_status back = cuda_parts_use(parts, 0);
    return status == SCAN_OK ? back : status;
}

/*
 * A run on several parts is cuda_parts_begin, the launches of each part on its own context (as of a
 * run on one: cuda_launch, or cuda_mark and others' launches on its `stream`) while its device is
 * current, and cuda_parts_finish.
 *
 * A recorded run waits behind one gate, for which each part has a kernel that waits. "device" is
 * the longest time of a part: from its gate's end, when all begin within a microsecond or two, to
 * the end of its last launch. The times of launches are those of that part. Parts without a launch
 * take no time.
 */
void cuda_parts_begin(cuda_parts *parts, uint32_t count);
/* Waits for all parts, also after a failure: `so_far` is the status of what was launched, and is
 * returned if it is not SCAN_OK. */
scan_status cuda_parts_finish(cuda_parts *parts, uint32_t count, scan_status so_far);

/* Calls cuda_parts_begin, cuda_parts_each and cuda_parts_finish. */
template <typename Act> scan_status cuda_parts_do(cuda_parts *parts, uint32_t count, Act act)
{
    cuda_parts_begin(parts, count);
    return cuda_parts_finish(parts, count, cuda_parts_each(parts, count, act));
}

/*
 * The base of the instances of a plugin in parts, with cuda_parts_run as `run` of its scan_parts
 * and cuda_instance_run and cuda_parts_destroy as slots of its scan_plugin. It sets run_parts; with
 * one part that is called too, unless it also sets `run`.
 */
struct cuda_parts_instance : cuda_instance {
    scan_status (*run_parts)(cuda_parts_instance *self, const scan_buffer *in,
                             const scan_buffer *out);
    cuda_parts *parts;
    uint32_t count;
    /* Scratch on each part's device, released with the instance. */
    void *memory_of[SCAN_PARTS_MOST];
};

scan_status cuda_parts_run(void *opaque, const scan_buffer *in, const scan_buffer *out);
scan_status cuda_parts_run_one(cuda_instance *instance, scan_buffer in, scan_buffer out);
void cuda_parts_destroy(void *opaque);

/* Makes a zeroed Instance for cuda_parts_destroy. */
template <typename Instance>
scan_status cuda_parts_create(cuda_context *first, uint32_t count, Instance **instance_p)
{
    const scan_status status = cuda_instance_create(first, instance_p);
    if (status != SCAN_OK)
        return status;
    (*instance_p)->run = cuda_parts_run_one;
    (*instance_p)->parts = first->parts;
    (*instance_p)->count = count;
    return SCAN_OK;
}

/* `bytes` of zeroed scratch on each part's device, bytes > 0, in memory_of. */
scan_status cuda_parts_allocate_scratch(cuda_parts_instance *self, uint64_t bytes);

#endif
