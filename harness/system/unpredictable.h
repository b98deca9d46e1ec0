/*
 * unpredictable.h - numbers that nobody can know in advance, and that no seed repeats
 */
#ifndef SCANBENCH_SYSTEM_UNPREDICTABLE_H
#define SCANBENCH_SYSTEM_UNPREDICTABLE_H

#include <stdint.h>

/* A number from the system's source of randomness. */
uint64_t unpredictable(void);
/* The same, below `limit`, which is not 0. */
uint64_t unpredictable_below(uint64_t limit);

#endif
