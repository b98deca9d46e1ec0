/*
 * proof.h - the claims that a plugin must meet, and the state of testing one
 *
 * A claim is a sentence that many configurations test; the first failure decides. The sizes come
 * from the plugin's own tunables: with block b and values per thread v a tile holds b, 2b, b*v or
 * 2b*v elements, and scans fail at a tile's edge or at the second or third level of recursion.
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

/* A claim is tested once for each of these. */
typedef enum proof_scope {
    PROOF_PER_FILE,
    PROOF_PER_DEVICE, /* a plugin and a device, available or not */
    PROOF_PER_PLUGIN, /* a plugin and an available device */
    PROOF_PER_OP,     /* a plugin, an available device, a dtype and an op */
} proof_scope;

/* What a claim's configurations show. */
typedef enum proof_subject {
    PROOF_OF_FILE,
    PROOF_OF_BASE, /* answers, without which other claims about them are not tested */
    PROOF_OF_ANSWERS,
    PROOF_OF_BEHAVIOUR,
} proof_subject;

typedef struct proof proof;

/* A line of the table in claims.c. */
typedef struct proof_claim {
    const char *name; /* one word, for --claims */
    const char *text; /* what holds, behind the file, the plugin, or the plugin, its dtype and op */
    proof_scope scope;
    proof_subject subject;
    uint32_t needs;                  /* the traits of a plugin to which it applies */
    proof_verdict (*test)(proof *p); /* sends its jobs */
    int detail;                      /* for `test`: a loader_step or a job_behaviour */
    const char *mistake;             /* its most likely cause, unless the fault tells more */
} proof_claim;

extern const proof_claim proof_claims[];
extern const size_t proof_claim_count;
/* The claim for a configuration from the command line, to repeat a failure. */
extern const proof_claim proof_given;

/* The claim of that name, or NULL. */
const proof_claim *proof_find(const char *name);
/* The claim about a job_behaviour, or NULL. */
const proof_claim *proof_about(uint32_t behaviour);
bool proof_applies(const proof_claim *claim, const plugin_info *plugin);

enum { REACH_REFUSAL_BYTES = 160, REACH_BEYOND_BYTES = 256 };

/* How far a proof went: what was right and what was refused, in all claims about a session or in
 * one claim. */
typedef struct proof_reach {
    uint64_t largest_n; /* that was right; 0: none */
    size_t passed;
    bool many_wrong; /* many scans at once: rows, or scans that lie side by side */
    bool some_wrong; /* answers in some setting, buffers or other conditions */
    uint64_t types[SCAN_OP_COUNT][SCAN_DTYPE_COUNT]; /* those of results, as bits */
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

/* One claim about one plugin on one device. */
struct proof {
    const proof_claim *claim;
    uint32_t dtype, op;  /* if the claim is per op; SCAN_DTYPE_COUNT: none */
    uint32_t result;     /* as in scan_problem, of proof_given */
    const char *program; /* argv[0] */
    const proof_options *o;
    const settings *s;
    session *session;
    bool required;         /* --require: a missing device is a failure */
    uint64_t limit;        /* largest n */
    uint64_t mem_limit;    /* bytes of host memory; 0: none was given */
    size_t jobs;           /* number of configurations, or of many runs of one, that
                            * passed so far */
    uint64_t largest_n;    /* the largest n that passed so far */
    double start_ns;       /* when the claim began */
    proof_reach *reach;    /* of the session, in all claims */
    proof_reach own;       /* of this claim: what it refused and left out */
    bool probing;          /* for an accepted size */
    bool brief;            /* few sizes are enough: another type or operator is tried at many */
    unsigned hopeless;     /* searches in a row that found none */
    uint64_t refused_from; /* the least n from which all are refused; 0: unknown */
    bool refused;          /* supports refused the last one that was skipped */
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

/* Notes why a claim is skipped. Returns PROOF_SKIPPED. */
proof_verdict proof_skip(proof *p, const char *format, ...) SCAN_PRINTF(2, 3);
/* Makes a verdict other than a failure a skip, with the reason, if the time was up before all was
 * tested. */
proof_verdict proof_in_time(proof *p, proof_verdict verdict);

/* Types and operators that go wrong in ways of their own: integers of fewer bytes than a word of 4,
 * so that several share one, floats of such, whose sums are rounded once, 4 bytes, more, an
 * operator that does not commute, as affine, those that select an operand, and those that round. */
typedef enum proof_sort {
    PROOF_ANY_TYPE,
    PROOF_PACKED,
    PROOF_HALF,
    PROOF_WORD,
    PROOF_WIDE,
    PROOF_ORDERED,
    PROOF_GREATEST,
    PROOF_LEAST,
    PROOF_ROUNDED,
} proof_sort;

/* Is it declared, and do --types, --ops and --kinds ask for it? A ceiling copies any type and has
 * neither kind nor operator: only --types is about it, and its jobs have kind 0 and the first
 * operator on the type. */
bool choice_is_asked(const settings *s, const plugin_info *plugin, uint32_t dtype, uint32_t op,
                     uint32_t kind);
/* The same in some kind. */
bool choice_is_asked_in_a_kind(const settings *s, const plugin_info *plugin, uint32_t dtype,
                               uint32_t op);
/* Is anything of that sort? */
bool choice_has(const settings *s, const plugin_info *plugin, proof_sort sort);
/* Why there is nothing of that sort: "needs f32, which --types leaves out". */
void choice_explain(const settings *s, const plugin_info *plugin, proof_sort sort, char *text,
                    size_t size);

/* A guess which mistake caused the failure, as one sentence. Static text. */
const char *proof_diagnose(const proof *p);

#endif
