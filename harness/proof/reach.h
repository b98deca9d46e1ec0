/*
 * reach.h - how far the proof of a plugin went: sizes, types and settings that were right, and what
 * was refused
 */
#ifndef SCANBENCH_PROOF_REACH_H
#define SCANBENCH_PROOF_REACH_H

#include "protocol/job.h"

#include <stdio.h>

enum { REACH_REFUSAL_BYTES = 160, REACH_TEXT_BYTES = 2048, REACH_BEYOND_BYTES = 256 };

/* Of all claims about one session. */
typedef struct proof_reach {
    uint64_t largest_n; /* that was right; 0: none */
    size_t passed;
    bool types[SCAN_OP_COUNT][SCAN_DTYPE_COUNT];
    struct {
        int64_t least, greatest;
    } settings[JOB_TUNABLES];
    size_t refused;
    char refusal[REACH_REFUSAL_BYTES]; /* the first */
    size_t left_out;                   /* sizes that take long */
    size_t late;                       /* left out because the time was up */
    double dear_s;                     /* spent on runs that take long, whatever their size is */
    uint64_t slow_n;                   /* the smallest n that took long; 0: none */
    unsigned slow_runs;                /* in a row, at sizes from slow_n on */
    double slow_s;                     /* spent on sizes that take long */
    char beyond[REACH_BEYOND_BYTES];   /* why n is no larger; "": nothing to say */
    uint64_t unit; /* a multiple of which is accepted where other sizes are refused; 0: none */
} proof_reach;

void reach_note_passed(proof_reach *r, const job *j);
void reach_note_refused(proof_reach *r, const job *j, const char *why);
/* Notes how long a configuration took. */
void reach_note_time(proof_reach *r, const job *j, double seconds);
/* Does this size take long, time and again? */
bool reach_is_slow(const proof_reach *r, uint64_t n);
/* Notes what a job took that counts against --claim-limit: slow runs, not many of them. */
void reach_note_dear(proof_reach *r, const job *j, double seconds);
/* Is the time up? `own`: of the claim; limit_s: --claim-limit. */
bool reach_is_over(const proof_reach *all, const proof_reach *own, double limit_s);
/* Is it time to leave out configurations as large as this? `seconds`: spent on the claim. */
bool reach_must_hurry(const proof_reach *r, uint64_t n, double seconds);

/* Writes the types and operators that were right: "i32 u32 sum, i32 max". */
void reach_put_types(FILE *out, const proof_reach *r);

#endif
