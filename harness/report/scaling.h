/*
 * scaling.h - what more parts gain: k parts against one of the same plugin, in its fastest setting
 *
 *     strong   n stays the same
 *     weak     n / k stays the same: k parts have k times the elements of one
 *
 * The speed-up is the elements per second of k parts over those of one; k is the ideal. Where
 * memory is the limit, the layout bounds it:
 *
 *     cyclic       each element is read once and written once, as in one part: k
 *     contiguous   a slice may be written when the total of those before it is known, so it is
 *                  read twice: 3n of traffic in place of 2n, so 2k/3
 *     copies       k, in any layout
 */
#ifndef SCANBENCH_REPORT_SCALING_H
#define SCANBENCH_REPORT_SCALING_H

#include "report/report.h"

/* X(name, word) */
#define SCALING_WAY_MAP(X) \
    X(STRONG, "strong")    \
    X(WEAK, "weak")

#define SCALING_ENUMERATOR(name, word) SCALING_##name,
typedef enum scaling_way { SCALING_WAY_MAP(SCALING_ENUMERATOR) } scaling_way;
#undef SCALING_ENUMERATOR

typedef struct scaling_point {
    const result_row *row, *one; /* of `run`, in k parts and in one */
    size_t file;
    scaling_way way;
    unsigned parts;       /* k, at least 2 */
    report_ratio speedup; /* weak: without an interval, as the two are different problems */
    double bound;         /* 0: the layout is not known */
} scaling_point;

/* By file, plugin, problem, n, parts and way. */
typedef struct scaling_list {
    scaling_point *points;
    size_t count;
} scaling_list;

/* SCAN_OK and *list_p, which refers to the report, released with scaling_free; or
 * SCAN_NO_MEMORY. */
scan_status scaling_make(const report *r, scaling_list *list_p);
void scaling_free(scaling_list *list);

const char *scaling_way_word(scaling_way way);

#endif
