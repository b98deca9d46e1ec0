/*
 * host.h - the scan_host that a worker hands to its plugin, and what the plugin said through
 * it
 */
#ifndef SCANBENCH_WORKER_HOST_H
#define SCANBENCH_WORKER_HOST_H

#include "loader/loader.h"
#include "problem/guard.h"
#include "problem/input.h"
#include "protocol/fault.h"
#include "protocol/phase.h"
#include "scan_plugin.h"
#include "system/topology.h"
#include "worker/python_process.h"

enum { HOST_PHASES = 24, HOST_REASON_BYTES = FAULT_TEXT_BYTES, STAGING_BYTES = 32 << 20 };
/* The staging memory holds a window of an output, one of an input, and one as it lies in parts. */
enum { STAGING_WINDOW = STAGING_BYTES / 4 };

/* The host memory that plugins take with host->allocate, each block between guards. */
typedef struct scratch {
    cpu_topology *machine;        /* where blocks are placed */
    struct scratch_block *blocks; /* not yet released */
    uint64_t count;               /* number of blocks */
    bool poison;   /* fill blocks when they are allocated and when they are released */
    uint64_t fail; /* 1: the next allocation fails, 2: the one after, ...; 0: none */
    fault damage;  /* the first write outside a block, if one was found */
} scratch;

/* Checks the guards of all blocks. false if there was a write outside one. */
bool scratch_is_intact(scratch *s);

/* Memory through which the worker copies to and from a device what it does not time. A plugin can
 * pin it (scan_plugin.h, the host's extension staging/1), which makes these copies several times as
 * fast. Timed copies use other memory. */
typedef struct staging {
    scan_staging offer;
    uint32_t pinned;
} staging;

/* What a plugin must not record. */
typedef enum host_mistake {
    HOST_LOST,      /* more names than HOST_PHASES, or a name too long */
    HOST_BAD_TIME,  /* what cannot be a time */
    HOST_BAD_PHASE, /* under a name that is none of device, graph and kernel:<name> */
    HOST_MISTAKES
} host_mistake;

typedef struct worker_host {
    scan_host host;
    cpu_topology *machine;
    python_process *python; /* runs the plugin, if it is written in Python; else NULL */
    bool verbose;
    char reason[HOST_REASON_BYTES]; /* the plugin's reason for the last failure; "" before one */
    size_t phase_count;
    struct {
        phase_name name;
        double ns; /* sum over the run */
    } phases[HOST_PHASES];
    fault mistakes[HOST_MISTAKES]; /* in what was recorded: the first of each kind */
    scratch scratch;
    staging staging;
    struct {
        scan_problem problem;
        int64_t tunables[LOADER_MAX_TUNABLES];
    } shown; /* during a call; poisoned behind it, as a plugin may not keep it */
    struct {
        void *room; /* NULL: there is none yet */
        input_spec spec;
    } kept;                /* the last input of a proof: kept_input.h */
    guarded_pool pages;    /* of buffers that a proof had */
    bool running;          /* inside run, where allocating is a mistake */
    bool allocated_in_run; /* the plugin made that mistake */
} worker_host;

/* `machine` must outlive the host. */
void worker_host_init(worker_host *h, cpu_topology *machine, bool verbose);

/* The staging memory, made unless it is there, until the process ends; it takes no memory before it
 * is used. NULL: errno. */
unsigned char *worker_host_staging(worker_host *h);

/* Called before and after a run whose phases are wanted. Before: `level` (SCAN_RECORD_*) says
 * which, and earlier phases are forgotten. After: level 0 ends recording and keeps the phases. */
void worker_host_record(worker_host *h, uint32_t level);

/* The fault of a call that returned `status`, with the plugin's reason. The host then forgets the
 * reason. */
fault worker_host_fault(worker_host *h, fault_code code, worker_step step, scan_status status);

#endif
