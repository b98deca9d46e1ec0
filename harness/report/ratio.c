#include "report/ratio.h"

#include <math.h>
#include <string.h>

#define TEXT(name, text) [RATIO_DOUBT_##name] = text,
const char *ratio_doubt_text(ratio_doubt doubt)
{
    static const char *const texts[] = {RATIO_DOUBT_MAP(TEXT)};
    return texts[doubt];
}
#undef TEXT

static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

/* Do two words agree? An empty one agrees with all: a copy has neither operator nor kind. */
static bool agree(const char *a, const char *b)
{
    return !*a || !*b || same(a, b);
}

static ratio_doubt doubt_of(const result_row *a, const result_row *b, bool sequential)
{
    if (!a->absolute.known || !b->absolute.known)
        return RATIO_DOUBT_NO_ROUNDS;
    if (!same(a->run_id, b->run_id))
        return RATIO_DOUBT_RUNS;
    if (a->n != b->n || !same(a->dtype, b->dtype) || !agree(a->kinds, b->kinds) ||
        !agree(a->op, b->op))
        return RATIO_DOUBT_PROBLEMS;
    return sequential ? RATIO_DOUBT_ROUNDS : RATIO_DOUBT_NONE;
}

/* The baseline's time is known as exactly as its own: speedup 1. */
static bool is_baseline(const result_row *row)
{
    return same(row->phase, "run") && row->speedup >= 1 && row->speedup <= 1;
}

/* The time over that of the baseline. */
static verdict_estimate per_baseline(const result_row *row)
{
    if (is_baseline(row) || !(row->speedup > 0))
        return (verdict_estimate){.known = false};
    return verdict_estimate_of(1 / row->speedup, 1 / row->speedup_hi, 1 / row->speedup_lo);
}

/* A plugin that knows nothing of parts works in one. */
static const char *parts_of(const result_row *row)
{
    return row->parts && *row->parts ? row->parts : "1";
}

/* Are the times of both rows divided by those of one and the same copy? A plugin on the host is
 * held against the fastest copy with at most as many threads, one in parts against a copy in as
 * many. */
static bool share_copy(const result_row *a, const result_row *b)
{
    return a->on_device && same(a->backend, b->backend) && same(a->device, b->device) &&
           same(a->phase, b->phase) && same(a->cache, b->cache) && same(parts_of(a), parts_of(b)) &&
           result_row_in_place(a) == result_row_in_place(b);
}

enum { WAYS = 6 };

static size_t list_ways(const result_row *over, const result_row *under,
                        verdict_estimate ways[WAYS][2])
{
    size_t count = 0;
#define WAY(member)                 \
    ways[count][0] = under->member; \
    ways[count++][1] = over->member
    WAY(absolute);
    WAY(per_spin);
    if (same(over->cache, under->cache)) {
        WAY(per_scan);
        WAY(per_copy);
    }
    if (share_copy(over, under)) {
        WAY(per_device_copy);
    }
#undef WAY
    if (same(over->cache, under->cache)) {
        ways[count][0] = per_baseline(under);
        ways[count++][1] = per_baseline(over);
    }
    return count;
}

static verdict_outcome difference(verdict_estimate under, verdict_estimate over)
{
    return verdict_across(&(verdict_run){{under}}, &(verdict_run){{over}}, 1);
}

static report_ratio of_outcome(const verdict_outcome *o)
{
    return (report_ratio){
        .ratio = o->ratio, .lo = o->lo, .hi = o->hi, .p = o->p, .has_interval = true};
}

/* The ratio to the baseline, made within rounds; unknown if neither is the baseline. */
static report_ratio of_baseline(const result_row *over, const result_row *under)
{
    const verdict_estimate one = {.known = true};
    const bool base_under = is_baseline(under) && same(over->cache, under->cache);
    const verdict_estimate e = base_under ? per_baseline(over) : (verdict_estimate){.known = false};
    if (!e.known)
        return (report_ratio){.has_interval = false};
    const verdict_outcome o = difference(one, e);
    return of_outcome(&o);
}

report_ratio ratio_of(const result_row *over, const result_row *under, bool sequential)
{
    const ratio_doubt doubt = doubt_of(over, under, sequential);
    report_ratio best = {.doubt = doubt};
    if (doubt != RATIO_DOUBT_NONE) {
        best.ratio = under->median_ns > 0 ? over->median_ns / under->median_ns : 0;
        best.p = 1;
        return best;
    }
    if (over == under)
        return (report_ratio){.ratio = 1, .lo = 1, .hi = 1, .p = 1, .has_interval = true};
    report_ratio exact = of_baseline(over, under);
    if (exact.has_interval)
        return exact;
    exact = of_baseline(under, over); /* NOLINT(readability-suspicious-call-argument): inverted */
    if (exact.has_interval)
        return ratio_inverse(exact);
    verdict_estimate ways[WAYS][2];
    const size_t count = list_ways(over, under, ways);
    for (size_t i = 0; i < count; i++) {
        const verdict_outcome o = difference(ways[i][0], ways[i][1]);
        if (o.has_interval && (!best.has_interval || o.hi / o.lo < best.hi / best.lo))
            best = of_outcome(&o);
    }
    return best;
}

report_ratio ratio_inverse(report_ratio ratio)
{
    const report_ratio old = ratio;
    ratio.ratio = old.ratio > 0 ? 1 / old.ratio : 0;
    if (old.has_interval) {
        ratio.lo = 1 / old.hi;
        ratio.hi = 1 / old.lo;
    }
    return ratio;
}
