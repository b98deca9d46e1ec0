#include "worker/part_buffers.h"

#include "worker/local_compare.h"

scan_status part_buffers_create(part_buffers *b_p, const part_spec *spec, const rank_place *place,
                                fault *fault_p)
{
    part_buffers b = {.remote = place != NULL};
    const scan_status status = place ? rank_buffers_create(&b.rank, spec, place, fault_p)
                                     : local_buffers_create(&b.local, spec, fault_p);
    if (status == SCAN_OK)
        *b_p = b;
    return status;
}

void part_buffers_destroy(part_buffers *b)
{
    if (b->remote)
        rank_buffers_destroy(&b->rank);
    else
        local_buffers_destroy(&b->local);
}

void part_buffers_exchange_outputs(part_buffers *one, part_buffers *other)
{
    if (one->remote)
        rank_buffers_exchange_outputs(&one->rank, &other->rank);
    else
        local_buffers_exchange_outputs(&one->local, &other->local);
}

void part_buffers_turn(part_buffers *b)
{
    if (b->remote)
        rank_buffers_turn(&b->rank);
    else
        local_buffers_turn(&b->local);
}

scan_buffer part_buffers_in(const part_buffers *b)
{
    return b->remote ? b->rank.in : local_buffers_in(&b->local);
}

scan_buffer part_buffers_out(const part_buffers *b)
{
    return b->remote ? b->rank.out : local_buffers_out(&b->local);
}

scan_status part_buffers_write(part_buffers *b, const input_spec *spec, uint64_t first,
                               size_t offset, size_t bytes)
{
    if (!b->remote)
        return local_buffers_write(&b->local, spec, first, offset, bytes);
    return rank_buffers_do(
        &b->rank,
        (rank_question){
            .verb = RANK_WRITE, .input = *spec, .first = first, .offset = offset, .bytes = bytes});
}

scan_status part_buffers_restore(part_buffers *b)
{
    return b->remote ? rank_buffers_do(&b->rank, (rank_question){.verb = RANK_RESTORE})
                     : local_buffers_restore(&b->local);
}

scan_status part_buffers_poison(part_buffers *b)
{
    return b->remote ? rank_buffers_do(&b->rank, (rank_question){.verb = RANK_POISON})
                     : local_buffers_poison(&b->local);
}

scan_status part_buffers_touch(part_buffers *b)
{
    return b->remote ? rank_buffers_do(&b->rank, (rank_question){.verb = RANK_TOUCH})
                     : local_buffers_touch(&b->local);
}

bool part_buffers_are_local(const part_buffers *b, cpu_topology *machine)
{
    return b->remote ? rank_buffers_are_local(&b->rank)
                     : local_buffers_are_local(&b->local, machine);
}

scan_status part_buffers_put_input(part_buffers *b, size_t offset, const void *from, size_t bytes)
{
    return b->remote ? rank_buffers_put(&b->rank, RANK_PUT_INPUT, offset, from, bytes)
                     : local_buffers_put_input(&b->local, offset, from, bytes);
}

scan_status part_buffers_put_output(part_buffers *b, size_t offset, const void *from, size_t bytes)
{
    return b->remote ? rank_buffers_put(&b->rank, RANK_PUT_OUTPUT, offset, from, bytes)
                     : local_buffers_put_output(&b->local, offset, from, bytes);
}

scan_status part_buffers_get_output(const part_buffers *b, size_t offset, void *to, size_t bytes)
{
    return b->remote ? rank_buffers_get(&b->rank, offset, to, bytes)
                     : local_buffers_get_output(&b->local, offset, to, bytes);
}

scan_status part_buffers_compare(part_buffers *b, reference *check, size_t offset, size_t bytes)
{
    return b->remote ? rank_buffers_compare(&b->rank, check, offset, bytes)
                     : local_buffers_compare(&b->local, check, offset, bytes);
}

scan_status part_buffers_guards(part_buffers *b, fault *fault_p)
{
    return b->remote ? rank_buffers_guards(&b->rank, fault_p)
                     : local_buffers_guards(&b->local, fault_p);
}
