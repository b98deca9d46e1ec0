#include "worker/rank_server.h"

#include "worker/local_compare.h"
#include "worker/rank_question.h"

#include <stdlib.h>
#include <string.h>

/* The id of a new entry, or -1. */
static long add(rank_server *s, local_buffers *b)
{
    for (size_t i = 0; i < s->count; i++)
        if (!s->held[i]) {
            s->held[i] = b;
            return (long)i;
        }
    local_buffers **held = realloc(s->held, (s->count + 1) * sizeof *held);
    if (!held)
        return -1;
    s->held = held;
    held[s->count] = b;
    return (long)s->count++;
}

static void put_handles(const local_buffers *b, rank_answer *a)
{
    a->in = local_buffers_in(b);
    a->out = local_buffers_out(b);
}

static scan_status create(rank_server *s, const rank_question *q, rank_answer *a)
{
    const part_spec spec = {.plugin = s->plugin,
                            .host = s->host,
                            .bytes = (size_t)q->bytes,
                            .misalign_in = (size_t)q->misalign_in,
                            .misalign_out = (size_t)q->misalign_out,
                            .fence = q->fence,
                            .in_place = q->in_place != 0};
    local_buffers *b = calloc(1, sizeof *b);
    if (!b)
        return SCAN_NO_MEMORY;
    scan_status status = local_buffers_create(b, &spec, &a->found);
    const long id = status == SCAN_OK ? add(s, b) : -1;
    if (id < 0) {
        if (status == SCAN_OK)
            local_buffers_destroy(b);
        free(b);
        return status == SCAN_OK ? SCAN_NO_MEMORY : status;
    }
    a->id = (uint64_t)id;
    put_handles(b, a);
    return SCAN_OK;
}

static scan_status destroy(rank_server *s, uint64_t id)
{
    local_buffers_destroy(s->held[id]);
    free(s->held[id]);
    s->held[id] = NULL;
    return SCAN_OK;
}

static scan_status exchange(rank_server *s, const rank_question *q, local_buffers *b,
                            rank_answer *a)
{
    if (q->verb == RANK_TURN) {
        local_buffers_turn(b);
    } else {
        if (q->other >= s->count || !s->held[q->other])
            return SCAN_ERROR;
        local_buffers_exchange_outputs(b, s->held[q->other]);
    }
    put_handles(b, a);
    return SCAN_OK;
}

static scan_status answer_about(rank_server *s, const rank_question *q, local_buffers *b,
                                rank_answer *a)
{
    switch (q->verb) {
    case RANK_DESTROY:
        return destroy(s, q->id);
    case RANK_EXCHANGE_OUTPUTS:
    case RANK_TURN:
        return exchange(s, q, b, a);
    case RANK_WRITE:
        return local_buffers_write(b, &q->input, q->first, (size_t)q->offset, (size_t)q->bytes);
    case RANK_POISON:
        return local_buffers_poison(b);
    case RANK_RESTORE:
        return local_buffers_restore(b);
    case RANK_PUT_INPUT:
        return local_buffers_put_input(b, (size_t)q->offset, &q->element, (size_t)q->bytes);
    case RANK_PUT_OUTPUT:
        return local_buffers_put_output(b, (size_t)q->offset, &q->element, (size_t)q->bytes);
    case RANK_GET_OUTPUT:
        return local_buffers_get_output(b, (size_t)q->offset, &a->element, (size_t)q->bytes);
    case RANK_COMPARE:
        a->check = q->check;
        a->check.points = NULL; /* they lie in rank 0 */
        return local_buffers_compare(b, &a->check, (size_t)q->offset, (size_t)q->bytes);
    case RANK_GUARDS:
        return local_buffers_guards(b, &a->found);
    case RANK_ARE_LOCAL:
        a->yes = local_buffers_are_local(b, s->host->machine);
        return SCAN_OK;
    case RANK_TOUCH:
        return SCAN_OK;
    default:
        return SCAN_ERROR;
    }
}

scan_status rank_server_answer(void *context, const void *question, uint64_t question_bytes,
                               void *answer, uint64_t answer_bytes)
{
    rank_server *s = context;
    rank_question q;
    rank_answer a = {.found = {.code = FAULT_NONE}};
    if (question_bytes != sizeof q || answer_bytes != sizeof a)
        return SCAN_ERROR;
    memcpy(&q, question, sizeof q);
    if (q.verb == RANK_CREATE)
        a.status = create(s, &q, &a);
    else if (q.id < s->count && s->held[q.id])
        a.status = answer_about(s, &q, s->held[q.id], &a);
    else
        a.status = SCAN_ERROR;
    memcpy(answer, &a, sizeof a);
    return SCAN_OK;
}

void rank_server_free(rank_server *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->held[i])
            destroy(s, i);
    free(s->held);
    *s = (rank_server){0};
}
