/*
 * window_compare.h - compares parts on a device whose tiles are dealt out in turn
 *
 * A window of the whole array is read from each part at once and put in order here: a copy for each
 * tile would take longer than all else.
 */
#ifndef SCANBENCH_WORKER_WINDOW_COMPARE_H
#define SCANBENCH_WORKER_WINDOW_COMPARE_H

#include "worker/buffers.h"

/* Does the problem have several parts on devices, and tiles that are short against a window? */
bool window_compare_suits(const buffers *b);
/* Another status than SCAN_OK where a device cannot be read. */
scan_status window_compare(const buffers *b, reference *check);

#endif
