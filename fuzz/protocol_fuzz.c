/*
 * protocol_fuzz.c - one line, as either side receives it, read also as a job, as a fault and as
 * what was seen of the machine
 */
#include "problem/names.h"
#include "protocol/fault.h"
#include "protocol/job.h"
#include "protocol/visit.h"

#include "fuzz.h"

#include <math.h>

/* The text written since write_begin, without its newline. */
typedef struct written {
    FILE *out;
    char *line;
    size_t bytes;
} written;

static void write_begin(written *w)
{
    w->out = open_memstream(&w->line, &w->bytes);
    ALWAYS(w->out);
}

/* Reads the line back. It is one line, whatever the values contain. */
static protocol_message read_back(written *w)
{
    protocol_message m;
    ALWAYS(fclose(w->out) == 0);
    ALWAYS(w->bytes > 0 && memchr(w->line, '\n', w->bytes) == w->line + w->bytes - 1);
    w->line[w->bytes - 1] = '\0';
    ALWAYS(message_parse(w->line, &m));
    return m;
}

static void check_texts(const protocol_message *m)
{
    written again = {0};
    write_begin(&again);
    message_begin(again.out, m->verb);
    for (size_t i = 0; i < m->field_count; i++)
        message_put_text(again.out, m->fields[i].key, m->fields[i].value);
    ALWAYS(message_end(again.out));
    protocol_message back = read_back(&again);
    ALWAYS(strcmp(back.verb, m->verb) == 0 && back.field_count == m->field_count);
    for (size_t i = 0; i < m->field_count; i++) {
        ALWAYS(strcmp(back.fields[i].key, m->fields[i].key) == 0);
        ALWAYS(strcmp(back.fields[i].value, m->fields[i].value) == 0);
    }
    free(again.line);
}

static bool same_double(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Reads the field as every kind of number; a number that can be read is the same after writing. */
static void check_numbers(const protocol_message *m, const char *key)
{
    enum { UNTOUCHED = 77, MOST = 4 };
    uint64_t whole = UNTOUCHED, whole_back = 0;
    double real = UNTOUCHED, real_back = 0;
    int64_t values[MOST], values_back[MOST];
    bool is_whole = message_u64(m, key, &whole), is_real = message_double(m, key, &real);
    long count = message_i64_list(m, key, values, MOST);
    ALWAYS(is_whole || whole == UNTOUCHED);
    ALWAYS(is_real || real == UNTOUCHED);
    ALWAYS(is_real || !is_whole);
    ALWAYS(count >= -1 && count <= MOST);

    written again = {0};
    write_begin(&again);
    message_begin(again.out, "v");
    message_put_u64(again.out, "whole", whole);
    message_put_double(again.out, "real", real);
    message_put_i64_list(again.out, "list", values, count > 0 ? (size_t)count : 0);
    ALWAYS(message_end(again.out));
    protocol_message back = read_back(&again);
    ALWAYS(message_u64(&back, "whole", &whole_back) && whole_back == whole);
    ALWAYS(message_double(&back, "real", &real_back) && same_double(real_back, real));
    ALWAYS(message_i64_list(&back, "list", values_back, MOST) == (count > 0 ? count : 0));
    for (long i = 0; i < count; i++)
        ALWAYS(values_back[i] == values[i]);
    free(again.line);
}

static void check_job(const protocol_message *m)
{
    job j, back;
    if (!job_read(m, &j))
        return;
    ALWAYS(j.mode <= JOB_PROFILE && j.kind < SCAN_KIND_COUNT && op_takes_dtype(j.op, j.dtype));
    ALWAYS(j.tunable_count <= JOB_TUNABLES);
    ALWAYS(j.run.pattern < INPUT_PATTERN_COUNT && j.run.fence < FENCE_COUNT &&
           j.behave.behaviour < BEHAVE_COUNT && j.cache < CACHE_STATE_COUNT);
    written first = {0}, again = {0};
    write_begin(&first);
    ALWAYS(job_write(first.out, &j, 3));
    char *line = strdup(first.line);
    ALWAYS(line);
    protocol_message copy = read_back(&first);
    uint64_t device = 0;
    ALWAYS(message_u64(&copy, "device", &device) && device == 3 && job_read(&copy, &back));
    write_begin(&again);
    ALWAYS(job_write(again.out, &back, 3) && strcmp(again.line, line) == 0);
    fclose(again.out);
    free(again.line);
    free(line);
    free(first.line);
}

/* A fault that can be read is the same after writing and reading, and can be shown. */
static void check_fault(const protocol_message *m)
{
    fault f, back = {.code = FAULT_NONE};
    char text[FAULT_SENTENCE_BYTES], same[FAULT_SENTENCE_BYTES];
    if (!fault_read(m, &f))
        return;
    ALWAYS((unsigned)f.code < FAULT_COUNT && fault_found(f.code) == FAULT_BY_WORKER);
    written again = {0};
    write_begin(&again);
    message_begin(again.out, "done");
    fault_write(again.out, &f);
    ALWAYS(message_end(again.out));
    protocol_message copy = read_back(&again);
    ALWAYS(fault_read(&copy, &back) && back.code == f.code && back.index == f.index);
    ALWAYS(back.pattern == f.pattern && back.dtype == f.dtype && back.got == f.got);
    ALWAYS(same_double(back.ns, f.ns) && strcmp(back.text, f.text) == 0);
    ALWAYS(strcmp(fault_text(&f, text, sizeof text), fault_text(&back, same, sizeof same)) == 0);
    free(again.line);
}

static void check_watch(const protocol_message *m)
{
    watch w, back;
    char text[THROTTLE_TEXT_BYTES];
    if (!watch_read(m, &w))
        return;
    ALWAYS(isfinite(w.ns) && w.ns >= 0);
    ALWAYS(*throttle_text(w.values[WATCH_GPU_THROTTLE].value, text));
    written again = {0};
    write_begin(&again);
    message_begin(again.out, "watch");
    watch_put(again.out, &w);
    ALWAYS(message_end(again.out));
    protocol_message copy = read_back(&again);
    ALWAYS(watch_read(&copy, &back) && same_double(back.ns, w.ns));
    ALWAYS(back.switches == w.switches && back.faults == w.faults);
    for (int i = 0; i < WATCH_VALUES; i++)
        ALWAYS(back.values[i].known == w.values[i].known &&
               back.values[i].value == w.values[i].value);
    free(again.line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    protocol_message m;
    const uint8_t *end = bytes > 0 ? memchr(data, '\n', bytes) : NULL;
    char *line = fuzz_text(data, end ? (size_t)(end - data) : bytes);
    if (line && message_parse(line, &m)) {
        ALWAYS(*m.verb && m.field_count <= MESSAGE_FIELDS);
        check_texts(&m);
        for (size_t i = 0; i < m.field_count; i++)
            check_numbers(&m, m.fields[i].key);
        check_job(&m);
        check_fault(&m);
        check_watch(&m);
    }
    free(line);
    return 0;
}
