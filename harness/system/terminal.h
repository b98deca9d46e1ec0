/*
 * terminal.h - what a file descriptor shows to people
 */
#ifndef SCANBENCH_SYSTEM_TERMINAL_H
#define SCANBENCH_SYSTEM_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

/* Should text for this descriptor have colours? `when`: "always", "never", or "auto": on a
 * terminal, unless NO_COLOR is in the environment. */
bool terminal_has_color(const char *when, int descriptor);

/* The columns of a terminal, at most `most`; `most` if it is none, or does not say. */
size_t terminal_width(int descriptor, size_t most);

#endif
