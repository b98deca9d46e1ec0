/*
 * opencl_graph.c - records runs into a command buffer, enqueues it once, and times that
 *
 * An extension's functions are asked for by name, and their types are our own, because headers may
 * be older than the extension. Its version 0.9.5 gave a copy the argument that a kernel had.
 */
#include "opencl_graph.h"

#include <string.h>
#include <time.h>

#define EXTENSION "cl_khr_command_buffer"

/* Attributes of the extension, the second since its version 0.9.6. */
enum { REQUIRED_QUEUE_PROPERTIES = 0x12AA, SUPPORTED_QUEUE_PROPERTIES = 0x1299 };

static const cl_uint version_0_9_5 = 9 << 12 | 5, version_0_9_6 = 9 << 12 | 6;

/* Of a command buffer: its runs, and how long they take together, if that leaves at least so many.
 */
enum { LEAST_RUNS = 4, MOST_RUNS = 64, ALL_NS = 300000 };

enum { MOST_KERNELS = LEAST_RUNS * OPENCL_MAX_COMMANDS };

typedef void *command_buffer;
typedef const cl_ulong *properties;

struct opencl_graph {
    const char *refused; /* why nothing can be recorded: the call that failed, or a reason; NULL */
    cl_int error;        /* of that function */
    command_buffer buffer;
    uint32_t commands;
    uint32_t kernel_count;
    cl_kernel kernels[MOST_KERNELS];
    cl_uint version; /* of the extension; 0: the device does not say */
    command_buffer(CL_API_CALL *create)(cl_uint, const cl_command_queue *, properties, cl_int *);
    cl_int(CL_API_CALL *finalize)(command_buffer);
    cl_int(CL_API_CALL *enqueue)(cl_uint, cl_command_queue *, command_buffer, cl_uint,
                                 const cl_event *, cl_event *);
    cl_int(CL_API_CALL *release)(command_buffer);
    cl_int(CL_API_CALL *kernel)(command_buffer, cl_command_queue, properties, cl_kernel, cl_uint,
                                const size_t *offset, const size_t *global, const size_t *block,
                                cl_uint, const cl_uint *, cl_uint *, void **);
    cl_int(CL_API_CALL *copy)(command_buffer, cl_command_queue, cl_mem from, cl_mem to, size_t,
                              size_t, size_t bytes, cl_uint, const cl_uint *, cl_uint *, void **);
    cl_int(CL_API_CALL *new_copy)(command_buffer, cl_command_queue, properties, cl_mem from,
                                  cl_mem to, size_t, size_t, size_t bytes, cl_uint, const cl_uint *,
                                  cl_uint *, void **);
};

scan_status opencl_graph_refuse(opencl_graph *graph, const char *why)
{
    graph->refused = why;
    return SCAN_ERROR;
}

/* Sets the graph's functions. Does the platform have them all? */
static bool find_functions(opencl_graph *graph, cl_platform_id platform)
{
    const struct {
        const char *name;
        void *function;
    } all[] = {
        {"clCreateCommandBufferKHR", &graph->create},
        {"clFinalizeCommandBufferKHR", &graph->finalize},
        {"clEnqueueCommandBufferKHR", &graph->enqueue},
        {"clReleaseCommandBufferKHR", &graph->release},
        {"clCommandNDRangeKernelKHR", &graph->kernel},
        {"clCommandCopyBufferKHR", &graph->copy},
        {"clCommandCopyBufferKHR", &graph->new_copy},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        void *const found = clGetExtensionFunctionAddressForPlatform(platform, all[i].name);
        if (!found)
            return false;
        memcpy(all[i].function, &found, sizeof found);
    }
    return true;
}

/* Sets *graph and its buffer. SCAN_ERROR if the runtime cannot make one. */
static scan_status open_graph(const opencl_context *context, opencl_graph *graph)
{
    const uint64_t profiling = CL_QUEUE_PROFILING_ENABLE;
    cl_device_id device = context->device;
    cl_platform_id platform = NULL;
    clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    if (!opencl_has_extension(device, EXTENSION) || !find_functions(graph, platform))
        return opencl_graph_refuse(graph, "the device lacks " EXTENSION);
    graph->version = opencl_extension_version(device, EXTENSION);
    if ((opencl_device_number(device, REQUIRED_QUEUE_PROPERTIES) & ~profiling) != 0 ||
        (graph->version >= version_0_9_6 &&
         (opencl_device_number(device, SUPPORTED_QUEUE_PROPERTIES) & profiling) == 0))
        return opencl_graph_refuse(graph, "its command buffers need a queue of another kind");
    graph->buffer = graph->create(1, &context->profiling, NULL, &graph->error);
    return graph->error == CL_SUCCESS ? SCAN_OK
                                      : opencl_graph_refuse(graph, "clCreateCommandBufferKHR");
}

static void close_graph(const opencl_graph *graph)
{
    if (graph->buffer)
        graph->release(graph->buffer);
    for (uint32_t i = 0; i < graph->kernel_count; i++)
        clReleaseKernel(graph->kernels[i]);
}

static scan_status recorded(opencl_graph *graph, const char *call)
{
    if (graph->error != CL_SUCCESS)
        return opencl_graph_refuse(graph, call);
    graph->commands++;
    return SCAN_OK;
}

/* A kernel of the same function, for one launch alone: PoCL 3.1 takes the arguments that a kernel
 * has when the buffer is enqueued, not those that it had when it was recorded. */
static cl_kernel another(opencl_graph *graph, cl_kernel kernel)
{
    char name[128] = "";
    cl_program program = NULL;
    cl_int *error = &graph->error;
    *error = clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name - 1, name, NULL);
    if (*error == CL_SUCCESS)
        *error = clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    if (*error == CL_SUCCESS)
        kernel = clCreateKernel(program, name, error);
    if (*error != CL_SUCCESS)
        return NULL;
    graph->kernels[graph->kernel_count++] = kernel;
    return kernel;
}

scan_status opencl_graph_kernel(opencl_graph *graph, const opencl_launch *launch)
{
    const size_t global = (size_t)launch->groups * launch->block;
    if (graph->kernel_count == MOST_KERNELS)
        return opencl_graph_refuse(graph, "its runs launch too many kernels to be recorded");
    const cl_kernel kernel = another(graph, launch->kernel);
    for (uint32_t i = 0; i < launch->count && graph->error == CL_SUCCESS; i++)
        graph->error =
            clSetKernelArg(kernel, i, launch->arguments[i].bytes, launch->arguments[i].value);
    if (graph->error == CL_SUCCESS)
        graph->error = graph->kernel(graph->buffer, NULL, NULL, kernel, 1, NULL, &global,
                                     &launch->block, 0, NULL, NULL, NULL);
    return recorded(graph, "clCommandNDRangeKernelKHR");
}

scan_status opencl_graph_copy(opencl_graph *graph, cl_mem from, cl_mem to, uint64_t bytes)
{
    const size_t all = (size_t)bytes;
    if (graph->version == 0)
        return opencl_graph_refuse(graph, "the device does not say its version of " EXTENSION);
    graph->error =
        graph->version < version_0_9_5
            ? graph->copy(graph->buffer, NULL, from, to, 0, 0, all, 0, NULL, NULL, NULL)
            : graph->new_copy(graph->buffer, NULL, NULL, from, to, 0, 0, all, 0, NULL, NULL, NULL);
    return recorded(graph, "clCommandCopyBufferKHR");
}

/* Records that many runs. SCAN_ERROR, and why, if one cannot be or leaves no command. */
static scan_status record(opencl_context *context, opencl_graph *graph,
                          const opencl_commands *commands, cl_mem in, cl_mem out, uint32_t runs)
{
    opencl_run run;
    scan_status status = open_graph(context, graph);
    opencl_run_begin_unrecorded(&run, context);
    run.graph = graph;
    for (uint32_t i = 0; i < runs && status == SCAN_OK; i++) {
        status = commands->enqueue(commands->self, &run, in, out);
        if (status == SCAN_OK && graph->commands <= i)
            status = opencl_graph_refuse(graph, "a run enqueues nothing");
    }
    if (status != SCAN_OK)
        return status;
    graph->error = graph->finalize(graph->buffer);
    return graph->error == CL_SUCCESS ? SCAN_OK
                                      : opencl_graph_refuse(graph, "clFinalizeCommandBufferKHR");
}

/* Enqueues it between two markers and behind the gate, and records the time of one run. If it
 * cannot be enqueued, `refused` says why, and that is no failure. */
static scan_status launch(opencl_context *context, opencl_graph *graph, uint32_t runs)
{
    opencl_run run;
    cl_event done = NULL; /* without which PoCL 3.1 crashes */
    opencl_run_begin_graph(&run, context, runs);
    scan_status status = opencl_run_marker(&run);
    if (status == SCAN_OK) {
        graph->error = graph->enqueue(1, &context->profiling, graph->buffer, 0, NULL, &done);
        if (graph->error != CL_SUCCESS)
            status = opencl_graph_refuse(graph, "clEnqueueCommandBufferKHR");
        else
            status = opencl_run_marker(&run);
    }
    status = opencl_run_end(&run, status);
    if (done)
        clReleaseEvent(done);
    return graph->refused ? SCAN_OK : status;
}

static double now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* One run as ever, which also tells how many make a graph. */
static scan_status run_once(opencl_context *context, const opencl_commands *commands, cl_mem in,
                            cl_mem out, uint32_t *runs_p)
{
    opencl_run run;
    const double start = now_ns();
    opencl_run_begin_unrecorded(&run, context);
    const scan_status status =
        opencl_run_end(&run, commands->enqueue(commands->self, &run, in, out));
    const double runs = ALL_NS / (now_ns() - start);
    *runs_p = runs < LEAST_RUNS ? LEAST_RUNS : runs > MOST_RUNS ? MOST_RUNS : (uint32_t)runs;
    return status;
}

static void lose(const opencl_commands *commands)
{
    if (commands->lost)
        commands->lost(commands->self);
}

static void tell(const scan_host *host, const opencl_graph *graph)
{
    (void)host->fail(host, SCAN_OK, "%s", ""); /* that there is no graph is no failure */
    host->message(host, "no time in a graph: %s%s%s", graph->refused, graph->error ? ": " : "",
                  graph->error ? opencl_error_name(graph->error) : "");
}

scan_status opencl_graph_run(opencl_context *context, const opencl_commands *commands, cl_mem in,
                             cl_mem out)
{
    opencl_graph graph = {.refused = in == out ? "it works in place" : NULL};
    uint32_t runs = 0;
    scan_status status = run_once(context, commands, in, out, &runs);
    if (status == SCAN_OK && !graph.refused) {
        if (record(context, &graph, commands, in, out, runs) == SCAN_OK)
            status = launch(context, &graph, runs);
        else if (!graph.refused)
            (void)opencl_graph_refuse(&graph, "a run cannot be recorded");
        if (graph.refused)
            lose(commands); /* what was recorded will not run */
        close_graph(&graph);
    }
    if (status != SCAN_OK)
        lose(commands);
    else if (graph.refused)
        tell(context->host, &graph);
    return status;
}
