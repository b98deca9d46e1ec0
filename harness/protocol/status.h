/*
 * status.h - the outcome of a configuration, as data: the word in the CSV and the exit status that
 * it leads to
 */
#ifndef SCANBENCH_PROTOCOL_STATUS_H
#define SCANBENCH_PROTOCOL_STATUS_H

#include "exit_status.h"

#include <stdbool.h>
#include <stddef.h>

/* X(name, word, exit status), from the best to the worst. docs/csv.md says what each means;
 * fault.h, which one a fault leads to. */
#define ROW_STATUS_MAP(X)                    \
    X(OK, "ok", EXIT_GOOD)                   \
    X(SKIPPED, "skipped", EXIT_GOOD)         \
    X(UNAVAILABLE, "unavailable", EXIT_GOOD) \
    X(UNSUPPORTED, "unsupported", EXIT_GOOD) \
    X(WRONG, "wrong", EXIT_WRONG)            \
    X(CRASHED, "crashed", EXIT_WRONG)        \
    X(TIMEOUT, "timeout", EXIT_WRONG)        \
    X(ERROR, "error", EXIT_WRONG)

#define ROW_ENUMERATOR(name, word, exit) ROW_##name,
typedef enum row_status { ROW_STATUS_MAP(ROW_ENUMERATOR) ROW_STATUS_COUNT } row_status;
#undef ROW_ENUMERATOR

/* The word of a status, "?" for an unknown number. Static text. */
const char *row_status_word(row_status status);

/* The status of a word; ROW_ERROR for NULL and for an unknown word. */
row_status row_status_find(const char *word);

/* Does this status make the run fail? ROW_OK does not, nor does one that a correct plugin may
 * get. */
bool row_status_is_failure(row_status status);
/* Does --retry measure it again? Failures, and what was skipped: what memory is free changes. */
bool row_status_is_retried(row_status status);
/* EXIT_GOOD, or EXIT_WRONG for a failure. */
exit_status row_status_exit(row_status status);

/* Adds a remark to the flags of a row, which ";" separates, once. */
void row_flags_add(char *flags, size_t size, const char *flag);

#endif
