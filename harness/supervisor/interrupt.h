/*
 * interrupt.h - SIGHUP, SIGINT and SIGTERM: ask the supervisor to stop and keep its results;
 * SIGTSTP stops the worker at work too
 */
#ifndef SCANBENCH_SUPERVISOR_INTERRUPT_H
#define SCANBENCH_SUPERVISOR_INTERRUPT_H

#include <stdbool.h>
#include <sys/types.h>

/* Catches those of the three that are not ignored; a second one ends the program at once. */
void interrupt_catch(void);
bool interrupt_requested(void);
/* Ctrl-Z stops this worker's process group too; 0: none. */
void interrupt_stop_with(pid_t worker);
/* The exit status of an interrupted run: EXIT_SIGNAL and the signal's number. */
int interrupt_status(void);

#endif
