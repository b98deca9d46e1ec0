/*
 * json.h - the pieces of JSON that scanbench writes
 */
#ifndef SCANBENCH_SYSTEM_JSON_H
#define SCANBENCH_SYSTEM_JSON_H

#include <stdio.h>

/* The text in quotes; what is not UTF-8 in it becomes U+FFFD. */
void json_string(FILE *out, const char *text);

#endif
