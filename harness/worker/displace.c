#include "worker/displace.h"

#include "protocol/phase.h"
#include "system/memory.h"
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

static size_t host_bytes(const trial *e)
{
    const size_t bytes = 2 * topology_cache_bytes(e->host->machine);
    if (bytes < HOST_LEAST)
        return HOST_LEAST;
    return bytes < HOST_MOST ? bytes : HOST_MOST;
}

static bool prepare_host(trial *e)
{
    displacement *d = e->displacement;
    const size_t bytes = host_bytes(e);
    if (d->host)
        return true;
    d->host = aligned_alloc(4096, bytes);
    if (!d->host) {
        fault f = fault_with_text(FAULT_NO_HOST_MEMORY, strerror(errno));
        f.bytes = bytes;
        return trial_fault(e, f);
    }
    topology_place_memory(e->host->machine, d->host, bytes);
    memset(d->host, 1, bytes);
    d->host_bytes = bytes;
    return true;
}

/* Is the device's memory that of the host, and its caches too? */
static bool is_on_host(const trial *e)
{
    scan_device device = {.struct_size = sizeof device};
    return e->plugin->probe &&
           e->plugin->probe(&e->host->host, e->exported, e->device, &device) == SCAN_OK &&
           device.flags & SCAN_DEVICE_SHARES_HOST_MEMORY;
}

static uint64_t device_bytes(const trial *e)
{
    const scan_memory *memory = e->plugin->memory;
    uint64_t available = 0, bytes = is_on_host(e) ? host_bytes(e) : DEVICE_USUAL;
    if (memory->available && memory->available(e->context, &available) == SCAN_OK &&
        bytes > available / DEVICE_SHARE)
        bytes = available / DEVICE_SHARE;
    return bytes;
}

static bool prepare_device(trial *e)
{
    displacement *d = e->displacement;
    const scan_memory *memory = e->plugin->memory;
    if (d->device_bytes > 0)
        return true;
    scan_status status = SCAN_NO_MEMORY;
    for (uint64_t bytes = device_bytes(e); status == SCAN_NO_MEMORY && bytes >= DEVICE_LEAST;
         bytes /= 2) {
        status = memory->allocate(e->context, bytes, &d->device);
        if (status == SCAN_OK)
            d->device_bytes = bytes;
    }
    if (status == SCAN_NO_MEMORY)
        e->host->host.fail(&e->host->host, status,
                           "less than %llu MiB of device memory for a buffer that displaces caches",
                           (unsigned long long)(DEVICE_LEAST >> 20));
    d->memory = memory;
    d->context = e->context;
    return !trial_failed(e, status, STEP_ALLOCATE);
}

static bool is_cold(const trial *e)
{
    return e->job->cache == CACHE_COLD;
}

bool displace_prepare(trial *e)
{
    if (!is_cold(e))
        return true;
    trial_step(e, STEP_ALLOCATE);
    return prepare_host(e) && (!e->plugin->memory || prepare_device(e));
}

static void displace_host(displacement *d)
{
    size_t i = 0;
    for (; i < d->host_bytes / 2; i += LINE)
        d->host[i]++;
    for (; i < d->host_bytes; i += LINE)
        d->sum = (unsigned char)(d->sum + d->host[i]);
}

static bool displace_device(trial *e)
{
    const displacement *d = e->displacement;
    const scan_status status = d->memory->fill(d->context, d->device, 0, d->device_bytes, d->sum);
    trial_alone(e);
    return !trial_failed(e, status, STEP_POISON);
}

bool displace(trial *e)
{
    if (!is_cold(e))
        return true;
    if (e->plugin->memory)
        return displace_device(e);
    displace_host(e->displacement);
    return true;
}

bool displace_for_copies(trial *e)
{
    if (is_cold(e))
        displace_host(e->displacement);
    return displace(e);
}

void displacement_release_device(displacement *d)
{
    if (d->device_bytes > 0)
        d->memory->release(d->context, d->device);
    d->device_bytes = 0;
}

void displacement_free(displacement *d)
{
    displacement_release_device(d);
    free(d->host);
    *d = (displacement){0};
}
