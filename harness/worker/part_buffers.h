/*
 * part_buffers.h - the input and output of one part of a problem, in this process or in that of its
 * rank
 *
 * Each function does what that of local_buffers.h or local_compare.h does, wherever the part lies.
 */
#ifndef SCANBENCH_WORKER_PART_BUFFERS_H
#define SCANBENCH_WORKER_PART_BUFFERS_H

#include "worker/local_buffers.h"
#include "worker/rank_buffers.h"

typedef struct part_buffers {
    bool remote;
    local_buffers local; /* empty if remote */
    rank_buffers rank;   /* if remote */
} part_buffers;

/* `place`: where they lie in another process, or NULL. */
scan_status part_buffers_create(part_buffers *b_p, const part_spec *spec, const rank_place *place,
                                fault *fault_p);
void part_buffers_destroy(part_buffers *b);
/* Both lie in the same process. */
void part_buffers_exchange_outputs(part_buffers *one, part_buffers *other);
void part_buffers_turn(part_buffers *b);
scan_buffer part_buffers_in(const part_buffers *b);
scan_buffer part_buffers_out(const part_buffers *b);

scan_status part_buffers_write(part_buffers *b, const input_spec *spec, uint64_t first,
                               size_t offset, size_t bytes);
scan_status part_buffers_restore(part_buffers *b);
scan_status part_buffers_poison(part_buffers *b);
scan_status part_buffers_touch(part_buffers *b);
bool part_buffers_are_local(const part_buffers *b, cpu_topology *machine);

scan_status part_buffers_put_input(part_buffers *b, size_t offset, const void *from, size_t bytes);
scan_status part_buffers_put_output(part_buffers *b, size_t offset, const void *from, size_t bytes);
scan_status part_buffers_get_output(const part_buffers *b, size_t offset, void *to, size_t bytes);

scan_status part_buffers_compare(part_buffers *b, reference *check, size_t offset, size_t bytes);
scan_status part_buffers_guards(part_buffers *b, fault *fault_p);

#endif
