#include "worker/open_set.h"

#include "worker/done_message.h"
#include "worker/measure.h"
#include "worker/trial_check.h"
#include "worker/watch_visit.h"

#include <stdlib.h>

struct open_configuration {
    job job;
    trial trial;
    visit_estimate estimate;
};

static bool find(const open_set *set, const protocol_message *m, size_t *at_p)
{
    uint64_t id;
    if (!message_u64(m, "id", &id))
        return false;
    for (size_t i = 0; i < set->count; i++)
        if (set->open[i]->job.id == id) {
            *at_p = i;
            return true;
        }
    return false;
}

/* What the host keeps of one configuration starts anew with every command, so that no other is
 * blamed for it. */
static void begin_command(trial *e)
{
    e->host->scratch.damage = (fault){.code = FAULT_NONE};
    e->host->scratch.poison = false;
    e->host->allocated_in_run = false;
}

/* Lets it use the buffers that another configuration has used. */
static void share_buffers(open_set *set, trial *e)
{
    for (size_t i = 0; i < set->count; i++)
        if (&set->open[i]->trial != e)
            trial_take_buffers(e, &set->open[i]->trial);
}

static bool answer_waits(const struct open_configuration *c)
{
    trial_message(&c->trial, "waits");
    visit_put_estimate(c->trial.out, &c->estimate);
    visit_put_spin(c->trial.out, &c->trial.spin);
    return message_end(c->trial.out);
}

/* Ends it and answers done. */
static bool end(struct open_configuration *c)
{
    trial_end(&c->trial);
    if (trial_is_good(&c->trial))
        trial_trespassed(&c->trial);
    const bool sent = done_message_send(&c->trial);
    free(c);
    return sent;
}

static bool end_at(open_set *set, size_t at)
{
    struct open_configuration *c = set->open[at];
    set->open[at] = set->open[--set->count];
    /* Buffers that a faulty run has used may be damaged. */
    for (size_t i = 0; i < set->count && trial_is_good(&c->trial); i++)
        trial_take_buffers(&set->open[i]->trial, &c->trial);
    return end(c);
}

/* Room for one more. */
static bool reserve(open_set *set)
{
    struct open_configuration **open = realloc(set->open, (set->count + 1) * sizeof(void *));
    if (open)
        set->open = open;
    return open != NULL;
}

bool open_set_open(open_set *set, const trial *e, const job *j)
{
    struct open_configuration *c = reserve(set) ? calloc(1, sizeof *c) : NULL;
    if (!c)
        return false;
    c->job = *j;
    c->trial = *e;
    c->trial.job = &c->job;
    begin_command(&c->trial);
    watch_open(&c->trial);
    if (!trial_start(&c->trial))
        return end(c);
    share_buffers(set, &c->trial);
    if (!measure_open(&c->trial, &c->estimate))
        return end(c);
    set->open[set->count++] = c;
    return answer_waits(c);
}

static bool answer(open_set *set, size_t at, bool good)
{
    return good ? answer_waits(set->open[at]) : end_at(set, at);
}

bool open_set_visit(open_set *set, const protocol_message *m)
{
    size_t at;
    visit v;
    if (!find(set, m, &at) || !visit_read(m, &v))
        return false;
    begin_command(&set->open[at]->trial);
    share_buffers(set, &set->open[at]->trial);
    return answer(set, at, measure_visit(&set->open[at]->trial, &v));
}

bool open_set_release(open_set *set, const protocol_message *m)
{
    size_t at;
    if (!find(set, m, &at))
        return false;
    begin_command(&set->open[at]->trial);
    return answer(set, at, measure_release(&set->open[at]->trial));
}

bool open_set_close(open_set *set, const protocol_message *m)
{
    size_t at;
    if (!find(set, m, &at))
        return false;
    begin_command(&set->open[at]->trial);
    share_buffers(set, &set->open[at]->trial);
    measure_close(&set->open[at]->trial);
    return end_at(set, at);
}

bool open_set_drop(open_set *set, const protocol_message *m)
{
    size_t at;
    if (!find(set, m, &at))
        return false;
    begin_command(&set->open[at]->trial);
    return end_at(set, at);
}
