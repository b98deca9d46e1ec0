/*
 * buffers.h - the input and output of a problem, in one part or in several (scan_parts.h), each
 * with guards of its own
 *
 * To those who use them each looks like one array: elements are found by where they are in it, in
 * bytes from its start. No element lies in two parts.
 */
#ifndef SCANBENCH_WORKER_BUFFERS_H
#define SCANBENCH_WORKER_BUFFERS_H

#include "problem/guard.h"
#include "problem/reference.h"
#include "protocol/fault.h"
#include "protocol/job.h"
#include "scan_ranks.h"
#include "worker/host.h"

/* ---- one part, between guards: in this process, on the host or on a device (part.c), or in the
 * process of another rank (rank_part.c, scan_ranks.h); offsets are in bytes from its start ---- */

/* What the buffers of a part, or of a whole problem, are for. */
typedef struct part_spec {
    const scan_plugin *plugin;
    void *context; /* of plugin->memory, or NULL */
    worker_host *host;
    size_t bytes;                     /* of the elements of the input */
    size_t out_bytes;                 /* of the results: as many, unless they are wider */
    size_t misalign_in, misalign_out; /* by how many bytes the host's memory is misaligned */
    uint32_t fence;                   /* a job_fence */
    bool in_place;                    /* out is in */
    bool beside;                      /* on the host: the output lies right behind the input, */
    size_t gap;                       /* but for so many bytes */
    const char *shared;               /* memory that others use in turn (job.h); NULL or "": none */
    uint64_t shared_bytes;
    bool keeps; /* pages of the host's memory, for later ones of the same length */
    /* Of scan_parts, for this part of two or more; else NULL. */
    scan_status (*allocate)(void *context, uint32_t part, uint64_t bytes, scan_buffer *buffer_p);
    uint32_t part;
} part_spec;

/* The process of another rank. */
typedef struct rank_place {
    const scan_ranks *ranks;
    const scan_plugin *exported;
    uint32_t rank;
} rank_place;

typedef struct part {
    rank_place place;    /* of ranks: where it lies; else zeros, and all of these: */
    uint64_t id;         /* what it is called there */
    scan_buffer in, out; /* what run takes; of a rank: addresses there */
    const scan_plugin *plugin;
    void *context; /* of plugin->memory, or NULL */
    worker_host *host;
    size_t bytes, out_bytes; /* as in part_spec */
    bool in_place;
    guarded_buffer host_in;
    guarded_buffer host_out; /* if in place on the host: a copy of the input, or empty */
    /* Device plugins: the whole allocations with guards, of whose middle `in` and `out` are views.
     */
    scan_buffer in_whole, out_whole;
    unsigned char *staging; /* the host's, to read device memory into */
} part;

/* What can be done with a part, wherever it lies. */
typedef enum part_verb {
    PART_CREATE, /* in the rank that is asked */
    PART_DESTROY,
    /* Of two of one plugin and size in the same process, neither in place: each gets the other's
     * output. */
    PART_EXCHANGE_OUTPUTS,
    PART_TURN,      /* on the host, not in place, of equal bytes: what was the input becomes the
                       output */
    PART_WRITE,     /* `bytes` of the input at `offset`, which begin with element `first` of all */
    PART_RESTORE,   /* in place only: the input that was last written */
    PART_POISON,    /* fills the output; not in place */
    PART_TOUCH,     /* makes the device or the rank answer: reads what no run touches */
    PART_IS_NEAR,   /* does the input lie in the memory of the node that its process is bound to? */
    PART_PUT_INPUT, /* single elements */
    PART_PUT_OUTPUT,
    PART_GET_OUTPUT,
    PART_COMPARE, /* on the host: `bytes` of the input, and their results, with what follows in
                     `check` */
    PART_GUARDS   /* sets `found` unless they are whole */
} part_verb;

/* The fields that a verb needs; the others are 0. Ranks are the same program on the same kind of
 * machine, so these are sent to another one as they are. */
typedef struct part_question {
    part_verb verb;
    uint64_t id, other; /* in the process that answers */
    uint64_t first, offset, bytes;
    uint64_t misalign_in, misalign_out;
    uint32_t fence, in_place;
    input_spec input;
    any_element element;
    reference check;
} part_question;

typedef struct part_answer {
    scan_status status;
    bool yes;
    uint64_t id;
    scan_buffer in, out;
    any_element element;
    reference check;
    fault found;
} part_answer;

/* SCAN_OK and *p_p; or SCAN_NO_MEMORY or SCAN_ERROR, and *fault_p if the harness failed rather than
 * the plugin. Ended by PART_DESTROY. `place`: where it lies in another process, or NULL. */
scan_status part_create(part *p_p, const part_spec *spec, const rank_place *place, fault *fault_p);

/* Has it done, in this process or by its rank. A status other than SCAN_OK: the device or the rank
 * failed. */
scan_status part_ask(part *p, part_question q, part_answer *answer_p);
/* The same of what has no answer but its status. */
scan_status part_tell(part *p, part_question q);
/* Of two parts in the same process. */
scan_status part_exchange_outputs(part *one, part *other);

/* What a rank other than 0 does until rank 0 leaves: it holds its parts and answers about them. */
scan_status part_serve(const scan_plugin *plugin, const rank_place *place, worker_host *host);

/* ---- of parts in this process alone ------------------------------------------ */

scan_status part_create_here(part *p_p, const part_spec *spec, fault *fault_p);
/* `other`: the part that the question names. */
scan_status part_answer_here(part *p, const part_question *q, part *other, part_answer *a);

/* Hands on what the host's input holds there: to the device, or to the copy that restores it. */
scan_status part_send_input(part *p, size_t offset, size_t bytes);
/* The copies of the e2e phase. */
scan_status part_copy_in(part *p);
scan_status part_copy_out(part *p);
/* Fills the host's memory that copies from a device go to, so that its pages are there. */
scan_status part_touch_host(part *p);
/* Where an element lies in the host's memory, in what restoring and copies write from. */
unsigned char *part_kept_input(const part *p, size_t offset);

/* ---- all of a problem (buffers.c) ---- */

enum { BUFFERS_PIECE_BYTES = 64 << 20 };

typedef struct buffers {
    const scan_plugin *plugin;
    worker_host *host;
    size_t bytes;     /* of the input */
    size_t out_bytes; /* of the results; other than `bytes` in one part alone */
    bool in_place;    /* out is in */
    bool ranked;      /* parts beyond the first lie in other processes */
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

/* `whole`: as if in one part. SCAN_OK and *b_p; or SCAN_NO_MEMORY or SCAN_ERROR, and *fault_p if
 * the harness failed rather than the plugin. Released with buffers_destroy, which takes a zeroed
 * struct too. */
scan_status buffers_create(buffers *b_p, const buffers_layout *layout, const part_spec *whole,
                           fault *fault_p);
void buffers_destroy(buffers *b);

/* Of two sets of one plugin and size, neither in place: each gets the other's output. */
void buffers_exchange_outputs(buffers *one, buffers *other);
/* On the host, not in place, of equal bytes: what was the input becomes the output. */
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
/* The same of what is done on devices, which are never those of ranks: the copies of the e2e phase,
 * part_copy_in and part_copy_out; or part_touch_host. */
scan_status buffers_each(buffers *b, scan_status (*act)(part *));

/* Of a problem in one part: where all of it lies. */
part *buffers_undivided(const buffers *b);
/* Where an element lies in the host's memory: in what restoring and copies write from; and, on the
 * host, where run writes it. */
unsigned char *buffers_kept_input(const buffers *b, size_t offset);
unsigned char *buffers_run_output(const buffers *b, size_t offset);
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
