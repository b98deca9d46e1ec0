/*
 * proof.h - the claims a plugin is held to, and the configurations that test each
 *
 * A claim is a sentence with many configurations behind it; the first that fails decides. The
 * sizes come from the plugin's own tunables: with block b and values per thread v a tile
 * holds b, 2b, b*v or 2b*v elements, and what breaks breaks at a tile's edge or at a
 * second or third level of recursion.
 */
#ifndef SCANBENCH_PROOF_PROOF_H
#define SCANBENCH_PROOF_PROOF_H

#include "supervisor/session.h"
#include "sweep/settings.h"

typedef enum proof_verdict {
    PROOF_OK,
    PROOF_SKIPPED, /* `skipped` says why */
    PROOF_FAILED,
    PROOF_INTERRUPTED,
} proof_verdict;

/* What a claim is tested once for. */
typedef enum proof_scope {
    PROOF_PER_FILE,
    PROOF_PER_DEVICE, /* a plugin and a device, whether they are there or not */
    PROOF_PER_PLUGIN, /* a plugin and a device that is there */
    PROOF_PER_OP,     /* that, and each dtype and op */
} proof_scope;

typedef struct proof proof;

/* A line of claims.h. */
typedef struct proof_claim {
    const char *name, *text;
    proof_scope scope;
    bool is_base;
    bool (*applies)(const plugin_info *plugin);
    proof_verdict (*test)(proof *p);
    int detail;
    const char *mistake;
} proof_claim;

/* One claim about one plugin on one device. */
struct proof {
    const proof_claim *claim;
    uint32_t dtype, op;  /* if the claim is per op */
    const char *program; /* as it was called */
    const proof_options *o;
    const settings *s;
    session *session;
    bool required;                      /* --require: that it is not available is a failure */
    uint64_t limit;                     /* largest n */
    size_t jobs;                        /* configurations that were right so far */
    bool refused;                       /* supports refused the last one that was skipped */
    char skipped[FAULT_SENTENCE_BYTES]; /* why the last one was, or the claim */
    struct {                            /* what broke the claim */
        bool has_job;                   /* this configuration; else it broke without any */
        job job;
        row_status status;
        fault fault;
    } failure;
};

extern const proof_claim proof_claims[];
extern const size_t proof_claim_count;
/* The claim for the configuration that the command line gives: repeats a failure. */
extern const proof_claim proof_given;

/* The claim of that name, or NULL. */
const proof_claim *proof_find(const char *name);

#endif
