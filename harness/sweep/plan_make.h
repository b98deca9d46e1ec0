/*
 * plan_make.h - makes a plan: for each type and size the ceilings, then the baselines, then the
 * other plugins, so that the times with which a row is compared are known when it is measured
 */
#ifndef SCANBENCH_SWEEP_PLAN_MAKE_H
#define SCANBENCH_SWEEP_PLAN_MAKE_H

#include "sweep/plan.h"
#include "sweep/settings.h"
#include "text/errmsg.h"

/* Plans all configurations of the open sessions. mem_limit: how many bytes of host memory a
 * configuration may need. SCAN_OK and *plan_p, released with plan_free; SCAN_INVALID if --set names
 * a tunable that no session has; SCAN_NO_MEMORY. */
scan_status plan_make(const measuring_options *m, const settings *s, const session_set *set,
                      uint64_t mem_limit, plan *plan_p, errmsg *error);

/* Does each --set name a tunable of one of the sessions' plugins? SCAN_OK, or SCAN_INVALID
 * and `error` suggests the nearest one. */
scan_status plan_check_sets(const settings *s, const session_set *set, errmsg *error);

enum { CANDIDATES_MOST = LOADER_MAX_VALUES };

/*
 * The values of a tunable that are worth trying when nobody names any.
 *
 * Writes them to values[0 ... CANDIDATES_MOST-1], ascending and each once, and returns how many:
 * all entries of a list; of a range all, if those are 64 at most, and otherwise its ends, the
 * powers of two in it, the values halfway between those, and the default. places: the most threads.
 */
size_t candidates_of(const tunable_info *t, unsigned places, int64_t *values);

#endif
