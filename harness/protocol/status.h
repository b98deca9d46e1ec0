/*
 * status.h - the outcome of a configuration, as data: the word in the CSV, its meaning and the exit
 * status that it leads to
 */
#ifndef SCANBENCH_PROTOCOL_STATUS_H
#define SCANBENCH_PROTOCOL_STATUS_H

#include "exit_status.h"

#include <stdbool.h>

/*
 * X(name, word, exit status, meaning), from the best to the worst. The meanings are those of
 * docs/csv.md. fault.h says which status a fault leads to.
 */
#define ROW_STATUS_MAP(X)                                                                  \
    X(OK, "ok", EXIT_GOOD, "measured and verified")                                        \
    X(SKIPPED, "skipped", EXIT_GOOD,                                                       \
      "too large: for `--mem-limit`, for the device, or for what memory was left")         \
    X(UNAVAILABLE, "unavailable", EXIT_GOOD, "no device, no driver, or not built")         \
    X(UNSUPPORTED, "unsupported", EXIT_GOOD,                                               \
      "the plugin does not do this problem or this setting")                               \
    X(WRONG, "wrong", EXIT_WRONG,                                                          \
      "the output, the input afterwards, or a guard word is not what it must be")          \
    X(CRASHED, "crashed", EXIT_WRONG, "the worker was ended by a signal or by the plugin") \
    X(TIMEOUT, "timeout", EXIT_WRONG, "no progress for `--timeout` seconds")               \
    X(ERROR, "error", EXIT_WRONG, "a call failed, or the plugin's file is broken")

#define ROW_ENUMERATOR(name, word, exit, meaning) ROW_##name,
#define ROW_ONE_MORE(name, word, exit, meaning) +1
typedef enum row_status { ROW_STATUS_MAP(ROW_ENUMERATOR) } row_status;
enum { ROW_STATUS_COUNT = 0 ROW_STATUS_MAP(ROW_ONE_MORE) };
#undef ROW_ENUMERATOR
#undef ROW_ONE_MORE

/* The word and the meaning of a status, "?" for an unknown number. Static text. */
const char *row_status_word(row_status status);
const char *row_status_meaning(row_status status);

/* The status of a word; ROW_ERROR for NULL and for an unknown word. */
row_status row_status_find(const char *word);

/* Does this status make the run fail? ROW_OK does not, nor does one that a correct plugin may
 * get. */
bool row_status_is_failure(row_status status);
/* Does --retry measure it again? Failures, and what was skipped: what memory is free changes. */
bool row_status_is_retried(row_status status);
/* EXIT_GOOD, or EXIT_WRONG for a failure. */
exit_status row_status_exit(row_status status);

#endif
