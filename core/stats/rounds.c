#include "stats/rounds.h"

#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

double stats_round_value(double *samples, size_t n)
{
    qsort(samples, n, sizeof *samples, by_value);
    return stats_quantile(samples, n, 0.5);
}

double stats_round_middle(double *samples, size_t n)
{
    qsort(samples, n, sizeof *samples, by_value);
    const size_t first = n / 4, end = n - n / 4;
    double sum = 0;
    for (size_t i = first; i < end; i++)
        sum += samples[i];
    return sum / (double)(end - first);
}

/* Widens an interval that says less than the values do. */
static void widen(const double *sorted, stats_rounds *rounds)
{
    const size_t outside = (rounds->n - 1) / 4;
    const double q1 = sorted[outside], q3 = sorted[rounds->n - 1 - outside];
    if (q3 - q1 <= STATS_SPREAD * (rounds->hi - rounds->lo))
        return;
    rounds->spread = q3 - q1 >= STATS_DOUBTFUL * rounds->median;
    rounds->precise = false;
    rounds->lo = fmin(rounds->lo, q1 * (1 - STATS_FLOOR));
    rounds->hi = fmax(rounds->hi, q3 * (1 + STATS_FLOOR));
}

static bool many_are_far(const double *values, size_t n, double median)
{
    size_t far = 0;
    for (size_t i = 0; i < n; i++)
        far += fabs(values[i] - median) > STATS_DOUBTFUL * median;
    return far >= 3 && (double)far > STATS_NOISY * (double)n;
}

/* Sorts the n values that there are. */
static stats_rounds summarize(double *values, size_t n)
{
    stats_rounds rounds = {.n = n};
    if (n == 0)
        return rounds;
    rounds.median = stats_round_value(values, n);
    const size_t rank = stats_ci_rank(n);
    rounds.has_ci = rank > 0;
    if (!rounds.has_ci)
        return rounds;
    rounds.lo = values[rank - 1];
    rounds.hi = values[n - rank];
    rounds.precise =
        rounds.median > 0 && rounds.hi - rounds.lo <= 2 * STATS_PRECISION * rounds.median;
    rounds.lo = fmin(rounds.lo, rounds.median * (1 - STATS_FLOOR));
    rounds.hi = fmax(rounds.hi, rounds.median * (1 + STATS_FLOOR));
    widen(values, &rounds);
    rounds.noisy = rounds.hi - rounds.lo > 2 * STATS_DOUBTFUL * rounds.median &&
                   many_are_far(values, n, rounds.median);
    return rounds;
}

/* of over / under, or of over alone */
static scan_status of_quotients(const double *over, const double *under, size_t n,
                                stats_rounds *rounds_p)
{
    double *values = calloc(n + 1, sizeof *values);
    size_t count = 0;
    scan_status status = values ? SCAN_OK : SCAN_NO_MEMORY;
    for (size_t i = 0; i < n && status == SCAN_OK; i++) {
        const double value = under ? over[i] / under[i] : over[i];
        if (isinf(value))
            status = SCAN_INVALID;
        if (!isnan(value))
            values[count++] = value;
    }
    if (status == SCAN_OK)
        *rounds_p = summarize(values, count);
    free(values);
    return status;
}

scan_status stats_rounds_summarize(const double *values, size_t n, stats_rounds *rounds_p)
{
    return of_quotients(values, NULL, n, rounds_p);
}

scan_status stats_rounds_ratio(const double *over, const double *under, size_t n,
                               stats_rounds *rounds_p)
{
    return of_quotients(over, under, n, rounds_p);
}

stats_order stats_rounds_order(const stats_rounds *ratio)
{
    if (ratio->n == 0 || !ratio->has_ci)
        return STATS_UNKNOWN;
    if (ratio->hi < 1)
        return STATS_FASTER;
    return ratio->lo > 1 ? STATS_SLOWER : STATS_TIED;
}
