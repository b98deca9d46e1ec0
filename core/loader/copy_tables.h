/*
 * copy_tables.h - the host's own copies of what a plugin file declares
 */
#ifndef SCANBENCH_LOADER_COPY_TABLES_H
#define SCANBENCH_LOADER_COPY_TABLES_H

#include "loader/loader.h"

/* Copies a table that loader_check_entry found good. SCAN_OK and the plugins of
 * *module_p, given back with loader_release, or SCAN_NO_MEMORY. */
scan_status copy_tables(const scan_entry_table *entry, loader_module *module_p);

#endif
