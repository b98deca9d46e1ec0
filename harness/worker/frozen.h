/*
 * frozen.h - three fixed pieces of work, by which runs of different days, builds and machines are
 * compared: a scan and a copy, which stand in every round as plugins inside the program, and the
 * spin, which says how fast the worker's core is at this moment
 *
 * They must not become faster or slower: CMake compiles them with options of their own (no
 * vectorisation, loops aligned to 64 bytes), whatever the rest is compiled with, because the same
 * loop 16 bytes further can take twice as long. A change here makes old results incomparable.
 */
#ifndef SCANBENCH_WORKER_FROZEN_H
#define SCANBENCH_WORKER_FROZEN_H

#include "scan_plugin.h"

#include <stddef.h>
#include <stdint.h>

/* to[i] = from[0] + ... + from[i-1], modulo 2^32. */
void frozen_scan(const uint32_t *from, uint32_t *to, size_t n);
/* Copies n elements, 16 bytes at a time. */
void frozen_copy(const uint32_t *from, uint32_t *to, size_t n);

/* Times a chain of SPIN_MULTIPLICATIONS on this core, the best of three, in ns: some 15 us. */
double spin_take_ns(void);

/* The table of the frozen scan and copy, in the order of the enum calibrator
 * (protocol/job.h). */
const scan_entry_table *calibrators_entry(void);

#endif
