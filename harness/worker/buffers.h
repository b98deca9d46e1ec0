/*
 * buffers.h - the input and output of one problem, on the host and, for device
 * plugins, on the device, every one between guards
 */
#ifndef SCANBENCH_WORKER_BUFFERS_H
#define SCANBENCH_WORKER_BUFFERS_H

#include "problem/guard.h"
#include "problem/reference.h"
#include "worker/host.h"

typedef struct buffers {
    const scan_plugin *plugin;
    void *context; /* of plugin->memory, or NULL */
    worker_host *host;
    size_t bytes;  /* n * sizeof(T) */
    bool in_place; /* out is in */
    guarded_buffer host_in;
    guarded_buffer host_out; /* in place on the host: a copy of the input, or empty */
    /* device plugins: the whole allocation with guards, and the view of its middle */
    scan_buffer in_whole, in_view;
    scan_buffer out_whole, out_view;
    unsigned char *staging; /* STAGING_BYTES, to look at device memory */
} buffers;

enum { STAGING_BYTES = 8 << 20 };

/* Memory for a problem of `bytes`; misalign: bytes by which the host's input and output are
 * off. SCAN_NO_MEMORY or SCAN_ERROR, with the words in
 * host->reason. Released with buffers_destroy, which takes a zeroed struct too. */
scan_status buffers_create(buffers *b_p, const scan_plugin *plugin, void *context,
                           worker_host *host, size_t bytes, const size_t misalign[2],
                           bool in_place);
void buffers_destroy(buffers *b);

/* What run is called with. */
scan_buffer buffers_in(const buffers *b);
scan_buffer buffers_out(const buffers *b);

/* Writes the input, on the host and the device. */
scan_status buffers_write_input(buffers *b, const input_spec *spec);
/* Where a plugin works in place only: puts the input back that was last written. */
scan_status buffers_restore(buffers *b);
/* Poisons the output; in place: writes the input again. */
scan_status buffers_poison(buffers *b, const input_spec *spec);
/* The copies of the e2e phase. */
scan_status buffers_copy_in(buffers *b);
scan_status buffers_copy_out(buffers *b);

/*
 * Compares the output in full, the input with what was written, and the guards.
 * SCAN_OK with *check_p filled in and `why` "" if all is right, else what is
 * wrong in words; another status where the device cannot be read.
 */
scan_status buffers_compare(buffers *b, const input_spec *spec, scan_kind kind, bool copy,
                            reference *check_p, char *why, size_t why_bytes);

#endif
