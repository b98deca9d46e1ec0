/*
 * visit.h - one visit to a configuration that is open in a worker: what the supervisor asks for,
 * and what it is told of a configuration that waits for the next
 *
 * Commands of a configuration, all with id=:
 *     job       mode=JOB_MEASURE and the rest of a job (job.h): opens it
 *     visit     untimed= samples= recorded= trips= batch=
 *     release   its buffers, until the next visit
 *     close
 *     drop      closes it without a comparison
 * Each is answered by step, phase and watch (watch.h) messages and then by `waits`, or by `done` if
 * the configuration is closed.
 */
#ifndef SCANBENCH_PROTOCOL_VISIT_H
#define SCANBENCH_PROTOCOL_VISIT_H

#include "protocol/message.h"

typedef struct visit {
    uint32_t untimed;  /* samples that are not kept, before the others */
    uint32_t samples;  /* of run */
    uint32_t recorded; /* of each phase that the plugin records */
    uint32_t trips;    /* of the copies, and of both with a run between them */
    uint32_t batch;    /* runs a sample */
} visit;

/* What is known of an open configuration: */
typedef struct visit_estimate {
    double run_ns;    /* time of a run, roughly */
    double before_ns; /* and of what precedes a sample, untimed: displacing caches */
    uint32_t batch;   /* runs that make an interval long enough for the clock */
} visit_estimate;

/* The chain of a spin; the length of a cycle follows from it (sweep/physics.h). */
enum { SPIN_MULTIPLICATIONS = 5000 };

/* How fast the core was around a visit; zeros: unknown. worker/frozen.h */
typedef struct visit_spin {
    double chain_ns; /* of a fixed chain of dependent multiplications */
    double adds_ns;  /* of fixed independent additions */
} visit_spin;

/* The fields, without begin and end. */
void visit_put_spin(FILE *out, const visit_spin *spin);
void visit_put(FILE *out, const visit *v);
void visit_put_estimate(FILE *out, const visit_estimate *estimate);
/* false if a field is missing or out of range. */
bool visit_read(const protocol_message *m, visit *visit_p);
bool visit_read_estimate(const protocol_message *m, visit_estimate *estimate_p);
/* Zeros where there is none. */
visit_spin visit_read_spin(const protocol_message *m);

#endif
