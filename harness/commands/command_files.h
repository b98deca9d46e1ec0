/*
 * command_files.h - the files that a command reads and those that it writes: none of them is two of
 * these, and nothing is overwritten that is not of the kind that is written there
 */
#ifndef SCANBENCH_COMMANDS_COMMAND_FILES_H
#define SCANBENCH_COMMANDS_COMMAND_FILES_H

#include "cli/options.h"

/* Looks at all files that the command line names, and at stdin, stdout and stderr, and opens none
 * to write. SCAN_OK; SCAN_INVALID, and `error` says which file would be overwritten, and by what.
 */
scan_status command_files_check(const options *o, errmsg *error);

#endif
