/*
 * cpu_peer.h - a plugin around a library's scan: its scratch, and one call
 *
 * The plugin's create says how many bytes the library needs besides its buffers and which function
 * calls the library. Everything else is here; cpu_peer_run and cpu_peer_destroy are the slots.
 */
#ifndef CPU_PEER_H
#define CPU_PEER_H

#include "scan_plugin.h"

typedef struct cpu_peer cpu_peer;

/* Calls the library on n > 0 elements of `in`: SCAN_OK when all of `out` is complete, or
 * what host->fail returned. */
typedef scan_status cpu_peer_call(const cpu_peer *peer, const void *in, void *out);

struct cpu_peer {
    const scan_host *host;
    cpu_peer_call *call;
    uint64_t n;
    uint32_t kind, op, dtype;
    void *scratch; /* as many bytes as create asked for, aligned to 64; NULL for none */
};

static inline void cpu_peer_destroy(void *opaque)
{
    cpu_peer *self = (cpu_peer *)opaque;
    self->host->release(self->host, self->scratch);
    self->host->release(self->host, self);
}

/* SCAN_OK and *self_p, released with cpu_peer_destroy; or SCAN_NO_MEMORY. */
static inline scan_status cpu_peer_create(const scan_host *host, const scan_problem *problem,
                                          uint64_t scratch_bytes, cpu_peer_call *call,
                                          void **self_p)
{
    cpu_peer *self = (cpu_peer *)host->allocate(host, sizeof *self, sizeof(void *));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    self->host = host;
    self->call = call;
    self->n = problem->n;
    self->kind = problem->kind;
    self->op = problem->op;
    self->dtype = problem->dtype;
    self->scratch = scratch_bytes > 0 ? host->allocate(host, scratch_bytes, 64) : NULL;
    if (scratch_bytes > 0 && !self->scratch) {
        cpu_peer_destroy(self);
        return host->fail(host, SCAN_NO_MEMORY, "no memory for %llu bytes of scratch",
                          (unsigned long long)scratch_bytes);
    }
    *self_p = self;
    return SCAN_OK;
}

static inline scan_status cpu_peer_run(void *opaque, scan_buffer in, scan_buffer out)
{
    const cpu_peer *self = (const cpu_peer *)opaque;
    return self->n > 0 ? self->call(self, scan_host_pointer(in), scan_host_pointer(out)) : SCAN_OK;
}

#endif
