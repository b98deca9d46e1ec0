/* job_test.c - a job comes back from the protocol as it was sent; bad ones are refused */
#include "problem/names.h"
#include "protocol/job.h"
#include "tap.h"

#include <stdlib.h>

static const job sample = {.mode = JOB_BEHAVE,
                           .plugin = 3,
                           .kind = SCAN_KIND_INCLUSIVE,
                           .op = SCAN_OP_AFFINE,
                           .dtype = SCAN_DTYPE_F32X2,
                           .n = UINT64_C(1) << 40,
                           .seed = UINT64_MAX,
                           .tunables = {-1, INT64_MAX, 0},
                           .tunable_count = 3,
                           .pattern = INPUT_IMPULSE,
                           .position = UINT64_C(5000000000),
                           .in_place = 1,
                           .misalign = 8,
                           .misalign_out = 4,
                           .repeat = 3,
                           .behaviour = BEHAVE_PHASES,
                           .other_types = UINT64_C(1) << 63,
                           .other_ops = 9,
                           .other_kinds = 2,
                           .time_limit_s = 0.1,
                           .cache = CACHE_COLD,
                           .in_race = 1,
                           .processor_time = 1,
                           .shared = "/proc/17/fd/4",
                           .id = 20};

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

static void test_round_trip(void)
{
    char *text = text_of(&sample, 7);
    protocol_message m;
    job back = {0};
    uint64_t device = 0;
    ok(message_parse(text, &m) && job_read(&m, &back), "a job can be written and read");
    is_text(m.verb, "job", "its verb");
    ok(message_u64(&m, "device", &device) && device == 7, "its device");
    char *again = text_of(&back, 7);
    char *original = text_of(&sample, 7);
    is_text(again, original, "every field comes back");
    ok(back.n == sample.n && back.position == sample.position &&
           back.time_limit_s == sample.time_limit_s && back.in_race == 1 &&
           back.processor_time == 1 && back.tunables[1] == INT64_MAX &&
           back.behaviour == BEHAVE_PHASES && back.other_types == sample.other_types &&
           back.other_ops == 9 && back.other_kinds == 2 && back.cache == CACHE_COLD,
       "also the large ones");
    free(original);
    free(again);
    free(text);
}

/* Reads the sample with `key` changed to `value`, or left out where that is NULL. */
static bool reads_with(const char *key, const char *value)
{
    char *text = text_of(&sample, 0);
    protocol_message m;
    job j;
    bool parsed = message_parse(text, &m);
    for (size_t i = 0; parsed && i < m.field_count; i++)
        if (strcmp(m.fields[i].key, key) == 0) {
            m.fields[i].key = value ? key : "another";
            m.fields[i].value = value ? value : "";
        }
    bool good = parsed && job_read(&m, &j);
    free(text);
    return good;
}

static void test_missing(void)
{
    static const char *const needed[] = {
        "mode",           "plugin",      "kind",         "op",         "dtype",    "n",
        "seed",           "pattern",     "position",     "in_place",   "misalign", "misalign_out",
        "repeat",         "behaviour",   "time_limit_s", "cache",      "id",       "in_race",
        "processor_time", "other_types", "other_ops",    "other_kinds"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        ok(!reads_with(needed[i], NULL), "a job without %s is refused", needed[i]);
    ok(reads_with("tunables", NULL), "one without tunables is not");
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
        {"behaviour", "99"},  {"cache", "2"},
        {"n", "-1"},          {"n", "18446744073709551616"},
        {"repeat", "many"},   {"time_limit_s", "soon"},
        {"tunables", "1,,2"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        ok(!reads_with(refused[i].key, refused[i].value), "%s=%s is refused", refused[i].key,
           refused[i].value);
}

/* As many as a plugin may declare. */
static void test_most_tunables(void)
{
    char list[4 * JOB_TUNABLES] = "7";
    for (int i = 1; i < LOADER_MAX_TUNABLES; i++)
        strcat(list, ",7");
    ok(reads_with("tunables", list), "a job has room for %d tunables", LOADER_MAX_TUNABLES);
    strcat(list, ",7");
    ok(!reads_with("tunables", list), "one more is refused");
}

static void test_input(void)
{
    input_spec spec = job_input(&sample, INPUT_ONES);
    ok(spec.dtype == sample.dtype && spec.op == sample.op && spec.seed == sample.seed &&
           spec.n == sample.n && spec.position == sample.position && spec.pattern == INPUT_ONES,
       "a job's input is of its type, operator, seed and size");
}

int main(void)
{
    tap_plan(5 + 22 + 17 + 2 + 1);
    test_round_trip();
    test_missing();
    test_refused();
    test_most_tunables();
    test_input();
    return tap_done();
}
