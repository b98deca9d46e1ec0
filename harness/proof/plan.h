/*
 * plan.h - decides which claims are tested, in which order
 */
#ifndef SCANBENCH_PROOF_PLAN_H
#define SCANBENCH_PROOF_PLAN_H

#include "text/errmsg.h"

#include "proof/proof.h"
#include "supervisor/session_set.h"

/* A claim about a session, for one dtype and op if it is per op, and for one result if it is about
 * a configuration from the command line. */
typedef struct proof_point {
    size_t session;
    const proof_claim *claim;
    uint32_t dtype, op; /* SCAN_DTYPE_COUNT: none */
    uint32_t result;    /* as in scan_problem */
    bool left_out;      /* nothing is left of what it needs: choice.c */
    bool failed;
    bool hung; /* it failed with a timeout */
} proof_point;

typedef struct proof_plan {
    proof_point *points;
    size_t count, capacity;
    size_t left_out; /* how many points are */
} proof_plan;

/* Is every word of a comma-separated list (NULL: empty) a claim? If not, `error` names the unknown
 * word and the nearest claim. */
bool proof_plan_knows(const char *claims, errmsg *error);

/* Plans the claims of a list (NULL: all), with the types, operators and kinds of s, for every
 * session.
 * SCAN_OK and *plan_p, released with proof_plan_free, or SCAN_NO_MEMORY. */
scan_status proof_plan_make(const char *claims, const settings *s, const session_set *r,
                            proof_plan *plan_p);
void proof_plan_free(proof_plan *plan);

/* Writes the sentence of a point: "cpu_serial i32 sum is right at tile edges". */
void proof_plan_describe(const proof_point *p, const session_set *r, char *text, size_t size);

/* The number, from 1, of the earlier point that failed and on which this one depends; 0 if there is
 * none. If answers are wrong, later claims about answers would fail for the same reason. */
size_t proof_plan_failed_base(const proof_plan *plan, size_t at);

#endif
