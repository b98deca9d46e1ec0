/*
 * job.h - one configuration to check or to measure, as the supervisor plans it
 * and the worker receives it
 */
#ifndef SCANBENCH_PROTOCOL_JOB_H
#define SCANBENCH_PROTOCOL_JOB_H

#include "loader/loader.h"
#include "problem/input.h"
#include "protocol/message.h"
#include "protocol/phase.h"

enum { JOB_TUNABLES = LOADER_MAX_TUNABLES, JOB_LABEL_BYTES = 256, JOB_SHARED_BYTES = 48 };

/* Flags of a job with processor_time: a sample counts by it; or no sample would, as its thread
 * waits by nature or the clock is too coarse. */
#define JOB_BY_PROCESSOR_FLAG "by_processor"
#define JOB_BY_CLOCK_FLAG "by_clock"

typedef enum job_mode {
    JOB_CHECK,   /* run once on one pattern, compare in full */
    JOB_MEASURE, /* compare and stay open for visits (visit.h) */
    JOB_BEHAVE,  /* one of the behaviours below */
    JOB_PROFILE, /* compare, and run once in a range for a profiler */
} job_mode;

/* What a plugin does besides its answers: X(name, word). The worker looks at it in behave_WORD. */
#define JOB_BEHAVIOUR_MAP(X)                                                              \
    X(LEAKS, leaks)         /* create, run, destroy over and over leave nothing behind */ \
    X(INSTANCES, instances) /* two instances with different problems */                   \
    X(BUFFERS, buffers)     /* one instance with different buffers */                     \
    X(PLACES, places)       /* its buffers at every place in a cache line */              \
    X(SAME_BITS, same_bits) /* the same bits again */                                     \
    X(PROCESS, process)     /* the process is as it was before */                         \
    X(NO_MEMORY, no_memory) /* each allocation of create fails in turn */                 \
    X(INPUT, input)         /* run writes nothing into its input */                       \
    X(HEAP, heap)           /* run allocates nothing */                                   \
    X(WAITS, waits)         /* run returns when its work is done */                       \
    X(PHASES, phases)       /* run records its phases as the contract says */             \
    X(RACES, races)         /* many runs whose threads are moved and delayed */           \
    X(WRAPS, wraps)         /* more runs than a narrow counter can tell apart */

#define JOB_ENUMERATOR(name, word) BEHAVE_##name,
typedef enum job_behaviour { JOB_BEHAVIOUR_MAP(JOB_ENUMERATOR) BEHAVE_COUNT } job_behaviour;
#undef JOB_ENUMERATOR

/* On which side no memory is accessible right beside the buffers; BEHIND misaligns them so that
 * they end with a page. */
typedef enum job_fence { FENCE_NONE, FENCE_FRONT, FENCE_BEHIND, FENCE_COUNT } job_fence;

typedef struct job {
    job_mode mode;
    uint32_t plugin; /* index in the file's table */
    uint32_t kind;   /* scan_kind; 0 for a ceiling */
    uint32_t op;     /* scan_op; for a ceiling the first on dtype */
    uint32_t dtype;
    uint32_t result;      /* as in scan_problem; 0 means dtype */
    uint64_t n;           /* of one scan */
    uint64_t rows, inner; /* as in scan_problem; 0 means 1 */
    uint64_t seed;
    int64_t tunables[JOB_TUNABLES];
    uint32_t tunable_count;
    uint32_t cache;      /* cache_state */
    double time_limit_s; /* for all samples; for BEHAVE_RACES and BEHAVE_WRAPS */

    /* What only some modes use; zeros in the others, and not sent. */
    struct {
        uint32_t pattern; /* an input_pattern */
        uint64_t position;
        uint32_t in_place;     /* 1: one buffer for input and output */
        uint32_t misalign;     /* by how many bytes the host's input is misaligned */
        uint32_t misalign_out; /* the same of its output */
        uint32_t fence;        /* a job_fence, on the host */
        uint32_t repeat;       /* runs on the same instance, each compared: at least 1; for
                                * BEHAVE_RACES and BEHAVE_WRAPS the most, for BEHAVE_WAITS
                                * those that are looked at */
    } run;                     /* JOB_CHECK and JOB_BEHAVE */
    struct {
        uint32_t behaviour; /* a job_behaviour */
        /* As bits: what an instance beside the first may be of, where the plugin declares it. */
        uint64_t other_types, other_results;
        uint32_t other_ops, other_kinds;
    } behave;
    struct {
        uint32_t id;             /* what the commands that follow call it */
        bool any_kind;           /* it competes with scans of either kind; never sent */
        uint32_t in_race;        /* 1: it is compared only when it is closed */
        uint32_t processor_time; /* 1: a sample that others interrupted counts by the time in which
                                  * its thread had the processor */
        /* Unless "": its arrays lie in this memory, as those of others that run at other times do;
         * those of a plugin that works in place, or on a device, do not. */
        char shared[JOB_SHARED_BYTES];
    } measure;
    char label[JOB_LABEL_BYTES]; /* JOB_PROFILE: the name of the range */
} job;

/* How long the part of the shared memory is that an array takes: the input has the first and the
 * output the second of two. */
uint64_t job_shared_bytes(const job *j);

/* Writes the job command for a worker, for device `device` of its plugin. */
bool job_write(FILE *out, const job *j, uint32_t device);
/* false if a field is missing or out of range. */
bool job_read(const protocol_message *m, job *j_p);

/* What probe says of a device, a scan_device. */
extern const message_members device_members;

/*
 * Calibrators: the harness's own scan and copy, which stand in every round of a group
 *
 * They do the same work in every version of scanbench, so a plugin's time divided by theirs, round
 * by round, can be compared between runs: what slows the machine down slows both. They are plugins
 * inside the program, in a worker of their own; their rows have the role "calibrator".
 */
typedef enum calibrator { CALIBRATOR_SCAN, CALIBRATOR_COPY, CALIBRATOR_COUNT } calibrator;

#define CALIBRATOR_SCAN_ID "frozen_scan"
#define CALIBRATOR_COPY_ID "frozen_copy"

/* What a worker is given to load them instead of a file; and their backend, which no plugin has:
 * no row is compared with them as with a ceiling. */
#define CALIBRATOR_FILE ""
#define CALIBRATOR_BACKEND "harness"

/* The word of --kinds that asked for it: "any", or that of its kind. */
#define JOB_ANY_KIND "any"
const char *job_kinds_word(const job *j);

/* rows and inner, at least 1; the elements of its input, rows * n * inner. */
uint64_t job_rows(const job *j);
uint64_t job_inner(const job *j);
uint64_t job_elements(const job *j);
/* The dtype of its results. */
uint32_t job_result_type(const job *j);
/* The bytes of its input and of its output, and both, which a scan moves. */
uint64_t job_bytes(const job *j);
uint64_t job_out_bytes(const job *j);
uint64_t job_moved_bytes(const job *j);

/* Do both have the same n, rows, inner, dtype and result, and so the same ceilings? */
bool job_same_arrays(const job *a, const job *b);

/* Do both have the same n, rows and inner? */
bool job_same_shape(const job *a, const job *b);

/* Are there several scans, in rows or side by side? */
bool job_has_many_scans(const job *j);

/* Its dtype, with the result's behind it where that is wider. Returns `text`. */
enum { JOB_TYPES_BYTES = 20 };
const char *job_types_text(const job *j, char text[JOB_TYPES_BYTES]);

/* Its types, operator and kind, as "i32 sum exclusive" or "i8->i32 sum exclusive"; of a copy its
 * types. Returns `text`. */
enum { JOB_SCAN_BYTES = 48 };
const char *job_scan_text(const job *j, bool copies, char text[JOB_SCAN_BYTES]);

/* What to write behind its n: of rows and inner those that are more than 1, each behind its word,
 * as of " rows=" and " inner=". Words are short. Returns `text`. */
enum { JOB_SHAPE_BYTES = 80 };
const char *job_shape_text(const job *j, const char *rows, const char *inner,
                           char text[JOB_SHAPE_BYTES]);

/* Do both ask for the same scan: n, rows, inner, dtype, result, op, and kind unless any will do?
 * Only then are they compared with each other. */
bool job_same_problem(const job *a, const job *b);

/* The input of a job; pattern: an input_pattern. */
input_spec job_input(const job *j, uint32_t pattern);

#endif
