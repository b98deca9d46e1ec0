/*
 * family.h - the processes that a plugin starts in its worker
 */
#ifndef SCANBENCH_FAMILY_H
#define SCANBENCH_FAMILY_H

#include <sys/types.h>

/* Makes the calling process the parent of what its children leave behind, so that nothing
 * a plugin starts gets away by ending in between. */
void family_keep(void);

/* Kills all that descends from `parent`, in whatever group or session, but not itself. */
void family_end(pid_t parent);

#endif
