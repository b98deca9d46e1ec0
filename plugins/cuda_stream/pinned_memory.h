/*
 * pinned_memory.h - a memory vtable whose buffers are pinned memory of the host
 *
 * Data that does not fit on a device lies in the host's memory, and where a program means to send
 * it over the bus, it pins it once and for all. So the buffers of these plugins are pinned when
 * they are allocated, outside of any timing, and what they are given is an address on the host
 * (scan_host_pointer). What it costs to move data from other memory of the host to pinned memory
 * and back, stands in the phases h2d, d2h and e2e, as for a device.
 */
#ifndef PINNED_MEMORY_H
#define PINNED_MEMORY_H

#include "cuda_common.h"
#include "stream_pipeline.h"

struct pinned_block;

/* The context of one worker. */
struct pinned_context {
    cuda_context *cuda;
    pinned_block *blocks;
    stream_pipeline pipeline;
};

scan_status pinned_probe(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                         scan_device *device);
extern const scan_memory pinned_memory;

/* A backend of its own, because rows of one backend share a ceiling: a copy on the device bounds
 * nothing that goes over the bus. */
#define PINNED_BACKEND .backend = "cuda_host", .memory = &pinned_memory, .probe = pinned_probe

#endif
