/*
 * json_text.h - the text that a JSON string means
 */
#ifndef SCANBENCH_SYSTEM_JSON_TEXT_H
#define SCANBENCH_SYSTEM_JSON_TEXT_H

#include "system/json_walk.h"

/* The text of a string, its escapes resolved, or of a number or word as it is written; NULL if
 * there is no value, if it is an object or array, or without memory. U+0000 becomes U+FFFD. The
 * caller frees it. */
char *json_text(json_value value);

#endif
