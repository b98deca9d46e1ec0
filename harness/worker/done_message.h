/*
 * done_message.h - the last message of a configuration
 *
 *     done   fault= ...                      what went wrong, or none (fault.h)
 *            verified= error= flags=
 *            runs=                           of a behaviour that is asked for many
 */
#ifndef SCANBENCH_WORKER_DONE_MESSAGE_H
#define SCANBENCH_WORKER_DONE_MESSAGE_H

#include "worker/trial.h"

/* false only where the supervisor is gone. */
bool done_message_send(const trial *e);

#endif
