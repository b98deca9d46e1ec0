/*
 * opencl_run.c - the commands of one run, and their times if the host records
 */
#include "opencl_graph.h"

static void begin(opencl_run *run, opencl_context *context, bool recording)
{
    run->context = context;
    run->graph = NULL;
    run->graph_runs = 0;
    run->recording = recording;
    run->queue = recording ? context->profiling : context->queue;
    run->count = 0;
}

void opencl_run_begin(opencl_run *run, opencl_context *context)
{
    const uint32_t recording = context->host->recording;
    if (recording == SCAN_RECORD_GRAPH)
        context->host->message(context->host, "no time in a graph: a library enqueues by itself");
    begin(run, context, recording == SCAN_RECORD_DEVICE || recording == SCAN_RECORD_KERNELS);
}

void opencl_run_begin_graph(opencl_run *run, opencl_context *context, uint32_t runs)
{
    begin(run, context, true);
    run->graph_runs = runs;
}

void opencl_run_begin_unrecorded(opencl_run *run, opencl_context *context)
{
    begin(run, context, false);
}

/* The place for the next command's event, or NULL (no event) if nothing is recorded. */
static cl_event *next_event(opencl_run *run, const char *phase)
{
    if (!run->recording || run->count == OPENCL_MAX_COMMANDS)
        return NULL;
    run->phases[run->count] = phase;
    return &run->events[run->count];
}

static void keep_event(opencl_run *run, const cl_event *event)
{
    if (event)
        run->count++;
}

scan_status opencl_run_kernel(opencl_run *run, const opencl_launch *launch)
{
    const scan_host *host = run->context->host;
    const size_t global = (size_t)launch->groups * launch->block;
    if (run->graph)
        return opencl_graph_kernel(run->graph, launch);
    for (uint32_t i = 0; i < launch->count; i++) {
        const opencl_argument *argument = &launch->arguments[i];
        const cl_int error = clSetKernelArg(launch->kernel, i, argument->bytes, argument->value);
        if (error != CL_SUCCESS)
            return opencl_fail(host, error, "clSetKernelArg(%s, %u)", launch->phase, i);
    }
    cl_event *event = next_event(run, launch->phase);
    const cl_int error = clEnqueueNDRangeKernel(run->queue, launch->kernel, 1, NULL, &global,
                                                &launch->block, 0, NULL, event);
    if (error != CL_SUCCESS)
        return opencl_fail(host, error, "clEnqueueNDRangeKernel(%s, %llu work-groups of %zu)",
                           launch->phase, (unsigned long long)launch->groups, launch->block);
    keep_event(run, event);
    return SCAN_OK;
}

scan_status opencl_run_copy(opencl_run *run, const char *phase, cl_mem from, cl_mem to,
                            uint64_t bytes)
{
    if (run->graph)
        return opencl_graph_copy(run->graph, from, to, bytes);
    cl_event *event = next_event(run, phase);
    cl_int error = clEnqueueCopyBuffer(run->queue, from, to, 0, 0, (size_t)bytes, 0, NULL, event);
    if (error != CL_SUCCESS)
        return opencl_fail(run->context->host, error, "clEnqueueCopyBuffer(%llu bytes)",
                           (unsigned long long)bytes);
    keep_event(run, event);
    return SCAN_OK;
}

scan_status opencl_run_clear(opencl_run *run, cl_mem buffer, uint64_t bytes)
{
    const cl_uint zero = 0;
    if (run->graph)
        return opencl_graph_refuse(run->graph, "memory is cleared between its runs");
    const cl_int error = clEnqueueFillBuffer(run->queue, buffer, &zero, sizeof zero, 0,
                                             (size_t)bytes, 0, NULL, NULL);
    if (error != CL_SUCCESS)
        return opencl_fail(run->context->host, error, "clEnqueueFillBuffer(%llu bytes)",
                           (unsigned long long)bytes);
    return SCAN_OK;
}

scan_status opencl_run_marker(opencl_run *run)
{
    cl_event *event = next_event(run, NULL);
    if (!event)
        return SCAN_OK;
    if (run->count == 0)
        opencl_gate_close(&run->context->gate, run->context->handle, run->queue);
    cl_int error = clEnqueueMarkerWithWaitList(run->queue, 0, NULL, event);
    if (error != CL_SUCCESS)
        return opencl_fail(run->context->host, error, "clEnqueueMarkerWithWaitList");
    keep_event(run, event);
    return SCAN_OK;
}

static scan_status command_times(const opencl_run *run, uint32_t i, double *start_p, double *end_p)
{
    cl_ulong start = 0;
    cl_ulong end = 0;
    cl_int error = clGetEventProfilingInfo(run->events[i], CL_PROFILING_COMMAND_START, sizeof start,
                                           &start, NULL);
    if (error == CL_SUCCESS)
        error = clGetEventProfilingInfo(run->events[i], CL_PROFILING_COMMAND_END, sizeof end, &end,
                                        NULL);
    if (error != CL_SUCCESS)
        return opencl_fail(run->context->host, error, "clGetEventProfilingInfo");
    *start_p = (double)start;
    *end_p = (double)end;
    return SCAN_OK;
}

/* A profiling queue leaves gaps between commands that a plain queue does not, so the device's time
 * is the sum of the named commands, which holds no gap of the host either. A library's commands
 * have no names; their time is the span between two markers, which waits behind a gate to be free
 * of the host's gaps. */
static scan_status record_times(const opencl_run *run)
{
    const scan_host *host = run->context->host;
    double first = 0;
    double last = 0;
    double busy = 0;
    for (uint32_t i = 0; i < run->count; i++) {
        double start = 0;
        double end = 0;
        scan_status status = command_times(run, i, &start, &end);
        if (status != SCAN_OK)
            return status;
        if (run->phases[i]) {
            busy += end - start;
            host->record(host, run->phases[i], end - start);
        }
        if (i == 0)
            first = start;
        last = end;
    }
    if (run->graph_runs > 0 && run->count == 2)
        host->record(host, "graph", (last - first) / run->graph_runs);
    else if (run->count > 0)
        host->record(host, "device", busy > 0 ? busy : last - first);
    return SCAN_OK;
}

scan_status opencl_run_end(opencl_run *run, scan_status status)
{
    const scan_host *host = run->context->host;
    if (run->recording && opencl_gate_open(&run->context->gate, run->queue))
        host->message(host, "run waits for the device before all is enqueued: its times on the "
                            "device hold the host's gaps");
    cl_int error = clFinish(run->queue);
    if (error != CL_SUCCESS && status == SCAN_OK)
        status = opencl_fail(run->context->host, error, "clFinish");
    if (status == SCAN_OK && run->recording)
        status = record_times(run);
    for (uint32_t i = 0; i < run->count; i++)
        clReleaseEvent(run->events[i]);
    run->count = 0;
    return status;
}

scan_status opencl_run_commands(opencl_context *context, const opencl_commands *commands,
                                scan_buffer in, scan_buffer out)
{
    opencl_run run;
    if (context->host->recording == SCAN_RECORD_GRAPH)
        return opencl_graph_run(context, commands, opencl_mem(in), opencl_mem(out));
    opencl_run_begin(&run, context);
    const scan_status status = opencl_run_end(
        &run, commands->enqueue(commands->self, &run, opencl_mem(in), opencl_mem(out)));
    if (status != SCAN_OK && commands->lost)
        commands->lost(commands->self);
    return status;
}
