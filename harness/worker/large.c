#include "worker/large.h"

#include "problem/guard.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- threads ---------------------------------------------------------------- */

/* A thread takes some 20 us to start; this many bytes take ten times as long. */
#define LEAST_BYTES ((size_t)1 << 20)

typedef struct member {
    const cpu_topology *machine;
    parallel_work work;
    void *context;
    unsigned part;
    pthread_t thread;
    bool started;
} member;

unsigned parallel_parts(const cpu_topology *machine, size_t bytes)
{
    const size_t most = bytes / LEAST_BYTES;
    unsigned parts = topology_places(machine);
    if (parts > PARALLEL_MOST)
        parts = PARALLEL_MOST;
    if (parts > most)
        parts = (unsigned)most;
    return parts > 1 ? parts : 1;
}

/* A plugin may have bound the thread that this one comes from. */
static void *begin_member(void *argument)
{
    const member *m = argument;
    topology_spread_thread(m->machine);
    m->work(m->context, m->part);
    return NULL;
}

/* The threads take no signals: handlers that a plugin has set expect its own. */
static void start_all(member *members, unsigned parts)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (unsigned i = 1; i < parts; i++)
        members[i].started =
            pthread_create(&members[i].thread, NULL, begin_member, &members[i]) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void parallel_run(const cpu_topology *machine, unsigned parts, parallel_work work, void *context)
{
    member members[PARALLEL_MOST];
    if (parts == 1) {
        work(context, 0);
        return;
    }
    for (unsigned i = 0; i < parts; i++)
        members[i] = (member){.machine = machine, .work = work, .context = context, .part = i};
    start_all(members, parts);
    for (unsigned i = 0; i < parts; i++)
        if (!members[i].started)
            work(context, i);
    for (unsigned i = 1; i < parts; i++)
        if (members[i].started)
            pthread_join(members[i].thread, NULL);
}

enum { ALIGNED = 1024 }; /* parts begin at multiples of it: bytes or elements */

/* A part of a whole. */
typedef struct range {
    uint64_t first, count;
} range;

static range range_of(uint64_t all, unsigned parts, unsigned part)
{
    const uint64_t most = (all / parts / ALIGNED + 1) * ALIGNED;
    const uint64_t first = most * part < all ? most * part : all;
    return (range){first, all - first < most ? all - first : most};
}

/* ---- writing --------------------------------------------------------------- */

typedef struct writing {
    const large_write *w;
    unsigned parts;
} writing;

static void write_part(void *context, unsigned part)
{
    const writing *all = context;
    const large_write *w = all->w;
    const size_t width = w->spec ? dtype_bytes(w->spec->dtype) : 1;
    const range r = range_of(w->bytes / width, all->parts, part);
    unsigned char *to = (unsigned char *)w->to + r.first * width;
    if (w->spec)
        input_fill(w->spec, w->first + r.first, r.count, to);
    else if (!w->from)
        poison_fill(to, r.count);
    else if (r.count > 0)
        memcpy(to, (const unsigned char *)w->from + r.first, r.count);
}

void large_do(const cpu_topology *machine, large_write w)
{
    writing all = {&w, parallel_parts(machine, w.bytes)};
    parallel_run(machine, all.parts, write_part, &all);
}

/* ---- comparing ------------------------------------------------------------- */

typedef struct comparing {
    const reference *check;
    const unsigned char *input, *output; /* input may be NULL */
    uint64_t count;
    unsigned parts;
    reference part[PARALLEL_MOST];
    reference_sum sum[PARALLEL_MOST];
} comparing;

static const unsigned char *input_at(const comparing *c, uint64_t index)
{
    return c->input ? c->input + index * dtype_bytes(c->check->spec.dtype) : NULL;
}

static const unsigned char *output_at(const comparing *c, uint64_t index)
{
    return c->output + index * dtype_bytes(c->check->dtype);
}

static void sum_part(void *context, unsigned part)
{
    comparing *c = context;
    const range r = range_of(c->count, c->parts, part);
    if (part + 1 < c->parts) /* nothing comes after the last */
        c->sum[part] = reference_part_sum(c->check, c->check->checked + r.first, r.count);
}

static void compare_part(void *context, unsigned part)
{
    comparing *c = context;
    const range r = range_of(c->count, c->parts, part);
    if (r.count > 0)
        reference_check(&c->part[part], input_at(c, r.first), output_at(c, r.first), r.count);
}

static void begin_parts(comparing *c)
{
    for (unsigned i = 0; i < c->parts; i++) {
        const range r = range_of(c->count, c->parts, i);
        if (r.count == 0)
            continue;
        reference_part_at(&c->part[i], c->check, c->check->checked + r.first,
                          output_at(c, r.first));
        for (unsigned k = 0; reference_needs_sums(c->check) && k < i; k++)
            reference_part_skip(&c->part[i], &c->sum[k]);
    }
}

void large_check_parts(const cpu_topology *machine, unsigned parts, reference *check,
                       const large_output *o)
{
    comparing *c = calloc(1, sizeof *c); /* the stack may be small */
    if (!c) {
        reference_check(check, o->input, o->output, o->count);
        return;
    }
    c->check = check;
    c->input = o->input;
    c->output = o->output;
    c->count = o->count;
    c->parts = parts;
    if (reference_needs_sums(check))
        parallel_run(machine, parts, sum_part, c);
    begin_parts(c);
    parallel_run(machine, parts, compare_part, c);
    for (unsigned i = 0; i < parts; i++) {
        const range r = range_of(c->count, parts, i);
        if (r.count > 0 && !reference_join(check, &c->part[i]))
            reference_check(check, input_at(c, r.first), output_at(c, r.first), r.count);
    }
    free(c);
}

void large_check(const cpu_topology *machine, reference *check, const large_output *o)
{
    const unsigned parts = parallel_parts(machine, o->count * dtype_bytes(check->dtype));
    if (parts == 1 || !reference_has_parts(check))
        reference_check(check, o->input, o->output, o->count);
    else
        large_check_parts(machine, parts, check, o);
}
