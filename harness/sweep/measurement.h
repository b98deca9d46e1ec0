/*
 * measurement.h - what a worker reported about one configuration: its result, and the samples of
 * each phase by rounds
 */
#ifndef SCANBENCH_SWEEP_MEASUREMENT_H
#define SCANBENCH_SWEEP_MEASUREMENT_H

#include "protocol/visit.h"
#include "stats/rounds.h"
#include "stats/stats.h"
#include "sweep/circumstances.h"
#include "sweep/plan.h"
#include "sweep/rounds.h"

enum { MEASUREMENT_PHASES = 32, MEASUREMENT_KEY_BYTES = PLAN_PARAMS_BYTES + 512 };

typedef struct measurement_phase {
    phase_name name;
    stop_reason stop;
    unsigned batch;
    size_t count, capacity, round_capacity;
    double *samples;  /* ns per run, in the order they were taken */
    uint32_t *rounds; /* of each sample */
    size_t value_count, value_capacity;
    double *values;        /* of each round: the median of its samples, or NaN without any */
    stats_summary summary; /* of the samples */
    stats_rounds interval; /* of the rounds */
} measurement_phase;

/* Of each round: how long the spins around the visit took, or NaN without any. */
typedef struct measurement_spins {
    size_t count, capacity;
    double *chain_ns;
} measurement_spins;

typedef struct measurement {
    const session *session;
    const configuration *configuration;
    job_result result;
    measurement_phase phases[MEASUREMENT_PHASES];
    size_t phase_count;
    bool has_zero_phase; /* a clock was too coarse for one, which is left out */
    measurement_spins spins;
    circumstances circumstances;
} measurement;

/* The samples of one phase in one visit. */
typedef struct measurement_visit {
    uint32_t round;
    phase_name name;
    unsigned batch;
    const char *samples; /* numbers, separated by commas */
} measurement_visit;

/* Adds them. SCAN_OK, also where there are more phases than MEASUREMENT_PHASES, which are then
 * left out; or SCAN_NO_MEMORY. Released with measurement_free. */
scan_status measurement_add(measurement *m, const measurement_visit *v);
/* Adds the time of a visit's spins; 0: unknown. SCAN_OK or SCAN_NO_MEMORY. */
scan_status measurement_add_spin(measurement *m, uint32_t round, double ns);
/* Fills in the summaries of all phases once the rounds are over. SCAN_OK or SCAN_NO_MEMORY. */
scan_status measurement_summarize(measurement *m, stop_reason stop);
void measurement_free(measurement *m);

/* A phase, or NULL. */
const measurement_phase *measurement_find(const measurement *m, const phase_name *name);
const measurement_phase *measurement_run(const measurement *m);

/* The time of `above` over that of `below`, round by round. Zeros where there is no round of both,
 * or no memory. */
stats_rounds measurement_ratio(const measurement_phase *above, const measurement_phase *below);

/* Does the plugin copy rather than scan? A copy has no kind and no operator. */
bool measurement_is_ceiling(const measurement *m);
/* Does its output always take the place of its input? */
bool measurement_is_in_place(const measurement *m);

/* Writes the key of a configuration in a file, separated by tabs: the columns plugin, device, kind,
 * op, dtype, n, block, vt, params, cache, kinds, rows, inner, result and seed. */
enum { MEASUREMENT_KEY_COLUMNS = 15 };
void measurement_key(const measurement *m, char text[MEASUREMENT_KEY_BYTES]);

#endif
