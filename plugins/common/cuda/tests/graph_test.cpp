/*
 * graph_test.cpp - which runs are timed in a graph, what is recorded of them and what is left, on
 * an emulated device
 *
 * There a launch takes a millisecond, and what is captured takes place when the graph is launched.
 * The look-back is one whose launches are numbered; the other runs are scripts.
 */
#include "cuda_chained.cuh"
#include "cuda_graph.h"
#include "cuda_parts.h"
#include "lookback_instances.cuh"
#include "lookback_launcher.cuh"

#include "counted_host.h"
#include "emulated_scan.h"
#include "tap.h"

namespace
{

using op = cuda_sum<uint32_t>;
constexpr uint64_t N = 1000; /* in 8 tiles */
constexpr uint64_t BYTES = N * sizeof(uint32_t);
constexpr double LAUNCH_NS = 1e6;

scan_host host;
double graph_ns; /* recorded; 0: nothing */
cuda_context *cuda;
scan_buffer in, out;

void record(const scan_host *, const char *phase, double ns)
{
    if (strcmp(phase, "graph") == 0)
        graph_ns += ns;
}

/* Runs at a level on another input, into an output that holds something else. "" or what is wrong.
 */
std::string run(cuda_instance *self, uint32_t level, bool in_place = false)
{
    static uint64_t seed;
    std::vector<uint32_t> input(N), found(N);
    uint32_t sum = 0;
    for (uint32_t &element : input)
        element = emulated_bits(seed++);
    if (cuda_memory.fill(cuda, out, 0, BYTES, 0x5a) != SCAN_OK ||
        cuda_memory.copy_in(cuda, in, 0, input.data(), BYTES) != SCAN_OK)
        return recorded_reason;
    host.recording = level;
    graph_ns = 0;
    recorded_reason[0] = '\0';
    const scan_status status = cuda_instance_run(self, in, in_place ? in : out);
    host.recording = 0;
    if (status != SCAN_OK || recorded_reason[0] != '\0')
        return std::string("it failed: ") + recorded_reason;
    if (!emulator::the_device().wrong.empty())
        return emulator::the_device().wrong;
    if (cuda->gate.closed || cuda->capture != nullptr || emulator::the_devices().capturing)
        return "something is left open";
    (void)cuda_memory.copy_out(cuda, found.data(), in_place ? in : out, 0, BYTES);
    for (uint64_t i = 0; i < N; sum += input[i++])
        if (found[i] != sum)
            return "output " + std::to_string(i) + " is wrong";
    return "";
}

/* ---- runs that can be captured ------------------------------------------------------------ */

cuda_instance *make_lookback()
{
    int64_t none = 0;
    const scan_problem problem = {.struct_size = sizeof problem,
                                  .kind = SCAN_KIND_EXCLUSIVE,
                                  .op = SCAN_OP_SUM,
                                  .dtype = SCAN_DTYPE_U32,
                                  .n = N,
                                  .tunables = &none,
                                  .tunable_count = 0,
                                  .element_bytes = sizeof(uint32_t),
                                  .rows = 1,
                                  .inner = 1,
                                  .result = 0,
                                  .result_bytes = 0};
    void *self = nullptr;
    if (cuda_chained_build<op, lookback_launcher<op>>(cuda, &problem, {32, 1, 32}, op(), &self) !=
        SCAN_OK)
        exit(1);
    return static_cast<cuda_instance *>(self);
}

void times_in_a_graph()
{
    emulator::devices &all = emulator::the_devices();
    cuda_instance *self = make_lookback();
    std::string wrong = run(self, 0) + run(self, SCAN_RECORD_DEVICE);
    const unsigned made = all.made, launches = emulator::the_device().launches;
    ok(wrong.empty() && graph_ns == 0, "other runs record no graph: %s", wrong.c_str());
    wrong = run(self, SCAN_RECORD_GRAPH);
    const unsigned by_graph = emulator::the_device().launches - launches - CUDA_GRAPH_LEAST;
    ok(wrong.empty() && all.graphs == 1 && by_graph == CUDA_GRAPH_LEAST,
       "a graph of %u launches of a kernel that numbers them is right: %s", by_graph,
       wrong.c_str());
    ok(graph_ns == LAUNCH_NS, "what is recorded is the time of one: %g ms", graph_ns * 1e-6);
    wrong = run(self, SCAN_RECORD_GRAPH) + run(self, SCAN_RECORD_GRAPH);
    ok(wrong.empty() && graph_ns == LAUNCH_NS && all.graphs == 3, "again and again: %s",
       wrong.c_str());
    wrong = run(self, 0) + run(self, SCAN_RECORD_DEVICE);
    ok(wrong.empty(), "runs without a graph go on behind it: %s", wrong.c_str());
    ok(all.made == made, "no graph is left");
    wrong = run(self, SCAN_RECORD_GRAPH, true);
    ok(wrong.empty() && graph_ns == 0, "a run in place has none: %s", wrong.c_str());
    cuda_chained_destroy(self);
}

void chooses_runs()
{
    ok(cuda_graph_runs(0) == CUDA_GRAPH_LEAST && cuda_graph_runs(1e9) == CUDA_GRAPH_LEAST &&
           cuda_graph_runs(3000) == CUDA_GRAPH_MOST && cuda_graph_runs(1e4) == 30,
       "short runs are more than long ones");
}

/* ---- runs that cannot ----------------------------------------------------------------------- */

enum script { COPIES, WAITS, ALLOCATES, OPENS, ON_ITS_OWN, COPIES_AT_ONCE };

struct scripted : cuda_parts_instance {
    enum script script;
};

scan_status follow(const scripted *self)
{
    void *memory = nullptr;
    scan_status status = SCAN_OK;
    switch (self->script) {
    case WAITS:
        return cuda_check(&host, cudaStreamSynchronize(self->cuda->stream), "a wait");
    case ALLOCATES:
        status = cuda_allocate_scratch(self->cuda, BYTES, &memory);
        cuda_release_scratch(memory);
        return status;
    case OPENS:
        cuda_open_gate(self->cuda);
        return SCAN_OK;
    case ON_ITS_OWN: /* behind something that can be captured */
        (void)cudaMemsetAsync(scan_host_pointer(out), 0, BYTES, self->cuda->stream);
        cuda_begin_on(self->cuda, self->cuda->streams[CUDA_STREAMS - 1]);
        return cuda_mark(self->cuda, nullptr);
    default:
        return SCAN_OK;
    }
}

/* Scans on the host, and what it launches is a copy. */
scan_status run_script(cuda_instance *instance, scan_buffer from, scan_buffer to)
{
    static uint32_t result[N];
    auto *self = static_cast<scripted *>(static_cast<cuda_parts_instance *>(instance));
    const auto *input = static_cast<const uint32_t *>(scan_host_pointer(from));
    uint32_t sum = 0;
    for (uint64_t i = 0; i < N; sum += input[i++])
        result[i] = sum;
    cuda_begin(self->cuda);
    if (self->script == COPIES_AT_ONCE) {
        memcpy(scan_host_pointer(to), result, BYTES);
        return SCAN_OK;
    }
    scan_status status = cuda_mark(self->cuda, nullptr);
    if (status == SCAN_OK)
        status = follow(self);
    if (status == SCAN_OK)
        status = cuda_check(&host,
                            cudaMemcpyAsync(scan_host_pointer(to), result, BYTES,
                                            cudaMemcpyDeviceToDevice, self->cuda->stream),
                            "a copy");
    return status == SCAN_OK ? cuda_finish(self->cuda) : status;
}

scan_status run_script_in_parts(cuda_parts_instance *self, const scan_buffer *from,
                                const scan_buffer *to)
{
    return run_script(self, from[0], to[0]);
}

/* Is a graph timed, of a run that is right in any case? */
void is_timed(enum script script, bool expected, const char *text, bool in_parts = false)
{
    emulator::devices &all = emulator::the_devices();
    scripted *self = nullptr;
    if (cuda_parts_create(cuda, 1, &self) != SCAN_OK)
        exit(1);
    self->script = script;
    self->run_parts = run_script_in_parts;
    if (!in_parts)
        self->run = run_script;
    const unsigned made = all.made;
    std::string wrong = run(self, SCAN_RECORD_GRAPH);
    const unsigned graphs = all.graphs;
    if (wrong.empty() && graph_ns > 0)
        wrong = "the first run, which may load kernels, is timed in a graph";
    if (wrong.empty())
        wrong = run(self, SCAN_RECORD_DEVICE) + run(self, SCAN_RECORD_GRAPH);
    ok(wrong.empty() && (all.graphs > graphs) == expected && all.made == made, "%s: %s", text,
       wrong.c_str());
    cuda_parts_destroy(static_cast<cuda_instance *>(self));
}

} // namespace

int main()
{
    void *opened = nullptr;
    recording_host_init(&host);
    host.record = record;
    host.recording = 0;
    host.allocate = counted_allocate;
    host.release = counted_release;
    if (cuda_parts_memory.open(&host, nullptr, 0, &opened) != SCAN_OK)
        exit(1);
    cuda = static_cast<cuda_context *>(opened);
    if (cuda_memory.allocate(cuda, BYTES, &in) != SCAN_OK ||
        cuda_memory.allocate(cuda, BYTES, &out) != SCAN_OK)
        exit(1);
    tap_plan(7 + 1 + 9);
    times_in_a_graph();
    chooses_runs();
    emulator::the_devices().no_graphs = true;
    is_timed(COPIES, false, "without memory for graphs none is timed");
    emulator::the_devices().no_graphs = false;
    is_timed(COPIES, true, "with it a copy is");
    is_timed(WAITS, false, "a run that waits for the device is not");
    is_timed(ALLOCATES, false, "one that allocates is not");
    is_timed(OPENS, false, "one that opens the gate, since it will wait, is not");
    is_timed(ON_ITS_OWN, false, "one on a stream of its own is not");
    is_timed(COPIES_AT_ONCE, false, "one of which the graph holds nothing is not");
    is_timed(COPIES, false, "one that is made for parts is not", true);
    cuda_memory.release(cuda, out);
    cuda_memory.release(cuda, in);
    cuda_parts_memory.close(cuda);
    ok(host_blocks == 0 && emulator::the_devices().made == 0, "nothing is left");
    return tap_done();
}
