#include "sweep/physics.h"

#include "problem/dtype.h"

#include <math.h>

/* A core's bytes in a nanosecond; a device's where the spin is not known. */
static double core_bytes_per_ns(const measurement_spins *s)
{
    double chain_ns = INFINITY;
    for (size_t i = 0; i < s->count; i++)
        chain_ns = fmin(chain_ns, s->chain_ns[i]);
    const double cycle_ns = chain_ns / (SPIN_MULTIPLICATIONS * PHYSICS_MULTIPLICATION_CYCLES);
    return isfinite(cycle_ns) && cycle_ns > 0 ? PHYSICS_BYTES_PER_CYCLE / cycle_ns
                                              : PHYSICS_DEVICE_BYTES_PER_NS;
}

double physics_least_ns(const measurement *m)
{
    const configuration *c = m->configuration;
    const double bytes = (double)job_moved_bytes(&c->job);
    const double parts = c->parts > 1 ? c->parts : 1, threads = c->threads > 1 ? c->threads : 1;
    const double each = m->session->plugin->device_memory ? PHYSICS_DEVICE_BYTES_PER_NS
                                                          : threads * core_bytes_per_ns(&m->spins);
    return bytes / (parts * each);
}

/* Does the phase cover all of the work? */
static bool is_whole(const measurement_phase *p)
{
    return phase_scope_of(p->name.kind) == PHASE_WHOLE;
}

/* A launch takes microseconds, and a library allocates or waits in run: more than that, and half of
 * the device's time. */
#define UNEXPLAINED_NS 2e5
#define UNEXPLAINED_SHARE 0.5

static bool device_is_short(const measurement *m)
{
    const measurement_phase *run = measurement_run(m);
    const measurement_phase *device = measurement_find(m, &(phase_name){.kind = PHASE_DEVICE});
    return run && device && !(m->session->plugin->flags & SCAN_FLAG_ALLOCATES_IN_RUN) &&
           run->interval.median >
               (1 + UNEXPLAINED_SHARE) * device->interval.median + UNEXPLAINED_NS;
}

void physics_judge(measurement *m)
{
    const double least_ns = physics_least_ns(m);
    if (m->result.status != ROW_OK)
        return;
    if (device_is_short(m))
        row_flags_add(m->result.flags, sizeof m->result.flags, "device_below_run");
    for (size_t i = 0; i < m->phase_count; i++) {
        const measurement_phase *p = &m->phases[i];
        char name[PHASE_TEXT_BYTES];
        if (!is_whole(p) || !(p->interval.median < least_ns))
            continue;
        m->result.fault = fault_with_text(FAULT_BEYOND_PHYSICS, phase_print(&p->name, name));
        m->result.fault.ns = p->interval.median;
        m->result.fault.expected_ns = least_ns;
        m->result.fault.bytes = job_moved_bytes(&m->configuration->job);
        m->result.status = fault_status(FAULT_BEYOND_PHYSICS);
        return;
    }
}
