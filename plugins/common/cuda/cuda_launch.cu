/*
 * cuda_launch.cu - instances, the loading and launching of kernels, and the gate and the events
 * that time them
 */
#include "cuda_common.h"

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
    cuda->recording = cuda->host->recording;
    cuda->gated = false;
    cuda->launches = 0;
    cuda->last_phase = nullptr;
}

void cuda_begin(cuda_context *cuda)
{
    cuda_begin_on(cuda, cuda->streams[cuda->runs++ / CUDA_RUNS_ON_A_STREAM % CUDA_STREAMS]);
}

/* ---- the gate -------------------------------------------------------------- */

/* Gates that may expire in a row. One may have expired because the host was busy. */
static constexpr unsigned CUDA_GATES_TO_LOSE = 2;

static scan_status close_gate(cuda_context *cuda)
{
    const cuda_instance *instance = cuda->instance;
    if (cuda->gate.words == nullptr || instance == nullptr || !instance->has_run ||
        instance->gates_expired >= CUDA_GATES_TO_LOSE)
        return SCAN_OK;
    cudaError_t error = cuda_gate_close(&cuda->gate, cuda->stream);
    if (error != cudaSuccess)
        return cuda_check(cuda->host, error, "a launch of the gate");
    cuda->gated = true;
    return SCAN_OK;
}

void cuda_open_gate(cuda_context *cuda)
{
    cuda_gate_open(&cuda->gate);
}

/* After the run's stream has been waited for. */
static void watch_gate(cuda_context *cuda)
{
    if (!cuda->gated)
        return;
    unsigned *expired = &cuda->instance->gates_expired;
    *expired = cuda_gate_expired(&cuda->gate) ? *expired + 1 : 0;
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

static scan_status record_phase(const cuda_context *cuda, const char *phase, cudaEvent_t from,
                                cudaEvent_t to)
{
    float ms = 0;
    cudaError_t error = cudaEventElapsedTime(&ms, from, to);
    if (error != cudaSuccess)
        return cuda_check(cuda->host, error, "cudaEventElapsedTime");
    cuda->host->record(cuda->host, phase, static_cast<double>(ms) * 1e6);
    return SCAN_OK;
}

static scan_status record_phases(const cuda_context *cuda)
{
    const uint32_t count = cuda->launches;
    scan_status status = record_phase(cuda, "device", cuda->event[0], cuda->event[count]);
    if (cuda->recording < SCAN_RECORD_KERNELS)
        return status;
    for (uint32_t i = 0; i < count && status == SCAN_OK; i++)
        if (cuda->phase[i] != nullptr)
            status = record_phase(cuda, cuda->phase[i], cuda->event[i], cuda->event[i + 1]);
    return status;
}

scan_status cuda_finish(cuda_context *cuda)
{
    const bool timed = cuda->recording != 0 && cuda->launches > 0;
    scan_status status = check_launches(cuda);
    if (status != SCAN_OK)
        return status;
    cudaError_t error;
    if (timed &&
        (error = cudaEventRecord(cuda->event[cuda->launches], cuda->stream)) != cudaSuccess)
        return cuda_check(cuda->host, error, "cudaEventRecord");
    cuda_open_gate(cuda);
    if ((error = cudaStreamSynchronize(cuda->stream)) != cudaSuccess)
        return cuda_check(cuda->host, error, "cudaStreamSynchronize");
    watch_gate(cuda);
    return timed ? record_phases(cuda) : SCAN_OK;
}

scan_status cuda_instance_run(void *self, scan_buffer in, scan_buffer out)
{
    cuda_instance *instance = static_cast<cuda_instance *>(self);
    cuda_context *cuda = instance->cuda;
    cuda->instance = instance;
    const scan_status status = instance->run(instance, in, out);
    cuda_open_gate(cuda); /* a run that failed has not reached cuda_finish */
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
