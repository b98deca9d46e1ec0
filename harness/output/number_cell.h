/*
 * number_cell.h - numbers in the cells of a CSV, in the form that a run writes and in those that
 * other programs make of it
 *
 * A whole number is read where its digits are certain: 64, and 64.0, which pandas makes of it in a
 * column with empty cells. An exponent stands for digits that may have been dropped (a spreadsheet
 * shows 123456789 as 1.23E+08 and saves that), and a comma separates
 * thousands in one country and decimals in another. A file is continued only in the form of a run:
 * its cells are compared as texts, and its metadata promise integers.
 */
#ifndef SCANBENCH_OUTPUT_NUMBER_CELL_H
#define SCANBENCH_OUTPUT_NUMBER_CELL_H

#include <stdbool.h>

/* Is it a whole number of 64 bits as a run writes it: digits without zeros in front, behind a "-"
 * where it is below 0? */
bool number_cell_is_whole(const char *cell);

/* Is it a finite number in the characters that a run writes? */
bool number_cell_is_real(const char *cell);

/* Is it a list with one space between its items, each a number, as is_number says, or "-"? */
bool number_cell_is_list(const char *cell, bool (*is_number)(const char *item));

/* Cuts the ".0" off a whole number; leaves any other text as it is. */
void number_cell_trim(char *cell);

#endif
