/*
 * entry_fuzz.c - the tables of a plugin file, made from the input. Each part lies in its own
 * memory, exactly as large as it says, so that a read past its end is found. A zero in the
 * input, or its end, means the right value.
 */
#include "loader/copy_tables.h"

#include "fuzz.h"

#include <stdbool.h>

enum { MOST_BYTES = 1024 }; /* of a struct */

/* The unused part of the input, and the tables made so far. */
typedef struct maker {
    const uint8_t *data;
    size_t bytes;
    void **made;
    size_t made_count;
} maker;

static uint8_t take(maker *m)
{
    if (m->bytes == 0)
        return 0;
    m->bytes--;
    return *m->data++;
}

/* `right`, or the value that the input has instead. */
static uint32_t take_number(maker *m, uint32_t right)
{
    uint8_t width = take(m) % 8;
    uint32_t value = 0;
    if (width != 1 && width != 2 && width != 4)
        return right;
    for (uint8_t i = 0; i < width; i++)
        value = value << 8 | take(m);
    return value;
}

static void *make(maker *m, const void *from, size_t bytes)
{
    void **made = realloc(m->made, (m->made_count + 1) * sizeof *made);
    void *copy = malloc(bytes);
    ALWAYS(made && (copy || bytes == 0));
    m->made = made;
    m->made[m->made_count++] = copy;
    if (bytes > 0)
        memcpy(copy, from, bytes);
    return copy;
}

/* A struct of `whole` bytes, as in a plugin that was built when it had `said` bytes. */
static void *make_struct(maker *m, const void *from, size_t whole, uint32_t said)
{
    unsigned char longer[MOST_BYTES];
    ALWAYS(whole <= sizeof longer && said <= sizeof longer);
    memset(longer, 0xa5, sizeof longer);
    memcpy(longer, from, whole);
    return make(m, longer, said < sizeof said ? sizeof said : said);
}

static uint32_t take_size(maker *m, size_t right)
{
    return take_number(m, (uint32_t)right) % MOST_BYTES;
}

/* NULL, `right`, or text from the input. */
static const char *make_text(maker *m, const char *right)
{
    uint8_t length = take(m);
    char text[256] = "";
    if (length == 1)
        return NULL;
    if (length == 0)
        return make(m, right, strlen(right) + 1);
    for (uint8_t i = 2; i < length; i++)
        text[i - 2] = (char)take(m);
    return make(m, text, strlen(text) + 1);
}

static void nothing(void)
{
}

/* Sets a slot of a vtable. Its type does not matter, because it is never called. */
static void put_call(void *slot, bool there)
{
    void (*call)(void) = there ? nothing : NULL;
    memcpy(slot, &call, sizeof call);
}

static const scan_memory *make_memory(maker *m)
{
    scan_memory memory = {.struct_size = take_size(m, sizeof memory)};
    void *const slots[] = {&memory.open, &memory.close,   &memory.allocate, &memory.release,
                           &memory.view, &memory.copy_in, &memory.copy_out, &memory.fill};
    uint8_t missing = take(m);
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        put_call(slots[i], !(missing >> i & 1));
    return make_struct(m, &memory, sizeof memory, memory.struct_size);
}

static scan_tunable make_tunable(maker *m, size_t number)
{
    char name[16];
    int64_t values[256];
    snprintf(name, sizeof name, "t%zu", number);
    scan_tunable tunable = {.struct_size = take_size(m, sizeof tunable),
                            .name = make_text(m, name)};
    tunable.summary = make_text(m, "a tunable");
    tunable.flags = take_number(m, 0);
    tunable.default_value = (int32_t)take_number(m, 4);
    tunable.min = (int32_t)take_number(m, 1);
    tunable.max = (int32_t)take_number(m, 8);
    tunable.value_count = take_number(m, 0);
    if (tunable.value_count > 0 && tunable.value_count <= sizeof values / sizeof *values) {
        for (uint32_t i = 0; i < tunable.value_count; i++)
            values[i] = (int32_t)take_number(m, i);
        tunable.values = make(m, values, tunable.value_count * sizeof *values);
    }
    return tunable;
}

/* The size of an array of structs of the first one's size. The last may be cut short. */
static const scan_tunable *make_tunables(maker *m, uint64_t *count_p)
{
    static scan_tunable table[256];
    static unsigned char bytes[256 * MOST_BYTES];
    const uint8_t count = take(m);
    size_t stride = 0;
    memset(bytes, 0, sizeof(uint32_t));
    for (uint8_t i = 0; i < count; i++) {
        table[i] = make_tunable(m, i);
        if (i == 0)
            stride = table[0].struct_size;
        memset(bytes + i * stride, 0xa5, stride);
        memcpy(bytes + i * stride, &table[i], stride < sizeof *table ? stride : sizeof *table);
    }
    *count_p = count;
    return count ? make(m, bytes, count * stride < 4 ? 4 : count * stride) : NULL;
}

static const scan_plugin *make_plugin(maker *m, size_t number)
{
    char id[16];
    snprintf(id, sizeof id, "p%zu", number);
    scan_plugin plugin = {.struct_size = take_size(m, sizeof plugin)};
    plugin.role = take_number(m, SCAN_ROLE_ALGORITHM);
    plugin.flags = take_number(m, 0);
    static const scan_op_entry all[] = {SCAN_OPS_1_0};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        plugin.ops[i].op = take_number(m, all[i].op);
        plugin.ops[i].kinds = take_number(m, all[i].kinds);
        plugin.ops[i].dtypes = take_number(m, (uint32_t)all[i].dtypes);
    }
    plugin.max_n = take_number(m, 0);
    plugin.tile = take_number(m, 0);
    plugin.id = make_text(m, id);
    plugin.name = make_text(m, "P");
    plugin.version = make_text(m, "1");
    plugin.summary = make_text(m, "a plugin");
    plugin.reference = make_text(m, "");
    plugin.backend = make_text(m, "cpu");
    plugin.tunables = make_tunables(m, &plugin.tunable_count);
    plugin.memory = take(m) ? make_memory(m) : NULL;
    uint8_t missing = take(m);
    void *const slots[] = {&plugin.create,   &plugin.run,   &plugin.destroy,
                           &plugin.supports, &plugin.probe, &plugin.get_extension};
    for (size_t i = 0; i < sizeof slots / sizeof *slots; i++)
        put_call(slots[i], !(missing >> i & 1));
    return make_struct(m, &plugin, sizeof plugin, plugin.struct_size);
}

static const scan_plugin *const *make_plugins(maker *m)
{
    const scan_plugin *table[256];
    uint8_t absent = take(m), more = take(m);
    size_t count = 0;
    if (absent == 1)
        return NULL;
    while (absent != 2 && count <= more && count < 255 && (count == 0 || m->bytes > 0)) {
        table[count] = make_plugin(m, count);
        count++;
    }
    table[count++] = NULL;
    return make(m, table, count * sizeof *table);
}

static bool is_name(const char *text, size_t most)
{
    size_t length = strlen(text);
    bool good = length >= 1 && length <= most && text[0] >= 'a' && text[0] <= 'z';
    for (size_t i = 1; good && i < length; i++)
        good = (text[i] >= 'a' && text[i] <= 'z') || (text[i] >= '0' && text[i] <= '9') ||
               text[i] == '_';
    return good;
}

/* From byte `from` on, the copy has the fields that both sides know, and then zeros. */
static void check_copy(const void *copy, const void *original, size_t from, size_t whole)
{
    const unsigned char *ours = copy, *theirs = original;
    uint32_t said;
    memcpy(&said, theirs, sizeof said);
    size_t known = said < whole ? said : whole;
    ALWAYS(memcmp(ours + from, theirs + from, known - from) == 0);
    for (size_t i = known; i < whole; i++)
        ALWAYS(ours[i] == 0);
    memcpy(&said, ours, sizeof said);
    ALWAYS(said == whole);
}

static void check_tunables(const scan_plugin *copy, const scan_plugin *original)
{
    const char *from = (const char *)original->tunables;
    ALWAYS(copy->tunable_count == original->tunable_count);
    ALWAYS(copy->tunable_count <= LOADER_MAX_TUNABLES);
    ALWAYS(!copy->tunables == (copy->tunable_count == 0));
    for (size_t i = 0; i < copy->tunable_count; i++) {
        const scan_tunable *tunable = &copy->tunables[i];
        ALWAYS(is_name(tunable->name, LOADER_TUNABLE_LENGTH));
        check_copy(tunable, from + i * original->tunables->struct_size, sizeof(uint32_t),
                   sizeof *tunable);
        for (size_t j = 0; j < i; j++)
            ALWAYS(strcmp(copy->tunables[j].name, tunable->name) != 0);
    }
}

static void check_plugin(const scan_plugin *copy, const scan_plugin *original)
{
    enum { HEAD = sizeof(uint32_t), TABLES = offsetof(scan_plugin, tunables) };
    ALWAYS(is_name(copy->id, LOADER_ID_LENGTH));
    ALWAYS(memcmp((const char *)copy + HEAD, (const char *)original + HEAD, TABLES - HEAD) == 0);
    check_tunables(copy, original);
    ALWAYS(!copy->memory == !original->memory);
    if (copy->memory)
        check_copy(copy->memory, original->memory, HEAD, sizeof *copy->memory);
    check_copy(copy, original, offsetof(scan_plugin, probe), sizeof *copy);
}

/* Accepted tables can be copied, and the copy keeps the contract like the original. */
static void check_accepted(const scan_entry_table *entry)
{
    errmsg error = {""};
    const scan_plugin *table[LOADER_MAX_PLUGINS + 1] = {NULL};
    loader_module module = {0};
    ALWAYS(copy_tables(entry, &module) == SCAN_OK);
    for (size_t i = 0; i < module.count; i++) {
        ALWAYS(i < LOADER_MAX_PLUGINS && entry->plugins[i]);
        check_plugin(&module.plugins[i], entry->plugins[i]);
        for (size_t j = 0; j < i; j++)
            ALWAYS(strcmp(module.plugins[i].id, module.plugins[j].id) != 0);
        table[i] = &module.plugins[i];
    }
    ALWAYS(!entry->plugins[module.count]);
    scan_entry_table again = *entry;
    again.plugins = table;
    ALWAYS(loader_check_entry(&again, sizeof again, &error) == SCAN_OK);
    loader_release(&module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    errmsg error = {""};
    maker m = {.data = data, .bytes = bytes};
    scan_entry_table entry = {.magic = take_number(&m, SCAN_ABI_MAGIC)};
    entry.abi_major = (uint16_t)take_number(&m, SCAN_ABI_MAJOR);
    entry.abi_minor = (uint16_t)take_number(&m, SCAN_ABI_MINOR);
    entry.struct_size = take_number(&m, sizeof entry);
    size_t symbol_bytes = take_number(&m, sizeof entry) % (2 * sizeof entry);
    entry.plugins = make_plugins(&m);
    unsigned char longer[2 * sizeof entry] = {0};
    memcpy(longer, &entry, sizeof entry);
    const scan_entry_table *symbol = make(&m, longer, symbol_bytes);
    scan_status status = loader_check_entry(symbol, symbol_bytes, &error);
    ALWAYS(status == SCAN_OK || status == SCAN_INVALID);
    ALWAYS((status == SCAN_OK) == (error.text[0] == '\0') &&
           strlen(error.text) < sizeof error.text);
    if (status == SCAN_OK)
        check_accepted(symbol);
    for (size_t i = 0; i < m.made_count; i++)
        free(m.made[i]);
    free(m.made);
    return 0;
}
