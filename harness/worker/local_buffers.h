/*
 * local_buffers.h - the input and output of one part of a problem in this process, on the host and,
 * for device plugins, on the device, each between guards
 *
 * Offsets are in bytes from the start of the part.
 */
#ifndef SCANBENCH_WORKER_LOCAL_BUFFERS_H
#define SCANBENCH_WORKER_LOCAL_BUFFERS_H

#include "problem/guard.h"
#include "problem/input.h"
#include "protocol/fault.h"
#include "protocol/job.h"
#include "worker/host.h"

/* What the guards of a device's buffers are made of. */
enum { GUARD_KEY_IN = 1, GUARD_KEY_OUT = 2 };

/* What the buffers of a part, or of a whole problem, are for. */
typedef struct part_spec {
    const scan_plugin *plugin;
    void *context; /* of plugin->memory, or NULL */
    worker_host *host;
    size_t bytes;                     /* of its elements */
    size_t misalign_in, misalign_out; /* by how many bytes the host's memory is misaligned */
    uint32_t fence;                   /* a job_fence */
    bool in_place;
    const char *shared; /* memory that others use in turn (job.h); NULL or "": none */
    uint64_t shared_bytes;
    /* Of scan_parts, for this part of two or more; else NULL. */
    scan_status (*allocate)(void *context, uint32_t part, uint64_t bytes, scan_buffer *buffer_p);
    uint32_t part;
} part_spec;

typedef struct local_buffers {
    const scan_plugin *plugin;
    void *context; /* of plugin->memory, or NULL */
    worker_host *host;
    size_t bytes;
    bool in_place; /* out is in */
    guarded_buffer host_in;
    guarded_buffer host_out; /* if in place on the host: a copy of the input, or empty */
    /* device plugins: the whole allocation with guards, and the view of its middle */
    scan_buffer in_whole, in_view;
    scan_buffer out_whole, out_view;
    unsigned char *staging; /* the host's, to read device memory into */
} local_buffers;

/* SCAN_OK and *b_p; or SCAN_NO_MEMORY or SCAN_ERROR, and *fault_p if the harness failed rather than
 * the plugin. Released with local_buffers_destroy, which takes a zeroed struct too. */
scan_status local_buffers_create(local_buffers *b_p, const part_spec *spec, fault *fault_p);
void local_buffers_destroy(local_buffers *b);

/* As those of buffers.h. */
void local_buffers_exchange_outputs(local_buffers *one, local_buffers *other);
void local_buffers_turn(local_buffers *b);
scan_buffer local_buffers_in(const local_buffers *b);
scan_buffer local_buffers_out(const local_buffers *b);

/* Writes `bytes` bytes of the input at `offset`, beginning with element `first` of the whole
 * array. */
scan_status local_buffers_write(local_buffers *b, const input_spec *spec, uint64_t first,
                                size_t offset, size_t bytes);
/* Hands on what the host's input holds there: to the device, or to the copy that restores it. */
scan_status local_buffers_send_input(local_buffers *b, size_t offset, size_t bytes);
scan_status local_buffers_restore(local_buffers *b);
/* Not in place. */
scan_status local_buffers_poison(local_buffers *b);
scan_status local_buffers_copy_in(local_buffers *b);
scan_status local_buffers_copy_out(local_buffers *b);
void local_buffers_touch_host(local_buffers *b);
bool local_buffers_are_local(const local_buffers *b, cpu_topology *machine);

/* Where an element lies in the host's memory, as in buffers.h. */
unsigned char *local_buffers_kept_input(const local_buffers *b, size_t offset);
unsigned char *local_buffers_host_output(const local_buffers *b, size_t offset);

/* Single elements. */
scan_status local_buffers_put_input(local_buffers *b, size_t offset, const void *from,
                                    size_t bytes);
scan_status local_buffers_put_output(local_buffers *b, size_t offset, const void *from,
                                     size_t bytes);
scan_status local_buffers_get_output(const local_buffers *b, size_t offset, void *to, size_t bytes);
scan_status local_buffers_get_input(const local_buffers *b, size_t offset, void *to, size_t bytes);
scan_status local_buffers_touch(const local_buffers *b);

#endif
