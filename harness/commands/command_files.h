/*
 * command_files.h - the files that a command reads and writes: no output is another file of the
 * command, and none replaces a file of another kind
 */
#ifndef SCANBENCH_COMMANDS_COMMAND_FILES_H
#define SCANBENCH_COMMANDS_COMMAND_FILES_H

#include "cli/options.h"

/* Examines all files that the command line names, and stdin, stdout and stderr; opens none for
 * writing. SCAN_OK; SCAN_INVALID, and `error` says which file would be overwritten, and by what.
 */
scan_status command_files_check(const options *o, errmsg *error);

#endif
