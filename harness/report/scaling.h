/*
 * scaling.h - what more parts gain: the elements per second of k parts over those of one
 *
 *     strong   n stays the same
 *     weak     n / k stays the same: k parts have k times the elements of one
 *
 * One part is that of the same plugin (own), and the fastest scan in one part, of any plugin, on
 * the same device (best); of a copy, the fastest copy. Each plugin counts by its fastest setting.
 * k times one part is the ideal. Where memory is the limit, the layout bounds it:
 *
 *     cyclic       each element is read once and written once, as in one part: k
 *     contiguous   a slice may be written when the total of those before it is known, so it is
 *                  read twice: 3n of traffic in place of 2n, so 2k/3
 *     copies       k, in any layout
 *
 * What the file of k parts lacks is taken from other files of the same host, the fastest first.
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

/* k parts against one. */
typedef struct scaling_gain {
    const result_row *one; /* of `run`; NULL: it was not measured, and the rest is 0 */
    size_t file;           /* of `one` */
    report_ratio speedup;  /* no interval where n or the runs differ */
    double efficiency;     /* speedup / k */
    double of_bound;       /* speedup / bound; 0: the bound is not known */
} scaling_gain;

typedef struct scaling_point {
    const result_row *row; /* of `run`, in k parts */
    size_t file;
    scaling_way way;
    unsigned parts;         /* k, at least 2 */
    uint64_t n_of_one;      /* n, or n / k */
    double elements_per_s;  /* of k parts */
    double bound;           /* of the speed-up; 0: the layout is not known */
    scaling_gain own, best; /* `best` is there */
} scaling_point;

/* By way, type, cache, kind, operator, device, host, plugin, n of one part, parts and file. */
typedef struct scaling_list {
    scaling_point *points;
    size_t count;
} scaling_list;

/* SCAN_OK and *list_p, which refers to the report, released with scaling_free; or
 * SCAN_NO_MEMORY. */
scan_status scaling_make(const report *r, scaling_list *list_p);
void scaling_free(scaling_list *list);

const char *scaling_way_word(scaling_way way);

/* Do two points belong into one table: of one way, problem, device and host? */
bool scaling_same_table(const scaling_point *a, const scaling_point *b);

#endif
