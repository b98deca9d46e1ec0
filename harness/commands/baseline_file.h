/*
 * baseline_file.h - the CSV that --baseline-file names: a run writes it, compare reads it
 */
#ifndef SCANBENCH_COMMANDS_BASELINE_FILE_H
#define SCANBENCH_COMMANDS_BASELINE_FILE_H

#include "cli/options.h"

#include <limits.h>

/* Finds the file, if the option was given, and makes it that of --csv, or the first argument of
 * compare. It is NAME.csv in the folder SCANBENCH_BASELINES of the environment or, without that, in
 * the working folder; a NAME with a slash or an ending of .csv is a path. `path` holds it, and has
 * to live as long as the options. SCAN_INVALID, and `error` says why: another option does not go
 * with it, or there is no such baseline, and which there are. */
scan_status baseline_file_take(options *o, char path[PATH_MAX], errmsg *error);

#endif
