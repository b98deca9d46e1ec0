/*
 * json.h - writes strings as JSON
 */
#ifndef SCANBENCH_SYSTEM_JSON_H
#define SCANBENCH_SYSTEM_JSON_H

#include <stdio.h>

/* Writes the text in quotes; bytes that are not UTF-8 become U+FFFD. */
void json_string(FILE *out, const char *text);

#endif
