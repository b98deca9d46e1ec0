#include "worker/displace.h"

#include "protocol/phase.h"
#include "worker/trial.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Sizes of the host's buffer: twice the last-level cache, but not below what a cache may have of
 * which the system says nothing, nor above what would be minutes of a sweep. */
#define HOST_LEAST ((size_t)64 << 20)
#define HOST_MOST ((size_t)1 << 30)

/* The contract knows no size of a device's cache. The largest are about 100 MB. */
#define DEVICE_USUAL (UINT64_C(256) << 20)
#define DEVICE_LEAST (UINT64_C(64) << 20)
enum { DEVICE_SHARE = 4 }; /* at most a quarter of what is available */

enum { LINE = 64 };

static size_t host_bytes(const trial *t)
{
    const size_t bytes = 2 * topology_cache_bytes(t->host->machine);
    if (bytes < HOST_LEAST)
        return HOST_LEAST;
    return bytes < HOST_MOST ? bytes : HOST_MOST;
}

static bool prepare_host(trial *t)
{
    displacement *d = t->displacement;
    const size_t bytes = host_bytes(t);
    if (d->host)
        return true;
    d->host = aligned_alloc(4096, bytes);
    if (!d->host) {
        fault f = fault_with_text(FAULT_NO_HOST_MEMORY, strerror(errno));
        f.bytes = bytes;
        return trial_fault(t, f);
    }
    topology_place_memory(t->host->machine, d->host, bytes);
    memset(d->host, 1, bytes);
    d->host_bytes = bytes;
    return true;
}

static uint64_t device_bytes(const trial *t)
{
    const scan_memory *memory = t->plugin->memory;
    scan_device device = {.struct_size = sizeof device};
    uint64_t available = 0, bytes = DEVICE_USUAL;
    /* Is the device's memory that of the host, and its caches too? */
    if (t->plugin->probe &&
        t->plugin->probe(&t->host->host, t->exported, t->device, &device) == SCAN_OK &&
        device.flags & SCAN_DEVICE_SHARES_HOST_MEMORY)
        bytes = host_bytes(t);
    if (memory->available && memory->available(t->context, &available) == SCAN_OK &&
        bytes > available / DEVICE_SHARE)
        bytes = available / DEVICE_SHARE;
    return bytes;
}

static bool prepare_device(trial *t)
{
    displacement *d = t->displacement;
    const scan_memory *memory = t->plugin->memory;
    if (d->device_bytes > 0)
        return true;
    scan_status status = SCAN_NO_MEMORY;
    for (uint64_t bytes = device_bytes(t); status == SCAN_NO_MEMORY && bytes >= DEVICE_LEAST;
         bytes /= 2) {
        status = memory->allocate(t->context, bytes, &d->device);
        if (status == SCAN_OK)
            d->device_bytes = bytes;
    }
    if (status == SCAN_NO_MEMORY)
        t->host->host.fail(&t->host->host, status,
                           "less than %llu MiB of device memory for a buffer that displaces caches",
                           (unsigned long long)(DEVICE_LEAST >> 20));
    d->memory = memory;
    d->context = t->context;
    return !trial_failed(t, status, STEP_ALLOCATE);
}

static bool is_cold(const trial *t)
{
    return t->job->cache == CACHE_COLD;
}

bool displace_prepare(trial *t)
{
    if (!is_cold(t))
        return true;
    trial_step(t, STEP_ALLOCATE);
    return prepare_host(t) && (!t->plugin->memory || prepare_device(t));
}

static void displace_host(displacement *d)
{
    size_t i = 0;
    for (; i < d->host_bytes / 2; i += LINE)
        d->host[i]++;
    for (; i < d->host_bytes; i += LINE)
        d->sum = (unsigned char)(d->sum + d->host[i]);
}

bool displace(trial *t)
{
    displacement *d = t->displacement;
    if (!is_cold(t))
        return true;
    if (!t->plugin->memory) {
        displace_host(d);
        return true;
    }
    const scan_status status = d->memory->fill(d->context, d->device, 0, d->device_bytes, d->sum);
    trial_alone(t);
    return !trial_failed(t, status, STEP_POISON);
}

bool displace_for_copies(trial *t)
{
    if (is_cold(t))
        displace_host(t->displacement);
    return displace(t);
}

void displacement_release_device(displacement *d)
{
    if (d->device_bytes > 0)
        d->memory->release(d->context, d->device);
    d->device_bytes = 0;
}
