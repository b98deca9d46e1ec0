#include "worker/spot_times.h"

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
