/*
 * csv_end.h - finds the end of the last complete row of a CSV file of any length, without
 * keeping its rows
 */
#ifndef SCANBENCH_OUTPUT_CSV_END_H
#define SCANBENCH_OUTPUT_CSV_END_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <sys/types.h>

/*
 * *end_p becomes the offset at which the last complete row of the regular file `fd` ends, 0 if not
 * even the header is complete. SCAN_OK, or SCAN_ERROR if the file cannot be read; `error` has the
 * system's reason, without the file's name.
 */
scan_status csv_find_end(int fd, off_t *end_p, errmsg *error);

#endif
