/*
 * gpu_watch.h - what NVIDIA's management library (NVML) says of the GPU that a plugin uses
 *
 * The library is loaded when it is there; nothing is needed to build or to run without it.
 */
#ifndef SCANBENCH_WORKER_GPU_WATCH_H
#define SCANBENCH_WORKER_GPU_WATCH_H

#include "protocol/watch.h"

typedef struct gpu_watch gpu_watch;

/* NULL where there is no library, or no GPU of that PCI address is known to it. Released with
 * gpu_watch_close, which accepts NULL. */
gpu_watch *gpu_watch_open(const char *pci);
void gpu_watch_close(gpu_watch *g);

/* Sets what the library says now: clock, temperature, throttling, other processes. */
void gpu_watch_read(gpu_watch *g, watch *w);

#endif
