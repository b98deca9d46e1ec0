#include "commands/profile.h"

#include "supervisor/interrupt.h"
#include "system/nvtx.h"

/* What became of the configurations. */
typedef struct profile {
    study *study;
    size_t counts[ROW_STATUS_COUNT];
} profile;

/* What is asked for and not done. */
static void warn(const options *o)
{
    if (!nvtx_is_built_in())
        fputs("scanbench: --profile: built without NVTX, so there are no ranges\n", stderr);
    if (o->output.csv || o->output.samples)
        fputs("scanbench: --profile measures nothing, so no file is written\n", stderr);
}

/* Runs one that the plan does not rule out. false when interrupted. */
static bool run_one(profile *p, configuration *c, job_result *result_p)
{
    const session_listener nobody = {.phase = NULL};
    session *one = &p->study->session_set.sessions[c->session];
    c->job.mode = JOB_PROFILE;
    return session_run_job(one, &c->job, &nobody, result_p);
}

static void note(profile *p, const configuration *c, const job_result *r)
{
    p->counts[r->status]++;
    if (row_status_is_failure(r->status)) {
        char reason[FAULT_SENTENCE_BYTES];
        fprintf(stderr, "scanbench: %s: %s: %s\n", c->job.label, row_status_word(r->status),
                fault_text(&r->fault, reason, sizeof reason));
    }
}

static void print_counts(const profile *p)
{
    const char *comma = "";
    fputs("scanbench: configurations:", stderr);
    for (size_t i = 0; i < ROW_STATUS_COUNT; i++)
        if (p->counts[i]) {
            fprintf(stderr, "%s %zu %s", comma, p->counts[i], row_status_word((row_status)i));
            comma = ",";
        }
    fputc('\n', stderr);
}

int profile_main(const options *o, study *s)
{
    profile p = {.study = s};
    warn(o);
    for (size_t i = 0; i < s->plan.count; i++) {
        configuration c = plan_get(&s->plan, i);
        job_result r = {.status = c.status};
        plan_describe(&c, s->session_set.sessions, c.job.label, sizeof c.job.label);
        if (c.status == ROW_OK && (interrupt_requested() || !run_one(&p, &c, &r)))
            return interrupt_status();
        if (c.status != ROW_OK)
            r.fault = fault_with_text(FAULT_IN_WORDS, c.reason);
        note(&p, &c, &r);
    }
    if (!o->quiet)
        print_counts(&p);
    for (size_t i = 0; i < ROW_STATUS_COUNT; i++)
        if (p.counts[i] && row_status_is_failure((row_status)i))
            return (int)row_status_exit((row_status)i);
    return EXIT_GOOD;
}
