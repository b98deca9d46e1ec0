/*
 * plan_rules.h - which configurations cannot be measured
 */
#ifndef SCANBENCH_SWEEP_PLAN_RULES_H
#define SCANBENCH_SWEEP_PLAN_RULES_H

#include "sweep/plan.h"

/* Sets c->status, and where that is not ROW_OK the reason of its row, which the caller releases.
 * mem_limit: how many bytes of host memory it may need. SCAN_OK or SCAN_NO_MEMORY. */
scan_status plan_rules_apply(configuration *c, const session *sessions, uint64_t mem_limit,
                             char **reason_p);

#endif
