/*
 * resume_options.h - do the options of the command line give the columns of a CSV the meaning that
 * they have in the rows that --resume keeps?
 */
#ifndef SCANBENCH_COMMANDS_RESUME_OPTIONS_H
#define SCANBENCH_COMMANDS_RESUME_OPTIONS_H

#include "cli/options.h"
#include "output/resume.h"

/* Compares --baseline, --order, --pin and, for plugins with ranks, --launcher with the command
 * lines in the metadata (`before`, or NULL) of the runs whose rows stay. Where those do not say it,
 * a warning on stderr does. SCAN_OK; SCAN_INVALID (`error` says what differs), SCAN_NO_MEMORY. */
scan_status resume_options_check(const resume *r, const char *before, const options *o,
                                 const session_set *set, errmsg *error);

#endif
