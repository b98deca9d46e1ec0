/*
 * proof.h - the claims a plugin is held to, and the jobs that test each
 *
 * A claim is a sentence with many jobs behind it, in a worker of its own; the first job
 * that fails decides. The sizes come from the plugin's own tunables: with block b and
 * values per thread v a tile holds b, 2b, b*v or 2b*v elements, and what breaks breaks at
 * a tile's edge, at a second and third level of recursion, and in what lies between
 * impulses.
 */
#ifndef SCANBENCH_PROOF_H
#define SCANBENCH_PROOF_H

#include "lane.h"
#include "settings.h"

typedef enum proof_verdict {
    PROOF_OK,
    PROOF_SKIPPED, /* failure.result.reason says why */
    PROOF_FAILED,
    PROOF_INTERRUPTED,
} proof_verdict;

/* One plugin on one device under proof. */
typedef struct proof {
    const options *o;
    const settings *s;
    lane *lane;
    bool required;    /* --require: that it is not available is a failure */
    uint64_t limit;   /* largest n */
    size_t jobs;      /* done so far */
    struct {          /* what broke a claim */
        bool has_job; /* this one; else it broke without any */
        job job;
        lane_result result;
    } failure;
} proof;

/* The names of proof_claims, for --help. */
#define PROOF_CLAIM_WORDS                                                                \
    "file loads entry origin contract declares exports quiet load_time available sizes " \
    "levels patterns tunables repeat misaligned in_place twice buffers instances "       \
    "rebuild starved heap waits records manners"

/* What a claim is about: once a file, once a plugin and device, or each dtype and op. */
typedef enum proof_scope { PROOF_PER_FILE, PROOF_PER_LANE, PROOF_PER_OP } proof_scope;

typedef struct proof_claim {
    const char *name; /* one word, for --claims */
    const char *text; /* what holds, behind the file, or the plugin and dtype and op */
    proof_scope scope;
    bool is_base; /* where it fails, nothing further can be told of the answers */
    bool (*applies)(const catalog_plugin *plugin); /* NULL: to all */
    proof_verdict (*test)(proof *p, uint32_t dtype, uint32_t op);
} proof_claim;

extern const proof_claim proof_claims[];
extern const size_t proof_claim_count;

/* The claim of that name, or NULL. */
const proof_claim *proof_find(const char *name);
/* The claim for the configuration that the command line gives: repeats a failure. */
extern const proof_claim proof_given;

#endif
