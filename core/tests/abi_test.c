/*
 * abi_test.c - the layout of every struct that crosses the plugin border
 *
 * A failure here means that the ABI has changed: plugins built earlier no longer work. Only new
 * fields at the end of a struct may be added within a major version.
 */
#include "tap.h"

#include "scan_ranks.h"

typedef struct field {
    const char *name;
    size_t found;
    size_t expected;
} field;

#define SIZE(type, expected)                      \
    {                                             \
        "sizeof " #type, sizeof(type), (expected) \
    }
#define AT(type, name, expected)                                       \
    {                                                                  \
        "offset of " #type "." #name, offsetof(type, name), (expected) \
    }
#define VALUE(name, expected)                       \
    {                                               \
        "value of " #name, (size_t)name, (expected) \
    }

/* On LP64 and LLP64: 8-byte pointers. */
static const field fields[] = {
    SIZE(scan_host, 72),
    AT(scan_host, struct_size, 0),
    AT(scan_host, recording, 4),
    AT(scan_host, places, 8),
    AT(scan_host, reserved, 12),
    AT(scan_host, fail, 16),
    AT(scan_host, message, 24),
    AT(scan_host, record, 32),
    AT(scan_host, allocate, 40),
    AT(scan_host, release, 48),
    AT(scan_host, pin_thread, 56),
    AT(scan_host, get_extension, 64),

    SIZE(scan_staging, 32),
    AT(scan_staging, struct_size, 0),
    AT(scan_staging, reserved, 4),
    AT(scan_staging, memory, 8),
    AT(scan_staging, bytes, 16),
    AT(scan_staging, pinned_p, 24),

    SIZE(scan_problem, 64),
    AT(scan_problem, struct_size, 0),
    AT(scan_problem, kind, 4),
    AT(scan_problem, op, 8),
    AT(scan_problem, dtype, 12),
    AT(scan_problem, n, 16),
    AT(scan_problem, tunables, 24),
    AT(scan_problem, tunable_count, 32),
    AT(scan_problem, element_bytes, 36),
    AT(scan_problem, rows, 40),
    AT(scan_problem, inner, 48),
    AT(scan_problem, result, 56),
    AT(scan_problem, result_bytes, 60),

    SIZE(scan_tunable, 64),
    AT(scan_tunable, struct_size, 0),
    AT(scan_tunable, flags, 4),
    AT(scan_tunable, name, 8),
    AT(scan_tunable, summary, 16),
    AT(scan_tunable, default_value, 24),
    AT(scan_tunable, min, 32),
    AT(scan_tunable, max, 40),
    AT(scan_tunable, values, 48),
    AT(scan_tunable, value_count, 56),
    AT(scan_tunable, reserved, 60),

    SIZE(scan_device, 312),
    AT(scan_device, struct_size, 0),
    AT(scan_device, flags, 4),
    AT(scan_device, name, 8),
    AT(scan_device, driver, 136),
    AT(scan_device, memory_bytes, 264),
    AT(scan_device, max_block, 272),
    AT(scan_device, clock_mhz, 276),
    AT(scan_device, pci, 280),

    SIZE(scan_memory, 88),
    AT(scan_memory, struct_size, 0),
    AT(scan_memory, reserved, 4),
    AT(scan_memory, open, 8),
    AT(scan_memory, close, 16),
    AT(scan_memory, allocate, 24),
    AT(scan_memory, release, 32),
    AT(scan_memory, view, 40),
    AT(scan_memory, copy_in, 48),
    AT(scan_memory, copy_out, 56),
    AT(scan_memory, fill, 64),
    AT(scan_memory, available, 72),
    AT(scan_memory, flags, 80),

    SIZE(scan_op_entry, 16),
    AT(scan_op_entry, op, 0),
    AT(scan_op_entry, kinds, 4),
    AT(scan_op_entry, dtypes, 8),

    SIZE(scan_plugin, 920),
    AT(scan_plugin, struct_size, 0),
    AT(scan_plugin, role, 4),
    AT(scan_plugin, id, 8),
    AT(scan_plugin, name, 16),
    AT(scan_plugin, version, 24),
    AT(scan_plugin, summary, 32),
    AT(scan_plugin, reference, 40),
    AT(scan_plugin, flags, 48),
    AT(scan_plugin, reserved, 52),
    AT(scan_plugin, max_n, 56),
    AT(scan_plugin, tile, 64),
    AT(scan_plugin, ops, 72),
    AT(scan_plugin, tunables, 584),
    AT(scan_plugin, tunable_count, 592),
    AT(scan_plugin, backend, 600),
    AT(scan_plugin, memory, 608),
    AT(scan_plugin, probe, 616),
    AT(scan_plugin, supports, 624),
    AT(scan_plugin, create, 632),
    AT(scan_plugin, run, 640),
    AT(scan_plugin, destroy, 648),
    AT(scan_plugin, get_extension, 656),
    AT(scan_plugin, results, 664),

    SIZE(scan_result_entry, 16),
    AT(scan_result_entry, dtypes, 0),
    AT(scan_result_entry, results, 8),

    SIZE(scan_parts, 32),
    AT(scan_parts, struct_size, 0),
    AT(scan_parts, layout, 4),
    AT(scan_parts, tile, 8),
    AT(scan_parts, allocate, 16),
    AT(scan_parts, run, 24),

    SIZE(scan_ranks, 40),
    AT(scan_ranks, struct_size, 0),
    AT(scan_ranks, join, 8),
    AT(scan_ranks, serve, 16),
    AT(scan_ranks, ask, 24),
    AT(scan_ranks, leave, 32),

    SIZE(scan_entry_table, 24),
    AT(scan_entry_table, magic, 0),
    AT(scan_entry_table, abi_major, 4),
    AT(scan_entry_table, abi_minor, 6),
    AT(scan_entry_table, struct_size, 8),
    AT(scan_entry_table, reserved, 12),
    AT(scan_entry_table, plugins, 16),
};

static const field values[] = {
    VALUE(SCAN_ABI_MAGIC, 0x4e414353),
    VALUE(SCAN_RECORD_DEVICE, 1),
    VALUE(SCAN_RECORD_KERNELS, 2),
    VALUE(SCAN_RECORD_GRAPH, 3),
    VALUE(SCAN_MEMORY_GRAPHS, 1),
    VALUE(SCAN_OK, 0),
    VALUE(SCAN_UNAVAILABLE, 1),
    VALUE(SCAN_UNSUPPORTED, 2),
    VALUE(SCAN_NO_MEMORY, 3),
    VALUE(SCAN_ERROR, 4),
    VALUE(SCAN_INVALID, 5),
    VALUE(SCAN_DTYPE_I32, 0),
    VALUE(SCAN_DTYPE_U32, 1),
    VALUE(SCAN_DTYPE_I64, 2),
    VALUE(SCAN_DTYPE_U64, 3),
    VALUE(SCAN_DTYPE_F32, 4),
    VALUE(SCAN_DTYPE_F64, 5),
    VALUE(SCAN_DTYPE_U32X2, 6),
    VALUE(SCAN_DTYPE_F32X2, 7),
    VALUE(SCAN_DTYPE_I8, 8),
    VALUE(SCAN_DTYPE_U8, 9),
    VALUE(SCAN_DTYPE_I16, 10),
    VALUE(SCAN_DTYPE_U16, 11),
    VALUE(SCAN_DTYPE_F16, 12),
    VALUE(SCAN_DTYPE_BF16, 13),
    VALUE(SCAN_SCALARS_1_0, 0x3f),
    VALUE(SCAN_PAIRS_1_0, 0xc0),
    VALUE(SCAN_NARROW_1_1, 0xf00),
    VALUE(SCAN_HALF_1_1, 0x3000),
    VALUE(SCAN_OP_SUM, 0),
    VALUE(SCAN_OP_MAX, 1),
    VALUE(SCAN_OP_MIN, 2),
    VALUE(SCAN_OP_AFFINE, 3),
    VALUE(SCAN_KIND_EXCLUSIVE, 0),
    VALUE(SCAN_KIND_INCLUSIVE, 1),
    VALUE(SCAN_KINDS_BOTH, 3),
    VALUE(SCAN_ROLE_ALGORITHM, 0),
    VALUE(SCAN_ROLE_BASELINE, 1),
    VALUE(SCAN_ROLE_PEER, 2),
    VALUE(SCAN_ROLE_CEILING, 3),
    VALUE(SCAN_ROLE_MOCK, 4),
    VALUE(SCAN_TUNABLE_THREADS, 1),
    VALUE(SCAN_DEVICE_SHARES_HOST_MEMORY, 1),
    VALUE(SCAN_FLAG_IN_PLACE, 1),
    VALUE(SCAN_FLAG_IN_PLACE_ONLY, 2),
    VALUE(SCAN_FLAG_NONDETERMINISTIC, 4),
    VALUE(SCAN_FLAG_ALLOCATES_IN_RUN, 8),
    VALUE(SCAN_MAX_OP_ENTRIES, 32),
    VALUE(SCAN_MAX_RESULT_ENTRIES, 16),
    VALUE(SCAN_PARTS_MOST, 64),
    VALUE(SCAN_LAYOUT_CONTIGUOUS, 0),
    VALUE(SCAN_LAYOUT_CYCLIC, 1),
};

#define COUNT(table) ((int)(sizeof(table) / sizeof(table)[0]))

int main(void)
{
    tap_plan(COUNT(fields) + COUNT(values));
    if (sizeof(void *) == 8)
        for (int i = 0; i < COUNT(fields); i++)
            ok(fields[i].found == fields[i].expected,
               "%s is %zu (found %zu: otherwise the ABI has changed)", fields[i].name,
               fields[i].expected, fields[i].found);
    else
        tap_skip(COUNT(fields), "the table is of 64-bit pointers");
    for (int i = 0; i < COUNT(values); i++)
        ok(values[i].found == values[i].expected,
           "%s is %zu (found %zu: otherwise the ABI has changed)", values[i].name,
           values[i].expected, values[i].found);
    return tap_done();
}
