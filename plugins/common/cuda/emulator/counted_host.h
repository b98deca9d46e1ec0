/*
 * counted_host.h - a host for emulated plugins that counts the host memory it has given out
 */
#ifndef COUNTED_HOST_H
#define COUNTED_HOST_H

#include "recording_host.h"

static unsigned host_blocks; /* that have not been released */

static void *counted_allocate(const scan_host *self, size_t bytes, size_t alignment)
{
    host_blocks++;
    return recording_allocate(self, bytes, alignment);
}

static void counted_release(const scan_host *self, void *memory)
{
    host_blocks -= memory != nullptr ? 1 : 0;
    recording_release(self, memory);
}

#endif
