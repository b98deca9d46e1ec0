/*
 * turn.h - what one process of a machine does at a time, among those that ask
 */
#ifndef SCANBENCH_SYSTEM_TURN_H
#define SCANBENCH_SYSTEM_TURN_H

/* Takes the turn of that name for this process: a descriptor, to be given to turn_end, or -1 if
 * another process has it. The turn ends with the process, too. Where turns cannot be taken (no
 * sockets), every process has one. */
int turn_begin(const char *name);
void turn_end(int turn);

#endif
