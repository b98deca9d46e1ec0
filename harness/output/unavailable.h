/*
 * unavailable.h - which plugins could not be measured, in one line for each reason
 */
#ifndef SCANBENCH_OUTPUT_UNAVAILABLE_H
#define SCANBENCH_OUTPUT_UNAVAILABLE_H

#include "supervisor/session.h"

#include <stdio.h>

/* Prints the unavailable ones of the sessions, or nothing where there are none. */
void unavailable_print(const session *sessions, size_t count, size_t columns, FILE *out);

#endif
