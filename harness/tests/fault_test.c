/*
 * fault_test.c - faults: the table, sentences, and the way through the protocol
 */
#include "problem/element.h"
#include "problem/input.h"
#include "protocol/fault.h"
#include "tap.h"

#include <stdlib.h>

/* [a-z_]+ */
static bool is_word(const char *text)
{
    return *text && strspn(text, "abcdefghijklmnopqrstuvwxyz_") == strlen(text);
}

static void test_table(void)
{
    int words = 0, sentences = 0, distinct = 0;
    for (int i = 0; i < FAULT_COUNT; i++) {
        const fault_code code = (fault_code)i;
        const fault f = fault_with_text(code, "the text");
        char text[FAULT_SENTENCE_BYTES];
        words += is_word(fault_word(code));
        /* Does the sentence still have a brace? Then it names a field that does not exist. */
        sentences += !strpbrk(fault_text(&f, text, sizeof text), "{}\n");
        int same = 0;
        for (int k = 0; k < FAULT_COUNT; k++)
            same += strcmp(fault_word(code), fault_word((fault_code)k)) == 0;
        distinct += same == 1;
    }
    ok(words == FAULT_COUNT && distinct == FAULT_COUNT, "each code has a word of its own");
    ok(sentences == FAULT_COUNT, "each field that a template names exists");
    char none[FAULT_SENTENCE_BYTES];
    ok(fault_status(FAULT_NONE) == ROW_OK &&
           !*fault_text(&(fault){.code = FAULT_NONE}, none, sizeof none),
       "no fault is ok, and says nothing");
    int good = 0;
    for (int i = 0; i < FAULT_COUNT; i++)
        good += fault_status((fault_code)i) == ROW_OK;
    ok(good == 1, "and every other one is not");
    is_text(fault_word((fault_code)FAULT_COUNT), "?", "the word of an unknown number is ?");
    fault unknown = {.code = (fault_code)FAULT_COUNT};
    is_text(fault_text(&unknown, none, sizeof none), "?", "so is its sentence");
    ok(fault_status((fault_code)FAULT_COUNT) == ROW_ERROR, "its status is error");
}

static void says(fault f, const char *expected)
{
    char text[FAULT_SENTENCE_BYTES];
    is_text(fault_text(&f, text, sizeof text), expected, "%s", fault_word(f.code));
}

static void test_sentences(void)
{
    fault f = fault_with_text(FAULT_CALL_FAILED, "no kernel");
    f.step = STEP_CREATE;
    says((fault){.code = FAULT_NONE}, "");
    says(f, "create: no kernel");
    f.text[0] = '\0';
    f.status = SCAN_ERROR;
    says(f, "create: a call failed");
    f.status = 99;
    says(f, "create: unknown status 99");
    f.status = (uint32_t)-3;
    says(f, "create: unknown status -3");
    f.place = FAULT_AT_SECOND_INSTANCE;
    says(f, "a second instance beside a first: create: unknown status -3");
    f.place = 99;
    f.step = 99;
    says(f, "?: ?: unknown status -3");
    says(
        (fault){
            .code = FAULT_WROTE_PAST, .buffer = FAULT_OUTPUT, .bytes = 4, .pattern = INPUT_ONES},
        "wrote past the end of the output, 4 bytes behind its last element (input: ones)");
    says((fault){.code = FAULT_SILENT, .step = STEP_RUN, .ns = 7e8},
         "no progress for 0.7 s during run (--timeout)");
    says((fault){.code = FAULT_PHASE_EXCEEDS_RUN, .ns = 12345},
         "a phase is 12.3 us longer than the run it is part of");
    says((fault){.code = FAULT_LOADED_SLOWLY, .ns = 2.5e7, .expected_ns = 40},
         "loading took 25 ms, expected at most 40 ns; move the work to probe or create");
    const float got = -0.5f, expected = 3;
    f = (fault){.code = FAULT_WRONG_ELEMENTS, .count = 2, .total = 70, .index = 5};
    f.dtype = SCAN_DTYPE_F32;
    memcpy(&f.got, &got, sizeof got);
    memcpy(&f.expected, &expected, sizeof expected);
    f.pattern = INPUT_ONES;
    says(f, "2 of 70 elements are wrong, first at index 5: got -0.5, expected 3 (input: ones)");
    f.seed = UINT64_MAX;
    says(f, "2 of 70 elements are wrong, first at index 5: got -0.5, expected 3 "
            "(input: ones, --seed 18446744073709551615)");
    says((fault){.code = FAULT_CHANGED_PROCESS, .step = STEP_LOAD, .part = FAULT_UMASK},
         "loading changed the mask of new files (umask)");
    char small[8];
    f = fault_with_text(FAULT_PRINTED, "a greeting");
    is_text(fault_text(&f, small, sizeof small), "printed",
            "a sentence is cut where it does not fit");
}

/* The fault read from `line`, or one with an unknown code. */
static fault read_line(const char *line)
{
    char copy[512];
    protocol_message m;
    fault f = {.code = (fault_code)FAULT_COUNT};
    snprintf(copy, sizeof copy, "%s", line);
    if (message_parse(copy, &m))
        fault_read(&m, &f);
    return f;
}

/* The message with a fault, without its newline; freed by the caller. */
static char *line_of(const fault *f)
{
    char *line = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&line, &bytes);
    message_begin(out, "done");
    fault_write(out, f);
    message_end(out);
    fclose(out);
    line[bytes - 1] = '\0';
    return line;
}

static void test_protocol(void)
{
    const fault none = {.code = FAULT_NONE};
    fault all = fault_with_text(FAULT_WRONG_ELEMENTS, "tab\tand 100 %");
    all.step = STEP_DESTROY;
    all.buffer = FAULT_INPUT;
    all.place = FAULT_AT_OTHER_BUFFERS;
    all.part = FAULT_PROCESS_GROUP;
    all.pattern = INPUT_IMPULSE;
    all.dtype = SCAN_DTYPE_F32X2;
    all.status = UINT32_MAX;
    all.count = 1, all.total = 2, all.index = UINT64_MAX, all.bytes = 3;
    all.got = 4, all.expected = UINT64_MAX, all.seed = 7;
    all.ns = 0.1, all.copy_ns = -1e300, all.expected_ns = 5;
    char *line = line_of(&none);
    is_text(line, "done\tfault=none", "no fault is one word");
    free(line);
    line = line_of(&all);
    const fault back = read_line(line);
    char *again = line_of(&back);
    /* A text is read as one line for people. */
    char *tab = strstr(line, "%09");
    ok(tab && strstr(again, "tab and 100 %25"), "a text comes back as one line");
    if (tab)
        memmove(tab + 1, tab + 3, strlen(tab + 3) + 1), *tab = ' ';
    is_text(again, line, "and every field as it was");
    ok(back.code == all.code && back.index == all.index && back.copy_ns == all.copy_ns &&
           back.step == all.step && back.buffer == all.buffer && back.place == all.place &&
           back.part == all.part && back.pattern == all.pattern && back.dtype == all.dtype &&
           back.seed == all.seed,
       "none is lost on both ways");
    free(again);
    free(line);
}

static void test_refused(void)
{
    static const char *const refused[] = {
        "done",
        "done\tfault=",
        "done\tfault=0",
        "done\tfault=perfect",
        "done\tfault=WROTE_PAST",
        "done\tfault=wrote_past\tbuffer=scratch",
        "done\tfault=wrote_past\tbytes=-1",
        "done\tfault=wrote_past\tbytes=",
        "done\tfault=bad_time\tns=soon",
        "done\tfault=wrong_elements\tdtype=i7",
        "done\tfault=changed_process\tpart=the weather",
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        ok((int)read_line(refused[i]).code == FAULT_COUNT, "refused: %s", refused[i]);
    int taken = 0, by_worker = 0;
    for (int i = 0; i < FAULT_COUNT; i++) {
        char line[64];
        const bool is_worker = fault_found((fault_code)i) == FAULT_BY_WORKER;
        snprintf(line, sizeof line, "done\tfault=%s", fault_word((fault_code)i));
        by_worker += is_worker;
        taken += ((int)read_line(line).code == i) == is_worker;
    }
    ok(taken == FAULT_COUNT && by_worker > 20, "a worker may claim what it can find, and no more");
    ok(fault_found(FAULT_LOST) == FAULT_BY_SUPERVISOR &&
           fault_found(FAULT_REQUIRED) == FAULT_BY_PROOF,
       "a crash is for the supervisor to find");
}

static void test_steps(void)
{
    int found = 0;
    for (int i = 0; i < STEP_COUNT; i++) {
        worker_step step = STEP_NONE;
        found += step_find(step_word((worker_step)i), &step) && (int)step == i;
    }
    worker_step step = STEP_RUN;
    ok(found == STEP_COUNT, "each step is found by its word");
    ok(!step_find("dance", &step) && !step_find(NULL, &step) && !step_find("", &step) &&
           step == STEP_RUN,
       "an unknown word is no step");
    is_text(step_word((worker_step)STEP_COUNT), "?", "the word of an unknown number is ?");
}

int main(void)
{
    tap_plan(7 + 15 + 4 + 13 + 3);
    test_table();
    test_sentences();
    test_protocol();
    test_refused();
    test_steps();
    return tap_done();
}
