/*
 * broken.h - a whole, right plugin that does nothing. Each .c beside this one
 * defines what it breaks and includes this.
 */
#ifndef BROKEN_H
#define BROKEN_H

#include "scan_plugin.h"

#ifndef BROKEN_MAGIC
#define BROKEN_MAGIC SCAN_ABI_MAGIC
#endif
#ifndef BROKEN_MAJOR
#define BROKEN_MAJOR SCAN_ABI_MAJOR
#endif
#ifndef BROKEN_MINOR
#define BROKEN_MINOR SCAN_ABI_MINOR
#endif
#ifndef BROKEN_ENTRY_SIZE
#define BROKEN_ENTRY_SIZE sizeof(scan_entry_table)
#endif
#ifndef BROKEN_SIZE
#define BROKEN_SIZE sizeof(scan_plugin)
#endif
#ifndef BROKEN_ROLE
#define BROKEN_ROLE SCAN_ROLE_MOCK
#endif
#ifndef BROKEN_ID
#define BROKEN_ID "good"
#endif
#ifndef BROKEN_RUN
#define BROKEN_RUN broken_run
#endif
#ifndef BROKEN_EXTENSION
#define BROKEN_EXTENSION NULL
#endif
#ifndef BROKEN_PLUGINS
#define BROKEN_PLUGINS &broken, NULL
#endif

static scan_status broken_create(const scan_host *host, const scan_plugin *plugin, void *context,
                                 const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)context;
    (void)problem;
    (void)self_p;
    return host->fail(host, SCAN_ERROR, "a plugin for the loader's tests");
}

static inline scan_status broken_run(void *self, scan_buffer in, scan_buffer out)
{
    (void)self;
    (void)in;
    (void)out;
    return SCAN_ERROR;
}

static void broken_destroy(void *self)
{
    (void)self;
}

static const int64_t broken_blocks[] = {64, 128};
static const scan_tunable broken_tunables[] = {
    SCAN_TUNABLE_LIST("block", "threads per block", 128, broken_blocks)};

static const scan_plugin broken = {.struct_size = BROKEN_SIZE,
                                   .role = BROKEN_ROLE,
                                   .id = BROKEN_ID,
                                   .name = "Good",
                                   .version = "1.0",
                                   .summary = "Does nothing",
                                   .reference = "",
                                   .ops = {SCAN_OPS_1_0},
                                   SCAN_TUNABLES(broken_tunables),
                                   .backend = "cpu",
                                   .create = broken_create,
                                   .run = BROKEN_RUN,
                                   .destroy = broken_destroy,
                                   .get_extension = BROKEN_EXTENSION};

static const scan_plugin *const broken_plugins[] = {BROKEN_PLUGINS};

const scan_entry_table scan_entry = {.magic = BROKEN_MAGIC,
                                     .abi_major = BROKEN_MAJOR,
                                     .abi_minor = BROKEN_MINOR,
                                     .struct_size = BROKEN_ENTRY_SIZE,
                                     .plugins = broken_plugins};

#endif
