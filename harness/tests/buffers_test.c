/*
 * buffers_test.c - what is copied to and from a device passes through the staging memory where that
 * is pinned, unless it is timed
 *
 * The device is host memory. It counts how many bytes come and go by which way.
 */
#include "tap.h"
#include "worker/buffers.h"

#include <stdlib.h>

enum { N = 10 * 1000 * 1000 + 1, BYTES = 4 * N, FEW = 1000 };

typedef struct device {
    const scan_staging *staging;
    uint64_t staged, direct; /* bytes of large copies */
    void *blocks[2];         /* what was allocated; other buffers are views */
    size_t block_count;
    scan_buffer idle; /* copying it out does nothing */
} device;

static void count(device *d, const void *memory, uint64_t bytes)
{
    const uintptr_t at = (uintptr_t)memory, first = (uintptr_t)d->staging->memory;
    const bool staged = at >= first && at + bytes <= first + d->staging->bytes;
    if (bytes > 2 * GUARD_BYTES)
        *(staged ? &d->staged : &d->direct) += bytes;
}

static scan_status allocate(void *context, uint64_t bytes, scan_buffer *buffer_p)
{
    device *d = context;
    void *block = malloc(bytes);
    d->blocks[d->block_count++] = block;
    *buffer_p = (scan_buffer)(uintptr_t)block;
    return block ? SCAN_OK : SCAN_NO_MEMORY;
}

static void release(void *context, scan_buffer buffer)
{
    const device *d = context;
    for (size_t i = 0; i < d->block_count; i++)
        if (d->blocks[i] == scan_host_pointer(buffer))
            free(d->blocks[i]);
}

static scan_status view(void *context, scan_buffer buffer, uint64_t offset, uint64_t bytes,
                        scan_buffer *view_p)
{
    (void)context, (void)bytes;
    *view_p = buffer + offset;
    return SCAN_OK;
}

static scan_status copy_in(void *context, scan_buffer to, uint64_t offset, const void *from,
                           uint64_t bytes)
{
    count(context, from, bytes);
    memcpy((unsigned char *)scan_host_pointer(to) + offset, from, bytes);
    return SCAN_OK;
}

static scan_status copy_out(void *context, void *to, scan_buffer from, uint64_t offset,
                            uint64_t bytes)
{
    const device *d = context;
    count(context, to, bytes);
    if (from != d->idle)
        memcpy(to, (const unsigned char *)scan_host_pointer(from) + offset, bytes);
    return SCAN_OK;
}

static scan_status fill(void *context, scan_buffer to, uint64_t offset, uint64_t bytes,
                        uint8_t value)
{
    (void)context;
    memset((unsigned char *)scan_host_pointer(to) + offset, value, bytes);
    return SCAN_OK;
}

static const scan_memory memory = {.struct_size = sizeof memory,
                                   .allocate = allocate,
                                   .release = release,
                                   .view = view,
                                   .copy_in = copy_in,
                                   .copy_out = copy_out,
                                   .fill = fill};
static const scan_plugin plugin = {.memory = &memory};

static bool went(device *d, uint64_t staged, uint64_t direct)
{
    const bool as_said = d->staged == staged && d->direct == direct;
    if (!as_said)
        printf("# %llu bytes staged, %llu direct\n", (unsigned long long)d->staged,
               (unsigned long long)d->direct);
    d->staged = d->direct = 0;
    return as_said;
}

static void check_ways(buffers *b, device *d, const input_spec *spec)
{
    ok(buffers_write_input(b, spec) == SCAN_OK && went(d, STAGING_BYTES, BYTES - STAGING_BYTES),
       "the first copy is staged, and the others are not unless the plugin pins");
    *d->staging->pinned_p = 1;
    ok(buffers_write_input(b, spec) == SCAN_OK && went(d, BYTES, 0),
       "from then on each piece of an input is staged");
    const part *all = buffers_undivided(b);
    ok(memcmp(scan_host_pointer(all->in), all->host_in.data, BYTES) == 0,
       "the device has the input that the host has");
    ok(buffers_each(b, part_copy_in) == SCAN_OK && buffers_each(b, part_copy_out) == SCAN_OK &&
           went(d, 0, 2 * (uint64_t)BYTES),
       "timed copies are not staged");
}

static void check_comparison(buffers *b, device *d, const input_spec *spec)
{
    const buffers_question question = {.spec = spec, .kind = SCAN_KIND_INCLUSIVE};
    int32_t *in = scan_host_pointer(buffers_in(b)), *out = scan_host_pointer(buffers_out(b));
    op_scan scan = {.op = spec->op, .dtype = spec->dtype, .inclusive = true};
    reference check;
    fault found;
    op_scan_next(&scan, in, out, N);
    ok(buffers_compare(b, &question, &check, &found) == SCAN_OK && found.code == FAULT_NONE &&
           reference_passed(&check) && went(d, 2 * (uint64_t)BYTES, 0),
       "a comparison reads the whole output and the whole input by way of the staging memory");
    out[N - 1] ^= 1;
    ok(buffers_compare(b, &question, &check, &found) == SCAN_OK &&
           found.code == FAULT_WRONG_ELEMENTS && found.index == N - 1 && found.count == 1,
       "the last element is compared");
    out[N - 1] ^= 1;
    in[N - 1] ^= 1;
    ok(buffers_compare(b, &question, &check, &found) == SCAN_OK &&
           found.code == FAULT_INPUT_CHANGED && found.index == N - 1,
       "and that of the input");
    in[N - 1] ^= 1;
    unsigned char *behind = (unsigned char *)out + BYTES;
    *behind ^= 1;
    ok(buffers_compare(b, &question, &check, &found) == SCAN_OK && found.code == FAULT_WROTE_PAST,
       "and the guards");
}

/* The right results are left in the staging memory, as by a copy before. */
static void check_idle_copy(buffers *b, device *d, const input_spec *spec)
{
    const buffers_question question = {.spec = spec, .kind = SCAN_KIND_INCLUSIVE};
    int32_t *out = scan_host_pointer(buffers_out(b));
    op_scan scan = {.op = spec->op, .dtype = spec->dtype, .inclusive = true};
    reference check;
    fault found;
    buffers_write_input(b, spec);
    op_scan_next(&scan, scan_host_pointer(buffers_in(b)), out, FEW);
    memcpy(d->staging->memory, out, sizeof *out * FEW);
    d->idle = buffers_out(b);
    ok(buffers_compare(b, &question, &check, &found) == SCAN_OK &&
           found.code == FAULT_UNWRITTEN_ELEMENTS && found.index == 0,
       "a copy that does nothing does not show what an earlier one has left");
    d->idle = 0;
}

int main(void)
{
    errmsg error = {0};
    cpu_topology *machine = topology_load(&error);
    static worker_host host;
    buffers b = {0};
    fault found = {.code = FAULT_NONE};
    tap_plan(11);
    worker_host_init(&host, machine, false);
    device d = {.staging = host.host.get_extension(&host.host, SCAN_STAGING)};
    const buffers_layout one_part = {.parts = 1};
    const part_spec whole = {
        .plugin = &plugin, .context = &d, .host = &host, .bytes = BYTES, .out_bytes = BYTES};
    const input_spec input = {
        .dtype = SCAN_DTYPE_I32, .op = SCAN_OP_SUM, .pattern = INPUT_RANDOM, .seed = 42, .n = N};
    ok(d.staging && d.staging->bytes == STAGING_BYTES && *d.staging->pinned_p == 0 &&
           !host.host.get_extension(&host.host, "other/1"),
       "the host offers its staging memory, and nothing else");
    if (!ok(buffers_create(&b, &one_part, &whole, &found) == SCAN_OK, "buffers are made"))
        return 1;
    check_ways(&b, &d, &input);
    check_comparison(&b, &d, &input);
    buffers_destroy(&b);
    d.block_count = 0;
    part_spec small = whole;
    small.bytes = small.out_bytes = FEW * sizeof(int32_t);
    input_spec few = input;
    few.n = FEW;
    if (buffers_create(&b, &one_part, &small, &found) == SCAN_OK)
        check_idle_copy(&b, &d, &few);
    buffers_destroy(&b);
    topology_free(machine);
    return tap_done();
}
