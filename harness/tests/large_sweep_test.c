/*
 * large_sweep_test.c - a sweep ten times as large takes about ten times as long. The test compares
 * a ratio of processor times, so that it fails on neither a slow nor a busy machine. At full size:
 *     scanbench -q --plugins cpu_serial --sizes 1..2778+1 --types i32,u32,i64,u64,f32,f64 \
 *         --ops sum,max,min --kinds all --max-samples 1 --time-limit 1e-6 --csv big.csv
 * measures 100008 configurations; the same with --resume reads them all.
 */
#include "output/result_csv.h"
#include "output/resume.h"
#include "output/summary_table.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Ten times the configurations may take this many times as long, because caches cost something too.
 * A search through all earlier configurations takes a hundred times as long. */
enum { RATIO_MOST = 30, FEW = 2000, MANY = 10 * FEW };

static plugin_info serial = {.id = (char[]){"serial"},
                             .version = (char[]){"1"},
                             .backend = (char[]){"cpu"},
                             .role = SCAN_ROLE_BASELINE};
static const session on_cpu = {.plugin = &serial, .device = {.name = "CPU"}};

/* Structs of kilobytes are filled in, not returned, so that frames stay small. */
static void measured(measurement *m, const configuration *c, double *sample)
{
    memset(m, 0, sizeof *m);
    m->session = &on_cpu;
    m->configuration = c;
    m->phase_count = 1;
    m->result.verified = true;
    m->phases[0].stop = STOP_ROUNDS;
    m->phases[0].name.kind = PHASE_RUN;
    m->phases[0].batch = 1;
    m->phases[0].count = 1;
    m->phases[0].samples = m->phases[0].values = sample;
    stats_summarize(sample, 1, &m->phases[0].summary);
    stats_rounds_summarize(sample, 1, &m->phases[0].interval);
}

static void planned(configuration *c, size_t n)
{
    memset(c, 0, sizeof *c);
    c->job.n = n;
    c->job.seed = 1;
    c->threads = 1;
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* A time over itself. */
static bool is_one(double ratio)
{
    return ratio > 0.999999 && ratio < 1.000001;
}

typedef bool (*sweep)(const char *path, size_t count);

/* The row of a measurement with one phase, compared with the times that are known. */
static void find_row(measured_row *r, const row_references *known, const measurement *m)
{
    static const row_origin origin = {.group_id = 1};
    *r = row_make(&origin, known, NULL, m, &m->phases[0]);
}

/* Adds to the table of compared medians and to the closing table. */
static bool compare(const char *path, size_t count)
{
    (void)path;
    static measured_row r;
    row_references *known = row_references_new("serial");
    summary_table *table = summary_table_new();
    bool good = known && table;
    for (size_t i = 0; i < count && good; i++) {
        double sample = (double)i + 1;
        configuration c;
        measurement m;
        planned(&c, i + 1);
        measured(&m, &c, &sample);
        good = row_references_add(known, &m, PHASE_RUN, sample) == SCAN_OK;
        find_row(&r, known, &m);
        good = good && is_one(r.speedup.median) && summary_table_add(table, &r) == SCAN_OK;
    }
    summary_table_free(table);
    row_references_free(known);
    return good;
}

static bool write_rows(const char *path, size_t count)
{
    errmsg error;
    result_csv csv;
    const output_options o = {.csv = path, .baseline = "serial"};
    if (result_csv_open(&o, &csv, &error) != SCAN_OK ||
        result_csv_begin(&csv, &o, 0, &error) != SCAN_OK)
        return false;
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        double sample = (double)i + 1;
        static measured_row r;
        configuration c;
        measurement m;
        planned(&c, i + 1);
        measured(&m, &c, &sample);
        good = result_csv_write(&csv, NULL, &m, &r, &error) == SCAN_OK && is_one(r.speedup.median);
    }
    return result_csv_close(&csv, &error) == SCAN_OK && good;
}

/* Finds every configuration of the file. */
static bool read_again(const char *path, size_t count)
{
    errmsg error;
    resume *r = NULL;
    row_references *known = row_references_new("serial");
    bool good = known && resume_read(path, &r, &error) == SCAN_OK;
    for (size_t i = 0; i < count && good; i++) {
        configuration c;
        planned(&c, i + 1);
        static measured_row again;
        double sample = (double)i + 1;
        measurement m;
        measured(&m, &c, &sample);
        good = resume_has(r, &m) && resume_restore_times(r, &m, known) == SCAN_OK;
        find_row(&again, known, &m);
        good = good && is_one(again.speedup.median);
    }
    configuration other;
    planned(&other, count + 1);
    const measurement none = {.session = &on_cpu, .configuration = &other};
    good = good && !resume_has(r, &none);
    resume_free(r);
    row_references_free(known);
    return good;
}

/* The least of three times, which was disturbed least. */
static double time_of(sweep run, const char *path, size_t count, bool *good)
{
    double least = 1e9;
    for (int i = 0; i < 3 && *good; i++) {
        const double start = seconds();
        *good = run(path, count);
        const double took = seconds() - start;
        if (took < least)
            least = took;
    }
    return least;
}

static void test_growth(sweep run, const char *few_path, const char *many_path, const char *claim)
{
    bool good = true;
    const double few = time_of(run, few_path, FEW, &good);
    const double many = good ? time_of(run, many_path, MANY, &good) : 0;
    ok(good, "%s: each configuration has its own", claim);
    ok(good && many < RATIO_MOST * few, "%s: %d times as many take %.1f times as long (%.3g s)",
       claim, MANY / FEW, many / few, many);
}

int main(void)
{
    char few[] = "/tmp/scanbench_few_XXXXXX", many[] = "/tmp/scanbench_many_XXXXXX";
    const int files[] = {mkstemp(few), mkstemp(many)};
    tap_plan(6);
    test_growth(compare, few, many, "comparing");
    test_growth(write_rows, few, many, "writing");
    test_growth(read_again, few, many, "resuming");
    for (size_t i = 0; i < 2; i++)
        if (files[i] >= 0)
            close(files[i]);
    unlink(few);
    unlink(many);
    return tap_done();
}
