/*
 * package.h - starts the Python package scanbench_results, which reads files of results, for
 * report, compare, submit and the page of a run
 */
#ifndef SCANBENCH_COMMANDS_PACKAGE_H
#define SCANBENCH_COMMANDS_PACKAGE_H

#include "text/errmsg.h"

/* Are Python and the package there? SCAN_OK; SCAN_UNAVAILABLE, SCAN_ERROR or SCAN_NO_MEMORY, and
 * `error` says what is missing. */
scan_status package_check(errmsg *error);

/* Writes the page of a CSV, and waits for the end of that. Returns as package_check; the package
 * has said on stderr why it failed. */
scan_status package_write_page(const char *csv, const char *page, errmsg *error);

#endif
