/*
 * cuda_graph.cu - captures runs into a graph, launches it once, and times that
 */
#include "cuda_graph.h"

#include "cuda_parts.h"

scan_status cuda_graph_refuse(const cuda_context *cuda)
{
    return cuda->host->fail(cuda->host, SCAN_ERROR,
                            "run waits for the device, or uses a stream of its own");
}

/* Captures the runs on the stream of cuda_begin. cudaSuccess and a graph for cudaGraphDestroy that
 * holds something of each; or why there is none. */
static cudaError_t capture(cuda_instance *instance, scan_buffer in, scan_buffer out, unsigned runs,
                           cudaGraph_t *graph_p)
{
    cuda_context *cuda = instance->cuda;
    cudaGraph_t graph = nullptr;
    size_t nodes = 0;
    scan_status status = SCAN_OK;
    cudaError_t error = cudaStreamBeginCapture(cuda->stream, cudaStreamCaptureModeThreadLocal);
    if (error != cudaSuccess)
        return error;
    cuda->capture = cuda->stream;
    for (unsigned i = 0; i < runs && status == SCAN_OK; i++)
        status = instance->run(instance, in, out);
    error = cudaStreamEndCapture(cuda->capture, &graph);
    cuda->capture = nullptr;
    cuda->not_captured = false;
    if (error == cudaSuccess)
        error = cudaGraphGetNodes(graph, nullptr, &nodes);
    if (error == cudaSuccess && status == SCAN_OK && nodes >= runs) {
        *graph_p = graph;
        return cudaSuccess;
    }
    if (graph != nullptr)
        (void)cudaGraphDestroy(graph);
    return error == cudaSuccess ? cudaErrorStreamCaptureUnsupported : error;
}

/* Makes a graph of the runs that can be launched without delay, for cudaGraphExecDestroy. */
static cudaError_t make_graph(cuda_instance *instance, scan_buffer in, scan_buffer out,
                              unsigned runs, cudaGraphExec_t *graph_p)
{
    cuda_context *cuda = instance->cuda;
    cudaGraph_t captured = nullptr;
    cuda_begin(cuda);
    const cudaStream_t stream = cuda->stream;
    cudaError_t error = capture(instance, in, out, runs, &captured);
    if (error != cudaSuccess)
        return error;
    cudaGraphExec_t graph = nullptr;
    error = cudaGraphInstantiate(&graph, captured, 0);
    (void)cudaGraphDestroy(captured);
    if (error != cudaSuccess)
        return error;
    error = cudaGraphUpload(graph, stream);
    if (error == cudaSuccess)
        error = cudaStreamSynchronize(stream);
    if (error == cudaSuccess)
        *graph_p = graph;
    else
        (void)cudaGraphExecDestroy(graph);
    return error;
}

/* Launches it on the stream of its capture, behind the gate and between two events. */
static scan_status launch(cuda_context *cuda, cudaGraphExec_t graph, unsigned runs)
{
    cuda_begin_on(cuda, cuda->stream);
    cuda->recording = SCAN_RECORD_DEVICE;
    scan_status status = cuda_mark(cuda, nullptr);
    if (status == SCAN_OK)
        status = cuda_check(cuda->host, cudaGraphLaunch(graph, cuda->stream), "cudaGraphLaunch");
    if (status == SCAN_OK)
        status = cuda_finish(cuda);
    double ns = 0;
    if (status == SCAN_OK)
        status = cuda_run_time(cuda, &ns);
    if (status == SCAN_OK)
        cuda->host->record(cuda->host, "graph", ns / runs);
    return status;
}

scan_status cuda_graph_run(cuda_instance *instance, scan_buffer in, scan_buffer out)
{
    cuda_context *cuda = instance->cuda;
    const scan_host *host = cuda->host;
    const unsigned runs = cuda_graph_runs(instance->device_ns);
    cudaGraphExec_t graph = nullptr;
    /* The first run may load kernels. */
    if (!instance->has_run || in == out || instance->run == cuda_parts_run_one)
        return instance->run(instance, in, out);
    const cudaError_t error = make_graph(instance, in, out, runs, &graph);
    if (error == cudaSuccess) {
        const scan_status status = launch(cuda, graph, runs);
        (void)cudaGraphExecDestroy(graph);
        return status;
    }
    (void)cudaGetLastError();
    (void)host->fail(host, SCAN_OK, "%s", ""); /* why it was not captured is no failure */
    host->message(host, "no time in a graph: run cannot be captured: %s (%s)",
                  cudaGetErrorString(error), cudaGetErrorName(error));
    return instance->run(instance, in, out);
}
