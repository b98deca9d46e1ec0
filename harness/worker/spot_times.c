#include "worker/spot_times.h"

/* After a copy the host's caches hold other code. */
#define PACE_SLACK_NS 5e3

void spot_times_least(double *least_p, double ns)
{
    if (ns > 0 && !(*least_p > 0 && *least_p <= ns))
        *least_p = ns;
}

double spot_times_most(const spot_times *t)
{
    return 3 * t->idle_ns + 0.5 * t->run_ns + SPOT_SLACK_NS;
}

void spot_times_keep(spot_times *all, const spot_times *one)
{
    all->looks += one->looks;
    if (one->late_ns > spot_times_most(one)) {
        all->late++;
        all->late_ns = one->late_ns;
    }
    spot_times_least(&all->in_ns, one->in_ns);
    spot_times_least(&all->poison_ns, one->poison_ns);
    spot_times_least(&all->idle_ns, one->idle_ns);
    spot_times_least(&all->run_ns, one->run_ns);
}

double spot_pace_most(double same_ns)
{
    return 3 * same_ns + PACE_SLACK_NS;
}

void spot_pace_keep(spot_pace *all, double changed_ns, double same_ns)
{
    if (!(changed_ns > 0 && same_ns > 0))
        return;
    all->visits++;
    all->uneven += changed_ns > spot_pace_most(same_ns);
}
