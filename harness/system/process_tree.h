/*
 * process_tree.h - finds and kills the processes that a plugin starts in its worker; who descends
 * from whom
 */
#ifndef SCANBENCH_SYSTEM_PROCESS_TREE_H
#define SCANBENCH_SYSTEM_PROCESS_TREE_H

#include <stdbool.h>
#include <sys/types.h>

/* Makes the calling process the parent of orphans among its descendants, so that no process that a
 * plugin starts can get away; or no longer. */
void process_tree_adopt(bool adopts);

/* Kills all descendants of `parent`, in any process group or session, but not `parent` itself. */
void process_tree_kill(pid_t parent);

/* Has it a child other than `except`? */
bool process_tree_has_child(pid_t parent, pid_t except);

/* Is the process `ancestor` or one of its descendants? */
bool process_tree_descends(pid_t process, pid_t ancestor);

#endif
