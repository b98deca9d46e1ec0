/* candidates.c - the values of a tunable that are worth trying when nobody names any */
#include "sweep/plan.h"

#include <stdlib.h>

/* A range of at most this many values is tried in full. */
enum { FEW = 64 };

static int by_value(const void *a, const void *b)
{
    const int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one > other) - (one < other);
}

/* The candidates so far. */
typedef struct found {
    int64_t *values;
    size_t count;
    int64_t least, most;
} found;

static void add_candidate(found *f, int64_t value)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->values[i] == value)
            return;
    if (value >= f->least && value <= f->most && f->count < CANDIDATES_MOST)
        f->values[f->count++] = value;
}

size_t candidates_of(const tunable_info *t, unsigned places, int64_t *values)
{
    found f = {.values = values, .least = INT64_MIN, .most = INT64_MAX};
    if (t->values) {
        for (size_t i = 0; i < t->value_count; i++)
            add_candidate(&f, t->values[i]);
    } else {
        f.least = t->min;
        f.most = t->max;
        if (t->flags & SCAN_TUNABLE_THREADS && f.most > (int64_t)places)
            f.most = places;
        if ((uint64_t)f.most - (uint64_t)f.least < FEW && f.most >= f.least) {
            for (int64_t value = f.least; value < f.most; value++)
                add_candidate(&f, value);
        } else {
            add_candidate(&f, f.least);
            for (int64_t power = 1; power > 0 && power <= f.most / 2; power *= 2) {
                add_candidate(&f, power);
                add_candidate(&f, power + power / 2);
                add_candidate(&f, 2 * power);
            }
        }
        add_candidate(&f, f.most);
        f.most = t->max;
        add_candidate(&f, t->default_value);
    }
    qsort(values, f.count, sizeof *values, by_value);
    return f.count;
}
