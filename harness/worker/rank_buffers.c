#include "worker/rank_buffers.h"

#include <string.h>

static scan_status ask(const rank_place *place, const rank_question *q, rank_answer *answer_p)
{
    *answer_p = (rank_answer){.status = SCAN_ERROR};
    const scan_status status =
        place->ranks->ask(place->exported, place->rank, q, sizeof *q, answer_p, sizeof *answer_p);
    return status == SCAN_OK ? answer_p->status : status;
}

scan_status rank_buffers_create(rank_buffers *b_p, const part_spec *spec, const rank_place *place,
                                fault *fault_p)
{
    const rank_question q = {.verb = RANK_CREATE,
                             .bytes = spec->bytes,
                             .misalign_in = spec->misalign_in,
                             .misalign_out = spec->misalign_out,
                             .fence = spec->fence,
                             .in_place = spec->in_place};
    rank_answer answer;
    const scan_status status = ask(place, &q, &answer);
    if (answer.found.code != FAULT_NONE)
        *fault_p = answer.found;
    if (status == SCAN_OK)
        *b_p = (rank_buffers){*place, answer.id, answer.in, answer.out};
    return status;
}

static scan_status ask_about(const rank_buffers *b, rank_question q, rank_answer *answer_p)
{
    q.id = b->id;
    return ask(&b->place, &q, answer_p);
}

scan_status rank_buffers_do(const rank_buffers *b, rank_question q)
{
    rank_answer answer;
    return ask_about(b, q, &answer);
}

void rank_buffers_destroy(rank_buffers *b)
{
    rank_buffers_do(b, (rank_question){.verb = RANK_DESTROY});
    *b = (rank_buffers){.id = 0};
}

static void take_handles(rank_buffers *b, const rank_answer *answer)
{
    b->in = answer->in;
    b->out = answer->out;
}

void rank_buffers_exchange_outputs(rank_buffers *one, rank_buffers *other)
{
    rank_answer answer;
    const scan_buffer out = one->out;
    const rank_question q = {.verb = RANK_EXCHANGE_OUTPUTS, .other = other->id};
    if (ask_about(one, q, &answer) == SCAN_OK) {
        take_handles(one, &answer);
        other->out = out;
    }
}

void rank_buffers_turn(rank_buffers *b)
{
    rank_answer answer;
    if (ask_about(b, (rank_question){.verb = RANK_TURN}, &answer) == SCAN_OK)
        take_handles(b, &answer);
}

scan_status rank_buffers_put(const rank_buffers *b, rank_verb verb, size_t offset, const void *from,
                             size_t bytes)
{
    rank_question q = {.verb = verb, .offset = offset, .bytes = bytes};
    if (bytes > sizeof q.element)
        return SCAN_ERROR;
    memcpy(&q.element, from, bytes);
    return rank_buffers_do(b, q);
}

scan_status rank_buffers_get(const rank_buffers *b, size_t offset, void *to, size_t bytes)
{
    rank_answer answer;
    if (bytes > sizeof answer.element)
        return SCAN_ERROR;
    const scan_status status = ask_about(
        b, (rank_question){.verb = RANK_GET_OUTPUT, .offset = offset, .bytes = bytes}, &answer);
    if (status == SCAN_OK)
        memcpy(to, &answer.element, bytes);
    return status;
}

scan_status rank_buffers_compare(const rank_buffers *b, reference *check, size_t offset,
                                 size_t bytes)
{
    rank_answer answer;
    const rank_question q = {
        .verb = RANK_COMPARE, .offset = offset, .bytes = bytes, .check = *check};
    const scan_status status = ask_about(b, q, &answer);
    if (status == SCAN_OK) {
        answer.check.points = check->points;
        *check = answer.check;
    }
    return status;
}

scan_status rank_buffers_guards(const rank_buffers *b, fault *fault_p)
{
    rank_answer answer;
    const scan_status status = ask_about(b, (rank_question){.verb = RANK_GUARDS}, &answer);
    if (status == SCAN_OK && answer.found.code != FAULT_NONE)
        *fault_p = answer.found;
    return status;
}

bool rank_buffers_are_local(const rank_buffers *b)
{
    rank_answer answer;
    return ask_about(b, (rank_question){.verb = RANK_ARE_LOCAL}, &answer) == SCAN_OK && answer.yes;
}
