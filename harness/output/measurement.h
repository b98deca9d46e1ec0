/*
 * measurement.h - what a worker reported about one configuration: its result and the
 * samples of each phase
 */
#ifndef SCANBENCH_OUTPUT_MEASUREMENT_H
#define SCANBENCH_OUTPUT_MEASUREMENT_H

#include "stats/stats.h"
#include "sweep/plan.h"

enum { MEASUREMENT_PHASES = 32, MEASUREMENT_KEY_BYTES = PLAN_PARAMS_BYTES + 512 };

typedef struct measurement_phase {
    phase_name name;
    char stop[16];
    unsigned batch;
    size_t count;
    double *samples; /* ns per run */
    stats_summary summary;
} measurement_phase;

typedef struct measurement {
    const session *session;
    const configuration *configuration;
    job_result result;
    measurement_phase phases[MEASUREMENT_PHASES];
    size_t phase_count;
} measurement;

/* Adds one phase; `samples` as text, separated by commas. Released with measurement_free. */
void measurement_add(measurement *m, const phase_name *name, unsigned batch, const char *stop,
                     const char *samples);
void measurement_free(measurement *m);

/* Does the plugin copy rather than scan? A copy has no kind and no operator. */
bool measurement_is_ceiling(const measurement *m);

/* Writes the key of a configuration in a file: the columns of measurement_key_columns, separated by
 * tabs. */
void measurement_key(const measurement *m, char text[MEASUREMENT_KEY_BYTES]);

enum { MEASUREMENT_KEY_COLUMNS = 10 };
extern const char *const measurement_key_columns[MEASUREMENT_KEY_COLUMNS];

#endif
