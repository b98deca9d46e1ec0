#include "protocol/job.h"

#include "problem/names.h"

/* ---- its fields in a message ---------------------------------------------------- */

typedef enum field_form { NUMBER, REAL, TEXT } field_form;

typedef struct job_field {
    const char *key;
    size_t at, bytes; /* of the member */
    field_form form;
    uint64_t most; /* the largest number */
    unsigned modes;
} job_field;

#define MEMBER(key, member) key, offsetof(job, member), sizeof((job){0}.member)
#define ALL (SCAN_BIT(JOB_CHECK) | BEHAVE | MEASURE | PROFILE)
#define RUN (SCAN_BIT(JOB_CHECK) | BEHAVE)
#define BEHAVE SCAN_BIT(JOB_BEHAVE)
#define MEASURE SCAN_BIT(JOB_MEASURE)
#define PROFILE SCAN_BIT(JOB_PROFILE)

static const job_field fields[] = {
    {MEMBER("plugin", plugin), NUMBER, UINT32_MAX, ALL},
    {MEMBER("kind", kind), NUMBER, SCAN_KIND_COUNT - 1, ALL},
    {MEMBER("op", op), NUMBER, UINT32_MAX, ALL},
    {MEMBER("dtype", dtype), NUMBER, UINT32_MAX, ALL},
    {MEMBER("n", n), NUMBER, UINT64_MAX, ALL},
    {MEMBER("seed", seed), NUMBER, UINT64_MAX, ALL},
    {MEMBER("cache", cache), NUMBER, CACHE_STATE_COUNT - 1, ALL},
    {MEMBER("time_limit_s", time_limit_s), REAL, 0, ALL},
    {MEMBER("pattern", run.pattern), NUMBER, INPUT_PATTERN_COUNT - 1, RUN},
    {MEMBER("position", run.position), NUMBER, UINT64_MAX, RUN},
    {MEMBER("in_place", run.in_place), NUMBER, UINT32_MAX, RUN},
    {MEMBER("misalign", run.misalign), NUMBER, UINT32_MAX, RUN},
    {MEMBER("misalign_out", run.misalign_out), NUMBER, UINT32_MAX, RUN},
    {MEMBER("fence", run.fence), NUMBER, FENCE_COUNT - 1, RUN},
    {MEMBER("repeat", run.repeat), NUMBER, UINT32_MAX, RUN},
    {MEMBER("behaviour", behave.behaviour), NUMBER, BEHAVE_COUNT - 1, BEHAVE},
    {MEMBER("other_types", behave.other_types), NUMBER, UINT64_MAX, BEHAVE},
    {MEMBER("other_ops", behave.other_ops), NUMBER, UINT32_MAX, BEHAVE},
    {MEMBER("other_kinds", behave.other_kinds), NUMBER, UINT32_MAX, BEHAVE},
    {MEMBER("id", measure.id), NUMBER, UINT32_MAX, MEASURE},
    {MEMBER("in_race", measure.in_race), NUMBER, UINT32_MAX, MEASURE},
    {MEMBER("processor_time", measure.processor_time), NUMBER, UINT32_MAX, MEASURE},
    {MEMBER("shared", measure.shared), TEXT, 0, MEASURE},
    {MEMBER("label", label), TEXT, 0, PROFILE},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static void write_field(FILE *out, const job *j, const job_field *f)
{
    const void *from = (const char *)j + f->at;
    uint32_t narrow;
    if (f->form == TEXT)
        message_put_text(out, f->key, from);
    else if (f->form == REAL)
        message_put_double(out, f->key, *(const double *)from);
    else if (f->bytes == sizeof narrow)
        message_put_u64(out, f->key, *(const uint32_t *)from);
    else
        message_put_u64(out, f->key, *(const uint64_t *)from);
}

bool job_write(FILE *out, const job *j, uint32_t device)
{
    message_begin(out, "job");
    message_put_u64(out, "mode", (uint64_t)j->mode);
    message_put_u64(out, "device", device);
    message_put_i64_list(out, "tunables", j->tunables, j->tunable_count);
    for (size_t i = 0; i < FIELDS; i++)
        if (fields[i].modes & SCAN_BIT(j->mode))
            write_field(out, j, &fields[i]);
    return message_end(out);
}

static bool read_field(const protocol_message *m, job *j, const job_field *f)
{
    void *to = (char *)j + f->at;
    uint64_t value;
    if (f->form == TEXT) {
        message_line(m, f->key, to, f->bytes);
        return true;
    }
    if (f->form == REAL)
        return message_double(m, f->key, to);
    if (!message_u64(m, f->key, &value) || value > f->most)
        return false;
    if (f->bytes == sizeof(uint32_t))
        *(uint32_t *)to = (uint32_t)value;
    else
        *(uint64_t *)to = value;
    return true;
}

bool job_read(const protocol_message *m, job *j_p)
{
    job j = {0};
    uint64_t mode;
    if (!message_u64(m, "mode", &mode) || mode > JOB_PROFILE)
        return false;
    for (size_t i = 0; i < FIELDS; i++)
        if (fields[i].modes & SCAN_BIT(mode) && !read_field(m, &j, &fields[i]))
            return false;
    const long count = message_i64_list(m, "tunables", j.tunables, JOB_TUNABLES);
    if (!op_takes_dtype(j.op, j.dtype) || count < 0)
        return false;
    j.mode = (job_mode)mode;
    j.tunable_count = (uint32_t)count;
    *j_p = j;
    return true;
}

/* ---- what it asks for ----------------------------------------------------------- */

uint64_t job_shared_bytes(const job *j)
{
    const uint64_t whole = UINT64_C(1) << 20; /* of pages of any size, with room for two guards */
    return (j->n * dtype_bytes(j->dtype) / whole + 2) * whole;
}

const char *job_kinds_word(const job *j)
{
    return j->measure.any_kind ? JOB_ANY_KIND : kind_name(j->kind);
}

bool job_same_problem(const job *a, const job *b)
{
    return a->n == b->n && a->dtype == b->dtype && a->op == b->op &&
           a->measure.any_kind == b->measure.any_kind &&
           (a->measure.any_kind || a->kind == b->kind);
}

input_spec job_input(const job *j, uint32_t pattern)
{
    return (input_spec){.dtype = j->dtype,
                        .op = j->op,
                        .pattern = pattern,
                        .seed = j->seed,
                        .n = j->n,
                        .position = j->run.position};
}
