/*
 * buffers.h - the input and output of one problem, on the host and, for device plugins, on the
 * device, each between guards
 *
 * A problem in several parts (scan_parts.h) has such buffers for each of them. To those who use
 * them they look like one: elements are found by where they are in the whole array.
 */
#ifndef SCANBENCH_WORKER_BUFFERS_H
#define SCANBENCH_WORKER_BUFFERS_H

#include "problem/guard.h"
#include "problem/reference.h"
#include "protocol/fault.h"
#include "protocol/job.h"
#include "scan_ranks.h"
#include "worker/host.h"

/* What the guards of a device's buffers are made of. */
enum { BUFFERS_KEY_IN = 1, BUFFERS_KEY_OUT = 2 };

typedef struct buffers {
    const scan_plugin *plugin;
    void *context; /* of plugin->memory, or NULL */
    worker_host *host;
    size_t bytes;  /* n * sizeof(T) */
    bool in_place; /* out is in */
    /* Of a problem in parts; then the fields below are not used. */
    struct part_buffers *parts;
    /* Of a part in another process: where, and its name there. in_view and out_view are addresses
     * there, and the host's buffers are empty. */
    struct rank_place *place;
    uint64_t id;
    guarded_buffer host_in;
    guarded_buffer host_out; /* if in place on the host: a copy of the input, or empty */
    /* device plugins: the whole allocation with guards, and the view of its middle */
    scan_buffer in_whole, in_view;
    scan_buffer out_whole, out_view;
    unsigned char *staging; /* the host's, to read device memory into */
} buffers;

enum { BUFFERS_PIECE_BYTES = 64 << 20 };

/* How a problem is divided. parts is 1 for a plugin that does not know of parts, too. */
typedef struct buffers_layout {
    uint32_t parts;
    size_t tile_bytes; /* of two or more parts */
    /* Of scan_parts, for part `part` of two or more; else NULL. */
    scan_status (*allocate)(void *context, uint32_t part, uint64_t bytes, scan_buffer *buffer_p);
    uint32_t part;
    /* Where parts beyond the first lie in processes of their own; else NULL. */
    const scan_ranks *ranks;
    const scan_plugin *exported;
} buffers_layout;

/* What buffers are for. */
typedef struct buffers_spec {
    const scan_plugin *plugin;
    void *context; /* of plugin->memory, or NULL */
    worker_host *host;
    size_t bytes;                     /* n * sizeof(T) */
    size_t misalign_in, misalign_out; /* by how many bytes the host's memory is misaligned */
    uint32_t fence;                   /* a job_fence */
    bool in_place;
    const char *shared; /* memory that others use in turn (job.h); NULL or "": none */
    uint64_t shared_bytes;
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
/* For a plugin that works in place only: restores the input that was last written. */
scan_status buffers_restore(buffers *b);
/* Poisons the output; in place: writes the input again. */
scan_status buffers_poison(buffers *b, const input_spec *spec);
/* The copies of the e2e phase. */
scan_status buffers_copy_in(buffers *b);
scan_status buffers_copy_out(buffers *b);

/* Where the element at `offset` bytes lies in the host's memory: in what restoring and copies write
 * from, and in the host's output. */
unsigned char *buffers_kept_input(const buffers *b, size_t offset);
unsigned char *buffers_host_output(const buffers *b, size_t offset);
/* Fills the host's memory that copies from a device go to, so that its pages are there. */
void buffers_touch_host(buffers *b);
/* Does the host's input lie in the memory of the node that the worker is bound to? */
bool buffers_are_local(const buffers *b, cpu_topology *machine);

/* Single elements, by their offset in bytes. An input that is put is also what copies and
 * restoring write from then on; where the output lies in the input, nothing is put there. */
scan_status buffers_put_input(buffers *b, size_t offset, const void *from, size_t bytes);
scan_status buffers_put_output(buffers *b, size_t offset, const void *from, size_t bytes);
scan_status buffers_get_output(const buffers *b, size_t offset, void *to, size_t bytes);
/* On a device: the input as it holds it. */
scan_status buffers_get_input(const buffers *b, size_t offset, void *to, size_t bytes);
/* Has the device of each part, or its rank, answer: reads a few bytes that no run touches, or asks
 * a question that is answered at once. */
scan_status buffers_touch(buffers *b);

/* For a part alone. Writes `bytes` bytes of the input at `offset`, beginning with element `first`
 * of the whole array. */
scan_status buffers_write_at(buffers *b, const input_spec *spec, uint64_t first, size_t offset,
                             size_t bytes);
/* Hands on what the host's input holds there: to the device, or to the copy that restores it. */
scan_status buffers_send_input(buffers *b, size_t offset, size_t bytes);
/* Compares as many bytes at `offset` with the elements that follow in the whole array. */
scan_status buffers_compare_at(buffers *b, reference *check, size_t offset, size_t bytes);

/* What an output is compared with: the scan of an input, or its copy. */
typedef struct buffers_question {
    const input_spec *spec;
    scan_kind kind;
    bool copy;               /* it must equal the input */
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

/* Looks at the guards alone: *fault_p stays if they are whole. Another status where the device
 * cannot be read. */
scan_status buffers_guards(buffers *b, fault *fault_p);

#endif
