/*
 * session.h - one plugin on one device: its worker, the worker's binding, and what the plugin's
 * probe found
 */
#ifndef SCANBENCH_SUPERVISOR_SESSION_H
#define SCANBENCH_SUPERVISOR_SESSION_H

#include "protocol/fault.h"
#include "protocol/job.h"
#include "protocol/phase.h"
#include "protocol/status.h"
#include "protocol/visit.h"
#include "supervisor/registry.h"
#include "supervisor/worker_process.h"
#include "system/topology.h"

typedef struct session {
    const plugin_info *plugin;
    uint32_t device_index;
    binding_kind binding_kind;
    int core;             /* the core of --pin, or -1 */
    const char *launcher; /* what starts its worker as several ranks, or NULL */
    double timeout_s;
    bool verbose;

    plugin_build build;    /* with which the run began */
    worker_process worker; /* pid 0 between a failure and the next configuration */
    char binding[96];
    unsigned places;
    pid_t python; /* the interpreter that its worker started, or 0 */
    scan_device device;
    unsigned starts;                   /* of workers: what an earlier one had open is lost */
    double load_ns;                    /* that the last worker took to load the file */
    double ended_ns;                   /* CPU time of the workers that have ended */
    row_status status;                 /* ROW_OK, or what every row of it gets */
    fault fault;                       /* why; FAULT_NONE with ROW_OK */
    char reason[FAULT_SENTENCE_BYTES]; /* the fault in words */
} session;

/* The outcome of a configuration. */
typedef struct job_result {
    row_status status;
    fault fault; /* why; FAULT_NONE with ROW_OK */
    bool verified;
    uint64_t runs;  /* of BEHAVE_RACES, with the one that is wrong; else 0 */
    bool has_error; /* of a comparison (reference.h): */
    double max_rel_error, max_ulps;
    char flags[128];
    bool unknown_phase; /* one came under an unknown name and was dropped: the flags say so */
    bool waits;         /* open for visits: nothing became of it yet, and the rest is not set */
    visit_estimate estimate;
} job_result;

/* What may be asked of a configuration that is measured. */
typedef enum session_verb {
    SESSION_OPEN,
    SESSION_VISIT,
    SESSION_RELEASE, /* its buffers, until the next visit */
    SESSION_CLOSE,
    SESSION_DROP /* closes it without a comparison */
} session_verb;

typedef struct session_request {
    session_verb verb;
    const job *job;     /* of mode JOB_MEASURE, with its id */
    const visit *visit; /* SESSION_VISIT */
} session_request;

/* Called for each phase a job sends; `samples` as text, comma-separated. A phase under
 * an unknown name is dropped, and the result's flags say so. */
typedef void (*session_phase)(void *context, const phase_name *name, unsigned batch,
                              const char *samples);
/* Called for each visit; may be NULL. */
typedef void (*session_watch)(void *context, const watch *seen);
/* Called whenever the worker shows a sign of life; may be NULL. */
typedef void (*session_tick)(void *context);

typedef struct session_listener {
    session_phase phase;
    session_watch watch;
    session_tick tick;
    void *context;
} session_listener;

/* Starts the workers of all sessions, binds them and probes their devices, side by
 * side. What fails is in each session's status. false when interrupted. */
bool sessions_open(session *sessions, size_t count);
void session_close(session *s);
/* Ends the worker, so that the next job runs in a new one. */
void session_renew(session *s);

/* The CPU time of all its workers so far. */
double session_cpu_ns(const session *s);

/* Starts a new worker, which loads the file and does nothing else. A failure becomes the session's
 * status. false when interrupted. */
bool session_reload(session *s);

/* Asks an open session for another device. SCAN_OK and *device_p; SCAN_UNAVAILABLE and *fault_p; or
 * SCAN_ERROR and *fault_p if the probe failed or the worker is gone. */
scan_status session_probe(session *s, uint32_t index, scan_device *device_p, fault *fault_p);

/*
 * Runs one configuration, in a new worker if the last one ended. A worker that dies, hangs or
 * sends malformed messages is a result. false when interrupted, and then
 * *result_p is not written.
 */
bool session_run_job(session *s, const job *j, const session_listener *listener,
                     job_result *result_p);

/*
 * The same of one command of a configuration that is measured. It is open as long as the result
 * waits and the session's `starts` stay the same; SESSION_OPEN alone starts a worker.
 */
bool session_ask(session *s, const session_request *request, const session_listener *listener,
                 job_result *result_p);

#endif
