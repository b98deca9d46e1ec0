/*
 * recorded_runs_test.c - the verdicts on recorded runs, of which it is known what changed between
 * them: nothing, or one configuration that takes 5 % or 10 % longer. data/README.md says what was
 * recorded. What is slower takes its recorded times and a factor; S is slower by itself.
 *
 * B is taken as the frozen scan, N as the frozen copy; A and M are the plugins. Each comparison is
 * one of a family of four (A and M at both sizes), or of forty, of which no other differs.
 */
#include "stats/verdict.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

#define THRESHOLD 0.03

enum { RUNS_MOST = 56, ROUNDS_FIRST = 20, ROUNDS_STEP = 5, ROUNDS_MOST = 40, LINE_BYTES = 512 };
enum { A, B, M, N, S, WHATS };
enum { SMALL, LARGE, SIZES }; /* n = 1e5 and 1e7 */
enum { FAMILY = 2 * SIZES, FAMILY_MOST = 40 };

typedef struct series {
    double times[ROUNDS_MOST], spins[ROUNDS_MOST];
} series;

typedef struct recorded_run {
    series of[SIZES][WHATS];
    size_t rounds;
} recorded_run;

typedef struct recording {
    recorded_run runs[RUNS_MOST];
    size_t count;
} recording;

/* How often each verdict was given, in percent. */
typedef struct rates {
    size_t given[VERDICT_MISSING + 1];
    size_t total;
} rates;

/* How much longer A takes in the second run. */
typedef struct change {
    double factor;
    int what;      /* A, or S in its place */
    size_t family; /* of how many comparisons it is one */
    const char *text;
} change;

static recording quiet, loaded;

static bool read_round(recorded_run *run, const char *line)
{
    for (int size = 0; size < SIZES; size++)
        for (int what = 0; what < WHATS; what++) {
            char *end;
            series *of = &run->of[size][what];
            of->times[run->rounds] = strtod(line, &end);
            line = end;
            of->spins[run->rounds] = strtod(line, &end);
            if (end == line || !(of->times[run->rounds] > 0) || !(of->spins[run->rounds] > 0))
                return false;
            line = end;
        }
    run->rounds++;
    return true;
}

/* false if the file is not what it should be */
static bool read_recording(const char *path, recording *to)
{
    char line[LINE_BYTES];
    FILE *file = fopen(path, "re");
    bool good = file != NULL;
    while (good && fgets(line, sizeof line, file)) {
        recorded_run *run = to->count > 0 ? &to->runs[to->count - 1] : NULL;
        if (strncmp(line, "run", 3) == 0)
            good = to->count++ < RUNS_MOST;
        else
            good = run && run->rounds < ROUNDS_MOST && read_round(run, line);
    }
    if (file)
        fclose(file);
    return good;
}

/* Rounds until the times of all configurations of a size are precise, as `scanbench run` has. */
static size_t rounds_of(const recorded_run *run, int size)
{
    for (size_t rounds = ROUNDS_FIRST; rounds < run->rounds; rounds += ROUNDS_STEP) {
        bool precise = true;
        for (int what = 0; what < WHATS; what++) {
            stats_rounds times;
            precise =
                precise &&
                stats_rounds_summarize(run->of[size][what].times, rounds, &times) == SCAN_OK &&
                times.precise;
        }
        if (precise)
            return rounds;
    }
    return run->rounds;
}

static verdict_estimate estimate(const double *over, const double *under, size_t rounds,
                                 double factor)
{
    stats_rounds r;
    if (stats_rounds_ratio(over, under, rounds, &r) != SCAN_OK || !r.has_ci)
        return (verdict_estimate){.known = false};
    return verdict_estimate_of(factor * r.median, factor * r.lo, factor * r.hi);
}

static verdict_run estimates_of(const recorded_run *run, int size, int what, double factor)
{
    const series *of = run->of[size];
    const size_t rounds = rounds_of(run, size);
    verdict_run it = {{estimate(of[what].times, of[what].spins, rounds, factor),
                       estimate(of[what].times, of[B].times, rounds, factor),
                       estimate(of[what].times, of[N].times, rounds, factor)}};
    it.estimates[1].calibrated = it.estimates[2].calibrated = true;
    return it;
}

static void count(rates *r, const verdict_outcome *o)
{
    r->given[o->verdict]++;
    r->total++;
}

static double percent(const rates *r, verdict v)
{
    return r->total ? 100.0 * (double)r->given[v] / (double)r->total : NAN;
}

static double percent_different(const rates *r)
{
    return percent(r, VERDICT_FASTER) + percent(r, VERDICT_SLOWER);
}

/* Fills the family from `used` on with comparisons in which nothing changed. */
static void pad(verdict_outcome **family, verdict_outcome *others, size_t used, size_t size)
{
    for (size_t i = used; i < size; i++) {
        others[i - used] = (verdict_outcome){.verdict = VERDICT_SAME, .has_interval = true, .p = 1};
        family[i] = &others[i - used];
    }
}

static void compare_pair(verdict_run before[SIZES][2], verdict_run after[SIZES][2], const change *c,
                         rates of[SIZES][2])
{
    verdict_outcome outcomes[FAMILY], others[FAMILY_MOST], *family[FAMILY_MOST];
    for (int k = 0; k < FAMILY; k++) {
        outcomes[k] = verdict_across(&before[k / 2][k % 2], &after[k / 2][k % 2], THRESHOLD);
        family[k] = &outcomes[k];
    }
    pad(family, others, FAMILY, c->family);
    verdict_holm(family, c->family);
    for (int k = 0; k < FAMILY; k++)
        count(&of[k / 2][k % 2], &outcomes[k]);
}

/* Compares each run with each that follows. of[size][0]: the verdicts on A, of[size][1]: on M,
 * which never changes. */
static void compare_across(const recording *of_runs, const change *c, rates of[SIZES][2])
{
    static verdict_run before[RUNS_MOST][SIZES][2], after[RUNS_MOST][SIZES][2];
    memset(of, 0, SIZES * sizeof *of);
    for (size_t i = 0; i < of_runs->count; i++)
        for (int size = 0; size < SIZES; size++) {
            const recorded_run *run = &of_runs->runs[i];
            before[i][size][0] = estimates_of(run, size, A, 1);
            after[i][size][0] = estimates_of(run, size, c->what, c->factor);
            before[i][size][1] = after[i][size][1] = estimates_of(run, size, M, 1);
        }
    for (size_t i = 0; i < of_runs->count; i++)
        for (size_t j = i + 1; j < of_runs->count; j++)
            compare_pair(before[i], after[j], c, of);
}

static void tell(const char *what, const rates *r)
{
    printf(
        "# %-46s slower %5.1f %%, faster %4.1f %%, same %5.1f %%, inconclusive %5.1f %% of %zu\n",
        what, percent(r, VERDICT_SLOWER), percent(r, VERDICT_FASTER), percent(r, VERDICT_SAME),
        percent(r, VERDICT_INCONCLUSIVE), r->total);
}

static void test_nothing_changed(const char *runs, const recording *of_runs)
{
    const change nothing = {.factor = 1, .what = A, .family = FAMILY};
    rates of[SIZES][2];
    compare_across(of_runs, &nothing, of);
    printf("# Two %s runs of the same:\n", runs);
    tell("serial, 1e5", &of[SMALL][0]);
    tell("memcpy, 1e5", &of[SMALL][1]);
    tell("serial, 1e7", &of[LARGE][0]);
    tell("memcpy, 1e7", &of[LARGE][1]);
    for (int size = 0; size < SIZES; size++)
        ok(percent_different(&of[size][0]) <= 5 && percent_different(&of[size][1]) <= 5,
           "%s runs: at most 5 %% of what has not changed differs at %s", runs,
           size == SMALL ? "1e5" : "1e7");
}

/* found: the least that must be found, in percent; 0: recordings show that it cannot be. What is
 * not found must be inconclusive, not wrong. */
static void test_slower(const char *runs, const recording *of_runs, const change *c,
                        const double found[SIZES])
{
    rates of[SIZES][2];
    char what[64];
    compare_across(of_runs, c, of);
    for (int size = 0; size < SIZES; size++) {
        const rates *r = &of[size][0];
        const char *n = size == SMALL ? "1e5" : "1e7";
        snprintf(what, sizeof what, "%s, %s, one of %zu", c->text, n, c->family);
        tell(what, r);
        if (found[size] > 0)
            ok(percent(r, VERDICT_SLOWER) >= found[size],
               "%s runs: %s at %s, one of %zu, is found in at least %.0f %%", runs, c->text, n,
               c->family, found[size]);
        ok(r->given[VERDICT_FASTER] == 0 && percent(r, VERDICT_SAME) <= 5,
           "%s runs: %s at %s, one of %zu, is never faster and hardly ever the same", runs, c->text,
           n, c->family);
    }
}

static void test_across(void)
{
    const change five = {.factor = 1.05, .what = A, .family = FAMILY, .text = "5 % more time"},
                 ten = {.factor = 1.1, .what = A, .family = FAMILY, .text = "10 % more time"},
                 items = {.factor = 1, .what = S, .family = FAMILY, .text = "5 % more elements"},
                 many = {.factor = 1.1, .what = A, .family = 40, .text = "10 % more time"};
    printf("# Two quiet runs, the second slower:\n");
    test_slower("quiet", &quiet, &five, (double[]){95, 0});
    test_slower("quiet", &quiet, &ten, (double[]){95, 75});
    test_slower("quiet", &quiet, &items, (double[]){95, 0});
    test_slower("quiet", &quiet, &many, (double[]){95, 75});
    printf("# Two loaded runs, the second slower:\n");
    test_slower("loaded", &loaded, &five, (double[]){95, 0});
    test_slower("loaded", &loaded, &ten, (double[]){95, 0});
}

/* The verdicts on `over` against `under` in each run, `over` taking `factor` times as long. */
static rates compare_within(const recording *of_runs, int size, const int pair[2], double factor,
                            double *mean_rounds_p)
{
    size_t total_rounds = 0;
    rates r = {.total = 0};
    for (size_t i = 0; i < of_runs->count; i++) {
        const recorded_run *run = &of_runs->runs[i];
        const double *under = run->of[size][pair[0]].times;
        double over[ROUNDS_MOST];
        for (size_t k = 0; k < run->rounds; k++)
            over[k] = factor * run->of[size][pair[1]].times[k];
        const size_t rounds = rounds_of(run, size);
        stats_rounds ratio;
        if (stats_rounds_ratio(over, under, rounds, &ratio) != SCAN_OK)
            continue;
        verdict_outcome o =
            verdict_within(&ratio, verdict_sign_test(over, under, rounds), THRESHOLD);
        verdict_outcome others[FAMILY - 1], *family[FAMILY] = {&o};
        pad(family, others, 1, FAMILY);
        verdict_holm(family, FAMILY);
        count(&r, &o);
        total_rounds += rounds;
    }
    *mean_rounds_p = (double)total_rounds / (double)of_runs->count;
    return r;
}

/* found: as in test_slower. */
static void test_within(const char *runs, const recording *of_runs, const double found[SIZES])
{
    double rounds;
    static const struct {
        int pair[2];
        const char *text;
    } pairs[] = {{{A, B}, "serial"}, {{M, N}, "memcpy"}};
    char what[64];
    printf("# Both in the same rounds of a %s run:\n", runs);
    for (int k = 0; k < 2 * SIZES; k++) {
        const char *n = k / 2 == SMALL ? "1e5" : "1e7", *text = pairs[k % 2].text;
        const rates same = compare_within(of_runs, k / 2, pairs[k % 2].pair, 1, &rounds),
                    five = compare_within(of_runs, k / 2, pairs[k % 2].pair, 1.05, &rounds);
        snprintf(what, sizeof what, "%s, %s, the same (%.0f rounds)", text, n, rounds);
        tell(what, &same);
        snprintf(what, sizeof what, "%s, %s, 5 %% more time", text, n);
        tell(what, &five);
        ok(percent_different(&same) <= 5, "in one %s run at most 5 %% differ: %s at %s", runs, text,
           n);
        ok(percent(&five, VERDICT_SLOWER) >= found[k / 2] && percent(&five, VERDICT_SAME) <= 5 &&
               five.given[VERDICT_FASTER] == 0,
           "in one %s run 5 %% more time is found in at least %.0f %%, else inconclusive: %s at %s",
           runs, found[k / 2], text, n);
    }
}

int main(void)
{
    tap_plan(2 + 2 * 2 + (3 + 4 + 3 + 4 + 3 + 3) + 2 * 8);
    ok(read_recording(DATA_DIR "/runs_quiet.txt", &quiet) && quiet.count == 56,
       "56 quiet runs were recorded");
    ok(read_recording(DATA_DIR "/runs_loaded.txt", &loaded) && loaded.count == 18,
       "and 18 beside other programs");
    test_nothing_changed("quiet", &quiet);
    test_nothing_changed("loaded", &loaded);
    test_across();
    test_within("quiet", &quiet, (double[]){90, 90});
    test_within("loaded", &loaded, (double[]){90, 60}); /* fewer rounds were recorded */
    return tap_done();
}
