#include "proof/reach.h"

#include "problem/names.h"

#include <inttypes.h>
#include <string.h>

/* A size is slow if one configuration takes this long. */
#define SLOW_S 0.2
/* How long one claim, and the whole proof of a plugin, may take before slow sizes are left out. */
#define CLAIM_S 5.0
#define PROOF_S 60.0

/* A run takes long if it takes this long, whatever its n is; a test of behaviour is many runs. */
#define DEAR_RUN_S 0.05
#define DEAR_BEHAVIOUR_S 5.0
/* What claims may take together, and each of them once that is spent, as shares of --claim-limit.
 */
#define ALL_CLAIMS 6.0
#define AFTERWARDS 0.05

void reach_note_passed(proof_reach *r, const job *j)
{
    r->largest_n = j->n > r->largest_n ? j->n : r->largest_n;
    r->types[j->op][j->dtype] = true;
    for (uint32_t i = 0; i < j->tunable_count; i++) {
        const int64_t value = j->tunables[i];
        if (r->passed == 0 || value < r->settings[i].least)
            r->settings[i].least = value;
        if (r->passed == 0 || value > r->settings[i].greatest)
            r->settings[i].greatest = value;
    }
    r->passed++;
}

void reach_note_refused(proof_reach *r, const job *j, const char *why)
{
    if (r->refused++ == 0)
        snprintf(r->refusal, sizeof r->refusal, "%s %s n=%" PRIu64 ": %s", dtype_name(j->dtype),
                 op_name(j->op), j->n, why);
}

void reach_note_time(proof_reach *r, const job *j, double seconds)
{
    enum { LEAST_N = 4096 }; /* below, n is not what takes the time */
    if (j->mode != JOB_CHECK || j->n <= LEAST_N)
        return;
    if (seconds < SLOW_S * j->repeat) {
        if (j->n >= r->slow_n) { /* the machine was busy */
            r->slow_n = 0;
            r->slow_runs = 0;
        }
        return;
    }
    r->slow_s += seconds;
    r->slow_runs++;
    if (r->slow_n == 0 || j->n < r->slow_n)
        r->slow_n = j->n;
}

void reach_note_dear(proof_reach *r, const job *j, double seconds)
{
    const double most_s = j->mode == JOB_CHECK ? DEAR_RUN_S * j->repeat : DEAR_BEHAVIOUR_S;
    if (seconds > most_s)
        r->dear_s += seconds;
}

bool reach_is_over(const proof_reach *all, const proof_reach *own, double limit_s)
{
    const bool spent = all->dear_s > ALL_CLAIMS * limit_s;
    return own->dear_s > (spent ? AFTERWARDS : 1) * limit_s;
}

bool reach_is_slow(const proof_reach *r, uint64_t n)
{
    enum { SURE = 4 };
    return r->slow_runs >= SURE && n >= r->slow_n;
}

bool reach_must_hurry(const proof_reach *r, uint64_t n, double seconds)
{
    if (!reach_is_slow(r, n))
        return false;
    return seconds > (r->slow_s > PROOF_S ? SLOW_S : CLAIM_S);
}

void reach_put_types(FILE *out, const proof_reach *r)
{
    bool first = true;
    for (uint32_t op = 0; op < SCAN_OP_COUNT; op++) {
        bool any = false;
        for (uint32_t dtype = 0; dtype < SCAN_DTYPE_COUNT; dtype++)
            if (r->types[op][dtype]) {
                fprintf(out, "%s%s", any ? " " : first ? "" : ", ", dtype_name(dtype));
                any = true;
                first = false;
            }
        if (any)
            fprintf(out, " %s", op_name(op));
    }
}
