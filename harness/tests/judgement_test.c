/* judgement_test.c - what holds, what does not, and what cannot be told */
#include "report_rows.h"

#include "tables/judged_print.h"
#include "tap.h"

#include <math.h>

/* A time in ten rounds, with the same relative interval over the frozen scan. */
#define RUN(id, setting, ns, lo, hi) \
    ROW_CPU(id) setting ",hot,run" ROW_TIME(ns, lo, hi) #ns "," #lo "," #hi ",,,,,\n"
#define OLD(id, setting, ns) ROW_CPU(id) setting ",hot,run,ok,," #ns ",,,,,,,,,,,\n"

static const char rows[] = RUN("a", "1000,32,,", 100, 99, 101) RUN("a", "1000,64,,", 150, 148, 152)
    RUN("b", "1000,,,", 120, 119, 121) RUN("a", "2000,32,,", 200, 198, 202)
        RUN("a", "2000,64,,", 201, 199, 203) RUN("b", "2000,,,", 202, 200, 204)
            RUN("a", "4000,32,,pad=1", 400, 396, 404) RUN("b", "4000,,,", 300, 297, 303)
                RUN("c", "4000,,,", 10, 9.9, 10.1) OLD("d", "1000,,,", 90) OLD("e", "1000,,,", 95);

/* The verdict of one formula, which `claims_p` then holds. */
static judgement verdict_of(const test_report *t, const char *expect, judged_claim **claims_p,
                            recipe *recipe_p)
{
    char text[512];
    errmsg error = {""};
    snprintf(text, sizeof text, "title T\nclaim C\nexpect %s\n", expect);
    *claims_p = NULL;
    if (recipe_parse(text, "t", recipe_p, &error) != SCAN_OK ||
        judged_make(&t->r, 0, recipe_p, claims_p) != SCAN_OK) {
        printf("# %s\n", error.text);
        return JUDGEMENT_UNMEASURED;
    }
    return (*claims_p)[0].judgement;
}

typedef struct expected {
    const char *formula;
    judgement judgement;
    const char *claim;
} expected;

static const expected verdicts[] = {
    {"median(b, n=1000) / best(a, n=1000) > 1.1", JUDGEMENT_HOLDS, "a ratio beyond its limit"},
    {"median(b, n=1e3) / best(a, n=1e3) > 1.3", JUDGEMENT_FAILS, "one short of it"},
    {"median(b, n=1e3) / best(a, n=1e3) > 1.2", JUDGEMENT_UNKNOWN, "one whose interval holds it"},
    {"best(a, n=1e3) < median(b, n=1e3)", JUDGEMENT_HOLDS, "two times"},
    {"median(b, n=1e3) < best(a, n=1e3)", JUDGEMENT_FAILS, "the other way round"},
    {"median(b, n=2e3) < best(a, n=2e3)", JUDGEMENT_UNKNOWN, "a tie"},
    {"median(a, n=1e3, block=32) < best(a, n=1e3, block!=32)", JUDGEMENT_HOLDS, "the best block"},
    {"median(a, n=2e3, block=32) < best(a, n=2e3, block!=32)", JUDGEMENT_UNKNOWN,
     "a best block that is tied"},
    {"median(a, pad=1) / median(b, n=4e3) > 1.3", JUDGEMENT_HOLDS, "a setting of params"},
    {"for each n: best(a) / best(b) < 1.5", JUDGEMENT_HOLDS, "a loop over all sizes"},
    {"for each n: best(a) / best(b) < 1.1", JUDGEMENT_FAILS, "a loop with a size that fails"},
    {"for each n: best(a) / best(b) < 1", JUDGEMENT_FAILS, "though another is tied"},
    {"from n = 4e3 on: best(a) / best(b) > 1.3", JUDGEMENT_HOLDS, "the large sizes alone"},
    {"for each n, block: median(a) / best(b) < 1.4", JUDGEMENT_HOLDS,
     "two loops, of which one row has but one"},
    {"for each n, block: median(a) / best(a, block=32) > 0.97", JUDGEMENT_HOLDS,
     "a loop that one selector stands apart from"},
    {"best(b, n=1e3) < 130 ns", JUDGEMENT_HOLDS, "a time against a number"},
    {"1 us > best(b, n=1e3)", JUDGEMENT_HOLDS, "from the other side"},
    {"median(b, n=4e3) / median(b, n=2e3) > 1", JUDGEMENT_UNKNOWN, "times of different rounds"},
    {"best(a, n=1e3) / best(b, n=1e3) / (best(a, n=2e3) / best(b, n=2e3)) < 0.9", JUDGEMENT_HOLDS,
     "a ratio of ratios"},
    {"median(d) < median(e)", JUDGEMENT_UNKNOWN, "times without rounds"},
    {"median(a, n=1e3) < 1 s", JUDGEMENT_UNKNOWN, "a median of more than one row"},
    {"best(b) < 1 s", JUDGEMENT_UNKNOWN, "the best of different problems"},
    {"best(nobody) < 1 s", JUDGEMENT_UNMEASURED, "what was not measured"},
    {"best(*, n=4e3) / median(c, n=4e3) <= 1", JUDGEMENT_HOLDS, "a row against itself"},
};
enum { VERDICTS = sizeof verdicts / sizeof *verdicts };

static void test_verdict(const test_report *t, const expected *e)
{
    judged_claim *claims;
    recipe r = {.count = 0};
    const judgement got = verdict_of(t, e->formula, &claims, &r);
    if (!ok(got == e->judgement, "%s: %s", e->claim, judgement_word(e->judgement)))
        printf("# %s: %s\n", e->formula, judgement_word(got));
    judged_free(claims, r.count);
    recipe_free(&r);
}

/* The one expectation of a formula; an empty one if it is not judged. */
static judged_expectation judged(const test_report *t, const char *expect, judged_claim **claims_p,
                                 recipe *recipe_p)
{
    verdict_of(t, expect, claims_p, recipe_p);
    return *claims_p ? (*claims_p)[0].expectations[0] : (judged_expectation){.count = 0};
}

static void test_values(const test_report *t)
{
    judged_claim *claims;
    recipe r = {.count = 0};
    judged_expectation e = judged(t, "for each n: best(a) / best(b) < 1", &claims, &r);
    ok(e.count == 3 && strcmp(e.values[0].where, "n=1e3") == 0 &&
           e.values[0].judgement == JUDGEMENT_HOLDS &&
           fabs(e.values[0].ratio.ratio - 1 / 1.2) < 1e-3,
       "each size has a value of its own");
    ok(e.count == 3 && e.values[1].judgement == JUDGEMENT_UNKNOWN && e.values[1].tied[0] == 1 &&
           e.values[1].by_medians == JUDGEMENT_HOLDS,
       "the tied settings are counted");
    judged_free(claims, r.count);
    recipe_free(&r);
    e = judged(t, "for each n: best(a) / best(c) > 1", &claims, &r);
    ok(e.count == 1 && e.left_out == 2,
       "sizes at which one was not measured are left out, and counted");
    judged_free(claims, r.count);
    recipe_free(&r);
    verdict_of(t, "median(d) < median(e)", &claims, &r);
    ok(claims && claims[0].by_medians == JUDGEMENT_HOLDS,
       "without rounds, what the medians say is told");
    judged_free(claims, r.count);
    recipe_free(&r);
}

/* Of 200 sizes at which nothing differs, about five seem to be certainly slower. */
static void test_many(void)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    test_report t;
    judged_claim *claims = NULL;
    recipe r = {.count = 0};
    for (int n = 1; n <= 200; n++) {
        const double ns = n % 40 == 0 ? 1013 : 1000; /* just beyond the interval */
        fprintf(out, ROW_CPU("a") "%d,,,,hot,run,ok,,%g,%g,%g,10,,,,,,,,\n", n, ns, ns - 9, ns + 9);
        fprintf(out, ROW_CPU("b") "%d,,,,hot,run,ok,,1000,991,1009,10,,,,,,,,\n", n);
    }
    fclose(out);
    const bool made = test_report_make(&t, text);
    ok(made &&
           verdict_of(&t, "for each n: median(a) <= median(b)", &claims, &r) == JUDGEMENT_UNKNOWN,
       "a few of many sizes that fail by chance do not refute a claim");
    judged_free(claims, r.count);
    recipe_free(&r);
    ok(made && verdict_of(&t, "median(a, n=40) <= median(b, n=40)", &claims, &r) == JUDGEMENT_FAILS,
       "though one of them alone would");
    judged_free(claims, r.count);
    recipe_free(&r);
    test_report_free(&t);
    free(text);
}

int main(void)
{
    test_report t;
    tap_plan(1 + VERDICTS + 4 + 2);
    if (!ok(test_report_make(&t, rows), "a report is made"))
        return tap_done();
    for (size_t i = 0; i < VERDICTS; i++)
        test_verdict(&t, &verdicts[i]);
    test_values(&t);
    test_report_free(&t);
    test_many();
    return tap_done();
}
