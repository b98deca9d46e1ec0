/*
 * The layout of everything that crosses the border, on a machine with 64-bit
 * pointers. A claim that fails says: the contract has changed. Fields may be added
 * at the end, with a higher SCAN_ABI_MINOR; nothing here may move.
 */
#include "scan_plugin.h"
#include "tap.h"

#include <stdbool.h>

typedef struct place {
    const char *field;
    size_t found, expected;
} place;

#define AT(type, field, expected)                         \
    {                                                     \
#type "." #field, offsetof(type, field), expected \
    }
#define SIZE(type, expected)                    \
    {                                           \
        "sizeof " #type, sizeof(type), expected \
    }
#define VALUE(name, expected)           \
    {                                   \
#name, (size_t)(name), expected \
    }

static const place layout[] = {
    AT(scan_host, struct_size, 0),
    AT(scan_host, recording, 4),
    AT(scan_host, places, 8),
    AT(scan_host, fail, 16),
    AT(scan_host, message, 24),
    AT(scan_host, record, 32),
    AT(scan_host, allocate, 40),
    AT(scan_host, release, 48),
    AT(scan_host, pin_thread, 56),
    AT(scan_host, get_extension, 64),
    SIZE(scan_host, 72),

    AT(scan_problem, struct_size, 0),
    AT(scan_problem, kind, 4),
    AT(scan_problem, op, 8),
    AT(scan_problem, dtype, 12),
    AT(scan_problem, n, 16),
    AT(scan_problem, tunables, 24),
    AT(scan_problem, tunable_count, 32),
    SIZE(scan_problem, 40),

    AT(scan_tunable, struct_size, 0),
    AT(scan_tunable, flags, 4),
    AT(scan_tunable, name, 8),
    AT(scan_tunable, summary, 16),
    AT(scan_tunable, default_value, 24),
    AT(scan_tunable, min, 32),
    AT(scan_tunable, max, 40),
    AT(scan_tunable, values, 48),
    AT(scan_tunable, value_count, 56),
    SIZE(scan_tunable, 64),

    AT(scan_device, struct_size, 0),
    AT(scan_device, flags, 4),
    AT(scan_device, name, 8),
    AT(scan_device, driver, 136),
    AT(scan_device, memory_bytes, 264),
    AT(scan_device, max_block, 272),
    AT(scan_device, clock_mhz, 276),
    SIZE(scan_device, 280),

    AT(scan_memory, struct_size, 0),
    AT(scan_memory, open, 8),
    AT(scan_memory, close, 16),
    AT(scan_memory, allocate, 24),
    AT(scan_memory, release, 32),
    AT(scan_memory, view, 40),
    AT(scan_memory, copy_in, 48),
    AT(scan_memory, copy_out, 56),
    AT(scan_memory, fill, 64),
    SIZE(scan_memory, 72),

    AT(scan_plugin, struct_size, 0),
    AT(scan_plugin, role, 4),
    AT(scan_plugin, flags, 8),
    AT(scan_plugin, kinds, 12),
    AT(scan_plugin, dtypes, 16),
    AT(scan_plugin, ops, 20),
    AT(scan_plugin, max_n, 24),
    AT(scan_plugin, id, 32),
    AT(scan_plugin, name, 40),
    AT(scan_plugin, version, 48),
    AT(scan_plugin, summary, 56),
    AT(scan_plugin, reference, 64),
    AT(scan_plugin, backend, 72),
    AT(scan_plugin, tunables, 80),
    AT(scan_plugin, memory, 88),
    AT(scan_plugin, probe, 96),
    AT(scan_plugin, supports, 104),
    AT(scan_plugin, create, 112),
    AT(scan_plugin, run, 120),
    AT(scan_plugin, destroy, 128),
    AT(scan_plugin, get_extension, 136),
    SIZE(scan_plugin, 144),

    AT(scan_entry_table, magic, 0),
    AT(scan_entry_table, abi_major, 4),
    AT(scan_entry_table, abi_minor, 6),
    AT(scan_entry_table, struct_size, 8),
    AT(scan_entry_table, plugins, 16),
    SIZE(scan_entry_table, 24),

    SIZE(scan_buffer, 8),
    SIZE(scan_status, 4),
};

static const place values[] = {
    VALUE(SCAN_ABI_MAGIC, 0x4e414353),
    VALUE(SCAN_ABI_MAJOR, 1),
    VALUE(SCAN_ABI_MINOR, 0),
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
    VALUE(SCAN_OP_SUM, 0),
    VALUE(SCAN_OP_MAX, 1),
    VALUE(SCAN_OP_MIN, 2),
    VALUE(SCAN_OP_AFFINE, 3),
    VALUE(SCAN_KIND_EXCLUSIVE, 0),
    VALUE(SCAN_KIND_INCLUSIVE, 1),
    VALUE(SCAN_ROLE_ALGORITHM, 0),
    VALUE(SCAN_ROLE_BASELINE, 1),
    VALUE(SCAN_ROLE_PEER, 2),
    VALUE(SCAN_ROLE_CEILING, 3),
    VALUE(SCAN_ROLE_MOCK, 4),
    VALUE(SCAN_FLAG_IN_PLACE, 1),
    VALUE(SCAN_FLAG_NONDETERMINISTIC, 2),
    VALUE(SCAN_TUNABLE_THREADS, 1),
    VALUE(SCAN_DEVICE_SHARES_HOST_MEMORY, 1),
    VALUE(SCAN_KINDS_BOTH, 3),
    VALUE(SCAN_DTYPES_SCALAR, 0x3f),
    VALUE(SCAN_DTYPES_PAIR, 0xc0),
    VALUE(SCAN_DTYPES_ALL, 0xff),
    VALUE(SCAN_OPS_COMMUTATIVE, 7),
    VALUE(SCAN_OPS_ALL, 0xf),
};

static bool all_as_expected(const place *places, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        if (places[i].found == places[i].expected)
            continue;
        printf("# %s is %zu, expected %zu\n", places[i].field, places[i].found, places[i].expected);
        wrong++;
    }
    return wrong == 0;
}

int main(void)
{
    tap_plan(2);
    if (sizeof(void *) == 8)
        ok(all_as_expected(layout, sizeof layout / sizeof layout[0]),
           "no struct of the contract has changed its layout");
    else
        tap_skip(1, "the layout is written down for 64-bit pointers");
    ok(all_as_expected(values, sizeof values / sizeof values[0]),
       "no value of the contract has changed");
    return tap_done();
}
