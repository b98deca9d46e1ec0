/*
 * large.h - what the worker does with whole arrays outside the timing, in as many threads as it may
 * use (system/parallel.h)
 */
#ifndef SCANBENCH_WORKER_LARGE_H
#define SCANBENCH_WORKER_LARGE_H

#include "problem/reference.h"
#include "system/parallel.h"

/* input_fill, poison_fill, memcpy and reference_check: their results are the same. */
void large_fill(const cpu_topology *machine, const input_spec *spec, uint64_t first, uint64_t count,
                void *out);
void large_poison(const cpu_topology *machine, void *region, size_t bytes);
void large_copy(const cpu_topology *machine, void *to, const void *from, size_t bytes);
/* The next `count` elements of an output and, unless that is NULL, of the input. */
typedef struct large_output {
    const void *input, *output;
    uint64_t count;
} large_output;

void large_check(const cpu_topology *machine, reference *check, const large_output *o);
/* The same in that many parts, where reference_has_parts. */
void large_check_parts(const cpu_topology *machine, unsigned parts, reference *check,
                       const large_output *o);

#endif
