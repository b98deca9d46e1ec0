/*
 * staging.h - memory through which the worker copies to and from a device what it does not time
 *
 * A plugin can pin it (scan_plugin.h, the host's extension staging/1), which makes these copies
 * several times as fast. Timed copies use other memory.
 */
#ifndef SCANBENCH_WORKER_STAGING_H
#define SCANBENCH_WORKER_STAGING_H

#include "system/topology.h"

enum { STAGING_BYTES = 32 << 20 };

typedef struct staging {
    scan_staging offer;
    uint32_t pinned;
} staging;

/* Makes it unless it is there, until the process ends; it takes no memory before it is used. false:
 * errno. */
bool staging_need(staging *s, cpu_topology *machine);

#endif
