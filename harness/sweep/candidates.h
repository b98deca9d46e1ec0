/*
 * candidates.h - the values of a tunable that are worth trying when nobody names any
 */
#ifndef SCANBENCH_SWEEP_CANDIDATES_H
#define SCANBENCH_SWEEP_CANDIDATES_H

#include "supervisor/registry.h"

enum { CANDIDATES_MOST = LOADER_MAX_VALUES };

/*
 * Writes them to values[0 ... CANDIDATES_MOST-1], ascending and each once, and returns how many:
 * all entries of a list; of a range all, if those are 64 at most, and otherwise its ends, the
 * powers of two in it, the values halfway between those, and the default. places: the most threads.
 */
size_t candidates_of(const tunable_info *t, unsigned places, int64_t *values);

#endif
