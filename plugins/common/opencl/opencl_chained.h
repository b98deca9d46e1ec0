/*
 * opencl_chained.h - what plugins share whose work-groups exchange status words within one launch
 */
#ifndef OPENCL_CHAINED_H
#define OPENCL_CHAINED_H

#include "opencl_words.h"

typedef struct opencl_chained opencl_chained;

/* An instance, or its first member. */
struct opencl_chained {
    opencl_context *context;
    cl_kernel kernel;
    opencl_words words;
    cl_ulong n;
    /* Enqueues a scan of n elements: all, or none. */
    scan_status (*enqueue)(opencl_chained *self, opencl_run *run, cl_mem in, cl_mem out,
                           cl_ulong n);
};

/* Allocates words of `asked` bits (the tunable `word`) for `tiles` tiles, and launches with no
 * elements, because some runtimes compile at the first launch. Does nothing if n is 0. */
scan_status opencl_chained_prepare(opencl_chained *self, const scan_problem *problem, int64_t asked,
                                   uint64_t tiles);

/* Slots of such a plugin. The instance is the host's memory; what is not set in it is 0. */
scan_status opencl_chained_run(void *instance, scan_buffer in, scan_buffer out);
void opencl_chained_destroy(void *instance);

#endif
