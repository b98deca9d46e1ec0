/*
 * watch_visit.h - watches the machine while the samples of `run` of one visit are taken
 */
#ifndef SCANBENCH_WORKER_WATCH_VISIT_H
#define SCANBENCH_WORKER_WATCH_VISIT_H

#include "worker/gpu_watch.h"
#include "worker/thread_watch.h"
#include "worker/trial.h"

#include <sys/resource.h>

/* Of one worker. */
typedef struct worker_watch {
    const scan_plugin *plugin; /* whose device `gpu` is */
    uint32_t device;
    gpu_watch *gpu; /* or NULL */
    thread_watch threads;
    struct rusage start;
    double start_ns;
    watch seen;     /* of this visit */
    double next_ns; /* when the system is asked again; `seen` keeps its values until then */
} worker_watch;

/* Finds the GPU of the trial's device, if it is one. */
void watch_open(trial *e);

/* Around the samples; they return true. */
bool watch_begin(trial *e);
bool watch_end(trial *e);
/* Asks the system and sends the message of the visit, in which the plugin ran `runs` times. */
void watch_send(trial *e, uint64_t runs);

#endif
