/*
 * differences.h - what else differs between two result files that are compared: the machine, the
 * devices and their drivers, the versions of the plugins; and what the files do not say
 */
#ifndef SCANBENCH_COMPARE_DIFFERENCES_H
#define SCANBENCH_COMPARE_DIFFERENCES_H

#include "compare/comparison.h"

/* Tells one difference, as "host: here -> there", to whoever asked. */
typedef void difference_sink(void *to, const char *text);

/* Tells each difference between the first file of the comparison and `second` once, then what
 * cannot be known of each of the two. SCAN_OK or SCAN_NO_MEMORY. */
scan_status differences_tell(const comparison *c, const result_file *second, difference_sink *sink,
                             void *to);

#endif
