/*
 * python_description.h - what a file of Python declares, as the interpreter says it: lines of a
 * word and a value
 */
#ifndef SCANBENCH_WORKER_PYTHON_DESCRIPTION_H
#define SCANBENCH_WORKER_PYTHON_DESCRIPTION_H

#include "loader/loader.h"
#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stdbool.h>

typedef struct python_description {
    scan_plugin plugin; /* without functions, memory and backend */
    bool may_refuse;    /* it has a function `supports` */
    bool on_cuda;       /* its arrays lie on a GPU */
    scan_tunable tunables[LOADER_MAX_TUNABLES];
    int64_t *values[LOADER_MAX_TUNABLES];
    size_t op_count, result_count;
    errmsg *error;       /* while the text is read */
    scan_status failure; /* what is returned with it */
} python_description;

/* Sets *d_p, whose strings lie in the text, which it changes; neither may move. SCAN_OK; or
 * SCAN_INVALID, with the reason, if the text has an unknown line or word, or too many; or
 * SCAN_NO_MEMORY. The loader checks whether it is a plugin of the contract. Released with
 * python_description_free in each case. */
scan_status python_description_read(python_description *d_p, char *text, errmsg *error);
void python_description_free(python_description *d);

#endif
