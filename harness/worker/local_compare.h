/*
 * local_compare.h - what a run has left in the buffers of a part in this process: the output
 * against the reference, the input against what was written, and the guards
 */
#ifndef SCANBENCH_WORKER_LOCAL_COMPARE_H
#define SCANBENCH_WORKER_LOCAL_COMPARE_H

#include "problem/reference.h"
#include "worker/local_buffers.h"

/* Compares `bytes` bytes at `offset` with the elements that follow in the whole array. Another
 * status than SCAN_OK where the device cannot be read. */
scan_status local_buffers_compare(local_buffers *b, reference *check, size_t offset, size_t bytes);

/* Looks at the guards alone: *fault_p stays if they are whole. Another status where the device
 * cannot be read. */
scan_status local_buffers_guards(local_buffers *b, fault *fault_p);

#endif
