/* check_parts_test.c - what a plugin says of its parts is checked before it is used, and every
 * element lies in one part */
#include "loader/check_parts.h"
#include "loader/loader.h"
#include "tap.h"

#include <stdbool.h>
#include <string.h>

/* What the plugin of a test answers. */
static struct {
    scan_parts parts;
    const scan_parts *answer;
} said;

static const void *get_extension(const scan_plugin *plugin, const char *name)
{
    (void)plugin;
    return strcmp(name, SCAN_PARTS) == 0 ? said.answer : NULL;
}

static uint64_t tile(const scan_plugin *plugin, const scan_problem *problem)
{
    (void)plugin;
    return problem->n;
}

static scan_status allocate(void *context, uint32_t part, uint64_t bytes, scan_buffer *buffer_p)
{
    (void)context;
    *buffer_p = bytes + part;
    return SCAN_OK;
}

static scan_status run(void *self, const scan_buffer *in, const scan_buffer *out)
{
    (void)self;
    return in && out ? SCAN_OK : SCAN_ERROR;
}

static const scan_memory memory = {.struct_size = sizeof memory};
static int64_t powers[] = {4, 1, 2};

/* A plugin that keeps the contract, and may be changed. */
typedef struct bench {
    scan_plugin plugin;
    scan_tunable tunables[2];
} bench;

static void make_good(bench *b)
{
    *b = (bench){.plugin = {.id = "one", .get_extension = get_extension, .tunable_count = 2},
                 .tunables = {SCAN_TUNABLE_RANGE("block", "", 64, 1, 64),
                              SCAN_TUNABLE_RANGE(SCAN_PARTS_TUNABLE, "", 1, 1, 8)}};
    b->plugin.tunables = b->tunables;
    said.parts = (scan_parts){.struct_size = sizeof(scan_parts), .run = run};
    said.answer = &said.parts;
}

/* The plugin as it was changed is refused with a text that has `expected` in it; "": accepted. */
static void check(bench *b, const char *expected, const char *claim)
{
    errmsg error = {""};
    scan_parts found = {0};
    const scan_status status = check_parts(&b->plugin, &b->plugin, &found, &error);
    const bool good = *expected
                          ? status == SCAN_INVALID && strstr(error.text, expected) && !found.run
                          : status == SCAN_OK && found.run == run;
    if (!ok(good, "%s", claim))
        printf("# got: %s\n# expected: %s\n", error.text, expected);
    make_good(b);
}

#define BREAK(change, expected) ((void)(change), check(b, expected, #change))

static void test_accepted(bench *b)
{
    check(b, "", "a slice a part, in host memory");
    said.parts.layout = SCAN_LAYOUT_CYCLIC;
    said.parts.tile = tile;
    check(b, "", "tiles in turn");
    b->plugin.memory = &memory;
    said.parts.allocate = allocate;
    check(b, "", "parts of a device");
    b->tunables[1] = (scan_tunable)SCAN_TUNABLE_LIST(SCAN_PARTS_TUNABLE, "", 1, powers);
    check(b, "", "a list of numbers of parts");
    BREAK(said.parts.struct_size = 4096, "");
}

static void test_refused(bench *b)
{
    BREAK(said.parts.struct_size = 24, "has struct_size 24, expected at least 32");
    BREAK(said.parts.run = NULL, "has no run");
    BREAK(said.parts.layout = 2, "have layout 2, expected less than 2");
    BREAK(said.parts.tile = tile, "are contiguous, and its scan_parts has a tile");
    BREAK(said.parts.layout = SCAN_LAYOUT_CYCLIC, "are cyclic, and its scan_parts has no tile");
    BREAK(said.parts.allocate = allocate,
          "has no memory vtable, and its scan_parts has an allocate");
    BREAK(b->plugin.memory = &memory, "has a memory vtable, and its scan_parts has no allocate");
    BREAK(b->tunables[1].default_value = 2, "has the default 2 and begins at 1");
    BREAK(b->tunables[1].min = 0, "has the default 1 and begins at 0");
    BREAK(b->tunables[1].max = 65, "goes up to 65, expected at most 64");
    BREAK(b->plugin.tunable_count = 1, "answers scan.parts/1 but has no tunable 'parts'");
}

/* A tunable may have had that name before. */
static void test_unaware(bench *b)
{
    errmsg error;
    scan_parts found = said.parts;
    said.answer = NULL;
    ok(check_parts(&b->plugin, &b->plugin, &found, &error) == SCAN_OK && !found.run,
       "a plugin with such a tunable need not know of parts");
    make_good(b);
    b->plugin.get_extension = NULL;
    ok(check_parts(&b->plugin, &b->plugin, &found, &error) == SCAN_OK && !found.run,
       "one without extensions is left alone");
}

static scan_status join(const scan_host *host, const scan_plugin *plugin, uint32_t *rank_p,
                        uint32_t *count_p)
{
    *rank_p = *count_p = 0;
    return host && plugin ? SCAN_OK : SCAN_ERROR;
}

static scan_status serve(const scan_host *host, const scan_plugin *plugin, scan_answer answer,
                         void *context)
{
    (void)context;
    return host && plugin && answer ? SCAN_OK : SCAN_ERROR;
}

static scan_status ask(const scan_plugin *plugin, uint32_t rank, const void *question,
                       uint64_t question_bytes, void *answer, uint64_t answer_bytes)
{
    (void)answer;
    return plugin && question && rank + question_bytes + answer_bytes ? SCAN_OK : SCAN_ERROR;
}

static void leave(const scan_plugin *plugin)
{
    (void)plugin;
}

static scan_ranks job;

static const void *get_ranks(const scan_plugin *plugin, const char *name)
{
    (void)plugin;
    return strcmp(name, SCAN_RANKS) == 0 ? &job : NULL;
}

/* As check, of what is said of ranks by a plugin that works in parts. */
static void check_job(bench *b, const char *expected, const char *claim)
{
    errmsg error = {""};
    scan_ranks found = {0};
    b->plugin.get_extension = get_ranks;
    const scan_status status = check_ranks(&b->plugin, &b->plugin, &said.parts, &found, &error);
    const bool good = *expected
                          ? status == SCAN_INVALID && strstr(error.text, expected) && !found.join
                          : status == SCAN_OK && found.join == join;
    if (!ok(good, "%s", claim))
        printf("# got: %s\n# expected: %s\n", error.text, expected);
    make_good(b);
    job = (scan_ranks){sizeof job, 0, join, serve, ask, leave};
}

static void test_ranks(bench *b)
{
    scan_ranks found = {0};
    errmsg error;
    job = (scan_ranks){sizeof job, 0, join, serve, ask, leave};
    check_job(b, "", "parts in ranks");
    job.struct_size = 8;
    check_job(b, "its scan_ranks has struct_size 8, expected at least 40", "a short scan_ranks");
    job.ask = NULL;
    check_job(b, "its scan_ranks lacks ask", "a function that is left out");
    b->plugin.memory = &memory;
    check_job(b, "it has scan_ranks and a memory vtable", "device memory in ranks");
    said.parts.run = NULL;
    check_job(b, "answers scan.ranks/1 but not scan.parts/1", "ranks without parts");
    said.parts.run = NULL;
    ok(check_ranks(&b->plugin, &b->plugin, &said.parts, &found, &error) == SCAN_OK && !found.join,
       "a plugin that knows of neither is left alone");
    make_good(b);
}

/* How many elements of part `part` there are, found by dealing them out one by one. */
static uint64_t dealt(uint64_t n, uint64_t t, uint32_t parts, uint32_t part)
{
    uint64_t count = 0;
    for (uint64_t i = 0; i < n; i++)
        count += i / t % parts == part;
    return count;
}

static void test_lengths(void)
{
    bool cyclic = true, contiguous = true;
    for (uint32_t parts = 1; parts <= 9; parts++)
        for (uint64_t n = 0; n < 60; n++)
            for (uint32_t p = 0; p < parts; p++) {
                const uint64_t slice = scan_parts_slice(n, parts);
                contiguous &= scan_parts_length(n, slice, parts, p) == dealt(n, slice, parts, p) &&
                              slice * parts >= n;
                for (uint64_t t = 1; t < 9; t++)
                    cyclic &= scan_parts_length(n, t, parts, p) == dealt(n, t, parts, p);
            }
    ok(cyclic, "the lengths of cyclic parts are those of dealing out tiles one by one");
    ok(contiguous, "a slice a part holds all elements");
    ok(scan_parts_slice(UINT64_MAX, 2) == UINT64_MAX / 2 + 1 &&
           scan_parts_length(UINT64_MAX, UINT64_MAX / 2 + 1, 2, 1) == UINT64_MAX / 2,
       "nothing overflows at the largest n");
}

int main(void)
{
    bench b;
    make_good(&b);
    tap_plan(27);
    test_accepted(&b);
    test_refused(&b);
    test_unaware(&b);
    test_ranks(&b);
    test_lengths();
    return tap_done();
}
