/*
 * read_back.h - is on a device what copy_in and fill were asked to write there? A few random words
 * are read
 */
#ifndef SCANBENCH_WORKER_READ_BACK_H
#define SCANBENCH_WORKER_READ_BACK_H

#include "worker/buffers.h"

/* Of n elements of `width` bytes. SCAN_OK, and *fault_p if something else is there; nothing is read
 * of memory of the host. Another status where the device cannot be read. */

/* The input, which was just copied in. */
scan_status read_back_input(const buffers *b, uint64_t n, size_t width, fault *fault_p);
/* The output, which was just filled with poison. */
scan_status read_back_poison(const buffers *b, uint64_t n, size_t width, fault *fault_p);

#endif
