/*
 * page_json.h - members of an object, each with a comma before it, and no blanks: a page has many
 */
#ifndef SCANBENCH_PAGE_PAGE_JSON_H
#define SCANBENCH_PAGE_PAGE_JSON_H

#include <stdbool.h>
#include <stdio.h>

void page_text(FILE *out, const char *key, const char *text);

/* null if the number is not known or not finite. */
void page_number(FILE *out, const char *key, double value, bool known);

#endif
