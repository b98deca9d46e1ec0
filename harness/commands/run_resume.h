/*
 * run_resume.h - what --resume of scanbench run continues: the options that go with it, the rows of
 * the file, and whether this run gives its columns the meaning that they have there
 */
#ifndef SCANBENCH_COMMANDS_RUN_RESUME_H
#define SCANBENCH_COMMANDS_RUN_RESUME_H

#include "cli/options.h"
#include "commands/study.h"
#include "output/resume.h"

/* Do --resume, --retry and --overwrite go with the other options? SCAN_OK; SCAN_INVALID, and
 * `error` says why not. */
scan_status run_resume_check(const output_options *o, errmsg *error);

/* Reads the CSV of --resume and checks that the run can continue it: host, build, cells, and the
 * command lines in the metadata of the runs whose rows stay. Those must agree in --baseline,
 * --order,
 * --pin and, for plugins with ranks, --launcher; if the metadata lack one, a warning on stderr says
 * so. SCAN_OK; SCAN_INVALID, SCAN_ERROR, SCAN_NO_MEMORY, and `error` says why. In every case the
 * caller frees *resume_p and *before_p, the metadata, which may be NULL. */
scan_status run_resume_read(const options *o, const study *s, resume **resume_p, char **before_p,
                            errmsg *error);

#endif
