/*
 * range.h - lists of numbers as users write them: --sizes, --block-sizes, --set
 *
 *     list   = item *( "," item )            spaces around an item are ignored
 *     item   = value
 *            | value ".." value              steps by the caller's default rule
 *            | value ".." value "*" factor   each point is `factor` times the last
 *            | value ".." value "/" count    `count` points per decade
 *            | value ".." value "+" step     each point is `step` more
 *     value  = ["-"] number [suffix] | base "^" exponent
 *     number = digits ["." digits] [("e" | "E") ["+"] digits]
 *     suffix = "k" | "M" | "G" (10^3, 10^6, 10^9) | "Ki" | "Mi" | "Gi" (2^10, 2^20, 2^30)
 *
 * A value is exact or an error: 1.5k is 1500, 1.2345k is refused.
 *
 * A range a..b contains a, every step below b, and b, each once; b is a point even if the steps
 * miss it:
 *     1e3..1e8       1000 10000 100000 1000000 10000000 100000000
 *     1e3..5e4       1000 10000 50000
 *     1e6..1e7/4     1000000 1778279 3162278 5623413 10000000
 *     32..1024*2     32 64 128 256 512 1024
 *     1..10+4        1 5 9 10
 * If both ends are written as powers of one base, the factor is that base:
 *     2^10..2^13     1024 2048 4096 8192
 * Steps by factor or by decade are rounded to the nearest integer from the exact
 * start, so the errors do not add up; steps that round to the same integer are one
 * point.
 */
#ifndef SCANBENCH_TEXT_RANGE_H
#define SCANBENCH_TEXT_RANGE_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stddef.h>
#include <stdint.h>

/* How a..b steps if the item does not say. */
typedef enum range_rule {
    RANGE_DECADES,  /* one point per decade: --sizes */
    RANGE_DOUBLING, /* times two: --block-sizes */
    RANGE_STEP_ONE  /* every integer: --set */
} range_rule;

enum { RANGE_MAX_POINTS = 100000 };

typedef struct range_list {
    int64_t *values; /* in the order written, each value once */
    size_t count;    /* at least 1 */
} range_list;

/*
 * Reads `text`. SCAN_OK and *list_p, released with range_free; or SCAN_INVALID or SCAN_NO_MEMORY,
 * and which item is wrong, why, and what to write instead. The caller checks the limits of the
 * values, which may be 0 or negative.
 */
scan_status range_parse(const char *text, range_rule rule, range_list *list_p, errmsg *error);

/* Frees the values; a zeroed list is allowed. */
void range_free(range_list *list);

#endif
