/*
 * graph_test.c - each run in a command buffer keeps its own arguments, and what cannot be recorded
 * runs as ever
 *
 * The runs add 1, 2, 3, ... to a word, on the first device that has command buffers.
 */
#include "opencl_common.h"

#include "recording_host.h"
#include "tap.h"

static const char *const source = "__kernel void add(__global uint *sum, uint amount)\n"
                                  "{\n"
                                  "    *sum += amount;\n"
                                  "}\n";

typedef struct adder {
    opencl_context *context;
    cl_kernel kernel;
    cl_mem sum;
    cl_uint amount;      /* of the last run */
    cl_uint clears_from; /* from this amount on, a run cannot be recorded */
    cl_uint launches;    /* of a run */
    int lost;
} adder;

static scan_host host;

static scan_status enqueue(void *self, opencl_run *run, cl_mem in, cl_mem out)
{
    adder *a = self;
    (void)in;
    (void)out;
    a->amount++;
    const opencl_argument arguments[] = {OPENCL_ARGUMENT(a->sum), OPENCL_ARGUMENT(a->amount)};
    const opencl_launch launch = {a->kernel, "kernel:add", 1, 1, 2, arguments};
    scan_status status =
        a->amount < a->clears_from ? SCAN_OK : opencl_run_clear(run, a->sum, sizeof(cl_uint));
    for (cl_uint i = 0; i < a->launches && status == SCAN_OK; i++)
        status = opencl_run_kernel(run, &launch);
    return status;
}

static void lost(void *self)
{
    adder *a = self;
    a->lost++;
}

/* Runs from a sum of 0, and returns the sum. */
static cl_uint run(adder *a, cl_mem in, cl_mem out, scan_status *status_p)
{
    const opencl_commands commands = {.self = a, .enqueue = enqueue, .lost = lost};
    cl_uint sum = 0;
    clEnqueueWriteBuffer(a->context->queue, a->sum, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL);
    recording_forget();
    a->amount = 0;
    a->lost = 0;
    *status_p = opencl_run_commands(a->context, &commands, (scan_buffer)in, (scan_buffer)out);
    clEnqueueReadBuffer(a->context->queue, a->sum, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL);
    return sum;
}

static void counts_all(adder *a, cl_mem in, cl_mem out)
{
    scan_status status = SCAN_ERROR;
    a->clears_from = UINT32_MAX;
    const cl_uint sum = run(a, in, out, &status);
    ok(status == SCAN_OK && a->amount >= 1 + 4 && a->amount <= 1 + 64,
       "one run, and 4 to 64 in the command buffer: %u", a->amount);
    ok(sum == a->amount * (a->amount + 1) / 2, "each adds its own amount: %u in all", sum);
    ok(recorded_kernels_ns > 0 && recorded_device_ns < 0, "the time of one is recorded: %.0f ns",
       recorded_kernels_ns);
    ok(a->lost == 0, "nothing is lost");
}

static void refuses(adder *a, cl_mem in, cl_mem out)
{
    scan_status status = SCAN_ERROR;
    recorded_messages = 0;
    a->clears_from = 3;
    const cl_uint sum = run(a, in, out, &status);
    ok(status == SCAN_OK && sum == 1, "where a run cannot be recorded, one has run as ever: %u",
       sum);
    ok(recorded_kernels_ns <= 0 && recorded_messages == 1, "a message says why there is no time");
    ok(a->lost == 1, "the plugin hears that what it enqueued has not run");
    ok(run(a, in, in, &status) == 1 && status == SCAN_OK && recorded_kernels_ns <= 0 &&
           recorded_messages == 2 && a->lost == 0,
       "nor are runs in place in a graph");
}

/* More kernels than a graph takes, in as few runs as it may have. */
static void refuses_many(adder *a, cl_mem in, cl_mem out)
{
    scan_status status = SCAN_ERROR;
    recorded_messages = 0;
    a->clears_from = UINT32_MAX;
    a->launches = OPENCL_MAX_COMMANDS + 1;
    const cl_uint sum = run(a, in, out, &status);
    ok(status == SCAN_OK && sum == a->launches && recorded_messages == 1 && a->lost == 1,
       "runs of too many kernels are not recorded, and have run as ever: %u", sum);
    a->launches = 1;
}

int main(void)
{
    void *opened = NULL;
    scan_buffer in = 0;
    scan_buffer out = 0;
    scan_buffer sum = 0;
    cl_program program = NULL;
    recording_host_init(&host);
    if (opencl_memory.open(&host, NULL, 0, &opened) != SCAN_OK) {
        printf("TAP version 13\n1..0 # SKIP %s\n", recorded_reason);
        return 0;
    }
    opencl_context *context = opened;
    if (!opencl_has_extension(context->device, "cl_khr_command_buffer")) {
        printf("TAP version 13\n1..0 # SKIP the first device lacks cl_khr_command_buffer\n");
        opencl_memory.close(context);
        return 0;
    }
    tap_plan(10);
    adder a = {.context = context, .launches = 1};
    ok(opencl_memory.allocate(context, sizeof(cl_uint), &in) == SCAN_OK &&
           opencl_memory.allocate(context, sizeof(cl_uint), &out) == SCAN_OK &&
           opencl_memory.allocate(context, sizeof(cl_uint), &sum) == SCAN_OK &&
           opencl_build(context, &source, 1, "", &program) == SCAN_OK &&
           opencl_kernel(context, program, "add", &a.kernel) == SCAN_OK,
       "there are buffers and a kernel");
    a.sum = opencl_mem(sum);
    host.recording = SCAN_RECORD_GRAPH;
    counts_all(&a, opencl_mem(in), opencl_mem(out));
    refuses(&a, opencl_mem(in), opencl_mem(out));
    refuses_many(&a, opencl_mem(in), opencl_mem(out));
    clReleaseKernel(a.kernel);
    opencl_memory.release(context, sum);
    opencl_memory.release(context, out);
    opencl_memory.release(context, in);
    opencl_memory.close(context);
    return tap_done();
}
