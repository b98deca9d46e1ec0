/* status_test.c - the statuses of rows: words both ways, exit statuses */
#include "protocol/status.h"
#include "tap.h"

/* The words of schema 1, so that old CSV files stay readable. */
static const char *const words[] = {"ok",    "skipped", "unavailable", "unsupported",
                                    "wrong", "crashed", "timeout",     "error"};
enum { WORDS = sizeof words / sizeof *words };

static void test_words(void)
{
    ok((int)ROW_STATUS_COUNT == (int)WORDS, "there are %d statuses", WORDS);
    for (int i = 0; i < WORDS; i++)
        is_text(row_status_word((row_status)i), words[i], "status %d is %s", i, words[i]);
    int right = 0;
    for (int i = 0; i < ROW_STATUS_COUNT; i++)
        right += row_status_find(row_status_word((row_status)i)) == (row_status)i;
    ok(right == ROW_STATUS_COUNT, "each is found by its word");
    ok(row_status_find("fine") == ROW_ERROR && row_status_find("") == ROW_ERROR &&
           row_status_find("OK") == ROW_ERROR && row_status_find("okay") == ROW_ERROR &&
           row_status_find(NULL) == ROW_ERROR,
       "a word that is none is an error");
    is_text(row_status_word((row_status)ROW_STATUS_COUNT), "?", "a number that is none is ?");
}

static void test_exits(void)
{
    int allowed = 0, failures = 0;
    for (int i = 0; i < ROW_WRONG; i++)
        allowed +=
            row_status_exit((row_status)i) == EXIT_GOOD && !row_status_is_failure((row_status)i);
    for (int i = ROW_WRONG; i < ROW_STATUS_COUNT; i++)
        failures +=
            row_status_exit((row_status)i) == EXIT_WRONG && row_status_is_failure((row_status)i);
    ok(allowed == 4, "ok, skipped, unavailable and unsupported are allowed");
    ok(failures == 4, "wrong, crashed, timeout and error are failures");
    ok(row_status_is_retried(ROW_SKIPPED) && row_status_is_retried(ROW_CRASHED) &&
           !row_status_is_retried(ROW_OK) && !row_status_is_retried(ROW_UNSUPPORTED),
       "failures and what was skipped are measured again, what works or never will is not");
    ok(row_status_is_failure((row_status)ROW_STATUS_COUNT), "so is a number that is none");
    ok(EXIT_GOOD == 0 && EXIT_WRONG == 1 && EXIT_USAGE == 2 && EXIT_MISSING == 3 &&
           EXIT_SIGNAL == 128,
       "the program's exit statuses are what scripts know");
}

int main(void)
{
    tap_plan(4 + WORDS + 5);
    test_words();
    test_exits();
    return tap_done();
}
