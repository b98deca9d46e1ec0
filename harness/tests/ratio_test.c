/* ratio_test.c - the interval of a ratio that is put together from a CSV's columns holds the truth
 */
#include "report/ratio.h"
#include "tap.h"

#include "stats/rounds.h"

#include <math.h>
#include <stdint.h>

enum { ROUNDS = 20, PAIRS = 4000 };

/* xorshift64*, so that each run sees the same rounds. */
static double uniform(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return ((double)((*state * 0x2545f4914f6cdd1du) >> 11) + 0.5) / 9007199254740992.0;
}

static double normal(uint64_t *state)
{
    return sqrt(-2 * log(uniform(state))) * cos(6.283185307179586 * uniform(state));
}

/* How much varies, as standard deviations of logarithms: all of a round alike; each by itself. */
typedef struct machine {
    const char *name;
    double shared, own, scan, copy;
} machine;

static verdict_estimate of_values(const double *over, const double *under)
{
    stats_rounds r;
    stats_rounds_ratio(over, under, ROUNDS, &r);
    return verdict_estimate_of(r.median, r.lo, r.hi);
}

/* Two rows as a run would write them, of times whose ratio is 1. */
static void measure(const machine *m, uint64_t *state, result_row rows[2])
{
    double times[2][ROUNDS], scan[ROUNDS], copy[ROUNDS], one[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        const double shared = m->shared * normal(state);
        for (int k = 0; k < 2; k++)
            times[k][i] = exp(shared + m->own * normal(state));
        scan[i] = exp(shared + m->scan * normal(state));
        copy[i] = exp(shared + m->copy * normal(state));
        one[i] = 1;
    }
    for (int k = 0; k < 2; k++) {
        result_row *row = &rows[k];
        *row = (result_row){.run_id = "r",
                            .kind = "",
                            .kinds = "",
                            .op = "",
                            .dtype = "i32",
                            .cache = "hot",
                            .backend = "cpu",
                            .device = "CPU",
                            .phase = "run",
                            .n = 1000};
        row->absolute = of_values(times[k], one);
        row->median_ns = exp(row->absolute.median);
        row->per_scan = of_values(times[k], scan);
        row->per_copy = of_values(times[k], copy);
        row->speedup = NAN;
    }
}

/* In how many of a hundred pairs the interval excludes the ratio that is true. */
static double misses(const machine *m, double *width_p)
{
    uint64_t state = 0x9e3779b97f4a7c15u;
    int missed = 0;
    *width_p = 0;
    for (int i = 0; i < PAIRS; i++) {
        result_row rows[2];
        measure(m, &state, rows);
        const report_ratio ratio = ratio_of(&rows[0], &rows[1], false);
        missed += !ratio.has_interval || ratio.lo > 1 || ratio.hi < 1;
        *width_p += log(ratio.hi / ratio.lo) / PAIRS;
    }
    return 100.0 * missed / PAIRS;
}

int main(void)
{
    static const machine machines[] = {
        {"a quiet machine", 0.001, 0.002, 0.002, 0.002},
        {"noise of each time by itself", 0, 0.02, 0.02, 0.02},
        {"drift that all share", 0.05, 0.01, 0.01, 0.01},
        {"calibrators that are noisier than the times", 0.01, 0.01, 0.03, 0.05},
    };
    enum { MACHINES = sizeof machines / sizeof *machines };
    tap_plan(MACHINES + 1);
    double width = 0;
    for (size_t i = 0; i < MACHINES; i++) {
        const double missed = misses(&machines[i], &width);
        ok(missed <= 5, "%s: at most 5 %% of the intervals miss", machines[i].name);
        printf("# %.2f %% miss, width %.3f\n", missed, width);
    }
    misses(&machines[2], &width);
    ok(width < 0.08, "what all share cancels");
    return tap_done();
}
