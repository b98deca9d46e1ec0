/*
 * run_info.h - what the metadata beside a CSV say of the machine, the program and the command
 */
#ifndef SCANBENCH_RESULTS_RUN_INFO_H
#define SCANBENCH_RESULTS_RUN_INFO_H

#include "scan_plugin.h"

#include <stdbool.h>
#include <stddef.h>

/* X(member): texts of the metadata, "" where they do not say it. */
#define RUN_INFO_TEXT_MAP(X) \
    X(run_id)                \
    X(scanbench)             \
    X(git_revision)          \
    X(compiler)              \
    X(host)                  \
    X(cpu)                   \
    X(topology)              \
    X(memory_available)      \
    X(system)                \
    X(governor)              \
    X(turbo)                 \
    X(smt)                   \
    X(aslr)

/* X(member): the same of a plugin. */
#define RUN_INFO_PLUGIN_MAP(X) \
    X(id)                      \
    X(version)                 \
    X(backend)                 \
    X(reference)               \
    X(device)                  \
    X(driver)                  \
    X(file)                    \
    X(status)                  \
    X(reason)

#define RUN_INFO_MEMBER(member) const char *member;
typedef struct run_info_plugin {
    RUN_INFO_PLUGIN_MAP(RUN_INFO_MEMBER)
    const char *hash; /* of the file: sha256 or, of an older version, fnv1a64 */
} run_info_plugin;

typedef struct run_info {
    bool known; /* there are metadata, and they can be read */
    RUN_INFO_TEXT_MAP(RUN_INFO_MEMBER)
    const char *command;  /* to be copied into a shell; "" */
    const char *baseline; /* that the speedups are relative to */
    bool sequential;      /* it measured one configuration after the other */
    const char **warnings;
    size_t warning_count;
    run_info_plugin *plugins;
    size_t plugin_count;
    size_t earlier; /* how many other runs have rows in the file */
    /* Private. */
    char **texts;
    size_t text_count, text_capacity;
} run_info;
#undef RUN_INFO_MEMBER

/* Reads the metadata beside the CSV. SCAN_OK, also if there are none, and *info_p, released with
 * run_info_free; or SCAN_NO_MEMORY. */
scan_status run_info_read(const char *csv, run_info *info_p);

/* The same of a text. */
scan_status run_info_take(const char *json, run_info *info_p);

/* Accepts a zeroed one. */
void run_info_free(run_info *info);

#endif
