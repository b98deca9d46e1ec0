/* check_tables_test.c - each breach of the contract that a table can have, one at a time, in
 * memory */
#include "loader/loader.h"
#include "tap.h"

#include <stdbool.h>

static scan_status probe(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                         scan_device *device)
{
    (void)host;
    (void)plugin;
    (void)index;
    (void)device;
    return SCAN_UNAVAILABLE;
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)context;
    (void)problem;
    (void)self_p;
    return host->fail(host, SCAN_ERROR, "not for calling");
}

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    (void)self;
    return in == out ? SCAN_ERROR : SCAN_OK;
}

static void destroy(void *self)
{
    (void)self;
}

static scan_status open_memory(const scan_host *host, const scan_plugin *plugin, uint32_t index,
                               void **context_p)
{
    (void)plugin;
    (void)context_p;
    return host->fail(host, SCAN_ERROR, "no device %u", index);
}

static scan_status allocate(void *context, uint64_t bytes, scan_buffer *buffer_p)
{
    (void)context;
    *buffer_p = bytes;
    return SCAN_OK;
}

static void release(void *context, scan_buffer buffer)
{
    (void)context;
    (void)buffer;
}

static scan_status view(void *context, scan_buffer buffer, uint64_t offset, uint64_t bytes,
                        scan_buffer *view_p)
{
    (void)context;
    *view_p = buffer + offset + bytes;
    return SCAN_OK;
}

static scan_status copy_in(void *context, scan_buffer to, uint64_t offset, const void *from,
                           uint64_t bytes)
{
    (void)context;
    (void)from;
    return (to + offset + bytes) ? SCAN_ERROR : SCAN_OK;
}

static scan_status copy_out(void *context, void *to, scan_buffer from, uint64_t offset,
                            uint64_t bytes)
{
    (void)context;
    (void)to;
    return (from + offset + bytes) ? SCAN_ERROR : SCAN_OK;
}

static scan_status fill(void *context, scan_buffer to, uint64_t offset, uint64_t bytes,
                        uint8_t value)
{
    (void)context;
    return (to + offset + bytes + value) ? SCAN_ERROR : SCAN_OK;
}

/* A table that keeps the contract and can be written. */
typedef struct bench {
    scan_plugin plugin;
    scan_memory memory;
    scan_tunable tunables[LOADER_MAX_TUNABLES + 1];
    int64_t values[2];
    char names[LOADER_MAX_TUNABLES + 1][24];
    scan_plugin more[LOADER_MAX_PLUGINS + 1];
    char ids[LOADER_MAX_PLUGINS + 1][16];
    const scan_plugin *plugin_table[LOADER_MAX_PLUGINS + 2];
    scan_entry_table entry;
    size_t symbol_bytes;
} bench;

static void make_good(bench *b)
{
    memset(b, 0, sizeof *b);
    b->values[0] = 1;
    b->values[1] = 7;
    b->memory =
        (scan_memory){sizeof b->memory, 0,        open_memory, destroy, allocate, release, view,
                      copy_in,          copy_out, fill,        NULL,    0};
    for (int i = 0; i <= LOADER_MAX_TUNABLES; i++) {
        snprintf(b->names[i], sizeof b->names[i], "t%d", i);
        b->tunables[i] = (scan_tunable){.struct_size = sizeof b->tunables[i],
                                        .name = b->names[i],
                                        .summary = "one",
                                        .default_value = 7,
                                        .min = 1,
                                        .max = 8};
    }
    b->tunables[1].values = b->values;
    b->tunables[1].value_count = 2;
    b->plugin = (scan_plugin){.struct_size = sizeof b->plugin,
                              .ops = {SCAN_OPS_1_0},
                              .id = "one",
                              .name = "One",
                              .version = "1",
                              .summary = "one \xe2\x8a\x95 one",
                              .reference = "",
                              .backend = "cpu",
                              .tunables = b->tunables,
                              .tunable_count = 2,
                              .memory = &b->memory,
                              .probe = probe,
                              .create = create,
                              .run = run,
                              .destroy = destroy};
    b->plugin_table[0] = &b->plugin;
    b->entry = (scan_entry_table){.magic = SCAN_ABI_MAGIC,
                                  .abi_major = SCAN_ABI_MAJOR,
                                  .abi_minor = SCAN_ABI_MINOR,
                                  .struct_size = sizeof b->entry,
                                  .plugins = b->plugin_table};
    b->symbol_bytes = sizeof b->entry;
}

/* Breaks the good table in one way and looks for a part of the message; "" if it must be
 * accepted. */
static void check(bench *b, const char *expected, const char *claim)
{
    errmsg error = {""};
    scan_status status = loader_check_entry(&b->entry, b->symbol_bytes, &error);
    bool as_expected =
        *expected ? status == SCAN_INVALID && strstr(error.text, expected) : status == SCAN_OK;
    if (!ok(as_expected, "%s", claim))
        printf("# got: %s\n# expected: %s\n", error.text, expected);
    make_good(b);
}

#define BREAK(change, expected) ((void)((b)->change), check(b, expected, #change))

static void test_accepted(bench *b)
{
    check(b, "", "the good table");
    BREAK(plugin.memory = NULL, "");
    BREAK(plugin.tunable_count = 0, "");
    BREAK(plugin.struct_size = 4096, "");
    BREAK(plugin.struct_size = offsetof(scan_plugin, get_extension), "");
    BREAK(entry.struct_size = 4096, "");
    BREAK(memory.flags = SCAN_MEMORY_GRAPHS, "");
    b->memory.struct_size = offsetof(scan_memory, flags);
    BREAK(memory.flags = 2, "");
    BREAK(tunables[0].default_value = 8, "");
    BREAK(tunables[0].flags = SCAN_TUNABLE_THREADS, "");
    BREAK(plugin.flags = SCAN_FLAG_IN_PLACE | SCAN_FLAG_NONDETERMINISTIC, "");
    BREAK(plugin.flags = SCAN_FLAG_IN_PLACE_ONLY | SCAN_FLAG_ALLOCATES_IN_RUN, "");
    BREAK(plugin.flags = SCAN_FLAG_ROWS | SCAN_FLAG_INNER, "");
    b->plugin.role = SCAN_ROLE_CEILING;
    memset(b->plugin.ops, 0, sizeof b->plugin.ops);
    check(b, "", "a ceiling without ops");
    b->plugin.flags = SCAN_FLAG_IN_PLACE_ONLY;
    check(b, "", "a ceiling in place only");
    memset(&b->plugin.ops[1], 0, sizeof b->plugin.ops - sizeof b->plugin.ops[0]);
    b->plugin.ops[31] =
        (scan_op_entry){SCAN_OP_SUM, SCAN_BIT(SCAN_KIND_INCLUSIVE), SCAN_BIT(SCAN_DTYPE_F64)};
    check(b, "", "two entries of one op, the last of them at the table's end");
}

static void test_entry(bench *b)
{
    BREAK(symbol_bytes = 8, "expected a data symbol of at least 24 bytes, found 8");
    BREAK(symbol_bytes = 16, "expected a struct_size of at least 24, found 24 in a symbol of 16");
    BREAK(entry.plugins = NULL, "its table of plugins is NULL");
    b->plugin_table[1] = &b->plugin;
    check(b, "plugins 1 and 2 of the file have the same id", "an id used twice");
    for (int i = 0; i <= LOADER_MAX_PLUGINS; i++) {
        b->more[i] = b->plugin;
        snprintf(b->ids[i], sizeof b->ids[i], "p%d", i);
        b->more[i].id = b->ids[i];
        b->plugin_table[i] = &b->more[i];
    }
    check(b, "it holds more than 256 plugins; does its table end with NULL?",
          "a table of plugins without end");
}

static void test_words(bench *b)
{
    char id[65];
    memset(id, 'a', sizeof id - 1);
    id[64] = '\0';
    BREAK(plugin.id = id, "expected [a-z][a-z0-9_]* of at most 63");
    BREAK(plugin.id = id + 1, "");
    BREAK(plugin.id = NULL, "plugin 1 of the file: its id is NULL");
    BREAK(plugin.id = "", "its id is ''");
    BREAK(plugin.id = "1a", "its id is '1a'");
    BREAK(plugin.id = "a-b", "its id is 'a-b'");
    BREAK(plugin.name = NULL, "plugin 'one': its name is NULL; give it a text");
    BREAK(plugin.name = "", "its name is empty");
    BREAK(plugin.version = NULL, "its version is NULL");
    BREAK(plugin.summary = "two\nlines", "its summary has control character 10 in it");
    BREAK(plugin.reference = NULL, "its reference is NULL; give it a text or \"\"");
    BREAK(plugin.backend = "", "its backend is empty");
}

static void test_sets(bench *b)
{
    BREAK(plugin.role = 5, "its role is 5, expected less than 5");
    BREAK(plugin.flags = 64, "its flags are 0x40, expected only bits of 0x3f");
    BREAK(plugin.flags = SCAN_FLAG_IN_PLACE | SCAN_FLAG_IN_PLACE_ONLY, "it declares both");
    BREAK(plugin.ops[0].kinds = 4, "it declares op sum for kinds 0x4, expected only bits of 0x3");
    BREAK(plugin.ops[0].dtypes |= SCAN_BIT(63), "it declares op sum for dtype ?, on which");
    BREAK(plugin.ops[3].op = 1000, "it declares op 1000, expected less than ");
    BREAK(plugin.ops[1].kinds = 0, "it declares op max for no kinds");
    BREAK(plugin.ops[2].dtypes = 0, "it declares op min for no dtypes");
    BREAK(plugin.role = SCAN_ROLE_CEILING, "its role is ceiling, which copies any dtype");
    BREAK(plugin.ops[0].dtypes = SCAN_PAIRS_1_0, "op sum for dtype u32x2, on which sum is not");
    BREAK(plugin.ops[3].dtypes = SCAN_SCALARS_1_0, "op affine for dtype i32, on which affine is");
    memset(b->plugin.ops, 0, sizeof b->plugin.ops);
    check(b, "it declares no ops", "no ops");
}

static void test_slots(bench *b)
{
    BREAK(plugin.create = NULL, "its create is NULL");
    BREAK(plugin.probe = NULL, "it has a memory vtable but no probe");
    BREAK(plugin.summary = "\xff", "its summary is not UTF-8");
    BREAK(plugin.run = NULL, "its run is NULL");
    BREAK(plugin.destroy = NULL, "its destroy is NULL");
    BREAK(plugin.struct_size = offsetof(scan_plugin, destroy), "scan_plugin has struct_size");
    BREAK(plugin.struct_size = 0, "has struct_size 0");
    BREAK(memory.struct_size = offsetof(scan_memory, fill), "scan_memory has struct_size");
    BREAK(memory.open = NULL, "its memory vtable has no open");
    BREAK(memory.close = NULL, "its memory vtable has no close");
    BREAK(memory.allocate = NULL, "its memory vtable has no allocate");
    BREAK(memory.release = NULL, "its memory vtable has no release");
    BREAK(memory.view = NULL, "its memory vtable has no view");
    BREAK(memory.copy_in = NULL, "its memory vtable has no copy_in");
    BREAK(memory.copy_out = NULL, "its memory vtable has no copy_out");
    BREAK(memory.fill = NULL, "its memory vtable has no fill");
    BREAK(memory.flags = 2, "its memory's flags are 0x2, expected only bits of 0x1");
}

static void test_results(bench *b)
{
    const scan_result_entry wide[] = {SCAN_WIDE_1_1};
    memcpy(b->plugin.results, wide, sizeof wide);
    check(b, "", "the pairs of SCAN_WIDE_1_1");
    BREAK(plugin.results[15] = wide[0], "");
    BREAK(plugin.results[0].dtypes = 1, "it declares results of no type");
    BREAK(plugin.results[3].results = 1, "it declares results of no input");
    BREAK(plugin.results[0] = ((scan_result_entry){SCAN_BIT(SCAN_DTYPE_I32), 1}),
          "it declares results of type i32 for i32, which do not widen");
    BREAK(plugin.results[0] = ((scan_result_entry){SCAN_BIT(SCAN_DTYPE_U8), 1}),
          "it declares results of type i32 for u8, which do not widen");
    BREAK(plugin.results[0] = ((scan_result_entry){1, SCAN_BIT(40)}), "of type ? for i32");
    b->plugin.results[0] = wide[0];
    BREAK(plugin.flags = SCAN_FLAG_IN_PLACE_ONLY, "it declares wider results and SCAN_FLAG_IN");
    b->plugin.results[0] = wide[0];
    b->plugin.results[0].results = 0;
    BREAK(plugin.struct_size = offsetof(scan_plugin, results), "");
}

static void test_tunables(bench *b)
{
    BREAK(tunables[0].struct_size = 8, "scan_tunable has struct_size 8");
    BREAK(tunables[0].name = NULL, "its tunable's name is NULL");
    BREAK(tunables[0].name = "Block", "its tunable's name is 'Block'");
    BREAK(tunables[0].name = "a23456789012345678901234", "of at most 23 characters");
    BREAK(tunables[0].name = "t1", "it has two tunables 't1'");
    BREAK(tunables[0].summary = NULL, "its tunable's summary is NULL");
    BREAK(tunables[0].flags = 2, "its tunable's flags are 0x2");
    BREAK(tunables[0].default_value = 0, "expected min <= default_value <= max, found 1, 0, 8");
    BREAK(tunables[0].default_value = 9, "expected min <= default_value <= max, found 1, 9, 8");
    BREAK(tunables[0].min = 9, "expected min <= default_value <= max");
    BREAK(tunables[0].value_count = 1, "has a value_count of 1, but its values are NULL");
    BREAK(tunables[1].default_value = 3, "its default_value 3 is not one of its 2 values");
    BREAK(tunables[1].value_count = 0, "its default_value 7 is not one of its 0 values");
    BREAK(tunables[1].value_count = 4097, "tunable 't1' has 4097 values, expected at most 4096");
    BREAK(plugin.tunable_count = 65, "it has 65 tunables, expected at most 64");
    BREAK(plugin.tunable_count = 64, "");
    BREAK(plugin.tunables = NULL, "its tunable_count is 2, but its tunables are NULL");
    BREAK(tunables[1].struct_size = 72, "its tunables have struct_size 64 and 72");
    BREAK(tunables[0].struct_size = 72, "struct_size 72, expected sizeof(scan_tunable)");
}

int main(void)
{
    static bench one;
    tap_plan(15 + 6 + 12 + 12 + 16 + 10 + 19);
    make_good(&one);
    test_accepted(&one);
    test_entry(&one);
    test_words(&one);
    test_sets(&one);
    test_slots(&one);
    test_results(&one);
    test_tunables(&one);
    return tap_done();
}
