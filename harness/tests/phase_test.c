/* phase_test.c - the names of phases, read and printed, and what is known of each */
#include "protocol/phase.h"
#include "tap.h"

static void test_names(void)
{
    /* Of schema 1, in the order of the table. */
    static const char *const texts[] = {
        "run", "device", "kernel:scan_tile_2", "graph", "h2d", "d2h", "e2e", "create",
    };
    ok(sizeof texts / sizeof *texts == PHASE_COUNT, "there are %d phases", PHASE_COUNT);
    for (int i = 0; i < PHASE_COUNT; i++) {
        char text[PHASE_TEXT_BYTES] = "";
        phase_name name;
        const bool read = phase_parse(texts[i], &name);
        ok(read && name.kind == (phase_kind)i, "%s is phase %d", texts[i], i);
        is_text(read ? phase_print(&name, text) : NULL, texts[i], "it is printed as it was read");
    }
}

static void test_refused(void)
{
    static const char *const refused[] = {"",
                                          "Run",
                                          "ru",
                                          "runs",
                                          " run",
                                          "run ",
                                          "kernel",
                                          "kernel:",
                                          "kernel:Scan",
                                          "kernel:a b",
                                          "kernel:a-b",
                                          "kernel:a:b",
                                          "Kernel:a",
                                          "Scan Kernel",
                                          "device:0",
                                          "e2e\n",
                                          "kernel:\xc3\xa9",
                                          "?"};
    phase_name name = {.kind = PHASE_D2H};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        ok(!phase_parse(refused[i], &name), "\"%s\" is not a phase", refused[i]);
    ok(!phase_parse(NULL, &name), "NULL is not a phase");
    ok(name.kind == PHASE_D2H, "what is refused writes nothing");
}

static void test_length(void)
{
    char text[PHASE_TEXT_BYTES + 1], again[PHASE_TEXT_BYTES];
    phase_name name;
    memset(text, 'k', sizeof text);
    memcpy(text, "kernel:", 7);
    text[PHASE_TEXT_BYTES - 1] = '\0';
    ok(phase_parse(text, &name), "a kernel's name of %d characters fits", PHASE_KERNEL_BYTES - 1);
    is_text(phase_print(&name, again), text, "and is printed in full");
    text[PHASE_TEXT_BYTES - 1] = 'k';
    text[PHASE_TEXT_BYTES] = '\0';
    ok(!phase_parse(text, &name), "one more is refused, not cut");
}

static void test_equal(void)
{
    const phase_name run = {.kind = PHASE_RUN}, device = {.kind = PHASE_DEVICE};
    const phase_name up = {.kind = PHASE_KERNEL, .kernel = "up"};
    const phase_name down = {.kind = PHASE_KERNEL, .kernel = "down"};
    ok(phase_equal(&run, &run) && phase_equal(&up, &up), "a phase equals itself");
    ok(!phase_equal(&run, &device) && !phase_equal(&up, &down), "and no other");
}

static void test_properties(void)
{
    static const struct {
        phase_kind kind;
        phase_scope scope;
        phase_clock clock;
    } known[] = {
        {PHASE_RUN, PHASE_WHOLE, PHASE_BY_HOST},    {PHASE_DEVICE, PHASE_WHOLE, PHASE_BY_DEVICE},
        {PHASE_E2E, PHASE_WHOLE, PHASE_BY_HOST},    {PHASE_KERNEL, PHASE_PART, PHASE_BY_DEVICE},
        {PHASE_H2D, PHASE_TRANSFER, PHASE_BY_HOST}, {PHASE_D2H, PHASE_TRANSFER, PHASE_BY_HOST},
        {PHASE_CREATE, PHASE_SETUP, PHASE_BY_HOST}, {PHASE_GRAPH, PHASE_WHOLE, PHASE_BY_DEVICE},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        ok(phase_scope_of(known[i].kind) == known[i].scope &&
               phase_clock_of(known[i].kind) == known[i].clock,
           "scope and clock of %s", phase_word(known[i].kind));
    is_text(phase_word((phase_kind)PHASE_COUNT), "?", "a number that is none is ?");
}

int main(void)
{
    tap_plan(1 + 2 * PHASE_COUNT + 20 + 3 + 2 + 9);
    test_names();
    test_refused();
    test_length();
    test_equal();
    test_properties();
    return tap_done();
}
