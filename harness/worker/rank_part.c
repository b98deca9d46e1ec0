/*
 * rank_part.c - a part in the process of another rank: both ends of what is asked about it
 */
#include "worker/buffers.h"

#include <stdlib.h>
#include <string.h>

/* ---- rank 0 asks ---------------------------------------------------------------- */

static scan_status ask_rank(const rank_place *place, const part_question *q, part_answer *answer_p)
{
    *answer_p = (part_answer){.status = SCAN_ERROR};
    const scan_status status =
        place->ranks->ask(place->exported, place->rank, q, sizeof *q, answer_p, sizeof *answer_p);
    return status == SCAN_OK ? answer_p->status : status;
}

scan_status part_create(part *p_p, const part_spec *spec, const rank_place *place, fault *fault_p)
{
    part_answer answer;
    if (!place)
        return part_create_here(p_p, spec, fault_p);
    const part_question q = {.verb = PART_CREATE,
                             .bytes = spec->bytes,
                             .misalign_in = spec->misalign_in,
                             .misalign_out = spec->misalign_out,
                             .fence = spec->fence,
                             .in_place = spec->in_place};
    const scan_status status = ask_rank(place, &q, &answer);
    if (answer.found.code != FAULT_NONE)
        *fault_p = answer.found;
    if (status == SCAN_OK)
        *p_p = (part){.place = *place, .id = answer.id, .in = answer.in, .out = answer.out};
    return status;
}

/* Points to keep lie in rank 0. */
static scan_status ask_elsewhere(part *p, part_question *q, part_answer *answer_p)
{
    reference_point *const points = q->check.points;
    q->id = p->id;
    q->check.points = NULL;
    const scan_status status = ask_rank(&p->place, q, answer_p);
    answer_p->check.points = points;
    if (status == SCAN_OK) {
        p->in = answer_p->in;
        p->out = answer_p->out;
    }
    return status;
}

scan_status part_ask(part *p, part_question q, part_answer *answer_p)
{
    *answer_p = (part_answer){.status = SCAN_OK};
    return p->place.ranks ? ask_elsewhere(p, &q, answer_p)
                          : part_answer_here(p, &q, NULL, answer_p);
}

scan_status part_tell(part *p, part_question q)
{
    part_answer answer;
    return part_ask(p, q, &answer);
}

scan_status part_exchange_outputs(part *one, part *other)
{
    part_answer answer = {.status = SCAN_OK};
    part_question q = {.verb = PART_EXCHANGE_OUTPUTS, .other = other->id};
    const scan_buffer out = one->out;
    if (!one->place.ranks)
        return part_answer_here(one, &q, other, &answer);
    const scan_status status = ask_elsewhere(one, &q, &answer);
    if (status == SCAN_OK)
        other->out = out;
    return status;
}

/* ---- the rank answers ------------------------------------------------------------ */

/* A part that it holds for rank 0, which names it by its address. */
typedef struct held_part {
    part part;
    struct held_part *next;
} held_part;

typedef struct rank_server {
    const scan_plugin *plugin; /* the host's complete copy */
    worker_host *host;
    held_part *first;
} rank_server;

/* Where the part of that name hangs in the list; NULL: it does not. */
static held_part **find(rank_server *s, uint64_t id)
{
    held_part **at = &s->first;
    while (*at && (uintptr_t)*at != id)
        at = &(*at)->next;
    return *at ? at : NULL;
}

static void answer_handles(const part *p, part_answer *a)
{
    a->in = p->in;
    a->out = p->out;
}

static scan_status create(rank_server *s, const part_question *q, part_answer *a)
{
    const part_spec spec = {.plugin = s->plugin,
                            .host = s->host,
                            .bytes = (size_t)q->bytes,
                            .out_bytes = (size_t)q->bytes,
                            .misalign_in = (size_t)q->misalign_in,
                            .misalign_out = (size_t)q->misalign_out,
                            .fence = q->fence,
                            .in_place = q->in_place != 0};
    held_part *held = calloc(1, sizeof *held);
    if (!held)
        return SCAN_NO_MEMORY;
    const scan_status status = part_create_here(&held->part, &spec, &a->found);
    if (status != SCAN_OK) {
        free(held);
        return status;
    }
    held->next = s->first;
    s->first = held;
    a->id = (uintptr_t)held;
    answer_handles(&held->part, a);
    return SCAN_OK;
}

static scan_status forget(held_part **at)
{
    held_part *held = *at;
    *at = held->next;
    const scan_status status = part_tell(&held->part, (part_question){.verb = PART_DESTROY});
    free(held);
    return status;
}

static scan_status answer_about(rank_server *s, const part_question *q, part_answer *a)
{
    held_part **at = find(s, q->id), **other = find(s, q->other);
    if (!at)
        return SCAN_ERROR;
    if (q->verb == PART_DESTROY)
        return forget(at);
    part *p = &(*at)->part;
    const scan_status status = part_answer_here(p, q, other ? &(*other)->part : NULL, a);
    answer_handles(p, a);
    return status;
}

/* A scan_answer; context: a rank_server. */
static scan_status answer(void *context, const void *question, uint64_t question_bytes,
                          void *answer_p, uint64_t answer_bytes)
{
    rank_server *s = context;
    part_question q;
    part_answer a = {.found = {.code = FAULT_NONE}};
    if (question_bytes != sizeof q || answer_bytes != sizeof a)
        return SCAN_ERROR;
    memcpy(&q, question, sizeof q);
    a.status = q.verb == PART_CREATE ? create(s, &q, &a) : answer_about(s, &q, &a);
    memcpy(answer_p, &a, sizeof a);
    return SCAN_OK;
}

scan_status part_serve(const scan_plugin *plugin, const rank_place *place, worker_host *host)
{
    rank_server s = {.plugin = plugin, .host = host};
    const scan_status status = place->ranks->serve(&host->host, place->exported, answer, &s);
    while (s.first)
        forget(&s.first);
    return status;
}
