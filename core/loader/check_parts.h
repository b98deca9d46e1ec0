/*
 * check_parts.h - the extension of a plugin that works in parts (scan_parts.h), asked for and
 * checked as data
 */
#ifndef SCANBENCH_LOADER_CHECK_PARTS_H
#define SCANBENCH_LOADER_CHECK_PARTS_H

#include "scan_ranks.h"
#include "text/errmsg.h"

/*
 * What `plugin`, a complete copy, says of its parts; `exported` is its own struct. SCAN_OK and a
 * complete copy in *parts_p, or zeros if it does not know of parts. SCAN_INVALID and the reason, if
 * it breaks the contract.
 */
scan_status check_parts(const scan_plugin *plugin, const scan_plugin *exported, scan_parts *parts_p,
                        errmsg *error);

/* The same of its ranks; `parts` is what check_parts found. */
scan_status check_ranks(const scan_plugin *plugin, const scan_plugin *exported,
                        const scan_parts *parts, scan_ranks *ranks_p, errmsg *error);

#endif
