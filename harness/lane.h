/*
 * lane.h - one plugin on one device: its worker, where that is bound, and what the
 * plugin's probe found
 */
#ifndef SCANBENCH_LANE_H
#define SCANBENCH_LANE_H

#include "catalog.h"
#include "child.h"
#include "job.h"
#include "topology.h"

typedef struct lane_device {
    uint32_t flags; /* SCAN_DEVICE_* */
    char name[128];
    char driver[128];
    uint64_t memory_bytes;
    uint32_t max_block;
    uint32_t clock_mhz;
} lane_device;

typedef struct lane {
    const catalog_plugin *plugin;
    uint32_t device_index;
    binding_kind binding_kind;
    int core; /* --pin, or -1 */
    double timeout_s;
    bool verbose;

    child worker; /* pid 0 between a failure and the next job */
    char binding[96];
    unsigned places;
    lane_device device;
    double load_ns;     /* that the last worker took to load the file */
    bool in_words;      /* did the last probe that found nothing say why? */
    const char *status; /* "ok", or what every row of it gets: "unavailable", "crashed", ... */
    char reason[768];
} lane;

/* What became of a job. */
typedef struct lane_result {
    const char *status; /* "ok", "wrong", "unsupported", "skipped", "crashed", "timeout", ... */
    char reason[768];
    bool verified;
    bool has_error;
    double max_rel_error;
    unsigned clock_mhz; /* 0: unknown */
    char flags[128];
    bool has_first_bad; /* there is a wrong element: */
    bool unwritten;     /* nobody wrote it */
    uint64_t first_bad; /* its index */
    char got[96], expected[96];
} lane_result;

/* Called for each phase a job sends; `samples` as text, comma-separated. */
typedef void (*lane_phase)(void *context, const char *name, unsigned batch, const char *stop,
                           const char *samples);
/* Called whenever the worker shows a sign of life; may be NULL. */
typedef void (*lane_tick)(void *context);

/* Starts the workers of all lanes, binds them and probes their devices, side by
 * side. What fails is in each lane's status. false when interrupted. */
bool lanes_open(lane *lanes, size_t count);
void lane_close(lane *l);
/* Ends the worker, so that the next job finds one that has done nothing before. */
void lane_renew(lane *l);

/* Starts a worker that has done nothing but load the file; what fails is in the lane's
 * status. false when interrupted. */
bool lane_reload(lane *l);

/* Asks an open lane for another device. SCAN_OK and *device_p; SCAN_UNAVAILABLE and
 * the reason; SCAN_ERROR where the worker is gone. */
scan_status lane_probe(lane *l, uint32_t index, lane_device *device_p, char *reason, size_t size);

/*
 * Does one job, starting the worker again if the last job ended it. A worker that
 * dies, hangs or sends garbage is a result. false when interrupted, and then
 * *result_p is not written.
 */
bool lane_do(lane *l, const job *j, lane_phase phase, lane_tick tick, void *context,
             lane_result *result_p);

#endif
