/*
 * option_value.h - checks the value of one option and stores it where the table says
 */
#ifndef SCANBENCH_CLI_OPTION_VALUE_H
#define SCANBENCH_CLI_OPTION_VALUE_H

#include "cli/option_table.h"

/* value: NULL for a flag, or for --help without a value. SCAN_OK, or SCAN_INVALID and what is wrong
 * with the value. */
scan_status option_value_store(options *o, const option_entry *entry, const char *value,
                               errmsg *error);

#endif
