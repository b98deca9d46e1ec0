/* scaling_test.c - the speed-ups of k parts over one, of the same plugin and of the best, strong
 * and weak, of one file and of several, and what bounds them */
#include "report_rows.h"

#include "report/scaling.h"
#include "tap.h"

#include <math.h>

#define HEADER                                                                              \
    "schema,run_id,plugin,role,backend,device,kind,op,dtype,n,block,vt,params,cache,phase," \
    "status,reason,median_ns,ci_lo_ns,ci_hi_ns,rounds,parts,layout\n"
#define SCAN(id) "1,r," id ",algorithm,cpu,Xeon,exclusive,sum,i32,"
#define HOST_HEADER                                                                              \
    "schema,run_id,host,plugin,role,backend,device,kind,op,dtype,n,block,vt,params,cache,phase," \
    "status,reason,median_ns,ci_lo_ns,ci_hi_ns,rounds,parts,layout\n"
#define ON(host, id) "1,r," host "," id ",algorithm,cpu,Xeon,exclusive,sum,i32,"
#define HERE(id) ON("here", id)
#define THERE(id) ON("there", id)
#define NOWHERE(id) ON("", id)
#define COPY "1,r,copies,ceiling,cpu,Xeon,,,i32,"
/* n, a time with an interval of 1 % on each side, the parts and their layout. */
#define RUN(n, params, ns, lo, hi, parts) \
#n ",,," params ",hot,run,ok,," #ns "," #lo "," #hi ",10," parts "\n"
#define ONE(n, ns, lo, hi) RUN(n, "parts=1", ns, lo, hi, "1,")
#define IN(k, layout, n, ns, lo, hi) RUN(n, "parts=" #k, ns, lo, hi, #k "," layout)

/* 1000 elements in 1 and 2 parts, 2000 in 2, 4000 in 4; the settings of 2 parts differ in speed. */
static const char slices[] = SCAN("slices") ONE(1000, 900, 891, 909) SCAN("slices")
    RUN(1000, "parts=2;way=1", 800, 792, 808, "2,contiguous") SCAN("slices")
        RUN(1000, "parts=2;way=0", 750, 742.5, 757.5, "2,contiguous") SCAN("slices")
            IN(2, "contiguous", 2000, 1440, 1425.6, 1454.4) SCAN("slices")
                IN(4, "contiguous", 4000, 1500, 1485, 1515) SCAN("slices")
                    IN(3, "contiguous", 1000, 600, 594, 606) SCAN("slices") ONE(333, 300, 297, 303)
                        COPY ONE(1000, 500, 495, 505)
                            COPY IN(2, "contiguous", 1000, 260, 257.4, 262.6) SCAN("tiles")
                                ONE(1000, 900, 891, 909) SCAN("tiles")
                                    IN(2, "cyclic", 1000, 460, 455.4, 464.6) SCAN("odd")
                                        IN(2, "contiguous", 700, 460, 455.4, 464.6) SCAN("plain")
                                            RUN(1000, "", 800, 792, 808, ",") SCAN("plain")
                                                RUN(700, "", 450, 445.5, 454.5, ",");

/* The n-th point of a plugin that goes this way, or NULL. */
static const scaling_point *point_of(const scaling_list *list, const char *plugin, scaling_way way,
                                     unsigned parts)
{
    for (size_t i = 0; i < list->count; i++) {
        const scaling_point *p = &list->points[i];
        if (strcmp(p->row->plugin, plugin) == 0 && p->way == way && p->parts == parts)
            return p;
    }
    return NULL;
}

static bool is_near(double value, double expected)
{
    return fabs(value - expected) < 1e-9 * expected;
}

static void test_strong(const scaling_list *list)
{
    const scaling_point *p = point_of(list, "slices", SCALING_STRONG, 2);
    ok(p && is_near(p->own.speedup.ratio, 1.2), "strong: the time of one part over that of two");
    ok(p && strcmp(p->row->params, "parts=2;way=0") == 0,
       "the fastest setting of two parts counts");
    ok(p && p->own.speedup.has_interval && p->own.speedup.lo < 1.2 && p->own.speedup.hi > 1.2,
       "rows of the same rounds give it an interval");
    ok(p && is_near(p->bound, 4.0 / 3), "two slices are bounded by 2k/3");
    p = point_of(list, "slices", SCALING_STRONG, 3);
    ok(p && is_near(p->own.speedup.ratio, 1.5) && is_near(p->bound, 2), "so are three");
    p = point_of(list, "tiles", SCALING_STRONG, 2);
    ok(p && is_near(p->bound, 2), "tiles in turn are bounded by k");
    p = point_of(list, "copies", SCALING_STRONG, 2);
    ok(p && is_near(p->bound, 2), "so are copies, which read slices once");
}

static void test_weak(const scaling_list *list)
{
    const scaling_point *p = point_of(list, "slices", SCALING_WEAK, 2);
    ok(p && p->row->n == 2000 && p->own.one->n == 1000, "weak: two parts of n against one of n");
    ok(p && is_near(p->own.speedup.ratio, 1.25),
       "twice the elements in 1.6 times the time are 1.25");
    ok(p && !p->own.speedup.has_interval && p->own.speedup.doubt == RATIO_DOUBT_PROBLEMS,
       "different n give no interval, and it is said why");
    p = point_of(list, "slices", SCALING_WEAK, 4);
    ok(p && is_near(p->own.speedup.ratio, 2.4),
       "four times the elements in 5/3 of the time are 2.4");
    ok(!point_of(list, "slices", SCALING_WEAK, 3), "1000 elements are no three equal parts");
    ok(!point_of(list, "odd", SCALING_WEAK, 2),
       "without any row of one part there is nothing to hold two against");
    ok(!point_of(list, "slices", SCALING_STRONG, 4), "other n are not held against each other");
}

static void test_best(const scaling_list *list)
{
    const scaling_point *p = point_of(list, "slices", SCALING_STRONG, 2);
    ok(p && strcmp(p->best.one->plugin, "plain") == 0 &&
           is_near(p->best.speedup.ratio, 800 / 750.0),
       "the best in one part is the fastest scan of its n, whether it knows of parts or not");
    ok(p && is_near(p->own.efficiency, 0.6) && is_near(p->own.of_bound, 0.9),
       "the efficiency is the speed-up over k; of the bound, over the bound");
    ok(p && is_near(p->elements_per_s, 1000 / 750e-9), "elements per second are those of k parts");
    p = point_of(list, "copies", SCALING_STRONG, 2);
    ok(p && strcmp(p->best.one->plugin, "copies") == 0, "copies are held against copies");
    p = point_of(list, "odd", SCALING_STRONG, 2);
    ok(p && !p->own.one && is_near(p->best.speedup.ratio, 450.0 / 460),
       "a plugin that has no row in one part is held against the best alone");
}

/* The files of several runs, made into one report. */
enum { FILES_MOST = 3 };
typedef struct several {
    result_file files[FILES_MOST];
    run_info infos[FILES_MOST];
    report r;
    scaling_list list;
} several;

static bool several_make(several *s, const char *const *rows, size_t count)
{
    errmsg error = {""};
    bool good = true;
    *s = (several){.r = {.rows = 0}};
    for (size_t i = 0; i < count && good; i++) {
        csv_table table = {0};
        char *text = NULL;
        good =
            asprintf(&text, "%s%s", HOST_HEADER, rows[i]) > 0 &&
            csv_read_text(text, strlen(text), "t.csv", CSV_TAIL_KEEP, &table, &error) == SCAN_OK &&
            result_file_take(table, "t.csv", &s->files[i], &error) == SCAN_OK &&
            run_info_take(NULL, &s->infos[i]) == SCAN_OK;
        free(text);
    }
    return good && report_make(s->files, s->infos, count, &s->r) == SCAN_OK &&
           scaling_make(&s->r, &s->list) == SCAN_OK;
}

static void several_free(several *s)
{
    scaling_free(&s->list);
    report_free(&s->r);
    for (size_t i = 0; i < FILES_MOST; i++) {
        run_info_free(&s->infos[i]);
        result_file_free(&s->files[i]);
    }
}

static void test_several_files(void)
{
    const char *const runs[] = {HERE("slices") ONE(1000, 900, 891, 909),
                                HERE("slices") ONE(1000, 800, 792, 808) HERE("tiles")
                                    ONE(2000, 1600, 1584, 1616),
                                HERE("slices") IN(2, "contiguous", 2000, 1000, 990, 1010)};
    const char *const elsewhere[] = {THERE("slices") ONE(1000, 800, 792, 808), runs[2]};
    const char *const nowhere[] = {NOWHERE("slices") ONE(1000, 800, 792, 808),
                                   NOWHERE("slices") IN(2, "contiguous", 2000, 1000, 990, 1010)};
    several s;
    if (!ok(several_make(&s, runs, 3), "a report of three files is made"))
        return;
    const scaling_point *p = point_of(&s.list, "slices", SCALING_WEAK, 2);
    ok(p && p->own.file == 1 && is_near(p->own.speedup.ratio, 1.6),
       "one part is taken from another file of the host, the fastest of several");
    ok(p && !p->own.speedup.has_interval && p->own.speedup.doubt == RATIO_DOUBT_RUNS,
       "different runs give no interval, and it is said why");
    p = point_of(&s.list, "slices", SCALING_STRONG, 2);
    ok(p && !p->own.one && is_near(p->best.speedup.ratio, 1.6),
       "so is the best, where the plugin itself has no row of this n");
    several_free(&s);
    ok(several_make(&s, elsewhere, 2) && s.list.count == 0,
       "files of different hosts are not held against each other");
    several_free(&s);
    ok(several_make(&s, nowhere, 2) && s.list.count == 0, "nor those whose host is not known");
    several_free(&s);
}

static void test_own_file_first(void)
{
    const char *const runs[] = {HERE("slices") ONE(1000, 500, 495, 505),
                                HERE("slices") ONE(1000, 900, 891, 909) HERE("slices")
                                    IN(2, "contiguous", 1000, 600, 594, 606)};
    several s;
    const bool made = several_make(&s, runs, 2);
    const scaling_point *p = made ? point_of(&s.list, "slices", SCALING_STRONG, 2) : NULL;
    ok(p && p->own.file == 1 && is_near(p->own.speedup.ratio, 1.5) && p->own.speedup.has_interval,
       "a row of the same file goes before a faster one of another");
    several_free(&s);
}

/* How many points a CSV gives. */
static size_t points_of(const char *header, const char *rows)
{
    test_report t;
    scaling_list list = {0};
    const bool made = test_report_of(&t, header, rows) && scaling_make(&t.r, &list) == SCAN_OK;
    const size_t count = made ? list.count : SIZE_MAX;
    scaling_free(&list);
    test_report_free(&t);
    return count;
}

int main(void)
{
    test_report t;
    scaling_list list = {0};
    tap_plan(31);
    if (!ok(test_report_of(&t, HEADER, slices), "a report is made") ||
        !ok(scaling_make(&t.r, &list) == SCAN_OK, "and what more parts gain"))
        return 1;
    ok(list.count == 7, "there are no other points than these, %zu", list.count);
    test_strong(&list);
    test_weak(&list);
    test_best(&list);
    test_several_files();
    test_own_file_first();
    scaling_free(&list);
    test_report_free(&t);
    ok(points_of(REPORT_HEADER,
                 ROW_CPU("old") "1000,,,parts=2,hot,run" ROW_TIME(100, 99, 101) ",,,,,,,\n") == 0,
       "a file without the columns has none");
    ok(points_of(HEADER,
                 SCAN("broken") IN(-2, "contiguous", 1000, 10, 9, 11) SCAN("broken")
                     IN(99999999999, "", 1000, 10, 9, 11) SCAN("broken") ONE(1000, 10, 9, 11)) == 0,
       "what is no number of parts is left out");
    return tap_done();
}
