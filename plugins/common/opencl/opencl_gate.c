/*
 * opencl_gate.c - a user event in front of a run's commands, and the thread that limits its wait
 *
 * The thread lives from close to open, so that nothing is left between recorded runs. The host ends
 * it before it opens the gate: it does not run beside the commands.
 */
#include "opencl_gate.h"

#include <string.h>
#include <time.h>

enum { PATIENCE_MS = 20, GATES_TO_LOSE = 2 };

/* As PoCL names its devices without threads; newer versions say cpu-minimal. */
static bool has_no_threads(cl_device_id device)
{
    char name[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    return strncmp(name, "basic", 5) == 0 || strncmp(name, "cpu-minimal", 11) == 0;
}

bool opencl_gate_make(opencl_gate *gate, cl_device_id device)
{
    pthread_condattr_t attributes;
    *gate = (opencl_gate){.ready = false};
    if (has_no_threads(device) || pthread_condattr_init(&attributes) != 0)
        return false;
    if (pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
        pthread_cond_init(&gate->changed, &attributes) == 0) {
        gate->ready = pthread_mutex_init(&gate->lock, NULL) == 0;
        if (!gate->ready)
            pthread_cond_destroy(&gate->changed);
    }
    pthread_condattr_destroy(&attributes);
    return gate->ready;
}

static void *watch(void *opaque)
{
    opencl_gate *gate = opaque;
    struct timespec limit;
    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_nsec += PATIENCE_MS * 1000000L;
    if (limit.tv_nsec >= 1000000000L) {
        limit.tv_nsec -= 1000000000L;
        limit.tv_sec++;
    }
    pthread_mutex_lock(&gate->lock);
    int error = 0;
    while (!gate->opening && error == 0)
        error = pthread_cond_timedwait(&gate->changed, &gate->lock, &limit);
    gate->expired = !gate->opening;
    pthread_mutex_unlock(&gate->lock);
    if (gate->expired)
        clSetUserEventStatus(gate->event, CL_COMPLETE);
    return NULL;
}

void opencl_gate_close(opencl_gate *gate, cl_context context, cl_command_queue queue)
{
    opencl_gate_open(gate, queue); /* of a run that has not reached its end */
    if (!gate->ready || gate->expired_in_a_row >= GATES_TO_LOSE)
        return;
    cl_int error = CL_SUCCESS;
    gate->event = clCreateUserEvent(context, &error);
    if (error != CL_SUCCESS)
        return;
    gate->opening = gate->expired = false;
    if (pthread_create(&gate->watchdog, NULL, watch, gate) != 0) {
        clReleaseEvent(gate->event);
        return;
    }
    gate->closed = true;
    if (clEnqueueBarrierWithWaitList(queue, 1, &gate->event, NULL) != CL_SUCCESS)
        opencl_gate_open(gate, queue);
}

bool opencl_gate_open(opencl_gate *gate, cl_command_queue queue)
{
    if (!gate->closed)
        return false;
    clFlush(queue); /* the device gets all commands before it may begin */
    pthread_mutex_lock(&gate->lock);
    gate->opening = true;
    pthread_cond_signal(&gate->changed);
    pthread_mutex_unlock(&gate->lock);
    pthread_join(gate->watchdog, NULL);
    if (gate->expired) {
        gate->expired_in_a_row++;
    } else {
        clSetUserEventStatus(gate->event, CL_COMPLETE);
        gate->expired_in_a_row = 0;
    }
    clReleaseEvent(gate->event);
    gate->closed = false;
    return gate->expired_in_a_row == GATES_TO_LOSE;
}

void opencl_gate_free(opencl_gate *gate)
{
    if (!gate->ready)
        return;
    pthread_cond_destroy(&gate->changed);
    pthread_mutex_destroy(&gate->lock);
    gate->ready = false;
}
