/*
 * paper.h - text in columns for a terminal, no wider than it is
 */
#ifndef SCANBENCH_REPORT_PAPER_H
#define SCANBENCH_REPORT_PAPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { PAPER_COLUMNS = 12 };

typedef struct paper {
    FILE *out;
    size_t width;
    bool color;
} paper;

/* A table is written row by row; its columns are as wide as their widest cell, and too wide ones
 * are cut from the right. */
typedef struct paper_table {
    size_t columns;
    bool right[PAPER_COLUMNS]; /* numbers: to the right */
    char **cells;              /* rows * columns */
    size_t rows, capacity;
    bool bold[PAPER_COLUMNS]; /* where the paper has colours, below the header */
    bool failed;              /* out of memory: nothing is printed */
} paper_table;

/* The next cell of a row, a copy of the text. */
void paper_cell(paper_table *t, const char *text);
/* Prints the table, of which the first row is the header, unless that is all, and frees its cells.
 * Where it is too wide, `give` names the columns to leave out, in that order, up to -1. false
 * without memory. */
bool paper_print(const paper *p, paper_table *t, const int *give);

/* Prints words in lines, all indented, but the first by 2 less. */
void paper_wrap(const paper *p, size_t indent, const char *text);
/* The same in bold, where there are colours. */
void paper_heading(const paper *p, const char *text);

#endif
