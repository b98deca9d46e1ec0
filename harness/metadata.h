/*
 * metadata.h - OUT.csv-metadata.json: all about a run that does not change from row
 * to row
 */
#ifndef SCANBENCH_METADATA_H
#define SCANBENCH_METADATA_H

#include "roster.h"
#include "sheet.h"
#include "topology.h"

/* Writes the file beside o->csv; nothing where the CSV goes to stdout. SCAN_OK, or
 * SCAN_ERROR and why in `message`. */
scan_status metadata_write(const options *o, const sheet *s, const roster *r, const cpu_topology *t,
                           int argc, char *const *argv, char *message, size_t size);

#endif
