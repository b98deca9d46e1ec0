/*
 * gate_test.cu - the launches of a recorded run wait until all are queued, and nothing waits for
 * ever; nor has a graph of runs a gap of the host
 *
 * The host sleeps between two launches, so that its gap is much longer than their time, on the
 * first device there is.
 */
#include "cuda_common.h"

#include "recording_host.h"
#include "tap.h"

static constexpr long GAP_MS = 6;
static constexpr long PATIENCE_MS = 20;
static constexpr int TRIES = 10;
static constexpr size_t BYTES = 64;

enum script { LAUNCHES, WAITS, OPENS_AND_WAITS, ALLOCATES, FAILS, STOPS };

struct scripted : cuda_instance {
    enum script script;
    bool early; /* was the first launch done before cuda_finish? */
};

static scan_host host;

static scan_status launch_one(cuda_context *cuda, const char *phase, scan_buffer to)
{
    const scan_status status = cuda_mark(cuda, phase);
    if (status != SCAN_OK)
        return status;
    return cuda_check(&host, cudaMemsetAsync(scan_host_pointer(to), 0, BYTES, cuda->stream),
                      "cudaMemsetAsync");
}

/* What a script does between two launches. */
static scan_status follow(scripted *self)
{
    void *memory = nullptr;
    cuda_context *cuda = self->cuda;
    if (self->script == OPENS_AND_WAITS)
        cuda_open_gate(cuda);
    if (self->script == WAITS || self->script == OPENS_AND_WAITS)
        return cuda_check(&host, cudaStreamSynchronize(cuda->stream), "cudaStreamSynchronize");
    if (self->script == ALLOCATES) {
        const scan_status status = cuda_allocate_scratch(cuda, BYTES, &memory);
        cuda_release_scratch(memory);
        return status;
    }
    return self->script == FAILS ? SCAN_ERROR : SCAN_OK;
}

static scan_status run_script(cuda_instance *instance, scan_buffer in, scan_buffer out)
{
    scripted *self = static_cast<scripted *>(instance);
    cuda_context *cuda = self->cuda;
    cuda_begin(cuda);
    scan_status status = launch_one(cuda, "kernel:one", in);
    if (status == SCAN_OK)
        status = follow(self);
    if (status != SCAN_OK || self->script == STOPS)
        return status;
    recording_sleep_ms(GAP_MS);
    status = launch_one(cuda, "kernel:two", out);
    self->early = cudaStreamQuery(cuda->stream) == cudaSuccess;
    (void)cudaGetLastError(); /* "not ready" counts as an error */
    return status == SCAN_OK ? cuda_finish(cuda) : status;
}

static cuda_context *cuda;
static scan_buffer in, out;

/* Runs and returns how long it took until the device was idle. */
static double timed(scripted *self, scan_status expected, bool *as_expected_p)
{
    recording_forget();
    const double start = recording_now_ms();
    *as_expected_p = cuda_instance_run(self, in, out) == expected &&
                     cudaStreamSynchronize(cuda->stream) == cudaSuccess;
    return recording_now_ms() - start;
}

static scripted *make(enum script script, bool warm)
{
    bool good = true;
    scripted *self = nullptr;
    if (cuda_instance_create(cuda, &self) != SCAN_OK)
        exit(1);
    self->run = run_script;
    if (warm) {
        host.recording = 0;
        self->script = LAUNCHES;
        timed(self, SCAN_OK, &good);
        host.recording = SCAN_RECORD_DEVICE;
    }
    self->script = script;
    return self;
}

static void waits_for_the_host(void)
{
    bool good = false;
    scripted *self = make(LAUNCHES, false);
    timed(self, SCAN_OK, &good);
    ok(good && recorded_device_ns > (GAP_MS - 1) * 1e6,
       "the first run of an instance has no gate: %.3f ms", recorded_device_ns / 1e6);
    for (int i = 0; i < TRIES; i++) { /* a busy machine may need longer than a gate waits */
        timed(self, SCAN_OK, &good);
        good = good && !cuda_gate_expired(&cuda->gate);
        if (good && recorded_device_ns < GAP_MS * 1e6 / 2)
            break;
    }
    ok(good && !self->early, "later nothing is done before all is launched, and cuda_finish opens");
    ok(recorded_device_ns >= 0 && recorded_device_ns < GAP_MS * 1e6 / 2,
       "the device's time is without the host's pause: %.4f of %ld ms", recorded_device_ns / 1e6,
       GAP_MS);
    host.recording = SCAN_RECORD_KERNELS;
    for (int i = 0; i < TRIES; i++) {
        timed(self, SCAN_OK, &good);
        if (good && recorded_kernels_ns < GAP_MS * 1e6 / 2)
            break;
    }
    ok(good && recorded_kernels_ns > 0 && recorded_kernels_ns < GAP_MS * 1e6 / 2,
       "so are the times of kernels: %.4f ms", recorded_kernels_ns / 1e6);
    host.recording = SCAN_RECORD_DEVICE;
    cuda_instance_destroy(self);
}

static void expires(void)
{
    bool good = false;
    scripted *self = make(WAITS, true);
    for (int i = 0; i < 2; i++) {
        recorded_messages = 0;
        const double took = timed(self, SCAN_OK, &good);
        ok(good && cuda_gate_expired(&cuda->gate) && took > PATIENCE_MS - 1 &&
               recorded_messages == i,
           "a gate in front of a run that waits for the device expires: %.1f ms", took);
    }
    const unsigned turn = cuda->gate.turn;
    timed(self, SCAN_OK, &good);
    ok(good && cuda->gate.turn == turn && recorded_device_ns > (GAP_MS - 1) * 1e6,
       "after the second time that instance has no gate");
    cuda_instance_destroy(self);
    self = make(LAUNCHES, true);
    timed(self, SCAN_OK, &good);
    ok(good && cuda->gate.turn == turn + 1, "another instance has");
    cuda_instance_destroy(self);
}

/* Every other way out of a run opens the gate. */
static void opens(enum script script, scan_status expected, const char *text)
{
    bool good = false, expired = true;
    double took = 0;
    scripted *self = make(script, true);
    for (int i = 0; i < TRIES && expired; i++) {
        self->gates_expired = 0;
        const unsigned turn = cuda->gate.turn;
        took = timed(self, expected, &good);
        expired = cuda->gate.turn != turn + 1 || cuda_gate_expired(&cuda->gate);
    }
    ok(good && !expired && !cuda->gate.closed, "%s: %.1f ms", text, took);
    cuda_instance_destroy(self);
}

/* Runs in a graph, and then once more as ever. */
static void captures(enum script script, scan_status expected, bool timed_in_graph,
                     const char *text)
{
    bool good = false, good_after = false;
    scripted *self = make(script, true);
    host.recording = SCAN_RECORD_GRAPH;
    timed(self, expected, &good);
    const double graph_ns = recorded_kernels_ns;
    host.recording = SCAN_RECORD_DEVICE;
    self->script = LAUNCHES;
    timed(self, SCAN_OK, &good_after);
    ok(good && good_after && cudaGetLastError() == cudaSuccess &&
           (graph_ns > 0) == timed_in_graph && graph_ns < GAP_MS * 1e6 / 2,
       "%s: %.4f ms", text, graph_ns / 1e6);
    cuda_instance_destroy(self);
}

int main()
{
    void *opened = nullptr;
    recording_host_init(&host);
    if (cuda_memory.open(&host, nullptr, 0, &opened) != SCAN_OK) {
        int count = 0;
        const cudaError_t error = cudaGetDeviceCount(&count);
        printf("TAP version 13\n1..0 # SKIP no CUDA device: %s\n", cudaGetErrorString(error));
        return 0;
    }
    cuda = static_cast<cuda_context *>(opened);
    tap_plan(18);
    ok(cuda->gate.words != nullptr, "there is a gate");
    ok(cuda_memory.allocate(cuda, BYTES, &in) == SCAN_OK &&
           cuda_memory.allocate(cuda, BYTES, &out) == SCAN_OK,
       "there are buffers");
    waits_for_the_host();
    expires();
    opens(OPENS_AND_WAITS, SCAN_OK, "cuda_open_gate opens the gate");
    opens(ALLOCATES, SCAN_OK, "an allocation opens the gate");
    opens(FAILS, SCAN_ERROR, "a run that fails opens the gate");
    opens(STOPS, SCAN_OK, "a run without cuda_finish opens the gate");
    captures(LAUNCHES, SCAN_OK, true, "runs in a graph have no pause of the host");
    captures(WAITS, SCAN_OK, false, "a run that waits for the device is in no graph");
    captures(ALLOCATES, SCAN_OK, false, "nor is one that allocates");
    captures(FAILS, SCAN_ERROR, false, "one that fails does so without a graph, too");
    cuda_memory.release(cuda, out);
    cuda_memory.release(cuda, in);
    cuda_memory.close(cuda);
    return tap_done();
}
