/* summary_table_test.c - the closing table: order, marks, units and width */
#include "output/summary_table.h"
#include "tap.h"
#include "text/fit.h"

enum { ROUNDS = 20 };

static plugin_info plugins[] = {
    {.id = (char[]){"slow"}, .backend = (char[]){"cpu"}, .role = SCAN_ROLE_BASELINE},
    {.id = (char[]){"fast"}, .backend = (char[]){"cpu"}, .role = SCAN_ROLE_ALGORITHM},
    {.id = (char[]){"near"}, .backend = (char[]){"cpu"}, .role = SCAN_ROLE_ALGORITHM},
    {.id = (char[]){"copy"}, .backend = (char[]){"cpu"}, .role = SCAN_ROLE_CEILING},
    {.id = (char[]){"a_name_of_more_letters_than_the_table_has_columns_for_its_names"},
     .backend = (char[]){"cpu"},
     .role = SCAN_ROLE_ALGORITHM},
};
enum { SLOW, FAST, NEAR, COPY, LONG };

/* A row: in each round `ns`, and by turns so much more and less. */
typedef struct entry {
    size_t plugin;
    double ns, more;
    configuration of;
    double bytes_per_s, pct_copy, speedup;
    row_status status;
    uint64_t group_id;
    size_t rounds; /* 0: ROUNDS */
} entry;

static bool add_row(summary_table *t, const entry *r)
{
    const session on_cpu = {.plugin = &plugins[r->plugin], .device = {.name = "CPU"}};
    measurement m = {.session = &on_cpu, .configuration = &r->of, .phase_count = 1};
    double values[ROUNDS];
    const size_t rounds = r->rounds ? r->rounds : ROUNDS;
    for (size_t i = 0; i < ROUNDS; i++)
        values[i] = r->ns * (1 + (i % 2 ? r->more : -r->more));
    m.result.status = r->status;
    if (r->status != ROW_OK)
        m.result.fault = fault_with_text(FAULT_IN_WORDS, "there is not enough memory for what this "
                                                         "configuration needs, which is a lot");
    m.phases[0] = (measurement_phase){
        .name = {.kind = PHASE_RUN}, .stop = STOP_ROUNDS, .values = values, .value_count = rounds};
    if (r->status != ROW_OK)
        m.phase_count = 0;
    else if (stats_rounds_summarize(values, rounds, &m.phases[0].interval) != SCAN_OK)
        return false;
    const row_origin origin = {.group_id = r->group_id};
    const measured_row made = {.origin = &origin,
                               .m = &m,
                               .p = r->status == ROW_OK ? &m.phases[0] : NULL,
                               .bytes_per_s = r->bytes_per_s,
                               .copy.median = r->pct_copy / 100,
                               .speedup.median = r->speedup};
    return summary_table_add(t, &made) == SCAN_OK;
}

/* Of the terminal. */
static size_t columns = FIT_PAGE;

/* The table of that many rows. */
static const char *table(const entry *rows, size_t count)
{
    static char text[16384];
    memset(text, 0, sizeof text);
    summary_table *t = summary_table_new();
    FILE *out = fmemopen(text, sizeof text, "w");
    bool good = t && out;
    for (size_t i = 0; i < count && good; i++)
        good = add_row(t, &rows[i]);
    if (good)
        summary_table_print(t, out, columns, false);
    if (out)
        fclose(out);
    summary_table_free(t);
    return good ? text : "no table";
}

/* Does the text have these in this order? */
static bool in_order(const char *text, const char *const *parts, size_t count)
{
    for (size_t i = 0; i < count && text; i++) {
        text = strstr(text, parts[i]);
        if (!text)
            printf("# \"%s\" is not there, or too early\n", parts[i]);
    }
    return text != NULL;
}

static bool fits(const char *text)
{
    char line[1024];
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
        if (fit_width(line) > columns) {
            printf("# %zu columns: %s\n", fit_width(line), line);
            return false;
        }
    }
    return *text != '\0';
}

static void test_order(void)
{
    const entry rows[] = {
        {.plugin = COPY, .ns = 1e6, .of.job.n = 1000000, .pct_copy = 100},
        {.plugin = SLOW, .ns = 3e6, .of.job.n = 1000000, .speedup = 1},
        {.plugin = FAST, .ns = 2e6, .of.job.n = 1000000, .bytes_per_s = 4e9, .speedup = 1.5},
        {.plugin = SLOW, .ns = 412.7, .of.job.n = 1000, .speedup = 1},
    };
    const char *text = table(rows, 4);
    const char *const parts[] = {"\ni32 sum exclusive        time   ± %   GB/s % copy speedup\n",
                                 "n = 1,000\n",
                                 "  slow             412.7   ns   0.5      -      -    1.00\n",
                                 "n = 1,000,000\n",
                                 "^ copy               1.000 ms   0.5      -    100       -\n",
                                 "* fast               2.000 ms   0.5   4.00      -    1.50\n",
                                 "  slow               3.000 ms   0.5      -      -    1.00\n",
                                 "* fastest\n",
                                 "^ ceiling"};
    if (!ok(in_order(text, parts, sizeof parts / sizeof *parts),
            "lines stand in the order of time, copies never win, and one alone does not either"))
        printf("%s\n", text);
    ok(!strstr(text, "tied") && !strstr(text, "noisy"), "only marks that are there are explained");
    ok(fits(text), "it fits");
}

static void test_ties(void)
{
    entry rows[] = {
        {.plugin = FAST, .ns = 1000, .more = 0.11, .of.job.n = 10},
        {.plugin = NEAR, .ns = 1060, .more = 0.11, .of.job.n = 10},
    };
    const char *text = table(rows, 2);
    ok(strstr(text, "* fast") && strstr(text, "  near") && strstr(text, " 11~"),
       "6 %% more in each round is no tie, however noisy the times are");
    rows[1].group_id = 1;
    text = table(rows, 2);
    ok(strstr(text, "* fast") && strstr(text, "? near") && strstr(text, "? not known"),
       "nor one where both were not measured in the same rounds: that is not known");
    rows[1].group_id = 0;
    rows[1].rounds = ROUNDS_FEWEST - 1;
    rows[1].ns *= 2;
    ok(strstr(table(rows, 2), "? near"), "nor with fewer rounds than an interval needs");
    rows[1].rounds = 0;
    rows[1].ns /= 2;
    rows[1].more = -0.1;
    text = table(rows, 2);
    ok(strstr(text, "* fast") && strstr(text, "= near") && strstr(text, "by rounds"),
       "a ratio whose interval holds 1 is a tie");
    rows[0].more = rows[1].more = 0;
    rows[1].ns = 1004;
    ok(strstr(table(rows, 2), "= near"), "less than the floor of an interval is a tie");
    rows[1].ns = 1006;
    ok(!strstr(table(rows, 2), "= near"), "more than that is none");
}

/* Its few rounds cannot tell the slowest from the winner, but the one before it is certainly
 * slower. */
static void test_order_of_ties(void)
{
    const entry rows[] = {
        {.plugin = FAST, .ns = 1000, .of.job.n = 10},
        {.plugin = NEAR, .ns = 1600, .of.job.n = 10},
        {.plugin = SLOW, .ns = 2110, .more = 0.9, .rounds = 6, .of.job.n = 10},
    };
    const char *text = table(rows, 3);
    ok(strstr(text, "* fast") && strstr(text, "  near") && strstr(text, "? slow") &&
           !strstr(text, "= tied"),
       "nobody is tied behind one that is certainly slower");
}

static void test_noise(void)
{
    entry rows[] = {{.plugin = FAST, .ns = 1000, .more = 0.099, .of.job.n = 10}};
    ok(strstr(table(rows, 1), " 9.9 ") && !strstr(table(rows, 1), "~"),
       "a time whose rounds lie within 10 %% has no mark");
    rows[0].more = 0.101;
    ok(strstr(table(rows, 1), " 10~") && strstr(table(rows, 1), "~ noisy"),
       "one whose rounds do not has");
}

static void test_settings(void)
{
    entry rows[] = {
        {.plugin = FAST, .ns = 1000, .of = {.has_block = true, .block = 256, .job.n = 10}},
        {.plugin = FAST, .ns = 900, .of = {.has_block = true, .block = 512, .job.n = 10}},
        {.plugin = FAST, .ns = 1100, .of = {.has_block = true, .block = 1024, .job.n = 10}},
    };
    strcpy(rows[1].of.params, "vectors=16;another=123456789");
    const char *text = table(rows, 3);
    ok(strstr(text, "  block=512 … (of 3)\n") && !strstr(text, "256"),
       "the fastest of several settings is shown, without half a number");
    ok(strstr(text, "  fast   ") && !strstr(text, "* fast"), "and wins against nobody");
    rows[2].status = ROW_SKIPPED;
    text = table(rows, 3);
    ok(strstr(text, "  fast             skipped: there is not enough") && strstr(text, "…\n"),
       "a failure is not hidden by what was measured");
    ok(fits(text), "and fits");
    rows[0].status = rows[1].status = rows[2].status = ROW_UNAVAILABLE;
    is_text(table(rows, 3), "", "what is unavailable has no line");
}

static void test_problems(void)
{
    const entry rows[] = {
        {.plugin = COPY, .ns = 100, .of.job = {.n = 10}},
        {.plugin = FAST, .ns = 200, .of.job = {.n = 10, .op = SCAN_OP_SUM}},
        {.plugin = FAST, .ns = 300, .of.job = {.n = 10, .op = SCAN_OP_MAX}},
        {.plugin = COPY, .ns = 400, .of.job = {.n = 10, .dtype = SCAN_DTYPE_F64}},
    };
    const char *const parts[] = {"i32 sum", "100.0", "200.0",    "i32 max",
                                 "100.0",   "300.0", "f64 copy", "400.0"};
    ok(in_order(table(rows, 4), parts, sizeof parts / sizeof *parts),
       "a copy stands under every problem of its type");
}

/* Times of all lengths, in all units, and the greatest numbers that a line may get. */
static void test_width(void)
{
    static entry rows[60];
    bool good = true, numbers = true;
    size_t count = 0;
    double ns = 0.3;
    for (int i = 0; i < 13; i++, ns *= 19) {
        entry *r = &rows[count++];
        *r = (entry){.plugin = count % 2 ? LONG : FAST, .ns = ns, .more = count % 3 ? 0.9 : 0};
        r->of.job.n = UINT64_MAX - (count > 7);
        r->of.has_block = r->of.has_vt = true;
        r->of.block = r->of.vt = INT64_MAX;
        r->bytes_per_s = 1e90 / ns;
        r->pct_copy = 1e9 / ns;
        r->speedup = 1e30 / ns;
        strcpy(r->of.params, "threads=9223372036854775807");
        good &= fits(table(r, 1));
        good &= fits(table(rows, count));
        numbers &= !strstr(table(rows, count), "nan");
    }
    ok(good, "no line is wider than 80 columns");
    const entry none[] = {{.plugin = FAST, .status = ROW_OK}, {.plugin = COPY, .status = ROW_OK}};
    numbers &= !strstr(table(none, 2), "nan") && !strstr(table(none, 2), "inf");
    ok(numbers, "what is unknown is no NaN");
    ok(strstr(table(rows, 2), "a_name_of_m…_its_names"), "a name loses its middle");
}

/* A terminal of 40 columns has names, times and speedups; one of 60 lacks bandwidths. */
static void test_narrow(void)
{
    const entry rows[] = {
        {.plugin = COPY, .ns = 1e6, .of.job.n = 1000000, .pct_copy = 100},
        {.plugin = SLOW, .ns = 3e6, .of.job.n = 1000000, .speedup = 1, .more = 0.9},
        {.plugin = LONG, .ns = 123456789, .of.job.n = 1000000, .bytes_per_s = 4e9, .speedup = 1.5},
        {.plugin = FAST, .status = ROW_ERROR, .of.job.n = 1000000},
    };
    columns = 40;
    const char *text = table(rows, 4);
    const char *const parts[] = {
        "speedup\n", "^ copy ", "* slow ",
        "1.00\n",    "1.50\n",  "^ ceiling: a copy of the same bytes; not\n  a competitor\n"};
    ok(fits(text) && in_order(text, parts, sizeof parts / sizeof *parts) && !strstr(text, "GB/s") &&
           !strstr(text, "% copy"),
       "40 columns have no room for bandwidths");
    columns = 60;
    text = table(rows, 4);
    ok(fits(text) && !strstr(text, "GB/s") && strstr(text, "% copy speedup"),
       "60 have some for the copy");
    for (columns = 40; columns < FIT_PAGE && fits(table(rows, 4)); columns++)
        ;
    ok(columns == FIT_PAGE, "lines fit %zu columns", columns);
    columns = FIT_PAGE;
}

int main(void)
{
    tap_plan(3 + 6 + 1 + 2 + 5 + 1 + 3 + 3);
    test_order();
    test_ties();
    test_order_of_ties();
    test_noise();
    test_settings();
    test_problems();
    test_width();
    test_narrow();
    return tap_done();
}
