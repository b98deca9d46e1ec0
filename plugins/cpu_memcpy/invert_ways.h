/*
 * invert_ways.h - the ways to invert every bit of an array in place on a CPU: each byte is read and
 * stored, as by a scan in place
 */
#ifndef INVERT_WAYS_H
#define INVERT_WAYS_H

#include <stdbool.h>
#include <stddef.h>

/* What is stored lies in the caches, where the load has brought it: going around them gains
 * nothing. */
typedef enum invert_way {
    INVERT_VECTORS, /* the hardware prefetches */
    INVERT_AHEAD,   /* prefetched 3 KiB ahead */
    INVERT_PAGES,   /* the next four pages are prefetched in turn */
    INVERT_WAYS
} invert_way;

/* The loops in one set of instructions: whole groups of 256 bytes. */
typedef struct invert_instructions {
    const char *name;
    bool (*available)(void);
    void (*groups)(unsigned char *at, size_t count, invert_way way);
} invert_instructions;

/* Those compiled in, the widest first. The last is plain C, which is available everywhere. */
extern const invert_instructions invert_sets[];
extern const size_t invert_set_count;

/* The widest that this CPU has. */
const invert_instructions *invert_best_set(void);

/* Inverts `bytes` from `at` on, of any alignment. */
void invert_bytes(const invert_instructions *set, invert_way way, void *at, size_t bytes);

#endif
