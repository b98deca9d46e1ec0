/*
 * parts_test.cu - contexts, buffers and runs of several parts, on the devices there are: on one
 * device all parts share it
 */
#include "cuda_parts.h"

#include "recording_host.h"
#include "tap.h"

#include <cstdlib>
#include <cstring>
#include <pthread.h>

static constexpr uint32_t PARTS = 5;
static constexpr uint64_t BYTES = UINT64_C(3) << 20;

static scan_host host;
static void *context;

static scan_buffer buffers[PARTS];

static int device_of(scan_buffer buffer)
{
    cudaPointerAttributes found;
    return cudaPointerGetAttributes(&found, scan_host_pointer(buffer)) == cudaSuccess ? found.device
                                                                                      : -1;
}

static bool worker_device_is_current()
{
    int device = -1;
    return cudaGetDevice(&device) == cudaSuccess && device == 0;
}

static void allocate()
{
    bool made = true, placed = true;
    for (uint32_t p = 0; p < PARTS; p++) {
        made = made && cuda_parts_allocate(context, p, BYTES, &buffers[p]) == SCAN_OK;
        placed = placed && made &&
                 device_of(buffers[p]) == static_cast<int>(p % cuda_parts_of(context)->devices);
    }
    ok(made && placed && cuda_parts_of(context)->open == PARTS && worker_device_is_current(),
       "each part's buffer lies on its device");
}

/* Fills and copies a view of each part, and says whether what comes out is right. */
static bool copies_of_all()
{
    unsigned char *from = static_cast<unsigned char *>(malloc(BYTES));
    unsigned char *to = static_cast<unsigned char *>(malloc(BYTES));
    bool right = from != nullptr && to != nullptr;
    for (uint32_t p = 0; p < PARTS && right; p++) {
        scan_buffer view = 0;
        memset(from, static_cast<int>(p + 1), BYTES);
        memset(to, 0, BYTES);
        right = cuda_parts_memory.fill(context, buffers[p], 0, BYTES, 99) == SCAN_OK &&
                cuda_parts_memory.view(context, buffers[p], 8192, 4096, &view) == SCAN_OK &&
                cuda_parts_memory.copy_in(context, view, 16, from, 100) == SCAN_OK &&
                cuda_parts_memory.copy_out(context, to, buffers[p], 0, BYTES) == SCAN_OK &&
                to[8192 + 15] == 99 && to[8192 + 16] == p + 1 && to[8192 + 115] == p + 1 &&
                to[8192 + 116] == 99 && to[BYTES - 1] == 99;
        cuda_parts_memory.release(context, view);
    }
    free(from);
    free(to);
    return right;
}

static void *copy_elsewhere(void *right_p)
{
    *static_cast<bool *>(right_p) = copies_of_all();
    return nullptr;
}

static void copy()
{
    ok(copies_of_all() && worker_device_is_current(), "bytes go to the buffer's device and back");
    pthread_t thread;
    bool right = false;
    const bool started = pthread_create(&thread, nullptr, copy_elsewhere, &right) == 0;
    if (started)
        (void)pthread_join(thread, nullptr);
    ok(started && right, "from any thread");
}

/* ---- runs -------------------------------------------------------------------- */

struct waiting : cuda_parts_instance {
    bool fails;
    bool at_once; /* was no launch done before all were made? */
};

static __global__ void work(unsigned char *memory, unsigned long long ns)
{
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    while (now - start < ns);
    *memory += 1;
}

/* Part p works for p milliseconds. */
static scan_status run(cuda_parts_instance *instance, const scan_buffer *in, const scan_buffer *out)
{
    (void)in;
    waiting *self = static_cast<waiting *>(instance);
    cuda_parts_begin(self->parts, self->count);
    const scan_status status =
        cuda_parts_each(self->parts, self->count, [&](uint32_t p, cuda_context *cuda) {
            if (self->fails && p == 2)
                return host.fail(&host, SCAN_ERROR, "on purpose");
            return p == 1 ? SCAN_OK
                          : cuda_launch(cuda, "kernel:work", {1, 1, 0}, work,
                                        static_cast<unsigned char *>(scan_host_pointer(out[p])),
                                        1'000'000ull * p);
        });
    self->at_once = cudaStreamQuery(self->parts->of[0]->stream) == cudaErrorNotReady;
    (void)cudaGetLastError();
    return cuda_parts_finish(self->parts, self->count, status);
}

static void run_all()
{
    waiting *self = nullptr;
    if (cuda_parts_connect(cuda_parts_of(context), PARTS) != SCAN_OK ||
        cuda_parts_create(static_cast<cuda_context *>(context), PARTS, &self) != SCAN_OK) {
        ok(0, "an instance can be made: %s", recorded_reason);
        return;
    }
    self->run_parts = run;
    void *const opaque = static_cast<cuda_instance *>(self);
    (void)cuda_parts_run(opaque, buffers, buffers); /* loads the kernel, without a gate */
    recording_forget();
    const scan_status status = cuda_parts_run(opaque, buffers, buffers);
    ok(status == SCAN_OK && self->at_once && self->gates_expired == 0 && worker_device_is_current(),
       "all parts wait behind one gate");
    ok(recorded_device_ns > 3.9e6 && recorded_device_ns < 19e6,
       "the time on the device is the longest: %.3f ms", recorded_device_ns * 1e-6);
    host.recording = 0;
    recording_forget();
    ok(cuda_parts_run(opaque, buffers, buffers) == SCAN_OK && recorded_device_ns < 0,
       "nothing is recorded unless it is asked for");
    self->fails = true;
    ok(cuda_parts_run(opaque, buffers, buffers) == SCAN_ERROR &&
           cudaStreamQuery(self->parts->of[0]->stream) == cudaSuccess,
       "a part that fails leaves nothing under way");
    ok(cuda_parts_allocate_scratch(self, 4096) == SCAN_OK &&
           device_of(reinterpret_cast<uintptr_t>(self->memory_of[PARTS - 1])) ==
               device_of(buffers[PARTS - 1]),
       "scratch lies on the part's device");
    cuda_parts_destroy(opaque);
}

int main()
{
    recording_host_init(&host);
    if (cuda_parts_memory.open(&host, nullptr, 0, &context) != SCAN_OK) {
        int count = 0;
        const cudaError_t error = cudaGetDeviceCount(&count);
        printf("TAP version 13\n1..0 # SKIP no CUDA device: %s\n", cudaGetErrorString(error));
        return 0;
    }
    tap_plan(9);
    ok(cuda_parts_of(context)->open == 1, "one part opens one context");
    allocate();
    copy();
    run_all();
    for (scan_buffer buffer : buffers)
        cuda_parts_memory.release(context, buffer);
    cuda_parts_memory.close(context);
    return tap_done();
}
