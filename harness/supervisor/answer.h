/*
 * answer.h - what a worker answers: its messages, read into a session and into a job's result
 */
#ifndef SCANBENCH_SUPERVISOR_ANSWER_H
#define SCANBENCH_SUPERVISOR_ANSWER_H

#include "supervisor/session.h"

/* The answer to probe: a device, or the fault. false where it is malformed. */
bool answer_read_device(const protocol_message *m, session_device *device_p, fault *fault_p);

/* The answer to bind. */
void answer_read_bound(const protocol_message *m, session *s);

typedef enum answer_kind { ANSWER_ONE, ANSWER_LAST, ANSWER_GARBAGE } answer_kind;

/* One of the answers to a job or a command of it: the worker's step into *step_p, phases and what
 * was seen of the machine to the listener, and with the last one the outcome into *r. */
answer_kind answer_read(const protocol_message *m, const session_listener *listener,
                        worker_step *step_p, job_result *r);

#endif
