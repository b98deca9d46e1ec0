/*
 * gate_test.c - the commands of a library wait until all are enqueued, and nothing waits for ever
 *
 * The host sleeps between the commands, so that its gap is much longer than their time, on the
 * first device there is.
 */
#include "opencl_common.h"

#include "recording_host.h"
#include "tap.h"

#include <dirent.h>

enum { GAP_MS = 6, PATIENCE_MS = 20, TRIES = 10, BYTES = 64 };

static scan_host host;

static int threads(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/task");
    if (!folder)
        return -1;
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void fill(const opencl_run *run, cl_mem buffer, cl_event *event)
{
    const cl_uchar zero = 0;
    clEnqueueFillBuffer(run->queue, buffer, &zero, 1, 0, BYTES, 0, NULL, event);
    clFlush(run->queue);
}

/* What a library does: commands, a pause of the host, more commands; `wait`: and waits for them.
 * Was the first done before opencl_run_end? */
static bool call_library(opencl_context *context, cl_mem buffer, bool wait, scan_status outcome)
{
    opencl_run run;
    cl_event first = NULL;
    cl_int state = CL_QUEUED;
    recording_forget();
    opencl_run_begin(&run, context);
    opencl_run_marker(&run);
    fill(&run, buffer, &first);
    recording_sleep_ms(GAP_MS);
    fill(&run, buffer, NULL);
    if (wait)
        clFinish(run.queue);
    clGetEventInfo(first, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    clReleaseEvent(first);
    if (outcome == SCAN_OK)
        opencl_run_marker(&run);
    return opencl_run_end(&run, outcome) == outcome && state == CL_COMPLETE;
}

/* On a busy machine the host may need longer than a gate waits: the best of some tries. */
static void waits_for_the_host(opencl_context *context, cl_mem buffer)
{
    bool early = call_library(context, buffer, false, SCAN_OK);
    for (int i = 0; i < TRIES && (early || recorded_device_ns > GAP_MS * 1e6 / 2); i++)
        early = call_library(context, buffer, false, SCAN_OK);
    ok(!early, "no command begins before all are enqueued");
    ok(recorded_device_ns >= 0 && recorded_device_ns < GAP_MS * 1e6 / 2,
       "the device's time is without the host's pause: %.3f of %d ms", recorded_device_ns / 1e6,
       GAP_MS);
}

static void opens_after_an_error(opencl_context *context, cl_mem buffer)
{
    bool early = true;
    double took = 0;
    for (int i = 0; i < TRIES && early; i++) {
        const double start = recording_now_ms();
        early = call_library(context, buffer, false, SCAN_ERROR);
        took = recording_now_ms() - start;
    }
    ok(!early && recorded_device_ns < 0, "a run that failed records nothing");
    ok(!context->gate.closed && !context->gate.expired, "a run that failed opens its gate: %.1f ms",
       took);
}

static void leaves_named_commands_alone(opencl_context *context, cl_mem from, cl_mem to)
{
    opencl_run run;
    opencl_run_begin(&run, context);
    opencl_run_copy(&run, "kernel:copy", from, to, BYTES);
    ok(!context->gate.closed, "commands with names need no gate");
    opencl_run_end(&run, SCAN_OK);
    host.recording = 0;
    opencl_run_begin(&run, context);
    opencl_run_marker(&run);
    ok(!context->gate.closed, "a run that is not recorded has no gate");
    opencl_run_end(&run, SCAN_OK);
    host.recording = SCAN_RECORD_DEVICE;
}

static void expires(opencl_context *context, cl_mem buffer)
{
    for (int i = 0; i < 2; i++) {
        recorded_messages = 0;
        const double start = recording_now_ms();
        const bool done = call_library(context, buffer, true, SCAN_OK);
        const double took = recording_now_ms() - start;
        ok(done, "a library that waits is not left waiting");
        ok(context->gate.expired && took > PATIENCE_MS - 1, "its gate opens by itself: %.1f ms",
           took);
    }
    ok(recorded_messages == 1, "a message says so after the second time");
    const bool done = call_library(context, buffer, true, SCAN_OK);
    ok(done && recorded_device_ns > (GAP_MS - 1) * 1e6,
       "the third time there is no gate: %.3f ms on the device", recorded_device_ns / 1e6);
}

/* A plugin that returns in the middle of a run. */
static void closes_in_between(void)
{
    void *context = NULL;
    opencl_run run;
    ok(opencl_memory.open(&host, NULL, 0, &context) == SCAN_OK, "the device opens again");
    const int before = threads();
    opencl_run_begin(&run, context);
    opencl_run_marker(&run);
    const int between = threads();
    clReleaseEvent(run.events[0]);
    opencl_memory.close(context);
    ok(between == before + 1 && threads() <= before,
       "a context can be closed behind a closed gate");
}

int main(void)
{
    void *opened = NULL;
    scan_buffer in = 0;
    scan_buffer out = 0;
    recording_host_init(&host);
    if (opencl_memory.open(&host, NULL, 0, &opened) != SCAN_OK) {
        printf("TAP version 13\n1..0 # SKIP %s\n", recorded_reason);
        return 0;
    }
    tap_plan(16);
    opencl_context *context = opened;
    ok(opencl_memory.allocate(context, BYTES, &in) == SCAN_OK &&
           opencl_memory.allocate(context, BYTES, &out) == SCAN_OK,
       "there are buffers");
    const int before = threads();
    waits_for_the_host(context, opencl_mem(in));
    opens_after_an_error(context, opencl_mem(in));
    leaves_named_commands_alone(context, opencl_mem(in), opencl_mem(out));
    expires(context, opencl_mem(in));
    ok(threads() <= before, "no thread is left");
    opencl_memory.release(context, out);
    opencl_memory.release(context, in);
    opencl_memory.close(context);
    closes_in_between();
    return tap_done();
}
