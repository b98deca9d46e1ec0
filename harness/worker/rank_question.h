/*
 * rank_question.h - what rank 0 asks of the rank that holds a part, and what that answers
 *
 * Ranks are the same program on the same kind of machine, so questions and answers are plain
 * structs.
 */
#ifndef SCANBENCH_WORKER_RANK_QUESTION_H
#define SCANBENCH_WORKER_RANK_QUESTION_H

#include "problem/reference.h"
#include "protocol/fault.h"

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

#endif
