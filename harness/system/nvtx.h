/*
 * nvtx.h - ranges that profilers show: NVTX, in a build that found its header
 */
#ifndef SCANBENCH_SYSTEM_NVTX_H
#define SCANBENCH_SYSTEM_NVTX_H

#include <stdbool.h>

/* Was the header there when this was built? If not, the others do nothing. */
bool nvtx_is_built_in(void);
/* Begins a range of this thread, and ends the last one that it began. */
void nvtx_push(const char *name);
void nvtx_pop(void);

#endif
