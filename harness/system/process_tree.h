/*
 * family.h - the processes that a plugin starts in its worker
 */
#ifndef SCANBENCH_SYSTEM_PROCESS_TREE_H
#define SCANBENCH_SYSTEM_PROCESS_TREE_H

#include <sys/types.h>

/* Makes the calling process the parent of what its children leave behind, so that nothing
 * a plugin starts gets away by ending in between. */
void process_tree_adopt(void);

/* Kills all that descends from `parent`, in whatever group or session, but not itself. */
void process_tree_kill(pid_t parent);

#endif
