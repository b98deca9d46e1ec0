/*
 * warnings.h - what people should know of a run besides its table: what was wrong with the machine,
 * and which plugins could not be measured
 */
#ifndef SCANBENCH_OUTPUT_WARNINGS_H
#define SCANBENCH_OUTPUT_WARNINGS_H

#include "supervisor/session.h"
#include "sweep/measurement.h"

#include <stdio.h>

typedef struct warnings {
    size_t measured; /* configurations */
    size_t counts[FLAGS];
    double most_load, most_steal_pct;
    uint32_t throttle;      /* bits: THROTTLE_* */
    uint32_t gpu_processes; /* the most */
    unsigned cpus;
    char threaded[64]; /* the first plugin whose threads lacked cores */
    uint32_t threads;  /* of it, the most that computed */
    unsigned cores;    /* and the cores that it had */
} warnings;

enum { WARNING_BYTES = 400 };

/* Adds a configuration; only one that was measured counts. */
void warnings_add(warnings *w, const measurement *m);

/* The sentence for a flag; "" if it holds for no configuration. */
const char *warnings_text(const warnings *w, circumstance_flag r, char text[WARNING_BYTES]);

/* A line each. */
void warnings_print(const warnings *w, FILE *out);

/* Prints the unavailable ones of the sessions, or nothing where there are none. */
void unavailable_print(const session *sessions, size_t count, size_t columns, FILE *out);

#endif
