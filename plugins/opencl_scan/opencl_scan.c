/*
 * opencl_scan.c - the fastest of our OpenCL scans for device and shape
 *
 * The plugin to take in OpenCL without choosing: on CPUs the chained chunks
 * (opencl_chunked), on GPUs decoupled look-back and fallback (opencl_lookback), and for rows the
 * shares of rows (opencl_rows), each with its own defaults. Wider results are those of the chunks
 * everywhere. `way` sets one of them, so that
 *
 *     scanbench tune opencl_scan --sizes 1e3..1e8 --set way=1,2
 *
 * shows what another choice would cost.
 */
#include "opencl_scan.h"

/* What the files of those plugins export, each under a name of its own (CMakeLists.txt). */
extern const scan_entry_table opencl_chunked_entry, opencl_lookback_entry, opencl_rows_entry;

enum { TUNABLE_WAY };
enum { BY_DEVICE, CHUNKED, LOOKBACK, ROWS, WAY_COUNT };
enum { MOST_TUNABLES = 64 }; /* as scan_plugin.h allows */

/* One of the scans, and the problem as it is asked of it: with the defaults of its tunables. */
typedef struct choice {
    const scan_plugin *plugin;
    scan_problem problem;
    int64_t tunables[MOST_TUNABLES];
} choice;

typedef struct chosen_scan {
    const scan_host *host;
    const scan_plugin *plugin;
    void *instance; /* of `plugin` */
} chosen_scan;

static const scan_entry_table *const entries[] = {
    [CHUNKED] = &opencl_chunked_entry,
    [LOOKBACK] = &opencl_lookback_entry,
    [ROWS] = &opencl_rows_entry,
};

static int way_for(const opencl_context *context, const scan_problem *problem)
{
    if (problem->tunables[TUNABLE_WAY] != BY_DEVICE)
        return (int)problem->tunables[TUNABLE_WAY];
    if (scan_rows(problem) > 1)
        return ROWS;
    const bool cpu = (context->type & CL_DEVICE_TYPE_CPU) != 0;
    return cpu || opencl_is_wide(problem) ? CHUNKED : LOOKBACK;
}

static void choose(const opencl_context *context, const scan_problem *problem, choice *c)
{
    c->plugin = entries[way_for(context, problem)]->plugins[0];
    c->problem = *problem;
    c->problem.tunables = c->tunables;
    c->problem.tunable_count = (uint32_t)c->plugin->tunable_count;
    for (uint64_t i = 0; i < c->plugin->tunable_count; i++)
        c->tunables[i] = c->plugin->tunables[i].default_value;
}

/* Does the chosen scan declare the problem's shape and types? SCAN_OK, or SCAN_UNSUPPORTED. */
static scan_status check_declared(const scan_host *host, const choice *c)
{
    const char *id = c->plugin->id;
    const scan_problem *problem = &c->problem;
    bool takes = false;
    for (int i = 0; i < SCAN_MAX_OP_ENTRIES; i++)
        takes |= c->plugin->ops[i].op == problem->op &&
                 (c->plugin->ops[i].dtypes & SCAN_BIT(problem->dtype)) != 0;
    if (!takes)
        return host->fail(host, SCAN_UNSUPPORTED, "%s, which scans this shape, lacks this type",
                          id);
    if (scan_rows(problem) > 1 && (c->plugin->flags & SCAN_FLAG_ROWS) == 0)
        return host->fail(host, SCAN_UNSUPPORTED, "%s scans no rows; use way=%d", id, ROWS);
    if (opencl_is_wide(problem) && c->plugin->results[0].dtypes == 0)
        return host->fail(host, SCAN_UNSUPPORTED, "%s has no wider results", id);
    return SCAN_OK;
}

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)plugin;
    choice c;
    choose(context, problem, &c);
    const scan_status status = check_declared(host, &c);
    return status == SCAN_OK ? c.plugin->supports(host, c.plugin, context, &c.problem) : status;
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    choice c;
    choose(context, problem, &c);
    chosen_scan *self = host->allocate(host, sizeof *self, _Alignof(chosen_scan));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    *self = (chosen_scan){.host = host, .plugin = c.plugin};
    const scan_status status =
        c.plugin->create(host, c.plugin, context, &c.problem, &self->instance);
    if (status != SCAN_OK)
        host->release(host, self);
    else
        *self_p = self;
    return status;
}

static scan_status run(void *instance, scan_buffer in, scan_buffer out)
{
    const chosen_scan *self = instance;
    return self->plugin->run(self->instance, in, out);
}

static void destroy(void *instance)
{
    chosen_scan *self = instance;
    self->plugin->destroy(self->instance);
    self->host->release(self->host, self);
}

static const scan_tunable tunables[] = {
    [TUNABLE_WAY] =
        SCAN_TUNABLE_RANGE("way", "0: by device and shape; 1: chunks, 2: look-back, 3: rows",
                           BY_DEVICE, BY_DEVICE, WAY_COUNT - 1),
};

static const scan_plugin opencl_scan = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "opencl_scan",
    .name = "Chunks, look-back or rows, by device and shape",
    .version = "1.0",
    .summary = "what to take in OpenCL: the fastest of our scans for the device and the shape",
    .reference = "",
    .flags = SCAN_FLAG_ROWS | SCAN_FLAG_NONDETERMINISTIC, /* as look-back is */
    .tile = 4096,                                         /* of look-back */
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1, SCAN_HALF_OPS_1_1},
    SCAN_TUNABLES(tunables),
    OPENCL_BACKEND,
    .supports = supports,
    .create = create,
    .run = run,
    .destroy = destroy,
    .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1},
};

SCAN_EXPORT_PLUGINS(&opencl_scan);
