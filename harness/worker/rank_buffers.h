/*
 * rank_buffers.h - the buffers of a part in another process (scan_ranks.h): what is done with them
 * is a question to its rank
 *
 * Ranks are the same program on the same kind of machine, so questions and answers are plain
 * structs.
 */
#ifndef SCANBENCH_WORKER_RANK_BUFFERS_H
#define SCANBENCH_WORKER_RANK_BUFFERS_H

#include "scan_ranks.h"
#include "worker/buffers.h"

/* Where a part lies. */
typedef struct rank_place {
    const scan_ranks *ranks;
    const scan_plugin *exported;
    uint32_t rank;
} rank_place;

typedef enum rank_verb {
    RANK_CREATE,
    RANK_DESTROY,
    RANK_EXCHANGE_OUTPUTS,
    RANK_TURN,
    RANK_WRITE,
    RANK_POISON,
    RANK_RESTORE,
    RANK_PUT_INPUT,
    RANK_PUT_OUTPUT,
    RANK_GET_OUTPUT,
    RANK_COMPARE,
    RANK_GUARDS,
    RANK_ARE_LOCAL,
    RANK_TOUCH, /* nothing but an answer */
} rank_verb;

/* The fields that a verb needs; the others are 0. */
typedef struct rank_question {
    rank_verb verb;
    uint64_t id, other; /* of buffers of that rank */
    uint64_t first, offset, bytes;
    uint64_t misalign_in, misalign_out;
    uint32_t fence, in_place;
    input_spec input;
    any_element element;
    reference check;
} rank_question;

typedef struct rank_answer {
    scan_status status;
    bool yes;
    uint64_t id;
    scan_buffer in, out;
    any_element element;
    reference check;
    fault found;
} rank_answer;

/* As those of buffers.h, for buffers that were created with a place. */
scan_status rank_buffers_create(buffers *b, const buffers_spec *spec, const rank_place *place,
                                fault *fault_p);
void rank_buffers_destroy(buffers *b);
void rank_buffers_exchange_outputs(buffers *one, buffers *other);
void rank_buffers_turn(buffers *b);
/* `verb` is RANK_PUT_INPUT or RANK_PUT_OUTPUT; at most an element. */
scan_status rank_buffers_put(const buffers *b, rank_verb verb, size_t offset, const void *from,
                             size_t bytes);
scan_status rank_buffers_get(const buffers *b, size_t offset, void *to, size_t bytes);
scan_status rank_buffers_compare(const buffers *b, reference *check, size_t offset, size_t bytes);
scan_status rank_buffers_guards(const buffers *b, fault *fault_p);
bool rank_buffers_are_local(const buffers *b);
/* A verb that has nothing to tell but its status. */
scan_status rank_buffers_do(const buffers *b, rank_question q);

#endif
