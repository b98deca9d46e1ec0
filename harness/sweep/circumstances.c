#include "sweep/circumstances.h"

/* Limits of the flags. */
#define MOST_STEAL_PCT 1.0
#define VISITS_PER_SWITCH 10    /* more than one involuntary switch in this many visits and */
#define SWITCHES_PER_SECOND 20. /* more than this many a second and thread: someone else ran */
#define FAULTS_PER_VISIT 2
#define VISITS_PER_THROTTLE 10

const char *circumstance_flag_word(circumstance_flag r)
{
    static const char *const flags[FLAGS] = {
#define X(name, flag) flag,
        CIRCUMSTANCE_FLAG_MAP(X)
#undef X
    };
    return flags[r];
}

void circumstances_add(circumstances *c, const watch *seen)
{
    c->visits++;
    c->switches += seen->switches;
    c->faults += seen->faults;
    c->ns += seen->ns;
    for (int i = 0; i < WATCH_VALUES; i++) {
        const watch_value v = seen->values[i];
        circumstance *one = &c->values[i];
        if (!v.known)
            continue;
        one->visits++;
        one->sum += v.value;
        one->nonzero += v.value > 0;
        one->bits |= v.value;
        if (v.value > one->most)
            one->most = v.value;
    }
}

/* The kernel's own threads interrupt a long run a few times a second. */
static bool is_interrupted(const circumstances *c)
{
    const double threads = c->threads ? c->threads : 1;
    return c->switches * VISITS_PER_SWITCH > c->visits &&
           (double)c->switches > SWITCHES_PER_SECOND * threads * c->ns * 1e-9;
}

/* Do others keep more than half of the machine busy? */
static bool is_loaded(const circumstances *c)
{
    return c->has_load && c->others > c->cpus / 2.0;
}

/* Did twice as many threads compute as there were cores, or did a plugin that had one core ask how
 * many it may use, as libraries do before they start threads? */
static bool lacks_cores(const circumstances *c)
{
    const unsigned cores = circumstances_mean(c, WATCH_CORES);
    return cores > 0 && (circumstances_mean(c, WATCH_THREADS) >= 2 * cores ||
                         (cores == 1 && c->values[WATCH_CORES_ASKED].most > 0));
}

bool circumstances_are(const circumstances *c, circumstance_flag r)
{
    const circumstance *throttle = &c->values[WATCH_GPU_THROTTLE];
    switch (r) {
    case FLAG_BUSY:
        return is_interrupted(c) || is_loaded(c) || (c->has_steal && c->steal_pct > MOST_STEAL_PCT);
    case FLAG_FAULTS:
        return c->faults > FAULTS_PER_VISIT * c->visits;
    case FLAG_THROTTLED:
        return throttle->nonzero * VISITS_PER_THROTTLE > throttle->visits;
    case FLAG_GPU_SHARED:
        return c->values[WATCH_GPU_PROCESSES].most > 0;
    case FLAG_THREADS:
        return lacks_cores(c);
    case FLAGS:
        break;
    }
    return false;
}

unsigned circumstances_mean(const circumstances *c, watch_value_name name)
{
    const circumstance *one = &c->values[name];
    return one->visits ? (unsigned)((one->sum + one->visits / 2) / one->visits) : 0;
}
