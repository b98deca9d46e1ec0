/*
 * comparison.h - which rows of result files belong together, and whether their times differ
 *
 * The first file is compared with each other one. Rows belong together if plugin, kind, op, dtype,
 * n, block, vt, params, cache and phase are the same: first those on devices of the same name, and
 * of these those of one word of --kinds; then, in the order of the files, those on different ones.
 */
#ifndef SCANBENCH_COMPARE_COMPARISON_H
#define SCANBENCH_COMPARE_COMPARISON_H

#include "results/result_file.h"

enum { COMPARED_REASON_BYTES = 512 };

/* Two rows that belong together, or one that has no other. */
typedef struct compared_pair {
    const result_file *first_file, *second_file;
    const result_row *first, *second;                   /* NULL: not in that file */
    const char *first_plugin_file, *second_plugin_file; /* NULL: not measured in one run */
    verdict_outcome outcome;
    bool has_ratio;      /* outcome.ratio: without an interval, that of the medians */
    bool regression;     /* slower; or measured before and now wrong, crashed, ... */
    bool is_row_of_both; /* the same row, copied */
} compared_pair;

typedef struct comparison {
    const result_file *files;
    size_t file_count;
    bool in_run; /* measured in the same rounds, rather than in two runs */
    double threshold;
    compared_pair *pairs; /* those of a file together; regressions without a time first, then by
                             effect, then what is missing */
    size_t count;
    size_t never_measured; /* configurations that have no times in either file */
    size_t regressions;
} comparison;

/*
 * Compares the phases of a list such as "run,device". A configuration that failed is compared in
 * the first of them only. SCAN_OK and *comparison_p, which refers to the files and is released
 * with comparison_free; or SCAN_NO_MEMORY.
 */
scan_status comparison_make(const result_file *files, size_t file_count, const char *phases,
                            double threshold, comparison *comparison_p);
/* The last step, of pairs that were judged one by one: judges them together, and sorts them.
 * SCAN_OK or SCAN_NO_MEMORY. */
scan_status comparison_finish(comparison *c);
void comparison_free(comparison *c);

/* The row that says which configuration it is: the second, the one that has changed. */
const result_row *compared_row(const compared_pair *pair);

/* Why a pair is inconclusive or missing, in `text` ("" otherwise), which is returned. */
const char *compared_reason(const compared_pair *pair, char *text, size_t size);

/* Could nothing in one of the files be compared with the first? Then `text` says which and why. */
bool comparison_lacks(const comparison *c, char *text, size_t size);

/* How many pairs have this verdict. */
size_t comparison_count(const comparison *c, verdict v);

#endif
