/*
 * host.h - the scan_host that a worker hands to its plugin, and what the plugin said through
 * it
 */
#ifndef SCANBENCH_WORKER_HOST_H
#define SCANBENCH_WORKER_HOST_H

#include "protocol/phase.h"
#include "scan_plugin.h"
#include "system/topology.h"
#include "worker/scratch.h"
#include "worker/staging.h"

enum { HOST_PHASES = 24, HOST_REASON_BYTES = FAULT_TEXT_BYTES };

typedef struct worker_host {
    scan_host host;
    cpu_topology *machine;
    bool verbose;
    char reason[HOST_REASON_BYTES]; /* the plugin's reason for the last failure; "" before one */
    size_t phase_count;
    struct {
        phase_name name;
        double ns; /* sum over the run */
    } phases[HOST_PHASES];
    bool phases_lost;   /* more names than HOST_PHASES, or a name too long */
    bool phase_unknown; /* a name that is neither device nor kernel:<name> */
    char unknown_phase[PHASE_TEXT_BYTES];
    bool time_bad; /* something was recorded that cannot be a time (is_time in host.c) */
    double bad_ns; /* the first of these, of the phase bad_phase */
    char bad_phase[PHASE_TEXT_BYTES];
    scratch scratch;
    staging staging;
    bool running;          /* inside run, where allocating is a mistake */
    bool allocated_in_run; /* the plugin made that mistake */
} worker_host;

/* `machine` must outlive the host. */
void worker_host_init(worker_host *h, cpu_topology *machine, bool verbose);

/* Called before and after a run whose phases are wanted. Before: `level` (SCAN_RECORD_*) says
 * which, and earlier phases are forgotten. After: level 0 ends recording and keeps the phases. */
void worker_host_record(worker_host *h, uint32_t level);

/* The fault of a call that returned `status`, with the plugin's reason. The host then forgets the
 * reason. */
fault worker_host_fault(worker_host *h, fault_code code, worker_step step, scan_status status);

#endif
