/*
 * python_plugin.h - a file of Python as a plugin of the contract
 */
#ifndef SCANBENCH_WORKER_PYTHON_PLUGIN_H
#define SCANBENCH_WORKER_PYTHON_PLUGIN_H

#include "worker/python_process.h"

/*
 * Starts an interpreter and has it load the file. SCAN_OK, *process_p and *entry_p, a table for
 * loader_adopt, which checks it; both live as long as the worker. SCAN_UNAVAILABLE where there is
 * no interpreter, or where the file imports what is not there; SCAN_INVALID where it raises another
 * exception, or declares what nobody knows; SCAN_NO_MEMORY; or SCAN_ERROR.
 */
scan_status python_open(const char *file, bool verbose, python_process **process_p,
                        const scan_entry_table **entry_p, errmsg *error);

#endif
