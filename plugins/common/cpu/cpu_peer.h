/*
 * cpu_peer.h - a plugin around a library's scan: its threads, its scratch, its plan, and one call
 *
 * The plugin's create says what the library needs besides its buffers and which function calls it.
 * Everything else is here; cpu_peer_run and cpu_peer_destroy are the slots. C and C++.
 *
 * A plugin has one core, and all its threads share that, unless it declares how many threads it
 * uses: CPU_PEER_THREADS among its tunables, and cpu_peer_supports as a slot. Then its process may
 * use all cores of a NUMA node, and `threads` says how many the library is to start.
 */
#ifndef CPU_PEER_H
#define CPU_PEER_H

#include "cpu_team.h"
#include "scan_plugin.h"

typedef struct cpu_peer cpu_peer;

/* Calls the library on n elements of `in`, which may be 0: SCAN_OK when all of `out` is complete,
 * or what host->fail returned. */
typedef scan_status cpu_peer_call(const cpu_peer *peer, const void *in, void *out);

/* What the library needs. */
typedef struct cpu_peer_needs {
    cpu_peer_call *call;
    uint64_t scratch_bytes;      /* 0: none */
    void *plan;                  /* the library's own handle, as a pool of threads, or NULL */
    void (*release)(void *plan); /* releases the plan; NULL if there is nothing to release */
} cpu_peer_needs;

struct cpu_peer {
    const scan_host *host;
    cpu_peer_needs needs;
    uint64_t n;
    uint32_t kind, op, dtype;
    uint32_t threads; /* that the library may use; 1 without CPU_PEER_THREADS */
    void *scratch;    /* as many bytes as asked for, aligned to 64; NULL for none */
};

/* For the table of tunables of a plugin whose library has threads: "threads", where 0, the default,
 * means one for each core. */
#define CPU_PEER_THREADS CPU_TEAM_THREADS(0)

/* The threads that the problem asks for: what peer->threads will be. */
static inline uint32_t cpu_peer_threads(const scan_host *host, const scan_plugin *plugin,
                                        const scan_problem *problem)
{
    for (uint32_t i = 0; i < problem->tunable_count; i++) {
        const int64_t value = problem->tunables[i];
        if (plugin->tunables[i].flags & SCAN_TUNABLE_THREADS)
            return value > 0 ? (uint32_t)value : host->places;
    }
    return 1;
}

/* The slot: more threads than there are cores are unsupported. A library that cannot scan a problem
 * has a slot of its own, which ends with this one. */
static inline scan_status cpu_peer_supports(const scan_host *host, const scan_plugin *plugin,
                                            void *context, const scan_problem *problem)
{
    const uint32_t threads = cpu_peer_threads(host, plugin, problem);
    (void)context;
    if (threads <= host->places)
        return SCAN_OK;
    return host->fail(host, SCAN_UNSUPPORTED, "%u threads, but only %u cores", threads,
                      host->places);
}

static inline void cpu_peer_destroy(void *opaque)
{
    cpu_peer *self = (cpu_peer *)opaque;
    if (self->needs.release)
        self->needs.release(self->needs.plan);
    self->host->release(self->host, self->scratch);
    self->host->release(self->host, self);
}

/* Takes ownership of the plan and releases it on failure. SCAN_OK and *self_p, released with
 * cpu_peer_destroy; or SCAN_NO_MEMORY. */
static inline scan_status cpu_peer_create(const scan_host *host, const scan_plugin *plugin,
                                          const scan_problem *problem, const cpu_peer_needs *needs,
                                          void **self_p)
{
    cpu_peer *self = (cpu_peer *)host->allocate(host, sizeof *self, sizeof(void *));
    if (!self) {
        if (needs->release)
            needs->release(needs->plan);
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    }
    self->host = host;
    self->needs = *needs;
    self->n = problem->n;
    self->kind = problem->kind;
    self->op = problem->op;
    self->dtype = problem->dtype;
    self->threads = cpu_peer_threads(host, plugin, problem);
    self->scratch =
        needs->scratch_bytes > 0 ? host->allocate(host, needs->scratch_bytes, 64) : NULL;
    if (needs->scratch_bytes > 0 && !self->scratch) {
        cpu_peer_destroy(self);
        return host->fail(host, SCAN_NO_MEMORY, "no memory for %llu bytes of scratch",
                          (unsigned long long)needs->scratch_bytes);
    }
    *self_p = self;
    return SCAN_OK;
}

static inline scan_status cpu_peer_run(void *opaque, scan_buffer in, scan_buffer out)
{
    const cpu_peer *self = (const cpu_peer *)opaque;
    return self->needs.call(self, scan_host_pointer(in), scan_host_pointer(out));
}

#endif
