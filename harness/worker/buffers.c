#include "worker/buffers.h"

#include "problem/names.h"
#include "system/unpredictable.h"
#include "worker/kept_input.h"
#include "worker/large.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- where an element lies -------------------------------------------------- */

/* Neighbouring bytes of the whole array that are neighbours in a part, too. */
typedef struct part_span {
    uint32_t part;
    size_t offset; /* in the part */
    size_t bytes;
} part_span;

/* The bytes from `offset` on, `most` at most. */
static part_span span_at(const buffers *b, size_t offset, size_t most)
{
    const size_t tile = offset / b->tile_bytes, inside = offset % b->tile_bytes;
    const size_t left = b->tile_bytes - inside;
    return (part_span){.part = (uint32_t)(tile % b->part_count),
                       .offset = tile / b->part_count * b->tile_bytes + inside,
                       .bytes = left < most ? left : most};
}

/* How many of the whole array's first `end` bytes lie in that part. */
static size_t bytes_before(const buffers *b, uint32_t number, size_t end)
{
    const size_t tiles = end / b->tile_bytes, whole = tiles / b->part_count;
    const size_t last = tiles % b->part_count; /* the part whose tile `end` cuts */
    return whole * b->tile_bytes + (number < last    ? b->tile_bytes
                                    : number == last ? end % b->tile_bytes
                                                     : 0);
}

/* Spans of the whole array, handed out to several threads. */
typedef struct span_walk {
    const buffers *b;
    size_t begin, bytes, width; /* of an element, which no thread divides */
    unsigned threads;
    void (*act)(const void *context, size_t at, part_span s);
    const void *context;
} span_walk;

static void walk_share(void *context, unsigned thread)
{
    const span_walk *w = context;
    const size_t most = (w->bytes / w->width / w->threads + 1) * w->width;
    const size_t all = w->begin + w->bytes, begin = w->begin + thread * most;
    const size_t end = begin + most < all ? begin + most : all;
    part_span s;
    for (size_t at = begin; at < end; at += s.bytes) {
        s = span_at(w->b, at, end - at);
        w->act(w->context, at, s);
    }
}

static void walk_spans(span_walk w)
{
    w.threads = parallel_parts(w.b->host->machine, w.bytes);
    parallel_run(w.b->host->machine, w.threads, walk_share, &w);
}

/* The part that holds the byte at *offset_p, which becomes its offset there. */
static part *find(const buffers *b, size_t *offset_p)
{
    const part_span s = span_at(b, *offset_p, 1);
    *offset_p = s.offset;
    return &b->parts[s.part];
}

part *buffers_undivided(const buffers *b)
{
    return &b->parts[0];
}

unsigned char *buffers_kept_input(const buffers *b, size_t offset)
{
    const part *p = find(b, &offset);
    return part_kept_input(p, offset);
}

unsigned char *buffers_run_output(const buffers *b, size_t offset)
{
    const part *p = find(b, &offset);
    return (unsigned char *)scan_host_pointer(p->out) + offset;
}

/* ---- making them ------------------------------------------------------------ */

static void collect_handles(buffers *b)
{
    for (uint32_t i = 0; i < b->part_count; i++) {
        b->in[i] = b->parts[i].in;
        b->out[i] = b->parts[i].out;
    }
}

static scan_status make_room(buffers *b, uint32_t parts, fault *fault_p)
{
    b->parts = calloc(parts, sizeof *b->parts);
    b->in = calloc(parts, 2 * sizeof *b->in);
    if (b->parts && b->in) {
        b->out = b->in + parts;
        return SCAN_OK;
    }
    *fault_p = fault_with_text(FAULT_NO_HOST_MEMORY, strerror(errno));
    fault_p->bytes = parts * (sizeof *b->parts + 2 * sizeof *b->in);
    return SCAN_NO_MEMORY;
}

/* Part `i` of two or more. */
static scan_status create_part(buffers *b, const buffers_layout *layout, const part_spec *whole,
                               uint32_t i, fault *fault_p)
{
    const rank_place place = {layout->ranks, layout->exported, i};
    part_spec one = *whole;
    one.shared = NULL;
    one.bytes = (size_t)scan_parts_length(one.bytes, layout->tile_bytes, layout->parts, i);
    one.out_bytes = one.bytes;
    one.allocate = layout->allocate;
    one.part = i;
    return part_create(&b->parts[i], &one, layout->ranks && i > 0 ? &place : NULL, fault_p);
}

scan_status buffers_create(buffers *b_p, const buffers_layout *layout, const part_spec *whole,
                           fault *fault_p)
{
    const bool divided = layout->parts > 1;
    const uint32_t parts = divided ? layout->parts : 1;
    buffers b = {.plugin = whole->plugin,
                 .host = whole->host,
                 .bytes = whole->bytes,
                 .out_bytes = whole->out_bytes,
                 .in_place = whole->in_place,
                 .ranked = divided && layout->ranks,
                 .tile_bytes = divided ? layout->tile_bytes : SIZE_MAX};
    scan_status status = make_room(&b, parts, fault_p);
    for (uint32_t i = 0; i < parts && status == SCAN_OK; i++) {
        status = divided ? create_part(&b, layout, whole, i, fault_p)
                         : part_create(&b.parts[0], whole, NULL, fault_p);
        b.part_count += status == SCAN_OK;
    }
    if (status == SCAN_OK) {
        collect_handles(&b);
        *b_p = b;
    } else {
        buffers_destroy(&b);
    }
    return status;
}

void buffers_destroy(buffers *b)
{
    for (uint32_t i = 0; i < b->part_count; i++)
        part_tell(&b->parts[i], (part_question){.verb = PART_DESTROY});
    free(b->parts);
    free(b->in);
    *b = (buffers){.bytes = 0};
}

void buffers_exchange_outputs(buffers *one, buffers *other)
{
    for (uint32_t i = 0; i < one->part_count; i++)
        part_exchange_outputs(&one->parts[i], &other->parts[i]);
    collect_handles(one);
    collect_handles(other);
}

void buffers_turn(buffers *b)
{
    buffers_tell(b, PART_TURN);
    collect_handles(b);
}

static scan_buffer argument(const buffers *b, const scan_buffer *handles)
{
    return b->part_count > 1 ? (scan_buffer)(uintptr_t)handles : handles[0];
}

scan_buffer buffers_in(const buffers *b)
{
    return argument(b, b->in);
}

scan_buffer buffers_out(const buffers *b)
{
    return argument(b, b->out);
}

/* ---- writing the input ------------------------------------------------------ */

typedef struct writing {
    const buffers *b;
    const input_spec *spec;
} writing;

static void write_span(const void *context, size_t at, part_span s)
{
    const writing *w = context;
    const size_t width = dtype_bytes(w->spec->dtype);
    input_fill(w->spec, at / width, s.bytes / width,
               (unsigned char *)w->b->parts[s.part].host_in.data + s.offset);
}

/* All parts lie here: first all of them on the host, as tiles may be short, then on the devices. */
static scan_status write_across(buffers *b, const input_spec *spec, size_t offset, size_t bytes)
{
    const writing w = {b, spec};
    walk_spans((span_walk){.b = b,
                           .begin = offset,
                           .bytes = bytes,
                           .width = dtype_bytes(spec->dtype),
                           .act = write_span,
                           .context = &w});
    scan_status status = SCAN_OK;
    for (uint32_t i = 0; i < b->part_count && status == SCAN_OK; i++) {
        const size_t before = bytes_before(b, i, offset);
        const size_t end = bytes_before(b, i, offset + bytes);
        if (end > before)
            status = part_send_input(&b->parts[i], before, end - before);
    }
    return status;
}

static scan_status write_one_by_one(buffers *b, const input_spec *spec, size_t offset, size_t bytes)
{
    const size_t width = dtype_bytes(spec->dtype), end = offset + bytes;
    scan_status status;
    do {
        const part_span s = span_at(b, offset, end - offset);
        status = part_tell(&b->parts[s.part], (part_question){.verb = PART_WRITE,
                                                              .input = *spec,
                                                              .first = offset / width,
                                                              .offset = s.offset,
                                                              .bytes = s.bytes});
        offset += s.bytes;
    } while (offset < end && status == SCAN_OK);
    return status;
}

scan_status buffers_write_piece(buffers *b, const input_spec *spec, size_t *done_p)
{
    const size_t at = *done_p, left = b->bytes - at;
    const size_t piece = left < BUFFERS_PIECE_BYTES ? left : BUFFERS_PIECE_BYTES;
    const input_spec known = b->part_count > 1 ? *spec : kept_input(b->host, spec);
    *done_p += piece;
    return b->part_count > 1 && !b->ranked ? write_across(b, spec, at, piece)
                                           : write_one_by_one(b, &known, at, piece);
}

scan_status buffers_write_input(buffers *b, const input_spec *spec)
{
    scan_status status = SCAN_OK;
    for (size_t done = 0; status == SCAN_OK && done < b->bytes;)
        status = buffers_write_piece(b, spec, &done);
    return status;
}

/* ---- what is done with each part -------------------------------------------- */

scan_status buffers_tell(buffers *b, part_verb verb)
{
    scan_status status = SCAN_OK;
    for (uint32_t i = 0; i < b->part_count && status == SCAN_OK; i++)
        status = part_tell(&b->parts[i], (part_question){.verb = verb});
    return status;
}

scan_status buffers_poison(buffers *b, const input_spec *spec)
{
    return b->in_place ? buffers_write_input(b, spec) : buffers_tell(b, PART_POISON);
}

scan_status buffers_each(buffers *b, scan_status (*act)(part *))
{
    scan_status status = SCAN_OK;
    for (uint32_t i = 0; i < b->part_count && status == SCAN_OK; i++)
        status = act(&b->parts[i]);
    return status;
}

bool buffers_are_near(const buffers *b)
{
    part_answer answer = {.yes = true};
    for (uint32_t i = 0; i < b->part_count && answer.yes; i++)
        if (part_ask(&b->parts[i], (part_question){.verb = PART_IS_NEAR}, &answer) != SCAN_OK)
            return false;
    return answer.yes;
}

enum { READ_BACK = 3 }; /* elements */

/* ---- single elements -------------------------------------------------------- */

static scan_status put(buffers *b, part_verb verb, size_t offset, const void *from, size_t bytes)
{
    part *p = find(b, &offset);
    part_question q = {.verb = verb, .offset = offset, .bytes = bytes};
    if (bytes > sizeof q.element)
        return SCAN_ERROR;
    memcpy(&q.element, from, bytes);
    return part_tell(p, q);
}

scan_status buffers_put_input(buffers *b, size_t offset, const void *from, size_t bytes)
{
    return put(b, PART_PUT_INPUT, offset, from, bytes);
}

scan_status buffers_put_output(buffers *b, size_t offset, const void *from, size_t bytes)
{
    return b->in_place ? SCAN_OK : put(b, PART_PUT_OUTPUT, offset, from, bytes);
}

scan_status buffers_get_output(const buffers *b, size_t offset, void *to, size_t bytes)
{
    part *p = find(b, &offset);
    part_answer answer;
    if (bytes > sizeof answer.element)
        return SCAN_ERROR;
    const part_question q = {.verb = PART_GET_OUTPUT, .offset = offset, .bytes = bytes};
    const scan_status status = part_ask(p, q, &answer);
    if (status == SCAN_OK)
        memcpy(to, &answer.element, bytes);
    return status;
}

/* Turns all bits of those elements over in the memory that the input on a device is copied from. */
static void turn_over(const buffers *b, const uint64_t *indices, size_t width)
{
    for (size_t i = 0; i < READ_BACK; i++) {
        unsigned char *at = buffers_kept_input(b, (size_t)indices[i] * width);
        for (size_t k = 0; k < width; k++)
            at[k] = (unsigned char)~at[k];
    }
}

/* Does the input on a device hold those elements as the host does, or the output poison? *wrong_p:
 * the first that does not. What is copied only now, though copy_in has returned, is copied with all
 * bits turned over. */
static scan_status look_back(const buffers *b, bool input, const uint64_t *indices, size_t width,
                             const uint64_t **wrong_p)
{
    any_element got[READ_BACK] = {{0}};
    scan_status status = SCAN_OK;
    if (input)
        turn_over(b, indices, width);
    for (size_t i = 0; status == SCAN_OK && i < READ_BACK; i++) {
        size_t inside = (size_t)indices[i] * width;
        part *p = find(b, &inside);
        status =
            b->plugin->memory->copy_out(p->context, &got[i], input ? p->in : p->out, inside, width);
    }
    if (input)
        turn_over(b, indices, width);
    for (size_t i = 0; status == SCAN_OK && !*wrong_p && i < READ_BACK; i++) {
        const unsigned char *kept = buffers_kept_input(b, (size_t)indices[i] * width);
        if (input ? memcmp(&got[i], kept, width) != 0 : !is_poisoned(&got[i], width))
            *wrong_p = &indices[i];
    }
    return status;
}

scan_status buffers_read_back(const buffers *b, bool input, uint64_t n, size_t width,
                              fault *fault_p)
{
    uint64_t indices[READ_BACK] = {0}; /* the last element and some others */
    const uint64_t *wrong = NULL;
    if (!b->plugin->memory || n == 0 || (!input && b->in_place))
        return SCAN_OK;
    for (size_t i = 0; i < READ_BACK; i++)
        indices[i] = i == 0 ? n - 1 : unpredictable_below(n);
    const scan_status status = look_back(b, input, indices, width, &wrong);
    if (status == SCAN_OK && wrong)
        *fault_p = (fault){.code = input ? FAULT_NOT_COPIED : FAULT_NOT_FILLED,
                           .buffer = input ? FAULT_INPUT : FAULT_OUTPUT,
                           .index = *wrong};
    return status;
}

/* ---- windows ----------------------------------------------------------------- */

/* On devices, windows of the whole array are compared. Where tiles are shorter, a window is read
 * from all parts and put in order here: a copy for each tile would take longer than all else. */
typedef struct window {
    const buffers *b;
    size_t begin, bytes;            /* in the whole array */
    size_t behind[SCAN_PARTS_MOST]; /* where a part's bytes begin in `parts` */
    unsigned char *parts, *ordered;
} window;

static void put_in_order(const void *context, size_t at, part_span s)
{
    const window *w = context;
    const size_t inside = s.offset - bytes_before(w->b, s.part, w->begin);
    memcpy(w->ordered + (at - w->begin), w->parts + w->behind[s.part] + inside, s.bytes);
}

/* Reads the window of the outputs, or of the inputs, into w->ordered. A copy that does nothing must
 * not show what an earlier one has left there. */
static scan_status read_window(window *w, bool output)
{
    enum { WIPED = 4096 };
    const buffers *b = w->b;
    size_t done = 0;
    poison_fill(w->ordered, w->bytes < WIPED ? w->bytes : WIPED);
    for (uint32_t i = 0; i < b->part_count; i++) {
        const part *p = &b->parts[i];
        const size_t from = bytes_before(b, i, w->begin);
        const size_t bytes = bytes_before(b, i, w->begin + w->bytes) - from;
        w->behind[i] = done;
        const bool all = bytes == w->bytes; /* no order to make */
        const scan_status status =
            bytes == 0 ? SCAN_OK
                       : b->plugin->memory->copy_out(p->context, all ? w->ordered : w->parts + done,
                                                     output ? p->out : p->in, from, bytes);
        if (status != SCAN_OK || all)
            return status;
        done += bytes;
    }
    walk_spans((span_walk){.b = b,
                           .begin = w->begin,
                           .bytes = w->bytes,
                           .width = 1,
                           .act = put_in_order,
                           .context = w});
    return SCAN_OK;
}

static scan_status compare_windows(const buffers *b, reference *check)
{
    unsigned char *output = b->parts[0].staging, *input = output + STAGING_WINDOW;
    const size_t width = dtype_bytes(check->spec.dtype), out_width = dtype_bytes(check->dtype);
    const size_t window_bytes = STAGING_WINDOW / out_width * width; /* of the input */
    for (size_t done = 0; done < b->bytes;) {
        const size_t left = b->bytes - done, most = left < window_bytes ? left : window_bytes;
        const bool short_tiles = b->tile_bytes < window_bytes;
        const size_t bytes = short_tiles ? most : span_at(b, done, most).bytes;
        const size_t first = done / width, count = bytes / width;
        window w = {.b = b,
                    .begin = first * out_width,
                    .bytes = count * out_width,
                    .parts = input + STAGING_WINDOW,
                    .ordered = output};
        scan_status status = read_window(&w, true);
        w.begin = done;
        w.bytes = bytes;
        w.ordered = input;
        if (status == SCAN_OK && !b->in_place)
            status = read_window(&w, false);
        if (status != SCAN_OK)
            return status;
        large_check(
            b->host->machine, check,
            &(large_output){.input = b->in_place ? NULL : input, .output = output, .count = count});
        done += bytes;
    }
    return SCAN_OK;
}

/* ---- what a run has left ------------------------------------------------------ */

scan_status buffers_guards(buffers *b, fault *fault_p)
{
    scan_status status = SCAN_OK;
    for (uint32_t i = 0; i < b->part_count && status == SCAN_OK; i++) {
        part_answer answer;
        status = part_ask(&b->parts[i], (part_question){.verb = PART_GUARDS}, &answer);
        if (status != SCAN_OK || answer.found.code == FAULT_NONE)
            continue;
        *fault_p = answer.found;
        if (b->part_count > 1) {
            const bool past = answer.found.code == FAULT_WROTE_PAST;
            fault_p->code = past ? FAULT_WROTE_PAST_PART : FAULT_WROTE_BEFORE_PART;
            fault_p->count = i;
            fault_p->total = b->part_count;
        }
        return SCAN_OK;
    }
    return status;
}

/* The reference goes from part to part as the carry does. */
static scan_status compare_spans(buffers *b, reference *check)
{
    scan_status status = SCAN_OK;
    for (size_t done = 0; done < b->bytes && status == SCAN_OK;) {
        const part_span s = span_at(b, done, b->bytes - done);
        part_answer answer;
        status = part_ask(
            &b->parts[s.part],
            (part_question){
                .verb = PART_COMPARE, .offset = s.offset, .bytes = s.bytes, .check = *check},
            &answer);
        *check = status == SCAN_OK ? answer.check : *check;
        done += s.bytes;
    }
    return status;
}

/* The fault that the comparison found, if the guards are intact. */
static fault of_elements(const reference *check)
{
    if (check->input_changed)
        return (fault){.code = FAULT_INPUT_CHANGED,
                       .index = check->first_changed,
                       .scan_n = check->spec.scan_n,
                       .inner = check->spec.inner};
    if (!check->wrong)
        return (fault){.code = FAULT_NONE};
    return (fault){.code = check->unwritten    ? FAULT_UNWRITTEN_ELEMENTS
                           : check->inaccurate ? FAULT_INACCURATE
                                               : FAULT_WRONG_ELEMENTS,
                   .count = check->wrong,
                   .total = check->spec.n,
                   .index = check->first_bad,
                   .scan_n = check->spec.scan_n,
                   .inner = check->spec.inner,
                   .dtype = check->dtype,
                   .got = check->got_bits,
                   .expected = check->expected_bits,
                   .last = check->last_bad,
                   .last_got = check->last_bits};
}

scan_status buffers_compare(buffers *b, const buffers_question *question, reference *check_p,
                            fault *fault_p)
{
    const input_spec *spec = question->spec;
    const input_spec known = b->part_count > 1 ? *spec : kept_input(b->host, spec);
    fault found = {.code = FAULT_NONE};
    reference check;
    reference_begin(&check, &known, question->kind, question->rule);
    if (question->points)
        reference_keep(&check, question->points, question->stride);
    scan_status status = reference_begin_columns(&check);
    if (status == SCAN_OK)
        status = b->plugin->memory ? compare_windows(b, &check) : compare_spans(b, &check);
    reference_end_columns(&check);
    if (status == SCAN_OK)
        status = buffers_guards(b, &found);
    if (status != SCAN_OK)
        return status;
    if (found.code == FAULT_NONE)
        found = of_elements(&check);
    found.pattern = spec->pattern;
    *check_p = check;
    check_p->spec = *spec;
    *fault_p = found;
    return SCAN_OK;
}
