#include "stats/verdict.h"

#include <math.h>
#include <stdlib.h>

static const double lopsided = 12; /* times as long as the other side of an interval */
static const double alpha = 0.05;
static const double normal_quantile = 1.959963984540054; /* of 97.5 % */

/* The difference of two logarithms. */
typedef struct difference {
    double d, lo, hi;
} difference;

#define WORD(name, word) [VERDICT_##name] = word,
const char *verdict_word(verdict v)
{
    static const char *const words[] = {VERDICT_MAP(WORD)};
    return words[v];
}
#undef WORD

#define TEXT(name, text) [VERDICT_FOR_##name] = text,
const char *verdict_reason_text(verdict_reason reason)
{
    static const char *const texts[] = {VERDICT_REASON_MAP(TEXT)};
    return texts[reason];
}
#undef TEXT

verdict_estimate verdict_estimate_of(double median, double lo, double hi)
{
    verdict_estimate estimate = {.known = false};
    if (!(lo > 0 && lo <= median && median <= hi && isfinite(hi)))
        return estimate;
    return (verdict_estimate){.median = log(median), .lo = log(lo), .hi = log(hi), .known = true};
}

verdict_estimate verdict_estimate_widened(verdict_estimate estimate, double half)
{
    estimate.lo = fmin(estimate.lo, estimate.median - half);
    estimate.hi = fmax(estimate.hi, estimate.median + half);
    return estimate;
}

/* How far an estimate may be off in that direction: half of its interval; the longer side of a
 * lopsided one, as one that holds both of two values is. */
static double side(double median, double lo, double hi, bool up)
{
    const double below = median - lo, above = hi - median;
    const double half = (below + above) / 2;
    const bool is_lopsided = fmax(below, above) > lopsided * fmin(below, above);
    return is_lopsided ? fmax(half, up ? above : below) : half;
}

static double side_of(const verdict_estimate *e, bool up)
{
    return side(e->median, e->lo, e->hi, up);
}

static difference difference_of(const verdict_estimate *first, const verdict_estimate *second)
{
    const double d = second->median - first->median;
    return (difference){.d = d,
                        .lo = d - hypot(side_of(second, false), side_of(first, true)),
                        .hi = d + hypot(side_of(second, true), side_of(first, false))};
}

/* Two-sided, as if the estimate were normally distributed with the standard error that its interval
 * implies. */
static double p_of(const difference *it)
{
    const double half = side(it->d, it->lo, it->hi, it->d < 0);
    if (it->d == 0)
        return 1;
    return half > 0 ? erfc(normal_quantile * fabs(it->d) / half / sqrt(2)) : 0;
}

static int by_value(const void *a, const void *b)
{
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* Does neither interval hold what the other estimates? */
static bool disagree(const difference *a, const difference *b)
{
    return (a->d < b->lo || a->d > b->hi) && (b->d < a->lo || b->d > a->hi);
}

/* The differences of the estimates that both runs know; returns how many. *state_p: how far a
 * calibrator moved at most, beyond noise: by how much the change of the time divided by it differs
 * from the change of the time itself. */
static size_t list_differences(const verdict_run *first, const verdict_run *second,
                               difference differences[VERDICT_ESTIMATES], bool *calibrated_p,
                               double *state_p)
{
    size_t count = 0;
    *calibrated_p = false;
    *state_p = 0;
    for (size_t i = 0; i < VERDICT_ESTIMATES; i++) {
        const verdict_estimate *a = &first->estimates[i], *b = &second->estimates[i];
        if (!a->known || !b->known)
            continue;
        differences[count] = difference_of(a, b);
        if (a->calibrated && b->calibrated) {
            *calibrated_p = true;
            if (first->estimates[0].known && second->estimates[0].known &&
                disagree(&differences[0], &differences[count]))
                *state_p = fmax(*state_p, fabs(differences[0].d - differences[count].d));
        }
        count++;
    }
    return count;
}

/* The verdict of an interval of logarithms whose estimates lie between `least` and `greatest`. Its
 * ends are no better known than any time is. */
static verdict verdict_between(double least, double greatest, const difference *hull, double limit)
{
    if (least > limit && hull->lo > STATS_FLOOR)
        return VERDICT_SLOWER;
    if (greatest < -limit && hull->hi < -STATS_FLOOR)
        return VERDICT_FASTER;
    return hull->lo > -limit && hull->hi < limit ? VERDICT_SAME : VERDICT_INCONCLUSIVE;
}

/* Why an interval allows no verdict. */
static verdict_reason reason_of(const difference *hull, double limit)
{
    return hull->hi - hull->lo > 2 * limit ? VERDICT_FOR_NOISY : VERDICT_FOR_NEAR;
}

verdict_outcome verdict_across(const verdict_run *first, const verdict_run *second,
                               double threshold)
{
    difference each[VERDICT_ESTIMATES];
    bool calibrated;
    double state, middle[VERDICT_ESTIMATES];
    verdict_outcome outcome = {.verdict = VERDICT_INCONCLUSIVE, .reason = VERDICT_FOR_NO_ROUNDS};
    const size_t count = list_differences(first, second, each, &calibrated, &state);
    const double limit = log1p(threshold);
    if (count == 0)
        return outcome;
    difference hull = each[0];
    for (size_t i = 0; i < count; i++) {
        middle[i] = each[i].d;
        hull.lo = fmin(hull.lo, each[i].lo);
        hull.hi = fmax(hull.hi, each[i].hi);
        outcome.p = fmax(outcome.p, p_of(&each[i]));
    }
    qsort(middle, count, sizeof *middle, by_value);
    if (middle[0] <= 0 && middle[count - 1] >= 0)
        outcome.p = 1;
    outcome.has_interval = true;
    outcome.ratio = exp((middle[(count - 1) / 2] + middle[count / 2]) / 2);
    outcome.lo = exp(hull.lo);
    outcome.hi = exp(hull.hi);
    outcome.reason = VERDICT_FOR_NO_CALIBRATORS;
    if (!calibrated)
        return outcome;
    outcome.verdict = verdict_between(middle[0], middle[count - 1], &hull, limit);
    outcome.reason = outcome.verdict != VERDICT_INCONCLUSIVE ? VERDICT_FOR_NONE
                     : state > VERDICT_STATE                 ? VERDICT_FOR_STATE
                                                             : reason_of(&hull, limit);
    return outcome;
}

verdict_outcome verdict_within(const stats_rounds *ratio, double p, double threshold)
{
    verdict_outcome outcome = {.verdict = VERDICT_INCONCLUSIVE, .reason = VERDICT_FOR_NO_ROUNDS};
    const verdict_estimate e = ratio->n > 0 && ratio->has_ci
                                   ? verdict_estimate_of(ratio->median, ratio->lo, ratio->hi)
                                   : (verdict_estimate){.known = false};
    const double limit = log1p(threshold);
    if (!e.known)
        return outcome;
    const difference hull = {.d = e.median, .lo = e.lo, .hi = e.hi};
    outcome = (verdict_outcome){.verdict = verdict_between(e.median, e.median, &hull, limit),
                                .has_interval = true,
                                .ratio = ratio->median,
                                .lo = ratio->lo,
                                .hi = ratio->hi,
                                .p = p};
    const bool differs = outcome.verdict == VERDICT_SLOWER || outcome.verdict == VERDICT_FASTER;
    if (differs && p > VERDICT_WITHIN_P)
        outcome.verdict = VERDICT_INCONCLUSIVE;
    if (outcome.verdict == VERDICT_INCONCLUSIVE)
        outcome.reason = reason_of(&hull, limit);
    return outcome;
}

double verdict_sign_test(const double *over, const double *under, size_t n)
{
    size_t above = 0, count = 0;
    for (size_t i = 0; i < n; i++) {
        above += over[i] > under[i];
        count += over[i] > under[i] || over[i] < under[i];
    }
    const size_t fewer = above < count - above ? above : count - above;
    double p = 0; /* of `fewer` or less among `count`, on one side */
    for (size_t i = 0; i <= fewer; i++)
        p += exp(lgamma((double)count + 1) - lgamma((double)i + 1) -
                 lgamma((double)(count - i) + 1) - (double)count * log(2));
    return fmin(1, 2 * p);
}

static int by_p(const void *a, const void *b)
{
    const verdict_outcome *one = *(verdict_outcome *const *)a,
                          *other = *(verdict_outcome *const *)b;
    if (one->has_interval != other->has_interval)
        return one->has_interval ? -1 : 1;
    return (one->p > other->p) - (one->p < other->p);
}

void verdict_holm(verdict_outcome **family, size_t count)
{
    bool certain = true;
    size_t members = 0;
    qsort(family, count, sizeof *family, by_p);
    while (members < count && family[members]->has_interval)
        members++;
    for (size_t i = 0; i < members; i++) {
        verdict_outcome *it = family[i];
        certain = certain && it->p <= alpha / (double)(members - i);
        if (certain || (it->verdict != VERDICT_FASTER && it->verdict != VERDICT_SLOWER))
            continue;
        it->verdict = VERDICT_INCONCLUSIVE;
        it->reason = VERDICT_FOR_FAMILY;
    }
}
