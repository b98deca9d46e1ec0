/*
 * report.h - what the CSVs of one or several runs say, as data: terminal, Markdown and page are
 * printed from it
 *
 *     file > sheet (kind, op, dtype, cache) > problem (device, n) > entry (plugin) > setting
 *
 * A report refers to the files it was made of, and owns the rest. Every row of every file has one
 * report_use: most stand in a problem, the others in one of the lists of what is missing.
 *
 * Times are medians in ns. A ratio has an interval only where the rows can be compared: ratio.h.
 */
#ifndef SCANBENCH_REPORT_REPORT_H
#define SCANBENCH_REPORT_REPORT_H

#include "report/ratio.h"
#include "results/result_file.h"
#include "results/run_info.h"

typedef struct report_file {
    const result_file *results;
    run_info info;
    const char *label; /* short and unlike those of the other files: "h200" of h200.csv */
} report_file;

/* X(name, word): why a row is where it is. */
#define REPORT_USE_MAP(X)                                                               \
    X(SHOWN, "shown")           /* in a problem, as a time of a setting or of a copy */ \
    X(FAILED, "not measured")   /* not ok: `missing` has its status and reason */       \
    X(INCOMPLETE, "incomplete") /* ok, but the row of its run is not there */           \
    X(REPEATED, "repeated")     /* the same configuration and phase as an earlier row */

#define REPORT_ENUMERATOR(name, word) REPORT_##name,
#define REPORT_ONE_MORE(name, word) +1
typedef enum report_use { REPORT_USE_MAP(REPORT_ENUMERATOR) } report_use;
enum { REPORT_USES = 0 REPORT_USE_MAP(REPORT_ONE_MORE) };
#undef REPORT_ENUMERATOR
#undef REPORT_ONE_MORE

/* A plugin on a device with one problem and one setting, with all its times. */
typedef struct report_configuration {
    size_t file;
    const result_row *run;           /* the row of its run */
    const result_row *const *phases; /* all its rows, that of the run among them, as in the file */
    size_t phase_count;
} report_configuration;

/* How a time relates to the best one that it competes with. */
typedef enum report_standing {
    REPORT_BEST,
    REPORT_TIED,    /* the interval of the ratio holds 1: they cannot be told apart */
    REPORT_BEHIND,  /* certainly slower */
    REPORT_UNKNOWN, /* without an interval nobody can say */
} report_standing;

/* X(name, word): which time it is that competes. */
#define REPORT_VIEW_MAP(X)                                                           \
    X(IN_PLACE, "data already there")   /* `run`, among the plugins of one device */ \
    X(FROM_HOST, "data in host memory") /* `e2e`, against the `run` of plugins on the host */

#define REPORT_ENUMERATOR(name, word) REPORT_##name,
typedef enum report_view { REPORT_VIEW_MAP(REPORT_ENUMERATOR) } report_view;
#undef REPORT_ENUMERATOR

/* One setting of a plugin's tunables. */
typedef struct report_setting {
    const report_configuration *configuration;
    const result_row *row;    /* that of the time that competes: of `run` or `e2e` */
    report_ratio over_best;   /* its time over that of the plugin's best setting */
    report_standing standing; /* among the settings */
} report_setting;

/* A plugin that competes, by its best setting. */
typedef struct report_entry {
    const result_row *row;          /* settings[0].row */
    const report_setting *settings; /* fastest first */
    size_t setting_count;
    report_ratio over_winner;
    report_standing standing; /* among the plugins */
} report_entry;

/* Who wins one problem on one device. */
typedef struct report_problem {
    size_t file, sheet;
    report_view view;
    const char *place; /* REPORT_PROCESSOR, or the name of a device; "" if any (FROM_HOST) */
    bool in_place;     /* of plugins whose output takes the place of the input, which is lost */
    uint64_t n;
    const report_entry *entries; /* algorithms, baselines and peers, fastest first; may be none */
    size_t count;
    size_t tied; /* how many entries cannot be told from the first, without itself */
    /* Copies are limits, no competitors; the fastest is the best that a scan could be. */
    const report_entry *ceilings; /* fastest first; may be none */
    size_t ceiling_count;
} report_problem;

#define REPORT_PROCESSOR "processor"

/* What can be drawn over n. Ceilings have neither kind nor operator, and stand in each sheet of
 * their type; those that belong to none have one of their own, with kind and op "". */
typedef struct report_sheet {
    const char *kind; /* or RESULT_ANY_KIND */
    const char *op, *dtype, *cache;
    const report_problem *problems; /* by file, view, in_place, place and n */
    size_t count;
} report_sheet;

/* Rows without times that have status and reason in common. */
typedef struct report_missing {
    size_t file;
    row_status status;
    const char *reason;
    const result_row *const *rows;
    size_t count;
} report_missing;

/* Rows with the same flag. */
typedef struct report_flag {
    size_t file;
    const char *word;  /* "noisy"; of batch=K: "batch" */
    const char *means; /* a sentence; "" for an unknown one */
    bool is_disturbed; /* it casts doubt on the time */
    const result_row *const *rows;
    size_t count;
} report_flag;

typedef struct report {
    const report_file *files;
    size_t file_count;
    const report_configuration *configurations;
    size_t configuration_count;
    const report_sheet *sheets; /* in the order of the files */
    size_t sheet_count;
    const report_missing *missing; /* by file, then the worst status first */
    size_t missing_count;
    const report_flag *flags; /* by file, disturbed ones first */
    size_t flag_count;
    const result_row *const *incomplete, *const *repeated; /* by file; how many: `uses` */
    size_t uses[REPORT_USES];                              /* how many rows have each use */
    size_t rows; /* how many there are: the sum of the uses */
    struct report_store *store;
} report;

/* Reads the CSVs ("-": stdin) and what lies beside them. SCAN_OK and *report_p, released with
 * report_free; SCAN_INVALID, SCAN_ERROR or SCAN_NO_MEMORY, and `error` says why. */
scan_status report_read(const char *const *paths, size_t count, report *report_p, errmsg *error);

/* Makes one of files that are read; they, and `infos` of the same number, must outlive it.
 * SCAN_OK or SCAN_NO_MEMORY. */
scan_status report_make(const result_file *files, const run_info *infos, size_t count,
                        report *report_p);

/* Accepts a zeroed one. */
void report_free(report *r);

const char *report_use_word(report_use use);
const char *report_view_word(report_view view);

/* The row of a phase: "run", "kernel:scan_tile"; NULL if it has none. */
const result_row *report_phase(const report_configuration *c, const char *phase);

/* The entry of a plugin, or NULL. Two devices of one backend have entries of their own; the first
 * is found. */
const report_entry *report_find(const report_problem *p, const char *plugin);

/* The fastest copy's row, or NULL. */
const result_row *report_ceiling(const report_problem *p);

/* The plugin that others are compared with, in its own device's problem: the entry of the same
 * file, sheet and n whose plugin is the file's baseline; or NULL. */
const report_entry *report_baseline(const report *r, const report_problem *p);

#endif
