#include "protocol/job.h"

#include "problem/names.h"

#include <inttypes.h>

/* ---- its members in a message --------------------------------------------------- */

#define MEMBER(name, member) MESSAGE_MEMBER(job, name, member)
#define NUMBER(name, member, limit) MEMBER(name, member), .form = MESSAGE_NUMBER, .most = (limit)

static const message_member common[] = {
    {NUMBER("plugin", plugin, UINT32_MAX)},
    {NUMBER("kind", kind, SCAN_KIND_COUNT - 1)},
    {NUMBER("op", op, UINT32_MAX)},
    {NUMBER("dtype", dtype, UINT32_MAX)},
    {NUMBER("result", result, SCAN_DTYPE_COUNT)},
    {NUMBER("n", n, UINT64_MAX)},
    {NUMBER("rows", rows, UINT64_MAX)},
    {NUMBER("inner", inner, UINT64_MAX)},
    {NUMBER("seed", seed, UINT64_MAX)},
    {NUMBER("cache", cache, CACHE_STATE_COUNT - 1)},
    {MEMBER("time_limit_s", time_limit_s), .form = MESSAGE_TIME},
};

static const message_member run[] = {
    {NUMBER("pattern", run.pattern, INPUT_PATTERN_COUNT - 1)},
    {NUMBER("position", run.position, UINT64_MAX)},
    {NUMBER("in_place", run.in_place, UINT32_MAX)},
    {NUMBER("misalign", run.misalign, UINT32_MAX)},
    {NUMBER("misalign_out", run.misalign_out, UINT32_MAX)},
    {NUMBER("fence", run.fence, FENCE_COUNT - 1)},
    {NUMBER("repeat", run.repeat, UINT32_MAX)},
};

static const message_member behave[] = {
    {NUMBER("behaviour", behave.behaviour, BEHAVE_COUNT - 1)},
    {NUMBER("other_types", behave.other_types, UINT64_MAX)},
    {NUMBER("other_results", behave.other_results, UINT64_MAX)},
    {NUMBER("other_ops", behave.other_ops, UINT32_MAX)},
    {NUMBER("other_kinds", behave.other_kinds, UINT32_MAX)},
};

static const message_member measure[] = {
    {NUMBER("id", measure.id, UINT32_MAX)},
    {NUMBER("in_race", measure.in_race, UINT32_MAX)},
    {NUMBER("processor_time", measure.processor_time, UINT32_MAX)},
    {MEMBER("shared", measure.shared), .form = MESSAGE_TEXT},
};

static const message_member profile[] = {{MEMBER("label", label), .form = MESSAGE_TEXT}};

static const struct {
    message_members members;
    uint64_t modes;
} parts[] = {{{MESSAGE_MEMBERS(common)}, UINT64_MAX},
             {{MESSAGE_MEMBERS(run)}, SCAN_BIT(JOB_CHECK) | SCAN_BIT(JOB_BEHAVE)},
             {{MESSAGE_MEMBERS(behave)}, SCAN_BIT(JOB_BEHAVE)},
             {{MESSAGE_MEMBERS(measure)}, SCAN_BIT(JOB_MEASURE)},
             {{MESSAGE_MEMBERS(profile)}, SCAN_BIT(JOB_PROFILE)}};
enum { PARTS = sizeof parts / sizeof *parts };

bool job_write(FILE *out, const job *j, uint32_t device)
{
    message_begin(out, "job");
    message_put_u64(out, "mode", (uint64_t)j->mode);
    message_put_u64(out, "device", device);
    message_put_i64_list(out, "tunables", j->tunables, j->tunable_count);
    for (int i = 0; i < PARTS; i++)
        if (parts[i].modes & SCAN_BIT(j->mode))
            message_put_members(out, &parts[i].members, j);
    return message_end(out);
}

bool job_read(const protocol_message *m, job *j_p)
{
    job j = {0};
    uint64_t mode;
    if (!message_u64(m, "mode", &mode) || mode > JOB_PROFILE)
        return false;
    j.mode = (job_mode)mode;
    for (int i = 0; i < PARTS; i++)
        if (parts[i].modes & SCAN_BIT(mode) && !message_read_members(m, &parts[i].members, &j))
            return false;
    const long count = message_i64_list(m, "tunables", j.tunables, JOB_TUNABLES);
    if (!op_takes_dtype(j.op, j.dtype) || count < 0 ||
        (j.result && !dtype_widens(j.dtype, job_result_type(&j))))
        return false;
    j.tunable_count = (uint32_t)count;
    *j_p = j;
    return true;
}

/* ---- its device ----------------------------------------------------------------- */

#define OF_DEVICE(name) MESSAGE_MEMBER(scan_device, #name, name)
static const message_member of_device[] = {
    {OF_DEVICE(name), .form = MESSAGE_TEXT},
    {OF_DEVICE(driver), .form = MESSAGE_TEXT},
    {OF_DEVICE(flags), .form = MESSAGE_NUMBER, .most = UINT32_MAX},
    {OF_DEVICE(memory_bytes), .form = MESSAGE_NUMBER, .most = UINT64_MAX},
    {OF_DEVICE(max_block), .form = MESSAGE_NUMBER, .most = UINT32_MAX},
    {OF_DEVICE(clock_mhz), .form = MESSAGE_NUMBER, .most = UINT32_MAX},
};
const message_members device_members = {MESSAGE_MEMBERS(of_device)};

/* ---- what it asks for ----------------------------------------------------------- */

uint64_t job_rows(const job *j)
{
    return j->rows ? j->rows : 1;
}

uint64_t job_inner(const job *j)
{
    return j->inner ? j->inner : 1;
}

uint64_t job_elements(const job *j)
{
    return job_rows(j) * j->n * job_inner(j);
}

uint32_t job_result_type(const job *j)
{
    return result_dtype(j->dtype, j->result);
}

uint64_t job_bytes(const job *j)
{
    return job_elements(j) * dtype_bytes(j->dtype);
}

uint64_t job_out_bytes(const job *j)
{
    return job_elements(j) * dtype_bytes(job_result_type(j));
}

uint64_t job_moved_bytes(const job *j)
{
    return job_bytes(j) + job_out_bytes(j);
}

bool job_same_arrays(const job *a, const job *b)
{
    return job_same_shape(a, b) && a->dtype == b->dtype && a->result == b->result;
}

bool job_same_shape(const job *a, const job *b)
{
    return a->n == b->n && job_rows(a) == job_rows(b) && job_inner(a) == job_inner(b);
}

bool job_has_many_scans(const job *j)
{
    return job_rows(j) > 1 || job_inner(j) > 1;
}

const char *job_types_text(const job *j, char text[JOB_TYPES_BYTES])
{
    snprintf(text, JOB_TYPES_BYTES, "%s%s%s", dtype_name(j->dtype), j->result ? "->" : "",
             j->result ? dtype_name(job_result_type(j)) : "");
    return text;
}

const char *job_scan_text(const job *j, bool copies, char text[JOB_SCAN_BYTES])
{
    char types[JOB_TYPES_BYTES];
    job_types_text(j, types);
    if (copies)
        snprintf(text, JOB_SCAN_BYTES, "%s", types);
    else
        snprintf(text, JOB_SCAN_BYTES, "%s %s %s", types, op_name(j->op), kind_name(j->kind));
    return text;
}

const char *job_shape_text(const job *j, const char *rows, const char *inner,
                           char text[JOB_SHAPE_BYTES])
{
    size_t used = 0;
    *text = '\0';
    if (job_rows(j) > 1)
        used = (size_t)snprintf(text, JOB_SHAPE_BYTES, "%s%" PRIu64, rows, j->rows);
    if (job_inner(j) > 1 && used < JOB_SHAPE_BYTES)
        snprintf(text + used, JOB_SHAPE_BYTES - used, "%s%" PRIu64, inner, j->inner);
    return text;
}

uint64_t job_shared_bytes(const job *j)
{
    const uint64_t whole = UINT64_C(1) << 20; /* of pages of any size, with room for two guards */
    return (job_out_bytes(j) / whole + 2) * whole;
}

const char *job_kinds_word(const job *j)
{
    return j->measure.any_kind ? JOB_ANY_KIND : kind_name(j->kind);
}

bool job_same_problem(const job *a, const job *b)
{
    return job_same_arrays(a, b) && a->op == b->op && a->measure.any_kind == b->measure.any_kind &&
           (a->measure.any_kind || a->kind == b->kind);
}

input_spec job_input(const job *j, uint32_t pattern)
{
    return (input_spec){.dtype = j->dtype,
                        .result = j->result,
                        .op = j->op,
                        .pattern = pattern,
                        .seed = j->seed,
                        .n = job_elements(j),
                        .position = j->run.position,
                        .scan_n = job_has_many_scans(j) ? j->n : 0,
                        .inner = j->inner};
}
