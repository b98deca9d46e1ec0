/*
 * csv_resume.h - where to go on in a CSV file that was left in the middle
 */
#ifndef SCANBENCH_OUTPUT_CSV_RESUME_H
#define SCANBENCH_OUTPUT_CSV_RESUME_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stddef.h>
#include <sys/types.h>

/*
 * Finds the end of the last whole row of the regular file `fd`; 0 where not even
 * the header is whole. SCAN_OK and *end_p; SCAN_INVALID where the file does not
 * begin with header[0 ... bytes-1], a line with its LF; SCAN_ERROR where it cannot be
 * read; then `message` says why, without the file's name. The file is not changed.
 */
scan_status csv_resume(int fd, const char *header, size_t bytes, off_t *end_p, errmsg *error);

#endif
