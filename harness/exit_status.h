/*
 * exit_status.h - the program's exit statuses and their meanings, as data: --help and the manual
 * print this table
 */
#ifndef SCANBENCH_EXIT_STATUS_H
#define SCANBENCH_EXIT_STATUS_H

/* X(name, value, meaning) */
#define EXIT_STATUS_MAP(X)                             \
    X(GOOD, 0, "all well")                             \
    X(WRONG, 1, "a plugin was wrong, crashed or hung") \
    X(USAGE, 2, "bad usage, I/O, or nothing compared") \
    X(MISSING, 3, "a required plugin is missing")      \
    X(REGRESSION, 4, "compare found a regression")

/* An interrupted run ends with EXIT_SIGNAL and the signal's number: 129 for SIGHUP, 130 for
 * SIGINT, 143 for SIGTERM. */
#define EXIT_INTERRUPTED_WORD "129/130/143"
#define EXIT_INTERRUPTED_MEANING "interrupted, partial results kept"

#define EXIT_ENUMERATOR(name, value, meaning) EXIT_##name = (value),
typedef enum exit_status { EXIT_STATUS_MAP(EXIT_ENUMERATOR) EXIT_SIGNAL = 128 } exit_status;
#undef EXIT_ENUMERATOR

#endif
