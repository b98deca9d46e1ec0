/*
 * buffers.h - the input and output of a problem, in one part or in several (scan_parts.h), each
 * with guards of its own
 *
 * To those who use them they look like one array: elements are found by where they are in it, in
 * bytes from its start. No element lies in two parts.
 */
#ifndef SCANBENCH_WORKER_BUFFERS_H
#define SCANBENCH_WORKER_BUFFERS_H

#include "worker/part.h"

enum { BUFFERS_PIECE_BYTES = 64 << 20 };

typedef struct buffers {
    const scan_plugin *plugin;
    worker_host *host;
    size_t bytes;  /* n * sizeof(T) */
    bool in_place; /* out is in */
    bool ranked;   /* parts beyond the first lie in other processes */
    uint32_t part_count;
    size_t tile_bytes; /* tiles are dealt out to the parts in turn; SIZE_MAX for one part */
    part *parts;
    scan_buffer *in, *out; /* of each part */
} buffers;

/* How a problem is divided. parts is 1, or 0, for a plugin that does not know of parts, too. */
typedef struct buffers_layout {
    uint32_t parts;
    size_t tile_bytes; /* of two or more parts */
    /* Of scan_parts, if it has one and there are two or more; else NULL. */
    scan_status (*allocate)(void *context, uint32_t part, uint64_t bytes, scan_buffer *buffer_p);
    /* Where parts beyond the first lie in processes of their own; else NULL. */
    const scan_ranks *ranks;
    const scan_plugin *exported;
} buffers_layout;

typedef struct buffers_spec {
    part_spec whole; /* as if in one part */
    buffers_layout layout;
} buffers_spec;

/* SCAN_OK and *b_p; or SCAN_NO_MEMORY or SCAN_ERROR, and *fault_p if the harness failed rather than
 * the plugin. Released with buffers_destroy, which takes a zeroed struct too. */
scan_status buffers_create(buffers *b_p, const buffers_spec *spec, fault *fault_p);
void buffers_destroy(buffers *b);

/* Of two sets of one plugin and size, neither in place: each gets the other's output. */
void buffers_exchange_outputs(buffers *one, buffers *other);
/* On the host, not in place: what was the input becomes the output. */
void buffers_turn(buffers *b);

/* The arguments of run; of parts the addresses of arrays with a scan_buffer for each. */
scan_buffer buffers_in(const buffers *b);
scan_buffer buffers_out(const buffers *b);

/* Writes the input, on the host and the device. */
scan_status buffers_write_input(buffers *b, const input_spec *spec);
/* Writes the next BUFFERS_PIECE_BYTES at most of it, behind the first *done_p bytes, to which it
 * adds them. */
scan_status buffers_write_piece(buffers *b, const input_spec *spec, size_t *done_p);
/* Has each part do it, until one fails: PART_RESTORE, for a plugin that works in place only, or
 * PART_TOUCH. */
scan_status buffers_tell(buffers *b, part_verb verb);
/* Poisons the output; in place: writes the input again. */
scan_status buffers_poison(buffers *b, const input_spec *spec);
/* The copies of the e2e phase. */
scan_status buffers_copy_in(buffers *b);
scan_status buffers_copy_out(buffers *b);

/* Of a problem in one part: where all of it lies. */
part *buffers_undivided(const buffers *b);
/* Where an element lies in the host's memory: in what restoring and copies write from; and, on the
 * host, where run writes it. */
unsigned char *buffers_kept_input(const buffers *b, size_t offset);
unsigned char *buffers_run_output(const buffers *b, size_t offset);
/* Fills the host's memory that copies from a device go to, so that its pages are there. */
void buffers_touch_host(buffers *b);
/* Does the input lie in the memory of the node that the worker, or the rank, is bound to? */
bool buffers_are_near(const buffers *b);

/* Single elements. An input that is put is also what copies and restoring write from then on; where
 * the output lies in the input, nothing is put there. */
scan_status buffers_put_input(buffers *b, size_t offset, const void *from, size_t bytes);
scan_status buffers_put_output(buffers *b, size_t offset, const void *from, size_t bytes);
scan_status buffers_get_output(const buffers *b, size_t offset, void *to, size_t bytes);

/* Is on a device what copy_in or fill was asked to write there? A few random words of n elements
 * are read of the input, or of the output that was just filled with poison; none of memory of the
 * host. SCAN_OK, and *fault_p if something else is there; another status where the device cannot be
 * read. */
scan_status buffers_read_back(const buffers *b, bool input, uint64_t n, size_t width,
                              fault *fault_p);

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
