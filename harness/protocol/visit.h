/*
 * visit.h - one visit to a configuration that is open in a worker: what the supervisor asks for,
 * and what it is told of a configuration that waits for the next
 *
 * Commands of a configuration, all with id=:
 *     job       mode=JOB_MEASURE and the rest of a job (job.h): opens it
 *     visit     untimed= samples= recorded= trips= batch=
 *     release   its buffers, until the next visit
 *     close
 *     drop      closes it without a comparison
 * Each is answered by step, phase and watch messages and then by `waits`, or by `done` if
 * the configuration is closed.
 */
#ifndef SCANBENCH_PROTOCOL_VISIT_H
#define SCANBENCH_PROTOCOL_VISIT_H

#include "protocol/message.h"

/* Samples of a phase. */
enum { VISIT_SAMPLES_MOST = 32 };

typedef struct visit {
    uint32_t untimed;  /* samples that are not kept, before the others */
    uint32_t samples;  /* of run */
    uint32_t recorded; /* of each phase that the plugin records */
    uint32_t trips;    /* of the copies, and of both with a run between them */
    uint32_t batch;    /* runs a sample */
} visit;

/* What is known of an open configuration: */
typedef struct visit_estimate {
    double run_ns;    /* time of a run, roughly */
    double before_ns; /* and of what precedes a sample, untimed: displacing caches */
    uint32_t batch;   /* runs that make an interval long enough for the clock */
    double spin_ns;   /* time of the spin (worker/frozen.h) around the last visit; 0: unknown */
} visit_estimate;

/* The chain of a spin; the length of a cycle follows from it (sweep/physics.h). */
enum { SPIN_MULTIPLICATIONS = 5000 };

extern const message_members visit_members, visit_estimate_members;

/* ---- what a worker sees of the machine while it takes the samples of `run` ---- */

/*
 *     watch  ns= switches= faults=                   always
 *            cpu_mhz= gpu_mhz= gpu_temperature_c=    as far as the system tells
 *            gpu_throttle= gpu_processes=
 *            threads= cores= cores_asked=            of plugins on host memory
 *
 * X(name, field of the message): what is not always known. */
#define WATCH_MAP(X)                                                                  \
    X(CPU_MHZ, "cpu_mhz")                   /* of the calling thread's core */        \
    X(GPU_MHZ, "gpu_mhz")                   /* of the GPU's multiprocessors */        \
    X(GPU_TEMPERATURE, "gpu_temperature_c") /* in degrees Celsius */                  \
    X(GPU_THROTTLE, "gpu_throttle")         /* bits: why the GPU lowers its clock */  \
    X(GPU_PROCESSES, "gpu_processes")       /* that compute on it and are not ours */ \
    X(THREADS, "threads")                   /* of the plugin, that computed */        \
    X(CORES, "cores")                       /* that they had */                       \
    X(CORES_ASKED, "cores_asked") /* 1: a plugin without a tunable for threads asked for them */

typedef enum watch_value_name {
#define X(name, field) WATCH_##name,
    WATCH_MAP(X)
#undef X
        WATCH_VALUES
} watch_value_name;

/* X(name, word): why a GPU lowers its clock; a bit each. */
#define THROTTLE_MAP(X)        \
    X(POWER_CAP, "power_cap")  \
    X(SLOWDOWN, "hw_slowdown") \
    X(THERMAL, "thermal")      \
    X(BRAKE, "power_brake")

typedef enum throttle_reason {
#define X(name, word) THROTTLE_##name,
    THROTTLE_MAP(X)
#undef X
        THROTTLE_REASONS
} throttle_reason;

enum { THROTTLE_TEXT_BYTES = 64 };

typedef struct watch_value {
    bool known;
    uint32_t value;
} watch_value;

typedef struct watch {
    double ns;         /* that all samples took */
    uint64_t switches; /* involuntary context switches */
    uint64_t faults;   /* page faults */
    watch_value values[WATCH_VALUES];
} watch;

/* Sets a value; one too large for a message is left out. */
void watch_set(watch *w, watch_value_name name, uint32_t value);

/* The fields, without begin and end. */
void watch_put(FILE *out, const watch *w);
/* false if a field is malformed, or one that is always there is missing. */
bool watch_read(const protocol_message *m, watch *watch_p);

/* The words of the bits, separated by ';', or "none". */
const char *throttle_text(uint32_t bits, char text[THROTTLE_TEXT_BYTES]);

#endif
