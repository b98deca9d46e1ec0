/*
 * stats_rules.c - prints what core/stats says of the data on stdin, for the test that holds the
 * Python package to the same rules
 *
 *     rank N
 *     rounds VALUE...
 *     ratio VALUE... / VALUE...
 *     sign VALUE... / VALUE...
 *     across THRESHOLD ESTIMATE ESTIMATE ESTIMATE / ESTIMATE ESTIMATE ESTIMATE
 *     holm VERDICT P ...
 *
 * One question a line, one answer a line. A VALUE is a number or nan; an ESTIMATE is MEDIAN:LO:HI,
 * with a c behind it if it is calibrated. Numbers are printed with all their digits.
 */
#include "stats/stats.h"
#include "stats/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VALUES_MOST = 4096, FAMILY_MOST = 64 };

/* The numbers of a line, of which a "/" parts those above from those below. */
typedef struct question {
    double over[VALUES_MOST], under[VALUES_MOST];
    size_t n;
} question;

static question read_values(char *rest)
{
    static question q;
    size_t counts[2] = {0, 0};
    int side = 0;
    for (char *word; (word = strsep(&rest, " \n"));) {
        if (strcmp(word, "/") == 0)
            side = 1;
        else if (*word && counts[side] < VALUES_MOST)
            (side ? q.under : q.over)[counts[side]++] = strtod(word, NULL);
    }
    q.n = counts[0];
    return q;
}

static void print_rounds(scan_status status, const stats_rounds *r)
{
    if (status != SCAN_OK || r->n == 0)
        puts("0");
    else if (!r->has_ci)
        printf("%zu %.17g\n", r->n, r->median);
    else
        printf("%zu %.17g %.17g %.17g\n", r->n, r->median, r->lo, r->hi);
}

static void print_outcome(const verdict_outcome *o)
{
    printf("%s; %s", verdict_word(o->verdict), verdict_reason_text(o->reason));
    if (o->has_interval)
        printf("; %.17g %.17g %.17g %.17g", o->ratio, o->lo, o->hi, o->p);
    putchar('\n');
}

static void answer_rounds(char *rest, bool quotients)
{
    const question q = read_values(rest);
    stats_rounds r = {.n = 0};
    const scan_status status = quotients ? stats_rounds_ratio(q.over, q.under, q.n, &r)
                                         : stats_rounds_summarize(q.over, q.n, &r);
    print_rounds(status, &r);
}

static verdict_estimate read_estimate(const char *word)
{
    char *end;
    const double median = strtod(word, &end), lo = strtod(end + 1, &end),
                 hi = strtod(end + 1, &end);
    verdict_estimate e = verdict_estimate_of(median, lo, hi);
    e.calibrated = *end == 'c';
    return e;
}

static void answer_across(char *rest)
{
    verdict_run runs[2] = {{.estimates[0].known = false}, {.estimates[0].known = false}};
    const double threshold = strtod(strsep(&rest, " "), NULL);
    size_t place = 0;
    for (char *word; (word = strsep(&rest, " \n")) && place < 2 * (size_t)VERDICT_ESTIMATES;) {
        if (!*word || strcmp(word, "/") == 0)
            continue;
        runs[place / VERDICT_ESTIMATES].estimates[place % VERDICT_ESTIMATES] = read_estimate(word);
        place++;
    }
    const verdict_outcome o = verdict_across(&runs[0], &runs[1], threshold);
    print_outcome(&o);
}

static verdict find_verdict(const char *word)
{
    verdict v = VERDICT_FASTER;
    while (v < VERDICT_MISSING && strcmp(verdict_word(v), word) != 0)
        v++;
    return v;
}

static void answer_holm(char *rest)
{
    verdict_outcome outcomes[FAMILY_MOST];
    verdict_outcome *family[FAMILY_MOST];
    size_t count = 0;
    for (char *word; count < FAMILY_MOST && (word = strsep(&rest, " \n")) && *word; count++) {
        const char *p = strsep(&rest, " \n");
        outcomes[count] =
            (verdict_outcome){.verdict = find_verdict(word), .has_interval = *p != '-'};
        outcomes[count].p = outcomes[count].has_interval ? strtod(p, NULL) : 0;
        family[count] = &outcomes[count];
    }
    verdict_holm(family, count);
    for (size_t i = 0; i < count; i++)
        printf("%s%s", i > 0 ? " " : "", verdict_word(outcomes[i].verdict));
    putchar('\n');
}

static void answer_sign(char *rest)
{
    const question q = read_values(rest);
    printf("%.17g\n", verdict_sign_test(q.over, q.under, q.n));
}

int main(void)
{
    char *line = NULL;
    size_t bytes = 0;
    while (getline(&line, &bytes, stdin) > 0) {
        char *rest = line;
        const char *what = strsep(&rest, " ");
        if (!rest)
            continue;
        if (strcmp(what, "rank") == 0)
            printf("%zu\n", stats_ci_rank(strtoul(rest, NULL, 10)));
        else if (strcmp(what, "rounds") == 0 || strcmp(what, "ratio") == 0)
            answer_rounds(rest, *what == 'r' && what[1] == 'a');
        else if (strcmp(what, "sign") == 0)
            answer_sign(rest);
        else if (strcmp(what, "across") == 0)
            answer_across(rest);
        else if (strcmp(what, "holm") == 0)
            answer_holm(rest);
    }
    free(line);
    return 0;
}
