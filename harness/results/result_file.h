/*
 * result_file.h - a CSV of `scanbench run`, read again: its rows, each with its texts checked and
 * its numbers as numbers
 */
#ifndef SCANBENCH_RESULTS_RESULT_FILE_H
#define SCANBENCH_RESULTS_RESULT_FILE_H

#include "output/csv_reader.h"
#include "protocol/status.h"
#include "results/library_version.h"
#include "stats/verdict.h"

#include <stdint.h>

/* X(column, whether a file without it is refused): the columns that are kept as texts, "" where a
 * file lacks them. */
#define RESULT_TEXT_MAP(X)   \
    X(run_id, false)         \
    X(timestamp_utc, false)  \
    X(host, false)           \
    X(plugin, true)          \
    X(plugin_version, false) \
    X(role, false)           \
    X(backend, true)         \
    X(device, true)          \
    X(driver, false)         \
    X(kind, true)            \
    X(op, true)              \
    X(dtype, true)           \
    X(params, true)          \
    X(cache, true)           \
    X(phase, true)           \
    X(binding, false)        \
    X(flags, false)          \
    X(stop_reason, false)    \
    X(gpu_throttle, false)   \
    X(parts, false)          \
    X(layout, false)         \
    X(kinds, false)          \
    X(in_place, false)       \
    X(reason, true)

/* X(column): the columns that are kept as numbers, NaN where the cell is empty or a file lacks
 * them. */
#define RESULT_NUMBER_MAP(X) \
    X(max_rel_error)         \
    X(samples)               \
    X(ci_lo_ns)              \
    X(ci_hi_ns)              \
    X(min_ns)                \
    X(q1_ns)                 \
    X(q3_ns)                 \
    X(max_ns)                \
    X(bytes_per_s)           \
    X(pct_copy)              \
    X(pct_copy_lo)           \
    X(pct_copy_hi)           \
    X(speedup)               \
    X(speedup_lo)            \
    X(speedup_hi)            \
    X(rounds)                \
    X(time_per_spin)         \
    X(time_per_spin_lo)      \
    X(time_per_spin_hi)      \
    X(time_per_scan)         \
    X(time_per_scan_lo)      \
    X(time_per_scan_hi)      \
    X(time_per_copy)         \
    X(time_per_copy_lo)      \
    X(time_per_copy_hi)      \
    X(cpu_mhz)               \
    X(load)                  \
    X(steal_pct)             \
    X(involuntary_switches)  \
    X(page_faults)           \
    X(gpu_temperature_c)     \
    X(gpu_processes)

/* The rows that have it in `kinds` compete with each other, whatever their kind. */
#define RESULT_ANY_KIND "any"

#define RESULT_MEMBER(column, required) const char *column;
#define RESULT_NUMBER_MEMBER(column) double column;
typedef struct result_row {
    RESULT_TEXT_MAP(RESULT_MEMBER)
    RESULT_NUMBER_MAP(RESULT_NUMBER_MEMBER)
    /* `kinds`, the kind it competes in: that of the row, or RESULT_ANY_KIND */
    char library[LIBRARY_VERSION_BYTES]; /* a peer's version, if it is not as in the file */
    size_t line;                         /* of the file, on which it ends */
    uint64_t n;
    const char *block, *vt; /* whole numbers, or "" */
    row_status status;
    double median_ns; /* 0 if it was not measured */
    double clock_mhz; /* of its device; 0 if it was not measured */
    bool on_device;   /* an accelerator, not the processor of the host */
    /* What is known of its time, as logarithms: in rounds, in spins, in runs of the frozen scan
     * and the frozen copy, in those of the fastest copy on its device */
    verdict_estimate absolute, per_spin, per_scan, per_copy, per_device_copy;
} result_row;
#undef RESULT_MEMBER
#undef RESULT_NUMBER_MEMBER

/* Is it inclusive among rows of which most are exclusive? Whoever ranks them says so. */
bool result_row_is_other_kind(const result_row *row);

typedef struct result_file {
    const char *path;
    result_row *rows;
    size_t count;
    csv_table table; /* owns the texts */
} result_file;

/*
 * Reads `path` ("-": stdin), which the file keeps. SCAN_OK and *file_p, released with
 * result_file_free; SCAN_INVALID (with the line) if it is not the CSV of a run, SCAN_ERROR,
 * SCAN_NO_MEMORY; `error` says why.
 *
 * A row is on a device unless its backend is `cpu`, or its device is a processor that OpenCL
 * offers: its name contains that of a row of backend `cpu` in the same file, or begins with `cpu`
 * or `pthread`, as the devices of PoCL.
 */
scan_status result_file_read(const char *path, result_file *file_p, errmsg *error);

/* The rows of a table that has been read, for a fuzzer. SCAN_OK: the file owns the table. */
scan_status result_file_take(csv_table table, const char *path, result_file *file_p, errmsg *error);

/* Does its output take the place of its input? Older files do not say so. */
bool result_row_in_place(const result_row *row);

/* Accepts a zeroed file. */
void result_file_free(result_file *file);

#endif
