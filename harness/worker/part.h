/*
 * part.h - the input and output of one part of a problem, each between guards: in this process, on
 * the host or on a device, or in the process of another rank (scan_ranks.h)
 *
 * Offsets are in bytes from the start of the part.
 */
#ifndef SCANBENCH_WORKER_PART_H
#define SCANBENCH_WORKER_PART_H

#include "problem/guard.h"
#include "problem/reference.h"
#include "protocol/fault.h"
#include "protocol/job.h"
#include "scan_ranks.h"
#include "worker/host.h"

/* What the buffers of a part, or of a whole problem, are for. */
typedef struct part_spec {
    const scan_plugin *plugin;
    void *context; /* of plugin->memory, or NULL */
    worker_host *host;
    size_t bytes;                     /* of its elements */
    size_t misalign_in, misalign_out; /* by how many bytes the host's memory is misaligned */
    uint32_t fence;                   /* a job_fence */
    bool in_place;                    /* out is in */
    bool beside;                      /* on the host: the output lies right behind the input, */
    size_t gap;                       /* but for so many bytes */
    const char *shared;               /* memory that others use in turn (job.h); NULL or "": none */
    uint64_t shared_bytes;
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
    size_t bytes;
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
    PART_TURN,      /* on the host, not in place: what was the input becomes the output */
    PART_WRITE,     /* `bytes` of the input at `offset`, which begin with element `first` of all */
    PART_RESTORE,   /* in place only: the input that was last written */
    PART_POISON,    /* fills the output; not in place */
    PART_TOUCH,     /* makes the device or the rank answer: reads what no run touches */
    PART_IS_NEAR,   /* does the input lie in the memory of the node that its process is bound to? */
    PART_PUT_INPUT, /* single elements */
    PART_PUT_OUTPUT,
    PART_GET_OUTPUT,
    PART_COMPARE, /* on the host: `bytes` of output and input with what follows in `check` */
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
void part_touch_host(part *p);
/* On a device: the input as it holds it. */
scan_status part_get_input(part *p, size_t offset, void *to, size_t bytes);
/* Where an element lies in the host's memory, in what restoring and copies write from. */
unsigned char *part_kept_input(const part *p, size_t offset);

#endif
