/*
 * opencl_peer.h - a plugin around a library's scan: its scratch, its plan, and one call
 *
 * The plugin's create says what the library needs besides its buffers and which function enqueues
 * its work. opencl_peer_run and opencl_peer_destroy are the slots. The library's commands have no
 * names here, so only the phase `device` is recorded.
 */
#ifndef OPENCL_PEER_H
#define OPENCL_PEER_H

#include "opencl_scan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opencl_peer opencl_peer;

/* Enqueues the scan of n elements on `queue`, which is in order; the caller waits for it. n may be
 * 0: a library that cannot take that returns before its call. SCAN_OK, or what host->fail or
 * opencl_fail returned. */
typedef scan_status opencl_peer_call(const opencl_peer *peer, cl_command_queue queue, cl_mem in,
                                     cl_mem out);

/* What the library needs. */
typedef struct opencl_peer_needs {
    opencl_peer_call *call;
    uint64_t scratch_bytes;      /* on the device */
    void *plan;                  /* the library's own handle, or NULL */
    void (*release)(void *plan); /* releases the plan */
} opencl_peer_needs;

struct opencl_peer {
    opencl_context *context;
    opencl_peer_needs needs;
    uint64_t n;
    uint32_t kind, op, dtype;
    cl_mem scratch; /* NULL if no bytes are needed */
};

/* Takes ownership of the plan and releases it on failure. SCAN_OK and *self_p, released with
 * opencl_peer_destroy; SCAN_NO_MEMORY or SCAN_ERROR. */
scan_status opencl_peer_create(opencl_context *context, const scan_problem *problem,
                               const opencl_peer_needs *needs, void **self_p);
scan_status opencl_peer_run(void *instance, scan_buffer in, scan_buffer out);
void opencl_peer_destroy(void *instance);

#ifdef __cplusplus
}
#endif

#endif
