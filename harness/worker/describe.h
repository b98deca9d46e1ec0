/*
 * describe.h - sends what a plugin file declares, as messages for the registry
 *
 *     plugin   id= name= version= summary= reference= backend= role= flags= ops=
 *              max_n= tile= device_memory= in_parts= in_ranks= layout=
 *     tunable  name= summary= flags= default= min= max= values=    of the preceding plugin
 *     end
 */
#ifndef SCANBENCH_WORKER_DESCRIBE_H
#define SCANBENCH_WORKER_DESCRIBE_H

#include "loader/loader.h"

#include <stdbool.h>
#include <stdio.h>

/* Where it goes, and the number of the command that asked for it. */
typedef struct description {
    FILE *out;
    uint64_t serial;
} description;

/* false if it cannot be written. */
bool worker_describe(const loader_module *module, const description *to);

#endif
