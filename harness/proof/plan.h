/*
 * plan.h - which claims are tested, in which order
 */
#ifndef SCANBENCH_PROOF_PLAN_H
#define SCANBENCH_PROOF_PLAN_H

#include "text/errmsg.h"

#include "proof/proof.h"
#include "supervisor/session_set.h"

/* A claim about a session, for one dtype and op if it is per op. */
typedef struct proof_point {
    size_t session;
    const proof_claim *claim;
    uint32_t dtype, op;
    bool failed;
    bool hung; /* it failed by a timeout */
} proof_point;

typedef struct proof_plan {
    proof_point *points;
    size_t count, capacity;
} proof_plan;

/* Does a comma-separated list (NULL: of none) name claims alone? If not, `error` says which
 * name is unknown, and the nearest claim. */
bool proof_plan_knows(const char *claims, errmsg *error);

/* What the list of claims (NULL: all) and s ask for, about every session. SCAN_OK and *plan_p,
 * released with proof_plan_free, or SCAN_NO_MEMORY. */
scan_status proof_plan_make(const char *claims, const settings *s, const session_set *r,
                            proof_plan *plan_p);
void proof_plan_free(proof_plan *plan);

/* The sentence of a point: "cpu_serial i32 sum is right at tile edges". */
void proof_plan_describe(const proof_point *p, const session_set *r, char *text, size_t size);

/* The point before, counted from 1, that failed and on which this one depends: where answers
 * are wrong, so are those it looks at. 0 if there is none. */
size_t proof_plan_failed_base(const proof_plan *plan, size_t at);

#endif
