/*
 * paper.h - headings, paragraphs and tables, for a terminal, no wider than it is, or in Markdown
 */
#ifndef SCANBENCH_TABLES_PAPER_H
#define SCANBENCH_TABLES_PAPER_H

#include "results/result_file.h"
#include "scan_plugin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { PAPER_COLUMNS = 12 };

typedef struct paper {
    FILE *out;
    size_t width; /* of a terminal */
    bool color;   /* of a terminal */
    bool markdown;
} paper;

typedef struct paper_text {
    char *text;
    size_t name_bytes; /* how much of it is a name, where the column has names */
} paper_text;

/* A table is written row by row; its columns are as wide as their widest cell, and too wide ones
 * are cut from the right. */
typedef struct paper_table {
    size_t columns;
    bool right[PAPER_COLUMNS]; /* numbers: to the right */
    paper_text *cells;         /* rows * columns */
    size_t rows, capacity;
    bool name[PAPER_COLUMNS]; /* names are bold where the paper has colours, code in Markdown */
    bool failed;              /* out of memory: nothing is printed */
} paper_table;

/* The next cell of a row, a copy of the text. */
void paper_cell(paper_table *t, const char *text);

/* The same for the plugin of a row, with its version and kind as words_plugin has them. */
void paper_plugin(paper_table *t, const result_row *row);

/* Prints the table, of which the first row is the header, unless that is all, and frees its cells.
 * Where it is too wide, `give` names the columns to leave out, in that order, up to -1. false
 * without memory. */
bool paper_print(const paper *p, paper_table *t, const int *give);

/* Prints words in lines, all indented, but the first by 2 less. In Markdown: an element of a
 * list. */
void paper_wrap(const paper *p, size_t indent, const char *text);
void paper_say(const paper *p, size_t indent, const char *format, ...) SCAN_PRINTF(3, 4);

/* A heading of level 1 or more: bold where there are colours, in Markdown two levels lower. */
void paper_heading(const paper *p, unsigned level, const char *text);

/* A paragraph that begins with some words in bold, which may be "". */
void paper_paragraph(const paper *p, const char *bold, const char *text);

/* The same with a text that is code. */
void paper_code(const paper *p, const char *bold, const char *text);

/* A command, to be copied. */
void paper_command(const paper *p, const char *text);

/* An empty line. */
void paper_space(const paper *p);

#endif
