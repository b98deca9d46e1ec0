/*
 * displace.h - displaces what caches hold, so that the next run finds its data in memory alone
 *
 * On the host, a buffer of twice the last-level cache is passed through once: one half written,
 * the other read, so that few lines are left to be written back during the run. On a device, a
 * buffer is filled. The worker's thread does it: what the other cores of a plugin with threads
 * keep in caches of their own stays there.
 */
#ifndef SCANBENCH_WORKER_DISPLACE_H
#define SCANBENCH_WORKER_DISPLACE_H

#include "scan_plugin.h"

#include <stdbool.h>
#include <stddef.h>

struct trial;

/* The buffers, of all configurations of a worker. Zeros: none yet. */
typedef struct displacement {
    unsigned char *host;
    size_t host_bytes;
    unsigned char sum; /* of what was read, so that reading is not optimised away */
    const scan_memory *memory;
    void *context; /* open, of the device's buffer */
    scan_buffer device;
    uint64_t device_bytes; /* 0: there is none */
} displacement;

/* For a configuration whose cache is cold; for others these do nothing. */

/* Takes the buffers that are missing. false, and the trial's fault is set, where there is no
 * memory for them. */
bool displace_prepare(struct trial *t);
/* Displaces the caches of a run, or those of a copy to a device and back, too. false, and the
 * trial's fault is set, if the device failed. */
bool displace(struct trial *t);
bool displace_for_copies(struct trial *t);

/* Gives the device's buffer back, before its context is closed. */
void displacement_release_device(displacement *d);

#endif
