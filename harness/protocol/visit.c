#include "protocol/visit.h"

#include <math.h>

/* No visit needs more of anything; a number beyond it is a damaged message. */
enum { MOST = 1 << 24 };

void visit_put(FILE *out, const visit *v)
{
    message_put_u64(out, "untimed", v->untimed);
    message_put_u64(out, "samples", v->samples);
    message_put_u64(out, "recorded", v->recorded);
    message_put_u64(out, "trips", v->trips);
    message_put_u64(out, "batch", v->batch);
}

void visit_put_estimate(FILE *out, const visit_estimate *estimate)
{
    message_put_double(out, "run_ns", estimate->run_ns);
    message_put_double(out, "before_ns", estimate->before_ns);
    message_put_u64(out, "batch", estimate->batch);
}

static bool read_count(const protocol_message *m, const char *key, uint32_t least,
                       uint32_t *value_p)
{
    uint64_t value;
    if (!message_u64(m, key, &value) || value < least || value > MOST)
        return false;
    *value_p = (uint32_t)value;
    return true;
}

bool visit_read(const protocol_message *m, visit *visit_p)
{
    visit v;
    if (!read_count(m, "untimed", 0, &v.untimed) || !read_count(m, "samples", 1, &v.samples) ||
        !read_count(m, "recorded", 0, &v.recorded) || !read_count(m, "trips", 0, &v.trips) ||
        !read_count(m, "batch", 1, &v.batch))
        return false;
    *visit_p = v;
    return true;
}

bool visit_read_estimate(const protocol_message *m, visit_estimate *estimate_p)
{
    visit_estimate estimate;
    if (!message_double(m, "run_ns", &estimate.run_ns) || !(estimate.run_ns >= 0) ||
        !message_double(m, "before_ns", &estimate.before_ns) || !(estimate.before_ns >= 0) ||
        !read_count(m, "batch", 1, &estimate.batch))
        return false;
    *estimate_p = estimate;
    return true;
}

void visit_put_spin(FILE *out, const visit_spin *spin)
{
    message_put_double(out, "chain_ns", spin->chain_ns);
    message_put_double(out, "adds_ns", spin->adds_ns);
}

visit_spin visit_read_spin(const protocol_message *m)
{
    visit_spin spin = {0};
    const bool there = message_double(m, "chain_ns", &spin.chain_ns) &&
                       message_double(m, "adds_ns", &spin.adds_ns) && isfinite(spin.chain_ns) &&
                       isfinite(spin.adds_ns) && spin.chain_ns > 0 && spin.adds_ns > 0;
    return there ? spin : (visit_spin){0};
}
