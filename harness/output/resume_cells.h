/*
 * resume_cells.h - can the rows of the file be continued? Not those of another schema, and not
 * those whose cells are something else, or have another form: no run has written them
 */
#ifndef SCANBENCH_OUTPUT_RESUME_CELLS_H
#define SCANBENCH_OUTPUT_RESUME_CELLS_H

#include "output/resume_rows.h"

/* Are the cells of the rows that stay of this schema, in the form of their columns? SCAN_OK; else
 * `error` names the first that is not. */
scan_status resume_check_cells(const resume *r, errmsg *error);

#endif
