/*
 * opencl_gate.h - keeps the commands of a recorded run waiting until the host has enqueued all
 *
 * A device begins with the first command while the host is still enqueuing the next, so the time
 * from the first command's start to the last one's end holds the host's gaps. A gate is a barrier
 * in front of them that waits for a user event, which the host sets when everything is enqueued.
 *
 * What runs behind a gate may wait for the device, a library inside its call for instance. So a
 * thread of its own opens the gate after 20 ms if nobody else has; the gate has then expired, and
 * the times of that run hold the host's gaps.
 */
#ifndef OPENCL_GATE_H
#define OPENCL_GATE_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct opencl_gate {
    bool ready;  /* the lock and the condition exist */
    bool closed; /* not yet joined: `event` and `watchdog` exist */
    uint32_t expired_in_a_row;
    cl_event event;
    pthread_t watchdog;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool opening; /* under the lock: the host opens the gate, the watchdog may end */
    bool expired; /* under the lock: the watchdog opens it */
} opencl_gate;

/* Can gates be used from here on? Not where the runtime hangs when a user event is set: so do
 * PoCL's devices without threads (pocl, issue 1177). */
bool opencl_gate_make(opencl_gate *gate, cl_device_id device);
void opencl_gate_free(opencl_gate *gate);

/* What is enqueued on `queue` from here on waits for opencl_gate_open. Without a gate, because it
 * has expired twice in a row or something has failed, it does not wait. */
void opencl_gate_close(opencl_gate *gate, cl_context context, cl_command_queue queue);
/* Does nothing if the gate is open. Was this the gate after which there is none any more? */
bool opencl_gate_open(opencl_gate *gate, cl_command_queue queue);

#ifdef __cplusplus
}
#endif

#endif
