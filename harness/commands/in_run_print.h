/*
 * in_run_print.h - what `compare --in-run` has found, for people, for an issue, for scripts
 */
#ifndef SCANBENCH_COMMANDS_IN_RUN_PRINT_H
#define SCANBENCH_COMMANDS_IN_RUN_PRINT_H

#include "stats/verdict.h"
#include "supervisor/session.h"
#include "sweep/plan.h"

#include <stdio.h>

enum { STUDY_SIDES = 2 };

/* A configuration of one side, and what became of it. */
typedef struct compared_side {
    const session *session;
    configuration configuration;
    row_status status;
    fault fault;      /* why it is not ok */
    double median_ns; /* of its run; 0: it was not measured */
} compared_side;

/* The second against the first, which were measured in the same rounds. */
typedef struct in_run_pair {
    compared_side sides[STUDY_SIDES];
    verdict_outcome outcome;
    bool has_ratio; /* outcome.ratio is known */
    bool regression;
} in_run_pair;

typedef struct in_run_result {
    const char *operands[STUDY_SIDES]; /* as the command line names the sides */
    double threshold;
    in_run_pair *pairs; /* regressions without a time first, then by effect, then what is missing */
    size_t count, regressions;
} in_run_result;

/* In lines of that many columns, 40 at least. Whether the stream took it all is for the caller to
 * ask. SCAN_OK or SCAN_NO_MEMORY. */
scan_status in_run_print_table(const in_run_result *r, size_t columns, FILE *out);
void in_run_print_markdown(const in_run_result *r, FILE *out);
void in_run_print_json(const in_run_result *r, FILE *out);

#endif
