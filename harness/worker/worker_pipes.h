/*
 * worker_pipes.h - the two pipes between a worker and the supervisor
 */
#ifndef SCANBENCH_WORKER_WORKER_PIPES_H
#define SCANBENCH_WORKER_WORKER_PIPES_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

/* Takes the pipes to hand, out of the reach of plugins, and has what they print go to stderr.
 * `place`: where they lie, for a rank that a launcher started; or NULL. false, with a message on
 * stderr, if they are missing. */
bool worker_pipes_take(const char *place, FILE **commands_p, FILE **out_p);

/* From now on a process that the plugin forks has no pipes: it must neither write to the one nor
 * read the other. */
void worker_pipes_guard_forks(void);
/* What is set in such a process. It ends when it returns from the plugin; otherwise there would be
 * two workers. */
const volatile sig_atomic_t *worker_pipes_forked(void);

#endif
