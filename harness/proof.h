/*
 * proof.h - the claims a plugin is held to, and the jobs that test each
 *
 * A claim is a sentence with many jobs behind it; the first that fails decides. The
 * sizes come from the plugin's own tunables: with block b and values per thread v a
 * tile holds b, 2b, b*v or 2b*v elements, and what breaks breaks at a tile's edge, at
 * a second and third level of recursion, and in what lies between impulses.
 */
#ifndef SCANBENCH_PROOF_H
#define SCANBENCH_PROOF_H

#include "lane.h"
#include "settings.h"

typedef enum proof_verdict {
    PROOF_OK,
    PROOF_REFUSED, /* by supports on this device, failure.result.reason says why */
    PROOF_FAILED,
    PROOF_INTERRUPTED,
} proof_verdict;

/* One plugin on one device under proof. */
typedef struct proof {
    const options *o;
    const settings *s;
    lane *lane;
    uint64_t limit; /* largest n */
    size_t jobs;    /* done so far */
    struct {        /* the job that broke a claim */
        job job;
        lane_result result;
    } failure;
} proof;

/* The names of proof_claims, for --help. */
#define PROOF_CLAIM_WORDS                                                                \
    "sizes levels patterns tunables repeat misaligned in_place twice buffers instances " \
    "rebuild starved waits records manners"

typedef struct proof_claim {
    const char *name; /* one word, for --claims */
    const char *text; /* what holds, behind the plugin's id and, if per_op, dtype and op */
    bool per_op;
    bool (*applies)(const catalog_plugin *plugin); /* NULL: to all */
    proof_verdict (*test)(proof *p, uint32_t dtype, uint32_t op);
} proof_claim;

extern const proof_claim proof_claims[];
extern const size_t proof_claim_count;

/* The claim for the configuration that the command line gives: repeats a failure. */
extern const proof_claim proof_given;

#endif
