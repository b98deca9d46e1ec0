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

enum { HOST_PHASES = 24, HOST_REASON_BYTES = FAULT_TEXT_BYTES };

typedef struct worker_host {
    scan_host host;
    cpu_topology *machine;
    bool verbose;
    char reason[HOST_REASON_BYTES]; /* the plugin's, of the last failure; "" before one */
    size_t phase_count;
    struct {
        phase_name name;
        double ns; /* sum over the run */
    } phases[HOST_PHASES];
    bool phases_lost;   /* more names than HOST_PHASES, or one too long */
    bool phase_unknown; /* a name that is neither device nor kernel:<name>; the first: */
    char unknown_phase[PHASE_TEXT_BYTES];
    scratch scratch;
    bool running;          /* inside run, where allocating is a mistake: */
    bool allocated_in_run; /* it was made */
} worker_host;

/* `machine` must outlive it. */
void worker_host_init(worker_host *h, cpu_topology *machine, bool verbose);

/* Around a run whose phases are wanted: forgets the last ones, then records what
 * `level` (SCAN_RECORD_*) says; 0 ends it and keeps what was recorded. */
void worker_host_record(worker_host *h, uint32_t level);

/* A fault of a call that returned `status`, with the reason that the plugin gave, which is
 * then forgotten. */
fault worker_host_fault(worker_host *h, fault_code code, worker_step step, scan_status status);

#endif
