/*
 * frozen.h - four fixed pieces of work, by which runs of different days, builds and machines are
 * compared
 *
 * They must not become faster or slower: CMake compiles them with options of their own (no
 * vectorisation, loops aligned to 64 bytes), whatever the rest is compiled with, because the same
 * loop 16 bytes further can take twice as long. A change here makes old results incomparable.
 */
#ifndef SCANBENCH_WORKER_FROZEN_H
#define SCANBENCH_WORKER_FROZEN_H

#include <stddef.h>
#include <stdint.h>

/* to[i] = from[0] + ... + from[i-1], modulo 2^32. */
void frozen_scan(const uint32_t *from, uint32_t *to, size_t n);
/* Copies n elements, 16 bytes at a time. */
void frozen_copy(const uint32_t *from, uint32_t *to, size_t n);

/* 5000 multiplications, each of which waits for the one before: its time follows the frequency of
 * the core alone. */
uint64_t frozen_chain(uint64_t x);
/* 24000 additions that do not wait for one another: they take as many units of the core as it has,
 * so they slow down, and the chain does not, while another thread uses the same core. */
uint64_t frozen_adds(uint64_t x);

#endif
