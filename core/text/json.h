/*
 * json.h - writes strings as JSON, and reads JSON as text
 */
#ifndef SCANBENCH_TEXT_JSON_H
#define SCANBENCH_TEXT_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Writes the text in quotes; bytes that are not UTF-8 become U+FFFD. */
void json_string(FILE *out, const char *text);

/* ---- reading: goes through the members of an object or the elements of an array, as text; for
 * files that this program wrote, however they were formatted since ---- */

/* A value as it is written; a string with its quotes. */
typedef struct json_value {
    const char *text; /* NULL: there is none */
    size_t bytes;
} json_value;

typedef struct json_walk {
    const char *at, *end;
    json_value name; /* of the member, with its quotes; of elements: none */
    json_value value;
    bool in_object;
} json_walk;

/* Begins before the first member or element; of another value there is none. */
json_walk json_begin(json_value of);
/* Goes to the next one. false behind the last one, or where the text is not JSON. */
bool json_next(json_walk *w);

/* The whole text as a value; none if it is not one. */
json_value json_whole(const char *text, size_t bytes);
/* The member of that name, or none. */
json_value json_member(json_value of, const char *name);
/* Is it this string? Strings with escapes are not recognised. */
bool json_is(json_value value, const char *text);

/* The text of a string, its escapes resolved, or of a number or word as it is written; NULL if
 * there is no value, if it is an object or array, or without memory. U+0000 becomes U+FFFD. The
 * caller frees it. */
char *json_text(json_value value);

#endif
