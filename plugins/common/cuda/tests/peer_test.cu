/*
 * peer_test.cu - cuda_peer.cuh runs libraries that take a stream, that launch on the default one,
 * and that wait: it waits for their work, times it where it is, and calls them for n = 0
 */
#include "cuda_peer.cuh"

#include "recording_host.h"
#include "tap.h"

static constexpr uint64_t N = 1000;
static constexpr double WORK_MS = 4;

static scan_host host;
static cuda_context *cuda;
static scan_buffer in, out;
static unsigned calls; /* of libraries */

/* Takes a while, so that who does not wait for it has no result. */
__global__ void slow_scan(const uint32_t *x, uint32_t *y, int64_t n, double ms)
{
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (static_cast<double>(now - start) < ms * 1e6);
    uint32_t sum = 0;
    for (int64_t i = 0; i < n; i++) {
        y[i] = sum;
        sum += x[i];
    }
}

/* ---- libraries --------------------------------------------------------------- */

static cudaError_t with_scratch(void *temporary, size_t &bytes, const uint32_t *x, uint32_t *y,
                                int64_t n, cudaStream_t stream)
{
    if (temporary == nullptr) {
        bytes = 0;
        return cudaSuccess;
    }
    calls++;
    slow_scan<<<1, 1, 0, stream>>>(x, y, n, WORK_MS);
    return cudaGetLastError();
}

static cudaError_t with_stream(const uint32_t *x, uint32_t *y, int64_t n, cudaStream_t stream)
{
    calls++;
    slow_scan<<<1, 1, 0, stream>>>(x, y, n, WORK_MS);
    return cudaGetLastError();
}

static void on_default_stream(const uint32_t *x, uint32_t *y, int64_t n)
{
    calls++;
    slow_scan<<<1, 1>>>(x, y, n, WORK_MS);
}

/* As programs do that allocate in each call. */
static void that_waits(const uint32_t *x, uint32_t *y, int64_t n)
{
    void *memory = nullptr;
    calls++;
    cudaMalloc(&memory, 4096);
    slow_scan<<<1, 1>>>(x, y, n, WORK_MS);
    cudaDeviceSynchronize();
    cudaFree(memory);
}

static cudaError_t that_fails(const uint32_t *, uint32_t *, int64_t)
{
    return cudaErrorInvalidValue;
}

/* ---- claims ------------------------------------------------------------------- */

static bool is_scanned(void)
{
    uint32_t y[N];
    if (cuda_memory.copy_out(cuda, y, out, 0, sizeof y) != SCAN_OK)
        return false;
    for (uint32_t i = 0; i < N; i++)
        if (y[i] != i)
            return false;
    return true;
}

/* An instance for n elements, which has run once, as a gate needs it. */
template <typename Call>
cuda_instance *make(Call call, uint64_t n, cuda_peer_where where, bool deduced)
{
    const scan_problem problem = {sizeof problem, 0, 0, SCAN_DTYPE_U32, n, nullptr, 0, 4};
    void *self = nullptr;
    const scan_status status =
        deduced ? cuda_peer_create<uint32_t>(cuda, &problem, "a library", call, &self)
                : cuda_peer_create<uint32_t>(cuda, &problem, "a library", call, &self, where);
    return status == SCAN_OK ? static_cast<cuda_instance *>(self) : nullptr;
}

template <typename Call>
void scans(const char *name, Call call, cuda_peer_where where = CUDA_PEER_GIVEN_STREAM,
           bool deduced = true)
{
    cuda_instance *self = make(call, N, where, deduced);
    bool good = self != nullptr;
    double took = 0, device_ms = 0;
    for (int i = 0; i < 4 && good; i++) { /* the first two without a gate and with one */
        recording_forget();
        cuda_memory.fill(cuda, out, 0, N * sizeof(uint32_t), 0xff);
        const double start = recording_now_ms();
        good = cuda_instance_run(self, in, out) == SCAN_OK;
        took = recording_now_ms() - start;
        device_ms = recorded_device_ns / 1e6;
        good = good && is_scanned() && device_ms > WORK_MS * 0.9 && device_ms < took + 0.01;
        if (i > 0 && device_ms < WORK_MS + 4 && took < WORK_MS + 12)
            break; /* a busy host may be late */
    }
    ok(good, "run waits for a library %s, and its time is that of its work: %.2f of %.2f ms", name,
       device_ms, took);
    ok(took < WORK_MS + 12, "no gate delays it");
    if (self != nullptr)
        cuda_instance_destroy(self);
    self = make(call, 0, where, deduced);
    calls = 0;
    ok(self != nullptr && cuda_instance_run(self, in, out) == SCAN_OK && calls == 1,
       "and it is called for n = 0");
    if (self != nullptr)
        cuda_instance_destroy(self);
}

static void says_what_failed(void)
{
    cuda_instance *self = make(that_fails, N, CUDA_PEER_WAITS, false);
    ok(self != nullptr && cuda_instance_run(self, in, out) == SCAN_ERROR &&
           strstr(recorded_reason, "a library: ") != nullptr,
       "what a library returns is the reason: %s", recorded_reason);
    if (self != nullptr)
        cuda_instance_destroy(self);
}

int main()
{
    void *opened = nullptr;
    uint32_t ones[N];
    for (uint32_t &one : ones)
        one = 1;
    recording_host_init(&host);
    if (cuda_memory.open(&host, nullptr, 0, &opened) != SCAN_OK) {
        int count = 0;
        const cudaError_t error = cudaGetDeviceCount(&count);
        printf("TAP version 13\n1..0 # SKIP no CUDA device: %s\n", cudaGetErrorString(error));
        return 0;
    }
    cuda = static_cast<cuda_context *>(opened);
    tap_plan(14);
    ok(cuda_memory.allocate(cuda, sizeof ones, &in) == SCAN_OK &&
           cuda_memory.allocate(cuda, sizeof ones, &out) == SCAN_OK &&
           cuda_memory.copy_in(cuda, in, 0, ones, sizeof ones) == SCAN_OK,
       "there are buffers");
    scans("that asks for scratch and takes a stream", with_scratch);
    scans("that takes a stream", with_stream);
    scans("that launches on the default stream", on_default_stream);
    scans("that waits", that_waits, CUDA_PEER_WAITS, false);
    says_what_failed();
    cuda_memory.release(cuda, out);
    cuda_memory.release(cuda, in);
    cuda_memory.close(cuda);
    return tap_done();
}
