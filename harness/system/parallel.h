/*
 * parallel.h - work of the harness itself on large arrays, in several threads
 *
 * The threads begin and end within a call, so that a plugin finds the process as it left it. They
 * run where the binding allows: beside a plugin that is bound to one core there are none.
 */
#ifndef SCANBENCH_SYSTEM_PARALLEL_H
#define SCANBENCH_SYSTEM_PARALLEL_H

#include "system/topology.h"

enum { PARALLEL_MOST = 32 };

typedef void (*parallel_work)(void *context, unsigned part);

/* In how many parts work on that many bytes pays: 1 ... PARALLEL_MOST, at most one a core. */
unsigned parallel_parts(const cpu_topology *machine, size_t bytes);
/* Calls work(context, part) once for each part below `parts` and returns when all have returned.
 * The caller does part 0, and what no thread can be had for. */
void parallel_run(const cpu_topology *machine, unsigned parts, parallel_work work, void *context);

#endif
