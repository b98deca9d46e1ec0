/*
 * cpu_team.h - threads that wait between runs, shared by the CPU plugins
 *
 * The calling thread is member 0 and is bound by the host; the others are started once and bound to
 * places 1, 2, ... of the host.
 */
#ifndef CPU_TEAM_H
#define CPU_TEAM_H

#include "scan_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An entry in the table of tunables of a plugin that works with a team: "threads", where 0 means
 * all. */
#define CPU_TEAM_THREADS(default_value)                                                        \
    {                                                                                          \
        sizeof(scan_tunable), SCAN_TUNABLE_THREADS, "threads",                                 \
            "threads; 0: one for each core of the binding", default_value, 0, 4096, NULL, 0, 0 \
    }

/* The number of threads that the tunable's value means: all places for 0. */
uint32_t cpu_team_size(const scan_host *host, int64_t value);
/* SCAN_OK, or SCAN_UNSUPPORTED and the reason if there are fewer places. */
scan_status cpu_team_supports(const scan_host *host, int64_t value);

typedef struct cpu_team cpu_team;

/* One member's share: `rank` 0 ... members-1. */
typedef void cpu_team_work(void *context, uint32_t rank, uint32_t members);

/* Starts members - 1 threads. SCAN_OK; or SCAN_NO_MEMORY or SCAN_ERROR with the reason, and nothing
 * is left behind. Released with cpu_team_destroy. */
scan_status cpu_team_create(const scan_host *host, uint32_t members, cpu_team **team_p);
/* Calls work once on every member and returns when all have returned. */
void cpu_team_run(cpu_team *team, cpu_team_work *work, void *context);
/* Does nothing for NULL. */
void cpu_team_destroy(cpu_team *team);

#ifdef __cplusplus
}
#endif

#endif
