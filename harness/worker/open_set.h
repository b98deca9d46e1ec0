/*
 * open_set.h - the configurations that are open in a worker, between one visit and the next
 */
#ifndef SCANBENCH_WORKER_OPEN_SET_H
#define SCANBENCH_WORKER_OPEN_SET_H

#include "worker/trial.h"

typedef struct open_set {
    struct open_configuration **open;
    size_t count;
} open_set;

/* Each obeys one command (visit.h) and answers it. false only where the supervisor is gone or
 * the command is malformed: then nothing is answered. */

/* `e` says on which plugin; what it becomes belongs to the set. */
bool open_set_open(open_set *set, const trial *e, const job *j);
bool open_set_visit(open_set *set, const protocol_message *m);
bool open_set_release(open_set *set, const protocol_message *m);
bool open_set_close(open_set *set, const protocol_message *m);
bool open_set_drop(open_set *set, const protocol_message *m);

#endif
