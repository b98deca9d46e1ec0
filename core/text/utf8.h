/*
 * utf8.h - checks that a text is UTF-8
 */
#ifndef SCANBENCH_TEXT_UTF8_H
#define SCANBENCH_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character at `text`, which is not empty; 0 if it is not valid UTF-8
 * (RFC 3629). */
size_t utf8_bytes(const char *text);
bool utf8_is_valid(const char *text);

#endif
