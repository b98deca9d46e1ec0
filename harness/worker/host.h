/*
 * worker_host.h - the scan_host a worker hands to its plugin, and what the plugin
 * said through it
 */
#ifndef SCANBENCH_WORKER_HOST_H
#define SCANBENCH_WORKER_HOST_H

#include "protocol/phase.h"
#include "scan_plugin.h"
#include "system/topology.h"

enum { HOST_PHASES = 24, HOST_REASON_BYTES = 640 };

typedef struct worker_host {
    scan_host host;
    cpu_topology *machine;
    bool verbose;
    char reason[HOST_REASON_BYTES]; /* of the last failure; "" before one */
    char unknown[40];               /* what there is to say of a status that is none */
    size_t phase_count;
    struct {
        phase_name name;
        double ns; /* sum over the run */
    } phases[HOST_PHASES];
    bool phases_lost;   /* more names than HOST_PHASES, or one too long */
    bool phase_unknown; /* a name that is neither device nor kernel:<name>; the first: */
    char unknown_phase[PHASE_TEXT_BYTES];
    struct scratch *scratch;  /* host memory not yet released, each block between guards */
    uint64_t allocated;       /* how many blocks that is */
    char trampled[160];       /* who wrote outside its scratch, "" while nobody did */
    bool running;             /* inside run, where allocating is a mistake: */
    bool allocated_in_run;    /* it was made */
    bool poison;              /* scratch is filled before it is used and after */
    uint64_t fail_allocation; /* 1: the next allocation fails, 2: the one after, ...; 0: none */
} worker_host;

/* `machine` must outlive it. */
void worker_host_init(worker_host *h, cpu_topology *machine, bool verbose);

/* Around a run whose phases are wanted: forgets the last ones, then records what
 * `level` (SCAN_RECORD_*) says; 0 ends it and keeps what was recorded. */
void worker_host_record(worker_host *h, uint32_t level);

/* Looks at the guards of all host memory; `trampled` says what it found. */
bool worker_host_intact(worker_host *h);

/* The reason of a failed call, or what `status` means where the plugin gave none. */
const char *worker_host_reason(worker_host *h, scan_status status);

#endif
