/*
 * session_options.h - the session_config that a command line asks for
 */
#ifndef SCANBENCH_COMMANDS_SESSION_OPTIONS_H
#define SCANBENCH_COMMANDS_SESSION_OPTIONS_H

#include "cli/options.h"
#include "supervisor/session_set.h"
#include "sweep/settings.h"

/* SCAN_OK and *config_p, which points into the options; or SCAN_INVALID if --pin has an unknown
 * word. */
scan_status session_options_read(const plugin_options *o, bool verbose, session_config *config_p,
                                 errmsg *error);

/* How many ranks --parts asks for, of plugins whose parts are processes. */
void session_options_set_ranks(const settings *s, session_config *config);

/* The arguments of a command as a list of plugins, "all" without any; freed by the caller. NULL
 * where there is no memory. */
char *session_options_list(const options *o);

#endif
