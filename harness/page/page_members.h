/*
 * page_members.h - the members of the object that page_data.h writes: one or several a call,
 * without a comma at the end
 */
#ifndef SCANBENCH_PAGE_PAGE_MEMBERS_H
#define SCANBENCH_PAGE_PAGE_MEMBERS_H

#include "recipes/judged_list.h"

#include <stdio.h>

/* The rows of all files in their order: a row's number is its place in it. */
size_t page_row_number(const report *r, size_t file, const result_row *row);

void page_files_write(const report *r, FILE *out);
/* The dictionaries, then the columns of the rows, which refer to them. problem_ids[0 ... rows-1]
 * are set to the place of each row's problem in its dictionary. */
scan_status page_rows_write(const report *r, size_t *problem_ids, FILE *out);
void page_claims_write(const report *r, const judged_list *claims, FILE *out);
scan_status page_answers_write(const report *r, const size_t *problem_ids, FILE *out);
scan_status page_scaling_write(const report *r, FILE *out);

#endif
