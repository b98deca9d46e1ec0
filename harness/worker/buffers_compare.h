/*
 * buffers_compare.h - what a run has left in its buffers: the output against the reference, the
 * input against what was written, and the guards
 */
#ifndef SCANBENCH_WORKER_BUFFERS_COMPARE_H
#define SCANBENCH_WORKER_BUFFERS_COMPARE_H

#include "worker/buffers.h"

/* What an output is compared with: what is made of an input by a rule. */
typedef struct buffers_question {
    const input_spec *spec;
    scan_kind kind;
    reference_rule rule;
    reference_point *points; /* unless NULL: reference_keep */
    uint64_t stride;
} buffers_question;

/*
 * Compares the output in full, the input with what was written, and the guards.
 * SCAN_OK with *check_p filled in and *fault_p, whose code is FAULT_NONE if all is right;
 * another status where the device cannot be read.
 */
scan_status buffers_compare(buffers *b, const buffers_question *question, reference *check_p,
                            fault *fault_p);

/* Looks at the guards alone: *fault_p stays if they are whole; of several parts it says which.
 * Another status where the device cannot be read. */
scan_status buffers_guards(buffers *b, fault *fault_p);

#endif
