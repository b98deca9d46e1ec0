#include "protocol/job.h"

#include "problem/names.h"

bool job_write(FILE *out, const job *j, uint32_t device)
{
    message_begin(out, "job");
    message_put_u64(out, "mode", (uint64_t)j->mode);
    message_put_u64(out, "plugin", j->plugin);
    message_put_u64(out, "device", device);
    message_put_u64(out, "kind", j->kind);
    message_put_u64(out, "op", j->op);
    message_put_u64(out, "dtype", j->dtype);
    message_put_u64(out, "n", j->n);
    message_put_u64(out, "seed", j->seed);
    message_put_i64_list(out, "tunables", j->tunables, j->tunable_count);
    message_put_u64(out, "pattern", j->pattern);
    message_put_u64(out, "position", j->position);
    message_put_u64(out, "in_place", j->in_place);
    message_put_u64(out, "misalign", j->misalign);
    message_put_u64(out, "misalign_out", j->misalign_out);
    message_put_u64(out, "fence", j->fence);
    message_put_u64(out, "repeat", j->repeat);
    message_put_u64(out, "behaviour", j->behaviour);
    message_put_u64(out, "other_types", j->other_types);
    message_put_u64(out, "other_ops", j->other_ops);
    message_put_u64(out, "other_kinds", j->other_kinds);
    message_put_u64(out, "cache", j->cache);
    message_put_double(out, "time_limit_s", j->time_limit_s);
    message_put_u64(out, "id", j->id);
    message_put_u64(out, "in_race", j->in_race);
    message_put_u64(out, "processor_time", j->processor_time);
    if (*j->shared)
        message_put_text(out, "shared", j->shared);
    if (j->mode == JOB_PROFILE)
        message_put_text(out, "label", j->label);
    return message_end(out);
}

static bool read_u32(const protocol_message *m, const char *key, uint32_t *value_p)
{
    uint64_t value;
    if (!message_u64(m, key, &value) || value > UINT32_MAX)
        return false;
    *value_p = (uint32_t)value;
    return true;
}

bool job_read(const protocol_message *m, job *j_p)
{
    job j = {0};
    uint32_t mode;
    if (!read_u32(m, "mode", &mode) || mode > JOB_PROFILE || !read_u32(m, "plugin", &j.plugin) ||
        !read_u32(m, "kind", &j.kind) || j.kind >= SCAN_KIND_COUNT || !read_u32(m, "op", &j.op) ||
        !read_u32(m, "dtype", &j.dtype) || !op_takes_dtype(j.op, j.dtype) ||
        !message_u64(m, "n", &j.n) || !message_u64(m, "seed", &j.seed) ||
        !read_u32(m, "pattern", &j.pattern) || j.pattern >= INPUT_PATTERN_COUNT ||
        !message_u64(m, "position", &j.position) || !read_u32(m, "in_place", &j.in_place) ||
        !read_u32(m, "misalign", &j.misalign) || !read_u32(m, "misalign_out", &j.misalign_out) ||
        !read_u32(m, "fence", &j.fence) || j.fence >= FENCE_COUNT ||
        !read_u32(m, "repeat", &j.repeat) || !read_u32(m, "behaviour", &j.behaviour) ||
        j.behaviour >= BEHAVE_COUNT || !message_u64(m, "other_types", &j.other_types) ||
        !read_u32(m, "other_ops", &j.other_ops) || !read_u32(m, "other_kinds", &j.other_kinds) ||
        !message_double(m, "time_limit_s", &j.time_limit_s) || !read_u32(m, "cache", &j.cache) ||
        j.cache >= CACHE_STATE_COUNT || !read_u32(m, "id", &j.id) ||
        !read_u32(m, "in_race", &j.in_race) || !read_u32(m, "processor_time", &j.processor_time))
        return false;
    long count = message_i64_list(m, "tunables", j.tunables, JOB_TUNABLES);
    if (count < 0)
        return false;
    if (mode == JOB_PROFILE)
        message_line(m, "label", j.label, sizeof j.label);
    message_line(m, "shared", j.shared, sizeof j.shared);
    j.mode = (job_mode)mode;
    j.tunable_count = (uint32_t)count;
    *j_p = j;
    return true;
}

uint64_t job_shared_bytes(const job *j)
{
    const uint64_t whole = UINT64_C(1) << 20; /* of pages of any size, with room for two guards */
    return (j->n * dtype_bytes(j->dtype) / whole + 2) * whole;
}

const char *job_kinds_word(const job *j)
{
    return j->any_kind ? JOB_ANY_KIND : kind_name(j->kind);
}

bool job_same_problem(const job *a, const job *b)
{
    return a->n == b->n && a->dtype == b->dtype && a->op == b->op && a->any_kind == b->any_kind &&
           (a->any_kind || a->kind == b->kind);
}

input_spec job_input(const job *j, uint32_t pattern)
{
    return (input_spec){.dtype = j->dtype,
                        .op = j->op,
                        .pattern = pattern,
                        .seed = j->seed,
                        .n = j->n,
                        .position = j->position};
}
