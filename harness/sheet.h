/*
 * sheet.h - the CSV file of a run: one row per configuration and phase, in the
 * columns of schema 1, each row written through as it is made
 */
#ifndef SCANBENCH_SHEET_H
#define SCANBENCH_SHEET_H

#include "csv_writer.h"
#include "plan.h"
#include "scoreboard.h"
#include "stats.h"

enum { SHEET_SCHEMA = 1, SHEET_PHASES = 32 };

/* The samples of one phase of one case. */
typedef struct sheet_phase {
    char name[48];
    char stop[16];
    unsigned batch;
    size_t count;
    double *samples; /* ns a run */
    stats_summary summary;
} sheet_phase;

/* A case that was done. */
typedef struct sheet_case {
    const lane *lane;
    const plan_case *planned;
    lane_result result;
    sheet_phase phases[SHEET_PHASES];
    size_t phase_count;
} sheet_case;

/* What the closing table shows of a `run` phase. */
typedef struct sheet_score {
    bool measured;
    double median_ns, bytes_per_s;
    double pct_copy, speedup; /* 0: unknown */
} sheet_score;

typedef struct sheet {
    csv_writer *csv;
    csv_writer *samples; /* or NULL */
    const char *baseline;
    char run_id[40];
    char host[72];
    scoreboard *scores;
} sheet;

/* Opens the outputs and writes their headers, so that a place that cannot be written
 * is known before anything is measured. SCAN_OK and *sheet_p, closed with sheet_close;
 * else `message`. */
scan_status sheet_open(const options *o, sheet *sheet_p, char *message, size_t size);
/* SCAN_ERROR and `message` where the last rows could not be kept. */
scan_status sheet_close(sheet *s, char *message, size_t size);

/* Does the case copy rather than scan? Then it has no kind and no op. */
bool sheet_is_ceiling(const sheet_case *c);

/* Takes one phase into a case, from its samples as text. Released with
 * sheet_case_free. */
void sheet_case_add(sheet_case *c, const char *name, unsigned batch, const char *stop,
                    const char *samples);
void sheet_case_free(sheet_case *c);

/* Writes the rows of a case (one without numbers if it did not come out right) and
 * tells its score. SCAN_OK, or SCAN_ERROR and `message`. */
scan_status sheet_write(sheet *s, sheet_case *c, sheet_score *score_p, char *message, size_t size);

/* Puts a median on the scoreboard, if later rows are compared with it. */
scan_status sheet_note(sheet *s, const sheet_case *c, const char *phase, double median_ns);

/* What tells cases apart in a file: the columns plugin, device, kind, op, dtype, n,
 * block, vt, params and seed, with tabs between. */
void sheet_key(const sheet_case *c, char *text, size_t size);

extern const char *const sheet_columns[];
extern const size_t sheet_column_count;

#endif
