/*
 * fit.h - makes text fit the columns of a terminal
 *
 * Text is UTF-8, and each character takes one column. What is left out is replaced by "…".
 */
#ifndef SCANBENCH_TEXT_FIT_H
#define SCANBENCH_TEXT_FIT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The width of text that is read later, or not on a terminal. */
enum { FIT_PAGE = 80 };

/* No line of a pipe is broken, so that grep finds whole lines. */
enum { FIT_PIPE = 100000 };

/* How many columns the text takes. */
size_t fit_width(const char *text);

/* Each writes text into fitted[size], `columns` wide at most; where those are too few: */
/* without its middle: "opencl_hil…steele" */
void fit_middle(const char *text, size_t columns, char *fitted, size_t size);
/* without its end: "not enough mem…" */
void fit_end(const char *text, size_t columns, char *fitted, size_t size);
/* without its last words, so that no number loses digits: "block=256 …" */
void fit_words(const char *text, size_t columns, char *fitted, size_t size);

/* Prints words in lines of that many columns: the first behind first_indent spaces, the others
 * behind next_indent. A word that is longer than a line is broken. */
void fit_print(const char *text, size_t first_indent, size_t next_indent, size_t columns,
               FILE *out);
/* The same behind something that was printed, `used` columns wide. */
void fit_print_behind(size_t used, const char *text, size_t next_indent, size_t columns, FILE *out);

/* 1234567 as "1,234,567". */
enum { FIT_GROUPED_BYTES = 32 };
const char *fit_grouped(uint64_t value, char text[FIT_GROUPED_BYTES]);

#endif
