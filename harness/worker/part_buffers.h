/*
 * part_buffers.h - the buffers of a problem in several parts, each with guards of its own
 *
 * buffers.c calls these where buffers has parts. Offsets are in bytes from the start of the whole
 * array; no element lies in two parts.
 */
#ifndef SCANBENCH_WORKER_PART_BUFFERS_H
#define SCANBENCH_WORKER_PART_BUFFERS_H

#include "worker/buffers.h"

typedef struct part_buffers {
    uint32_t count;
    size_t tile_bytes;
    buffers of[SCAN_PARTS_MOST];
    scan_buffer in[SCAN_PARTS_MOST], out[SCAN_PARTS_MOST]; /* the arguments of run */
} part_buffers;

/* As buffers_create, where spec->layout has parts. After a failure `b` is destroyed. */
scan_status part_buffers_create(buffers *b, const buffers_spec *spec, fault *fault_p);
void part_buffers_destroy(buffers *b);

void part_buffers_exchange_outputs(part_buffers *one, part_buffers *other);
void part_buffers_turn(part_buffers *p);

scan_buffer part_buffers_in(const part_buffers *p);
scan_buffer part_buffers_out(const part_buffers *p);

/* Neighbouring bytes of the whole array that are neighbours in a part, too. */
typedef struct part_span {
    uint32_t part;
    size_t offset; /* in the part */
    size_t bytes;
} part_span;

/* The bytes from `offset` on, `most` at most. */
part_span part_buffers_span(const part_buffers *p, size_t offset, size_t most);
/* How many of the whole array's first `end` bytes lie in that part. */
size_t part_buffers_before(const part_buffers *p, uint32_t part, size_t end);

/* The part that holds the byte at *offset_p, which becomes its offset there; b itself if it has no
 * parts. */
const buffers *part_buffers_find(const buffers *b, size_t *offset_p);

/* Does the same with each part, until one fails. */
scan_status part_buffers_each(part_buffers *p, scan_status (*act)(buffers *b));
scan_status part_buffers_poison(part_buffers *p, const input_spec *spec);
bool part_buffers_are_local(const part_buffers *p, cpu_topology *machine);
scan_status part_buffers_write(buffers *b, const input_spec *spec, size_t offset, size_t bytes);

scan_status part_buffers_compare(buffers *b, reference *check);
/* As buffers_guards; the fault says which part it is about. */
scan_status part_buffers_guards(part_buffers *p, fault *fault_p);

#endif
