/* report_test.c - who wins, who is tied, what is missing, and that no row is lost */
#include "report_rows.h"

#include "report/crossover.h"
#include "report/words.h"
#include "tap.h"

#include <math.h>

/* Three plugins on the processor at n = 1000, two settings of one; a copy; a GPU with copies. */
static const char whole[] = ROW_COPY "1000,,,,hot,run" ROW_TIME(
    50, 49,
    51) ",,,,,,100,\n" ROW_SERIAL "1000,,,,hot,create,ok,,9,,,1,,,,,,,,\n" ROW_SERIAL
        "1000,,,,hot,run" ROW_TIME(
            200, 195,
            205) "20,19.9,20.1,1,1,1,25,"
                 "\n" ROW_CPU("fast") "1000,64,,,"
                                      "hot,"
                                      "ru"
                                      "n" ROW_TIME(100, 92,
                                                   109) "10,9.9,10.1,2,1.8,2.2,50,"
                                                        "noisy\n" ROW_CPU("fast") "1000,128,,,hot,"
                                                                                  "run" ROW_TIME(101, 99, 103) "10.1,10,10.2,1.98,1.9,2.1,50,\n" ROW_CPU("near") "1000,,,pad=1,hot,run" ROW_TIME(104, 96, 112) "10.4,10.3,10.5,1.92,1.8,2,48,noisy;batch=7\n" ROW_CPU("slow") "1000,,,,hot,run,crashed,signal 11,,,,,,,,,,,,\n" ROW_CPU("slow") "2000,,,,hot,run,crashed,signal 11,,,,,,,,,,,,\n" ROW_GPU("gpu") "1000,,,,hot,h2d" ROW_TIME(300,
                                                                                                                                                                                                                                                                                                                                                                                                                                            297, 303) ",,,,,,,\n" ROW_GPU("gpu") "1000,,,,hot,kernel:a" ROW_TIME(10,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 9,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                 11) ",,,,,,,\n" ROW_GPU("gpu") "1000,,,,hot,kernel:b" ROW_TIME(15,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                14,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                16) ",,,,,,,\n" ROW_GPU("gpu") "1000,,,,hot,e2e" ROW_TIME(700, 690, 710) ",,,0.286,0.28,0.29,,\n" ROW_GPU("gpu") "1000,,,,hot,run" ROW_TIME(60,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            59,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            61) ",,,3.33,3.3,3.4,,\n" ROW_GPU("gpu") "1000,,,,hot,run" ROW_TIME(61,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                59, 62) ",,,3.33,3.3,3.4,,\n" ROW_GPU("half") "1000,,,,hot,device" ROW_TIME(60,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            59,
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                            61) ",,,,,,,\n" ROW_RUN
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                "gone,,cuda,,exclusive,sum,i32,1000,,,,hot,run,unavailable,no driver,,,,,,,,,,,,\n";

static size_t marks[64]; /* how often each row of the file was met */

static void mark(const test_report *t, const result_row *row)
{
    marks[row - t->file.rows]++;
}

static void mark_entries(const test_report *t, const report_entry *entries, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < entries[i].setting_count; k++) {
            const report_configuration *c = entries[i].settings[k].configuration;
            for (size_t j = 0; j < c->phase_count; j++)
                mark(t, c->phases[j]);
        }
}

/* Every row is in a problem or in one list. */
static bool all_are_met(const test_report *t)
{
    const report *r = &t->r;
    size_t uses = 0, met = 0;
    memset(marks, 0, sizeof marks);
    for (size_t i = 0; i < r->sheet_count; i++)
        for (size_t k = 0; k < r->sheets[i].count; k++) {
            const report_problem *p = &r->sheets[i].problems[k];
            if (p->view != REPORT_IN_PLACE)
                continue;
            mark_entries(t, p->entries, p->count);
            mark_entries(t, p->ceilings, p->ceiling_count);
        }
    for (size_t i = 0; i < r->missing_count; i++)
        for (size_t k = 0; k < r->missing[i].count; k++)
            mark(t, r->missing[i].rows[k]);
    for (size_t i = 0; i < r->uses[REPORT_REPEATED]; i++)
        mark(t, r->repeated[i]);
    for (size_t i = 0; i < r->uses[REPORT_INCOMPLETE]; i++)
        mark(t, r->incomplete[i]);
    for (size_t i = 0; i < REPORT_USES; i++)
        uses += r->uses[i];
    for (size_t i = 0; i < t->file.count; i++) {
        met += marks[i] == 1;
        if (marks[i] != 1)
            printf("# line %zu is met %zu times\n", t->file.rows[i].line, marks[i]);
    }
    return uses == r->rows && met == r->rows && r->rows == t->file.count;
}

static const report_problem *problem_at(const report *r, const char *place, uint64_t n)
{
    for (size_t i = 0; r->sheet_count > 0 && i < r->sheets[0].count; i++)
        if (strcmp(r->sheets[0].problems[i].place, place) == 0 && r->sheets[0].problems[i].n == n)
            return &r->sheets[0].problems[i];
    return NULL;
}

static bool about(double value, double expected)
{
    return fabs(value - expected) < 1e-3 * expected;
}

static void test_ranking(const report *r)
{
    const report_problem *p = problem_at(r, REPORT_PROCESSOR, 1000);
    if (!ok(r->sheet_count == 1 && p && p->count == 3 && p->ceiling_count == 1,
            "three plugins compete on the processor, the copy does not") ||
        !p)
        return;
    ok(p->entries[0].settings[0].standing == REPORT_BEST && p->entries[0].setting_count == 2 &&
           strcmp(p->entries[0].row->block, "64") == 0,
       "a plugin stands by its best setting");
    ok(p->entries[0].settings[1].standing == REPORT_TIED, "the other setting is tied with it");
    ok(p->entries[1].standing == REPORT_BEHIND && about(p->entries[1].over_winner.ratio, 1.04) &&
           p->entries[1].over_winner.lo > 1.02,
       "overlapping times are told apart by what they are to the frozen scan");
    ok(about(p->entries[2].over_winner.ratio, 2) && about(p->entries[2].over_winner.lo, 1.8) &&
           about(p->entries[2].over_winner.hi, 2.2),
       "the ratio to the baseline is that of the CSV");
    ok(report_ceiling(p) && report_ceiling(p)->median_ns == 50, "the copy is the best possible");
    ok(p->tied == 0, "nobody is tied with the winner");
    char text[WORDS_NUMBER_BYTES];
    const report_ratio below = {.ratio = 0.97, .lo = 0.95, .hi = 0.99, .has_interval = true};
    ok(strcmp(words_margin(&below, text), "tie") == 0 &&
           strcmp(words_margin(&p->entries[1].over_winner, text), "+4.0 %") == 0,
       "a winner has no negative margin");
    const report_problem *any = problem_at(r, "", 1000);
    ok(any && any->view == REPORT_FROM_HOST && any->count == 4 &&
           strcmp(any->entries[3].row->phase, "e2e") == 0,
       "with data in host memory the GPU competes with its copies");
}

static void test_lists(const test_report *t)
{
    const report *r = &t->r;
    ok(all_are_met(t), "every row stands in one place");
    ok(r->uses[REPORT_REPEATED] == 1 && r->repeated[0]->median_ns == 61,
       "a repeated row is listed");
    ok(r->uses[REPORT_INCOMPLETE] == 1 && strcmp(r->incomplete[0]->plugin, "half") == 0,
       "a row without that of its run is listed");
    ok(r->missing_count == 2 && r->missing[0].status == ROW_CRASHED && r->missing[0].count == 2 &&
           r->missing[1].status == ROW_UNAVAILABLE,
       "failures are grouped by reason, the worst first");
    ok(r->flag_count == 2 && strcmp(r->flags[0].word, "noisy") == 0 && r->flags[0].count == 2 &&
           r->flags[0].is_disturbed && *r->flags[0].means && strcmp(r->flags[1].word, "batch") == 0,
       "flags are grouped, with what they mean");
}

#define AT(id, n, ns, lo, hi, x, x_lo, x_hi) \
    ROW_GPU(id) #n ",,,,hot,run" ROW_TIME(ns, lo, hi) ",,," #x "," #x_lo "," #x_hi ",,\n"
#define SERIAL_AT(n, ns, lo, hi) ROW_SERIAL #n ",,,,hot,run" ROW_TIME(ns, lo, hi) ",,,1,1,1,,\n"

static void test_crossover(void)
{
    test_report t;
    char text[CROSSOVER_TEXT_BYTES];
    ok(test_report_make(&t, SERIAL_AT(1000, 100, 99, 101) SERIAL_AT(10000, 1000, 990, 1010)
                                SERIAL_AT(100000, 10000, 9900, 10100)
                                    AT("gpu", 1000, 1000, 990, 1010, 0.1, 0.09, 0.11)
                                        AT("gpu", 10000, 1010, 980, 1040, 0.99, 0.95, 1.03)
                                            AT("gpu", 100000, 1000, 990, 1010, 10, 9.8, 10.2)),
       "a plugin that is faster at large sizes");
    crossover_table table = {0};
    ok(crossover_make(&t.r, &t.r.sheets[0], &table) == SCAN_OK && table.count == 1 &&
           table.lines[0].count == 3 && table.lines[0].points[1].side == CROSSOVER_TIED,
       "has one line of three sizes, tied at one");
    const crossover *c = table.lines[0].crossings;
    ok(table.lines[0].crossing_count == 1 && c->from == 1000 && c->to == 100000 && c->gains &&
           c->certain && c->near > 10000 && c->near < 11000,
       "begins to be faster between the sizes that are certain");
    is_text(crossover_text(&table.lines[0], text), "from between 1e3 and 1e5 (about 1e4)",
            "and says so");
    crossover_free(&table);
    test_report_free(&t);
}

static void test_edges(void)
{
    test_report t;
    ok(test_report_make(&t, "") && t.r.sheet_count == 0 && all_are_met(&t), "no rows");
    test_report_free(&t);
    ok(test_report_make(&t, ROW_CPU("a") "0,,,,hot,run,error,no,,,,,,,,,,,,\n") &&
           t.r.sheet_count == 0 && t.r.missing_count == 1 && all_are_met(&t),
       "only a failure");
    test_report_free(&t);
    ok(test_report_make(&t, ROW_CPU("a") "1,,,,hot,run,ok,,5,,,,,,,,,,,\n" ROW_CPU(
                                "b") "1,,,,hot,run,ok,,6,,,,,,,,,,,\n") &&
           t.r.sheets[0].problems[0].entries[1].standing == REPORT_UNKNOWN && all_are_met(&t),
       "times without intervals cannot be told apart");
    test_report_free(&t);
    ok(test_report_make(&t, ROW_COPY "1,,,,hot,run,ok,,5,,,,,,,,,,,\n") && t.r.sheet_count == 1 &&
           t.r.sheets[0].problems[0].count == 0 && all_are_met(&t),
       "copies alone have a sheet of their own");
    test_report_free(&t);
}

static void test_ratios(void)
{
    const result_row a = {.run_id = "1",
                          .dtype = "i32",
                          .kind = "",
                          .kinds = "",
                          .op = "",
                          .cache = "hot",
                          .phase = "run",
                          .backend = "",
                          .device = "",
                          .n = 5,
                          .median_ns = 2,
                          .absolute = verdict_estimate_of(2, 1.9, 2.1)};
    result_row b = a;
    b.median_ns = 1;
    b.absolute = verdict_estimate_of(1, 0.9, 1.1);
    report_ratio ratio = ratio_of(&a, &b, false);
    ok(ratio.has_interval && about(ratio.ratio, 2) && ratio.lo > 1.7 && ratio.lo < 1.9 &&
           ratio.hi > 2.1 && ratio.hi < 2.4,
       "two times of the same rounds have a ratio with an interval");
    ratio = ratio_inverse(ratio);
    ok(about(ratio.ratio, 0.5) && ratio.lo < 0.5 && ratio.hi > 0.5, "and the other way round");
    ok(!ratio_of(&a, &b, true).has_interval, "but not if they were measured one after the other");
    b.n = 6;
    ok(ratio_of(&a, &b, false).doubt == RATIO_DOUBT_PROBLEMS, "nor of two problems");
    b.run_id = "2";
    ok(ratio_of(&a, &b, false).doubt == RATIO_DOUBT_RUNS && about(ratio_of(&a, &b, false).ratio, 2),
       "nor of two runs; the ratio of the medians remains");
}

int main(void)
{
    test_report t;
    tap_plan(28);
    if (!ok(test_report_make(&t, whole), "a report is made"))
        return tap_done();
    test_ranking(&t.r);
    test_lists(&t);
    test_report_free(&t);
    test_crossover();
    test_edges();
    test_ratios();
    return tap_done();
}
