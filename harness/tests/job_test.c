/* job_test.c - a job comes back from the protocol as it was sent; bad ones are refused */
#include "problem/names.h"
#include "protocol/job.h"
#include "tap.h"

#include <stdlib.h>

/* What a job of any mode has. */
#define COMMON                                                                                 \
    .plugin = 3, .kind = SCAN_KIND_INCLUSIVE, .op = SCAN_OP_AFFINE, .dtype = SCAN_DTYPE_F32X2, \
    .n = UINT64_C(1) << 40, .seed = UINT64_MAX, .tunables = {-1, INT64_MAX, 0},                \
    .tunable_count = 3, .cache = CACHE_COLD, .time_limit_s = 0.1
#define RUN                                                      \
    .run = {INPUT_IMPULSE,     .position = UINT64_C(5000000000), \
            .in_place = 1,     .misalign = 8,                    \
            .misalign_out = 4, .fence = FENCE_FRONT,             \
            .repeat = 3}

static const job samples[] = {
    {.mode = JOB_CHECK, COMMON, RUN},
    {.mode = JOB_MEASURE,
     COMMON,
     .measure = {.id = 20, .in_race = 1, .processor_time = 1, .shared = "/proc/17/fd/4"}},
    {.mode = JOB_BEHAVE,
     COMMON,
     RUN,
     .behave = {BEHAVE_PHASES, UINT64_C(1) << 63, .other_results = 12, .other_ops = 9,
                .other_kinds = 2}},
    {.mode = JOB_PROFILE, COMMON, .label = "one of its runs"}};

/* The command for a job, without its newline; freed by the caller. */
static char *text_of(const job *j, uint32_t device)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    bool good = job_write(out, j, device);
    fclose(out);
    if (good && bytes > 0)
        text[bytes - 1] = '\0';
    return text;
}

/* Member by member, as padding may differ. */
static bool same_job(const job *a, const job *b)
{
    return a->mode == b->mode && a->plugin == b->plugin && a->kind == b->kind && a->op == b->op &&
           a->dtype == b->dtype && a->n == b->n && a->seed == b->seed &&
           memcmp(a->tunables, b->tunables, sizeof a->tunables) == 0 &&
           a->tunable_count == b->tunable_count && a->cache == b->cache &&
           a->time_limit_s == b->time_limit_s && a->run.pattern == b->run.pattern &&
           a->run.position == b->run.position && a->run.in_place == b->run.in_place &&
           a->run.misalign == b->run.misalign && a->run.misalign_out == b->run.misalign_out &&
           a->run.fence == b->run.fence && a->run.repeat == b->run.repeat &&
           a->behave.behaviour == b->behave.behaviour &&
           a->behave.other_types == b->behave.other_types &&
           a->behave.other_results == b->behave.other_results &&
           a->behave.other_ops == b->behave.other_ops &&
           a->behave.other_kinds == b->behave.other_kinds && a->measure.id == b->measure.id &&
           a->measure.in_race == b->measure.in_race &&
           a->measure.processor_time == b->measure.processor_time &&
           strcmp(a->measure.shared, b->measure.shared) == 0 && strcmp(a->label, b->label) == 0;
}

static void test_round_trip(job_mode mode, const char *name)
{
    char *text = text_of(&samples[mode], 7);
    protocol_message m;
    job back = {0};
    uint64_t device = 0;
    ok(message_parse(text, &m) && message_is(&m, "job") && job_read(&m, &back),
       "a job to %s can be written and read", name);
    ok(message_u64(&m, "device", &device) && device == 7, "its device");
    ok(same_job(&samples[mode], &back), "every member comes back");
    free(text);
}

/* Of what other modes use, nothing is sent. */
static void test_others(void)
{
    job j = samples[JOB_BEHAVE];
    j.mode = JOB_MEASURE;
    j.measure = samples[JOB_MEASURE].measure;
    char *text = text_of(&j, 0), *expected = text_of(&samples[JOB_MEASURE], 0);
    is_text(text, expected, "a job has the fields of its mode alone");
    free(expected);
    free(text);
}

/* Reads the sample with `key` changed to `value`, or left out where that is NULL. */
static bool reads_with(job_mode mode, const char *key, const char *value)
{
    char *text = text_of(&samples[mode], 0);
    protocol_message m;
    job j;
    bool parsed = message_parse(text, &m), found = false;
    for (size_t i = 0; parsed && i < m.field_count; i++)
        if (strcmp(m.fields[i].key, key) == 0) {
            found = true;
            m.fields[i].key = value ? key : "another";
            m.fields[i].value = value ? value : "";
        }
    const bool good = found && job_read(&m, &j);
    free(text);
    return good || !found;
}

static void test_missing(void)
{
    static const char *const behave[] = {
        "mode",      "plugin",      "kind",         "op",           "dtype",    "n",
        "seed",      "pattern",     "position",     "in_place",     "misalign", "misalign_out",
        "fence",     "repeat",      "behaviour",    "time_limit_s", "cache",    "other_types",
        "other_ops", "other_kinds", "other_results"};
    static const char *const measure[] = {"id", "in_race", "processor_time"};
    for (size_t i = 0; i < sizeof behave / sizeof *behave; i++)
        ok(!reads_with(JOB_BEHAVE, behave[i], NULL), "a job without %s is refused", behave[i]);
    for (size_t i = 0; i < sizeof measure / sizeof *measure; i++)
        ok(!reads_with(JOB_MEASURE, measure[i], NULL), "a job without %s is refused", measure[i]);
    ok(reads_with(JOB_BEHAVE, "tunables", NULL), "one without tunables is not");
}

static void test_refused(void)
{
    static const struct {
        const char *key, *value;
    } refused[] = {
        {"mode", "4"},        {"mode", "-1"},
        {"kind", "2"},        {"op", "4"},
        {"dtype", "8"},       {"dtype", "4294967296"},
        {"op", "0"}, /* sum is not defined on pairs */
        {"dtype", "0"},       {"pattern", "99"},
        {"fence", "3"},       {"misalign", "4294967296"},
        {"behaviour", "99"},  {"cache", "2"},
        {"n", "-1"},          {"n", "18446744073709551616"},
        {"repeat", "many"},   {"time_limit_s", "soon"},
        {"tunables", "1,,2"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        ok(!reads_with(JOB_BEHAVE, refused[i].key, refused[i].value), "%s=%s is refused",
           refused[i].key, refused[i].value);
}

/* As many as a plugin may declare. */
static void test_most_tunables(void)
{
    char list[4 * JOB_TUNABLES] = "7";
    for (int i = 1; i < LOADER_MAX_TUNABLES; i++)
        strcat(list, ",7");
    ok(reads_with(JOB_CHECK, "tunables", list), "a job has room for %d tunables",
       LOADER_MAX_TUNABLES);
    strcat(list, ",7");
    ok(!reads_with(JOB_CHECK, "tunables", list), "one more is refused");
}

static void test_input(void)
{
    const job *sample = &samples[JOB_CHECK];
    input_spec spec = job_input(sample, INPUT_ONES);
    ok(spec.dtype == sample->dtype && spec.op == sample->op && spec.seed == sample->seed &&
           spec.n == sample->n && spec.position == sample->run.position &&
           spec.pattern == INPUT_ONES,
       "a job's input is of its type, operator, seed and size");
}

int main(void)
{
    tap_plan(4 * 3 + 1 + 24 + 18 + 2 + 1 + 1);
    test_round_trip(JOB_CHECK, "check");
    test_round_trip(JOB_MEASURE, "measure");
    test_round_trip(JOB_BEHAVE, "behave");
    test_round_trip(JOB_PROFILE, "profile");
    test_others();
    test_missing();
    test_refused();
    test_most_tunables();
    test_input();
    return tap_done();
}
