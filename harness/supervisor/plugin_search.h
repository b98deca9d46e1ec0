/*
 * plugin_search.h - the plugins of a run: which files are searched, and which of them are loaded
 */
#ifndef SCANBENCH_SUPERVISOR_PLUGIN_SEARCH_H
#define SCANBENCH_SUPERVISOR_PLUGIN_SEARCH_H

#include "supervisor/session_set.h"

/* The plugins that config->plugins may choose from; where it names them one by one, no others are
 * loaded. Free it with registry_free. SCAN_INVALID or SCAN_NO_MEMORY, and *error says why. */
scan_status plugin_search_open(const session_config *config, registry *registry_p, errmsg *error);

#endif
