/*
 * utf8.h - checks that a text is UTF-8, and makes it safe to print
 */
#ifndef SCANBENCH_TEXT_UTF8_H
#define SCANBENCH_TEXT_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Bytes of the character at `text`, which is not empty; 0 if it is not valid UTF-8
 * (RFC 3629). */
size_t utf8_bytes(const char *text);
bool utf8_is_valid(const char *text);

/* Is that character one that terminals and readers obey: C0, DEL, U+0080 to U+009F, line and
 * paragraph separators, and those that turn the direction of text? */
bool utf8_is_control(const char *text, size_t bytes);

/* Makes the text one line that is safe to print: a byte that is not UTF-8 becomes "?", and control
 * characters, those of U+0080 to U+009F and those that turn the direction of text become blanks. */
void utf8_clean(char *text);

/* Writes the text as utf8_clean makes it. */
void utf8_put(FILE *out, const char *text);

/* Cuts the text to at most `bytes` bytes, between characters. */
void utf8_cut(char *text, size_t bytes);

#endif
