/*
 * large.h - what the worker does with whole arrays outside the timing, in several threads
 *
 * The threads begin and end within a call, so that a plugin finds the process as it left it. They
 * run where the binding allows: beside a plugin that is bound to one core there are none.
 */
#ifndef SCANBENCH_WORKER_LARGE_H
#define SCANBENCH_WORKER_LARGE_H

#include "problem/reference.h"
#include "system/topology.h"

enum { PARALLEL_MOST = 32 };

typedef void (*parallel_work)(void *context, unsigned part);

/* In how many parts work on that many bytes pays: 1 ... PARALLEL_MOST, at most one a core. */
unsigned parallel_parts(const cpu_topology *machine, size_t bytes);
/* Calls work(context, part) once for each part below `parts` and returns when all have returned.
 * The caller does part 0, and what no thread can be had for. */
void parallel_run(const cpu_topology *machine, unsigned parts, parallel_work work, void *context);

/* What is written to `bytes` bytes at `to`: the input from element `first` on, or a copy, or, with
 * neither, poison. */
typedef struct large_write {
    void *to;
    size_t bytes;
    const input_spec *spec; /* or NULL */
    uint64_t first;
    const void *from; /* or NULL */
} large_write;

void large_do(const cpu_topology *machine, large_write w);

/* The next `count` elements of an output and, unless that is NULL, of the input. */
typedef struct large_output {
    const void *input, *output;
    uint64_t count;
} large_output;

/* As reference_check. */
void large_check(const cpu_topology *machine, reference *check, const large_output *o);
/* The same in that many parts, where reference_has_parts. */
void large_check_parts(const cpu_topology *machine, unsigned parts, reference *check,
                       const large_output *o);

#endif
