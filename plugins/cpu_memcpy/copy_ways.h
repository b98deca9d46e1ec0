/*
 * copy_ways.h - the ways to copy on a CPU, in the instructions that this CPU has
 */
#ifndef COPY_WAYS_H
#define COPY_WAYS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum copy_way {
    COPY_MEMCPY, /* the C library's, which chooses its instructions by size */
    /* Stores around the caches, so the lines of the output are not read first: up to a
     * third less traffic where the output does not fit the caches, slower where it does. */
    COPY_STREAM_AHEAD, /* the input is prefetched 3 KiB ahead */
    COPY_STREAM_PAGES, /* the next four pages of it are prefetched in turn */
    COPY_STREAM_NEAR,  /* the input is prefetched eight lines ahead */
    COPY_STRING,       /* the instruction that copies a string; the CPU chooses how */
    COPY_VECTORS,      /* vectors through the caches, without memcpy's choices */
    COPY_WAYS
} copy_way;

typedef struct copy_route copy_route;

/* The loops in one set of instructions. */
typedef struct copy_instructions {
    const char *name;
    bool (*available)(void);
    void (*around)(copy_route route);  /* stores around the caches */
    void (*through)(copy_route route); /* stores through the caches; does not prefetch */
    void (*finish)(void);              /* makes the stores visible to other threads */
} copy_instructions;

/* Those compiled in, the widest first. The last is plain C, whose stores go through the
 * caches; it is available everywhere. */
extern const copy_instructions copy_sets[];
extern const size_t copy_set_count;

/* The widest that this CPU has. */
const copy_instructions *copy_best_set(void);

/* Does this architecture have the way? */
bool copy_way_exists(copy_way way);

/* `bytes` from `from` to `to`, of any alignment; they do not overlap. The way exists. */
void copy_bytes(const copy_instructions *set, copy_way way, void *to, const void *from,
                size_t bytes);

#endif
