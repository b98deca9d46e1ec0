/*
 * rank_buffers.h - the input and output of a part in another process (scan_ranks.h): what is done
 * with them is a question to its rank
 */
#ifndef SCANBENCH_WORKER_RANK_BUFFERS_H
#define SCANBENCH_WORKER_RANK_BUFFERS_H

#include "scan_ranks.h"
#include "worker/local_buffers.h"
#include "worker/rank_question.h"

/* Where a part lies. */
typedef struct rank_place {
    const scan_ranks *ranks;
    const scan_plugin *exported;
    uint32_t rank;
} rank_place;

typedef struct rank_buffers {
    rank_place place;
    uint64_t id;         /* what they are called there */
    scan_buffer in, out; /* addresses there */
} rank_buffers;

/* As those of local_buffers.h. */
scan_status rank_buffers_create(rank_buffers *b_p, const part_spec *spec, const rank_place *place,
                                fault *fault_p);
void rank_buffers_destroy(rank_buffers *b);
void rank_buffers_exchange_outputs(rank_buffers *one, rank_buffers *other);
void rank_buffers_turn(rank_buffers *b);
/* `verb` is RANK_PUT_INPUT or RANK_PUT_OUTPUT; at most an element. */
scan_status rank_buffers_put(const rank_buffers *b, rank_verb verb, size_t offset, const void *from,
                             size_t bytes);
scan_status rank_buffers_get(const rank_buffers *b, size_t offset, void *to, size_t bytes);
scan_status rank_buffers_compare(const rank_buffers *b, reference *check, size_t offset,
                                 size_t bytes);
scan_status rank_buffers_guards(const rank_buffers *b, fault *fault_p);
bool rank_buffers_are_local(const rank_buffers *b);
/* A verb that has nothing to tell but its status. */
scan_status rank_buffers_do(const rank_buffers *b, rank_question q);

#endif
