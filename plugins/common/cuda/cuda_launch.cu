/*
 * cuda_launch.cu - instances, the loading and launching of kernels, and the gate and the events
 * that time them
 */
#include "cuda_graph.h"
#include "cuda_parts.h"

#include <cstdio>

scan_status cuda_prepare(cuda_context *cuda, const void *kernel, unsigned block, uint64_t shared,
                         unsigned *resident_blocks_p)
{
    cuda_reason reason;
    cuda_loaded loaded = {};
    const scan_status status = cuda_load(cuda->limits, kernel, block, shared, &loaded, &reason);
    if (status != SCAN_OK)
        return cuda->host->fail(cuda->host, status, "%s", reason.text);
    if (cuda->code_version == 0 || loaded.code_version < cuda->code_version)
        cuda->code_version = loaded.code_version;
    *resident_blocks_p = loaded.resident;
    return SCAN_OK;
}

void cuda_begin_on(cuda_context *cuda, cudaStream_t stream)
{
    (void)cudaGetLastError(); /* an earlier error does not belong to this run */
    cuda->stream = stream;
    cuda->recording = cuda->host->recording == SCAN_RECORD_GRAPH ? 0 : cuda->host->recording;
    cuda->not_captured |= cuda->capture != nullptr && stream != cuda->capture;
    cuda->gated = false;
    cuda->launches = 0;
    cuda->last_phase = nullptr;
}

void cuda_begin(cuda_context *cuda)
{
    if (cuda->capture != nullptr) {
        cuda_begin_on(cuda, cuda->capture);
        return;
    }
    cuda_begin_on(cuda, cuda->streams[cuda->runs++ / CUDA_RUNS_ON_A_STREAM % CUDA_STREAMS]);
}

/* ---- the gate -------------------------------------------------------------- */

/* Gates that may expire in a row. One may have expired because the host was busy. */
static constexpr unsigned CUDA_GATES_TO_LOSE = 2;

/* All parts of a run wait behind one. */
static cuda_gate *gate_of(cuda_context *cuda)
{
    return cuda->parts != nullptr ? &cuda->parts->of[0]->gate : &cuda->gate;
}

static scan_status close_gate(cuda_context *cuda)
{
    const cuda_instance *instance = cuda->instance;
    if (gate_of(cuda)->words == nullptr || instance == nullptr || !instance->has_run ||
        instance->gates_expired >= CUDA_GATES_TO_LOSE)
        return SCAN_OK;
    cudaError_t error = cuda_gate_close(gate_of(cuda), cuda->stream);
    if (error != cudaSuccess)
        return cuda_check(cuda->host, error, "a launch of the gate");
    cuda->gated = true;
    return SCAN_OK;
}

void cuda_open_gate(cuda_context *cuda)
{
    cuda->not_captured |= cuda->capture != nullptr;
    cuda_gate_open(gate_of(cuda));
}

/* After the run's stream has been waited for. */
void cuda_watch_gate(cuda_context *cuda)
{
    if (!cuda->gated)
        return;
    unsigned *expired = &cuda->instance->gates_expired;
    *expired = cuda_gate_expired(gate_of(cuda)) ? *expired + 1 : 0;
    if (*expired == CUDA_GATES_TO_LOSE)
        cuda->host->message(cuda->host,
                            "run waits for the device before all is launched: its times on the "
                            "device hold the host's gaps");
}

/* ---- one run ---------------------------------------------------------------- */

/* kernel<<<...>>> returns nothing, so its errors appear here. */
static scan_status check_launches(const cuda_context *cuda)
{
    const cudaError_t error = cudaPeekAtLastError();
    if (error == cudaSuccess)
        return SCAN_OK;
    char call[96];
    snprintf(call, sizeof call, "a launch%s%.64s", cuda->last_phase != nullptr ? " of " : "",
             cuda->last_phase != nullptr ? cuda->last_phase : "");
    return cuda_check(cuda->host, error, call);
}

scan_status cuda_mark(cuda_context *cuda, const char *phase)
{
    const uint32_t launch = cuda->launches++;
    if (cuda->not_captured)
        return cuda_graph_refuse(cuda);
    scan_status status = launch > 0 ? check_launches(cuda) : SCAN_OK;
    if (status != SCAN_OK)
        return status;
    cuda->last_phase = phase;
    if (cuda->recording == 0)
        return SCAN_OK;
    if (launch >= CUDA_MAX_LAUNCHES)
        return cuda->host->fail(cuda->host, SCAN_ERROR, "more than %d launches to time in one run",
                                static_cast<int>(CUDA_MAX_LAUNCHES));
    cuda->phase[launch] = phase;
    if (launch > 0 && cuda->recording < SCAN_RECORD_KERNELS)
        return SCAN_OK;
    if (launch == 0 && (status = close_gate(cuda)) != SCAN_OK)
        return status;
    cudaError_t error = cudaEventRecord(cuda->event[launch], cuda->stream);
    return error == cudaSuccess ? SCAN_OK : cuda_check(cuda->host, error, "cudaEventRecord");
}

static scan_status elapsed_ns(const cuda_context *cuda, uint32_t from, uint32_t to, double *ns_p)
{
    float ms = 0;
    cudaError_t error = cudaEventElapsedTime(&ms, cuda->event[from], cuda->event[to]);
    *ns_p = static_cast<double>(ms) * 1e6;
    return error == cudaSuccess ? SCAN_OK : cuda_check(cuda->host, error, "cudaEventElapsedTime");
}

static scan_status record_phase(const cuda_context *cuda, const char *phase, uint32_t from,
                                uint32_t to)
{
    double ns = 0;
    const scan_status status = elapsed_ns(cuda, from, to, &ns);
    if (status == SCAN_OK)
        cuda->host->record(cuda->host, phase, ns);
    return status;
}

static bool is_timed(const cuda_context *cuda)
{
    return cuda->recording != 0 && cuda->launches > 0;
}

scan_status cuda_run_time(const cuda_context *cuda, double *ns_p)
{
    *ns_p = 0;
    return is_timed(cuda) ? elapsed_ns(cuda, 0, cuda->launches, ns_p) : SCAN_OK;
}

scan_status cuda_run_record(const cuda_context *cuda)
{
    if (!is_timed(cuda))
        return SCAN_OK;
    const uint32_t count = cuda->launches;
    scan_status status = record_phase(cuda, "device", 0, count);
    if (cuda->recording < SCAN_RECORD_KERNELS)
        return status;
    for (uint32_t i = 0; i < count && status == SCAN_OK; i++)
        if (cuda->phase[i] != nullptr)
            status = record_phase(cuda, cuda->phase[i], i, i + 1);
    return status;
}

scan_status cuda_run_end(cuda_context *cuda)
{
    const scan_status status = check_launches(cuda);
    if (status != SCAN_OK || !is_timed(cuda))
        return status;
    const cudaError_t error = cudaEventRecord(cuda->event[cuda->launches], cuda->stream);
    return error == cudaSuccess ? SCAN_OK : cuda_check(cuda->host, error, "cudaEventRecord");
}

scan_status cuda_finish(cuda_context *cuda)
{
    const scan_status status = cuda_run_end(cuda);
    if (status != SCAN_OK)
        return status;
    if (cuda->capture != nullptr)
        return SCAN_OK;
    cuda_open_gate(cuda);
    const cudaError_t error = cudaStreamSynchronize(cuda->stream);
    if (error != cudaSuccess)
        return cuda_check(cuda->host, error, "cudaStreamSynchronize");
    cuda_watch_gate(cuda);
    return cuda_run_record(cuda);
}

scan_status cuda_instance_run(void *self, scan_buffer in, scan_buffer out)
{
    cuda_instance *instance = static_cast<cuda_instance *>(self);
    cuda_context *cuda = instance->cuda;
    const uint32_t recording = cuda->host->recording;
    cuda->instance = instance;
    const scan_status status = recording == SCAN_RECORD_GRAPH ? cuda_graph_run(instance, in, out)
                                                              : instance->run(instance, in, out);
    cuda_open_gate(cuda); /* a run that failed has not reached cuda_finish */
    if (recording == SCAN_RECORD_DEVICE && status == SCAN_OK)
        (void)cuda_run_time(cuda, &instance->device_ns);
    cuda->instance = nullptr;
    instance->has_run = instance->has_run || status == SCAN_OK;
    return status;
}

void cuda_instance_destroy(void *self)
{
    cuda_instance *instance = static_cast<cuda_instance *>(self);
    cuda_release_scratch(instance->memory);
    instance->cuda->host->release(instance->cuda->host, instance);
}
