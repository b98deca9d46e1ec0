/*
 * proof.h - the claims that a plugin must meet, and the state of testing one
 *
 * A claim is a sentence that many configurations test; the first failure decides. The sizes come
 * from the plugin's own tunables: with block b and values per thread v a tile holds b, 2b, b*v or
 * 2b*v elements, and scans fail at a tile's edge or at the second or third level of recursion.
 */
#ifndef SCANBENCH_PROOF_PROOF_H
#define SCANBENCH_PROOF_PROOF_H

#include "proof/reach.h"
#include "supervisor/session.h"
#include "sweep/settings.h"

typedef enum proof_verdict {
    PROOF_OK,
    PROOF_SKIPPED, /* `skipped` says why */
    PROOF_FAILED,
    PROOF_INTERRUPTED,
} proof_verdict;

/* A claim is tested once for each of these. */
typedef enum proof_scope {
    PROOF_PER_FILE,
    PROOF_PER_DEVICE, /* a plugin and a device, available or not */
    PROOF_PER_PLUGIN, /* a plugin and an available device */
    PROOF_PER_OP,     /* a plugin, an available device, a dtype and an op */
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
    bool shares_worker; /* with others such: it only runs and compares */
} proof_claim;

/* One claim about one plugin on one device. */
struct proof {
    const proof_claim *claim;
    uint32_t dtype, op;  /* if the claim is per op; SCAN_DTYPE_COUNT: none */
    const char *program; /* argv[0] */
    const proof_options *o;
    const settings *s;
    session *session;
    bool required;                      /* --require: a missing device is a failure */
    uint64_t limit;                     /* largest n */
    uint64_t mem_limit;                 /* bytes of host memory; 0: none was given */
    size_t jobs;                        /* number of configurations, or of many runs of one, that
                                         * passed so far */
    uint64_t largest_n;                 /* the largest n that passed so far */
    double start_ns;                    /* when the claim began */
    proof_reach *reach;                 /* of the session, in all claims */
    proof_reach own;                    /* of this claim: what it refused and left out */
    bool probing;                       /* for an accepted size: see nearest.c */
    unsigned hopeless;                  /* searches in a row that found none */
    uint64_t refused_from;              /* the least n from which all are refused; 0: unknown */
    bool refused;                       /* supports refused the last one that was skipped */
    char skipped[FAULT_SENTENCE_BYTES]; /* why the last configuration, or the claim, was skipped */
    struct {                            /* what broke the claim */
        bool has_job;                   /* `job` broke it; otherwise no configuration did */
        job job;
        row_status status;
        fault fault;
        uint64_t runs;  /* of BEHAVE_RACES; the last was wrong */
        bool has_wider; /* `wider` is the outcome of the same configuration at a larger n */
        fault wider;
    } failure;
};

extern const proof_claim proof_claims[];
extern const size_t proof_claim_count;
/* The claim for a configuration from the command line, to repeat a failure. */
extern const proof_claim proof_given;

/* The claim of that name, or NULL. */
const proof_claim *proof_find(const char *name);

#endif
