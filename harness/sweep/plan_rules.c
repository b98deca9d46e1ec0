/* plan_rules.c - which configurations cannot be measured, and how much memory one takes */
#include "sweep/plan.h"

#include "problem/names.h"
#include "system/memory.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Does it compute in the host's memory, or in memory taken from that? */
static bool is_on_host(const session *one)
{
    return !one->plugin->device_memory || one->device.flags & SCAN_DEVICE_SHARES_HOST_MEMORY;
}

plan_memory plan_memory_of(const configuration *c, const session *sessions)
{
    const session *one = &sessions[c->session];
    const uint64_t arrays = job_moved_bytes(&c->job);
    const bool on_host = is_on_host(one);
    const uint64_t part = c->parts > 1 ? arrays / c->parts + (arrays % c->parts != 0) : arrays;
    return (plan_memory){.host = arrays * (one->plugin->device_memory && on_host ? 2 : 1),
                         .device = on_host ? 0 : part};
}

/* A configuration that is looked at. */
typedef struct examined {
    configuration *c;
    const session *one; /* its session */
    char *reason;       /* why it is ruled out, or NULL */
    scan_status status;
} examined;

/* Rules a configuration out. The first reason counts. */
__attribute__((format(printf, 3, 4))) static void rule_out(examined *k, row_status status,
                                                           const char *format, ...)
{
    va_list arguments;
    if (k->c->status != ROW_OK)
        return;
    k->c->status = status;
    va_start(arguments, format);
    if (vasprintf(&k->reason, format, arguments) < 0) {
        k->reason = NULL;
        k->status = SCAN_NO_MEMORY;
    }
    va_end(arguments);
}

static void describe_allowed(const tunable_info *t, char *text, size_t size)
{
    if (!t->values) {
        snprintf(text, size, "%" PRId64 " to %" PRId64, t->min, t->max);
        return;
    }
    size_t used = 0;
    for (size_t i = 0; i < t->value_count && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%" PRId64, i ? ", " : "", t->values[i]);
}

/* Can its arrays be counted in bytes? */
static void check_size(examined *k)
{
    const job *j = &k->c->job;
    const uint64_t element = dtype_bytes(job_result_type(j));
    uint64_t bytes = j->n;
    if (__builtin_mul_overflow(bytes, job_rows(j), &bytes) ||
        __builtin_mul_overflow(bytes, job_inner(j), &bytes) || bytes > (UINT64_MAX >> 6) / element)
        rule_out(k, ROW_SKIPPED, "rows * n * inner * %" PRIu64 " bytes is past 64 bits", element);
}

/* Compares the memory it needs with what is available. */
static void check_memory(examined *k, const session *sessions, uint64_t mem_limit)
{
    const configuration *c = k->c;
    const session *one = k->one;
    const uint64_t moved = job_moved_bytes(&c->job);
    const bool on_host = is_on_host(one);
    const plan_memory arrays = plan_memory_of(c, sessions);
    const uint64_t copies = moved ? arrays.host / moved : 1; /* of both arrays */
    const uint64_t needed = arrays.host + MEMORY_WORKER_BYTES;
    char need[32], limit[32], each[96];
    if (c->job.result)
        snprintf(each, sizeof each, "%" PRIu64 " of %" PRIu64 " and %" PRIu64 " of %" PRIu64,
                 copies, job_bytes(&c->job), copies, job_out_bytes(&c->job));
    else
        snprintf(each, sizeof each, "%" PRIu64 " arrays of %" PRIu64, 2 * copies,
                 job_bytes(&c->job));
    memory_text(needed, need, sizeof need);
    memory_text(mem_limit, limit, sizeof limit);
    if (needed > mem_limit)
        rule_out(k, ROW_SKIPPED,
                 "needs %s of host memory (%s bytes and %d MiB), the limit is %s (--mem-limit)",
                 need, each, MEMORY_WORKER_BYTES >> 20, limit);
    if (on_host || one->device.memory_bytes == 0)
        return;
    memory_text(arrays.device, need, sizeof need);
    memory_text(one->device.memory_bytes, limit, sizeof limit);
    if (arrays.device > one->device.memory_bytes)
        rule_out(k, ROW_SKIPPED, "needs %s of device memory, %s has %s", need, one->device.name,
                 limit);
}

/* Does the plugin declare the scan? */
static void check_scan(examined *k)
{
    const job *j = &k->c->job;
    const plugin_info *plugin = k->one->plugin;
    if (plugin_info_declares(plugin, j->op, j->kind, j->dtype))
        return;
    for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++)
        if (plugin_info_declares(plugin, j->op, kind, j->dtype))
            rule_out(k, ROW_UNSUPPORTED,
                     "%s does not declare %s %s of %s, but %s: --kinds " JOB_ANY_KIND, plugin->id,
                     kind_name(j->kind), op_name(j->op), dtype_name(j->dtype), kind_name(kind));
    rule_out(k, ROW_UNSUPPORTED, "%s does not declare %s%s%s of %s", plugin->id,
             j->measure.any_kind ? "" : kind_name(j->kind), j->measure.any_kind ? "" : " ",
             op_name(j->op), dtype_name(j->dtype));
}

/* Does the plugin take results of that type? */
static void check_result(examined *k)
{
    const job *j = &k->c->job;
    const plugin_info *plugin = k->one->plugin;
    if (!plugin_info_widens(plugin, j->dtype, j->result))
        rule_out(k, ROW_UNSUPPORTED, "%s does not declare results of type %s for %s", plugin->id,
                 dtype_name(job_result_type(j)), dtype_name(j->dtype));
    else if (j->result && k->c->parts > 1)
        rule_out(k, ROW_UNSUPPORTED, "problems with wider results are not divided into parts");
}

/* Does the plugin take problems of that shape? */
static void check_shape(examined *k)
{
    const job *j = &k->c->job;
    const plugin_info *plugin = k->one->plugin;
    if (plugin->role == SCAN_ROLE_CEILING)
        return;
    if (job_inner(j) > 1 && !(plugin->flags & SCAN_FLAG_INNER))
        rule_out(k, ROW_UNSUPPORTED, "%s does not take inner > 1 (SCAN_FLAG_INNER)", plugin->id);
    else if (job_rows(j) > 1 && !(plugin->flags & SCAN_FLAG_ROWS))
        rule_out(k, ROW_UNSUPPORTED, "%s does not take rows (SCAN_FLAG_ROWS)", plugin->id);
    else if (job_has_many_scans(j) && k->c->parts > 1)
        rule_out(k, ROW_UNSUPPORTED, "problems of rows are not divided into parts");
}

static void check_declared(examined *k)
{
    const configuration *c = k->c;
    const session *one = k->one;
    const plugin_info *plugin = one->plugin;
    const job *j = &c->job;
    if (one->status != ROW_OK) {
        rule_out(k, one->status, "%s", one->reason);
        return;
    }
    check_scan(k);
    check_result(k);
    check_shape(k);
    if (plugin->max_n && job_elements(j) > plugin->max_n)
        rule_out(k, ROW_UNSUPPORTED, "%s takes at most %" PRIu64 " elements", plugin->id,
                 plugin->max_n);
    for (uint32_t i = 0; i < j->tunable_count; i++) {
        const tunable_info *t = &plugin->tunables[i];
        char may[128];
        describe_allowed(t, may, sizeof may);
        if (!tunable_info_allows(t, j->tunables[i]))
            rule_out(k, ROW_UNSUPPORTED, "%s=%" PRId64 ": %s takes %s", t->name, j->tunables[i],
                     plugin->id, may);
    }
}

/* Only the caches of the first device, or of rank 0, can be displaced. */
static void check_cache(examined *k)
{
    const configuration *c = k->c;
    const session *one = k->one;
    if (c->parts > 1 && c->job.cache == CACHE_COLD && (one->plugin->in_ranks || !is_on_host(one)))
        rule_out(k, ROW_SKIPPED, "--cache cold does not reach the caches of %u parts", c->parts);
}

scan_status plan_apply_rules(configuration *c, const session *sessions, uint64_t mem_limit,
                             char **reason_p)
{
    examined k = {.c = c, .one = &sessions[c->session], .status = SCAN_OK};
    c->status = ROW_OK;
    check_size(&k);
    check_declared(&k);
    check_cache(&k);
    if (!k.reason)
        check_memory(&k, sessions, mem_limit);
    *reason_p = k.reason;
    return k.status;
}
