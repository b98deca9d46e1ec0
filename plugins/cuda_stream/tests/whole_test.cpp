/*
 * whole_test.cpp - the plugins cuda_stream and cuda_stream_copy on the emulated device, called as
 * the host calls them
 *
 * What stream_test does not see: what the slots make of tunables, where buffers, carry and words
 * lie, which phases are recorded, what is left behind.
 */
#include "whole_device.h"

#include "cuda_common.cu"
#include "cuda_launch.cu"
#include "cuda_stream.cu"
#include "pinned_memory.cu"
#include "stream_pipeline.cu"

#include "lookback_instances.cuh"

#include "emulated_scan.h"
#include "emulated_words.h"
#include "recording_host.h"

namespace
{

std::map<std::string, double> recorded;

void record(const scan_host *, const char *phase, double ns)
{
    recorded[phase] += ns;
}

/* An open context of the emulated device. */
struct opened {
    scan_host host = {};
    void *context = nullptr;

    opened()
    {
        recording_host_init(&host);
        host.recording = 0;
        host.record = record;
        (void)pinned_memory.open(&host, &stream_plugin, 0, &context);
    }
    ~opened()
    {
        pinned_memory.close(context);
    }
    opened(const opened &) = delete;
    opened &operator=(const opened &) = delete;
};

/* One problem, its tunables, and its elements with what is expected of them. */
template <typename Op> struct posed {
    using T = typename Op::value;
    const scan_plugin *plugin;
    int64_t tunables[3] = {64, 3, 0};
    scan_problem problem = {};
    emulated_arrays<Op> data;

    posed(const scan_plugin *whose, Op op, uint32_t code, uint32_t dtype, uint64_t n,
          bool inclusive)
        : plugin(whose), data(op, n, {.inclusive = inclusive})
    {
        problem.struct_size = sizeof problem;
        problem.kind = inclusive ? SCAN_KIND_INCLUSIVE : SCAN_KIND_EXCLUSIVE;
        problem.op = code;
        problem.dtype = dtype;
        problem.n = n;
        problem.tunables = tunables;
        problem.tunable_count = 3;
        problem.element_bytes = sizeof(T);
    }
};

/* The buffers of a problem, each the middle of a larger one. */
struct buffer_pair {
    void *context;
    scan_buffer whole[2] = {}, view[2] = {};

    buffer_pair(void *of, uint64_t bytes) : context(of)
    {
        for (int i = 0; i < 2; i++) {
            (void)pinned_memory.allocate(context, bytes + 8192, &whole[i]);
            (void)pinned_memory.view(context, whole[i], 4096, bytes > 0 ? bytes : 1, &view[i]);
        }
    }
    ~buffer_pair()
    {
        for (int i = 0; i < 2; i++) {
            pinned_memory.release(context, view[i]);
            pinned_memory.release(context, whole[i]);
        }
    }
    buffer_pair(const buffer_pair &) = delete;
    buffer_pair &operator=(const buffer_pair &) = delete;
};

/* Runs it `times` times, also in place. "" or what is wrong. */
template <typename Op> std::string solve(opened &on, posed<Op> &p, int times = 1)
{
    using T = typename Op::value;
    const scan_plugin *plugin = p.plugin;
    const uint64_t bytes = p.problem.n * sizeof(T);
    const buffer_pair buffers(on.context, bytes);
    emulator::device &device = emulator::the_device();
    void *self = nullptr;
    device.wrong.clear();
    if (plugin->supports(&on.host, plugin, on.context, &p.problem) != SCAN_OK ||
        plugin->create(&on.host, plugin, on.context, &p.problem, &self) != SCAN_OK)
        return recorded_reason;
    std::string wrong;
    for (int i = 0; i < times && wrong.empty(); i++) {
        const bool in_place = (plugin->flags & SCAN_FLAG_IN_PLACE) != 0 && i % 2 == 1;
        const scan_buffer to = buffers.view[in_place ? 0 : 1];
        device.stream_seed++;
        (void)pinned_memory.copy_in(on.context, buffers.view[0], 0, p.data.in, bytes);
        (void)pinned_memory.fill(on.context, buffers.view[1], 0, bytes, 0x5a);
        if (plugin->run(self, buffers.view[0], to) != SCAN_OK)
            wrong = recorded_reason;
        (void)pinned_memory.copy_out(on.context, p.data.out, to, 0, bytes);
        if (wrong.empty())
            wrong = device.wrong;
        if (wrong.empty() && plugin->role != SCAN_ROLE_CEILING)
            wrong = p.data.compare();
        else if (wrong.empty() && memcmp(p.data.out, p.data.in, bytes) != 0)
            wrong = "the copy differs";
    }
    plugin->destroy(self);
    return wrong;
}

template <typename Op>
std::string scan(opened &on, Op op, uint32_t code, uint32_t dtype, uint64_t n, bool inclusive)
{
    posed<Op> p(&stream_plugin, op, code, dtype, n, inclusive);
    return solve(on, p, 2);
}

void scans(opened &on)
{
    report(scan(on, cuda_sum<uint32_t>(), SCAN_OP_SUM, SCAN_DTYPE_I32, 40'001, false),
           "an exclusive sum of i32 in three chunks is right, in place too");
    report(scan(on, cuda_sum<double>(), SCAN_OP_SUM, SCAN_DTYPE_F64, 30'000, true),
           "so is an inclusive sum of f64 in four");
    report(scan(on, cuda_affine<uint32_t>(), SCAN_OP_AFFINE, SCAN_DTYPE_U32X2, 33'000, false),
           "affine, which does not commute");
    report(scan(on, cuda_min<int64_t>(), SCAN_OP_MIN, SCAN_DTYPE_I64, 8193, true),
           "a minimum one element past a chunk");
    report(scan(on, cuda_sum<float>(), SCAN_OP_SUM, SCAN_DTYPE_F32, 1, false), "one element");
    report(scan(on, cuda_sum<float>(), SCAN_OP_SUM, SCAN_DTYPE_F32, 0, false), "and none");
}

void copies(opened &on)
{
    for (const uint64_t n : {UINT64_C(0), UINT64_C(70'001)}) {
        posed<cuda_sum<uint32_t>> p(&copy_plugin, {}, 0, SCAN_DTYPE_I32, n, false);
        report(solve(on, p), n == 0 ? "nothing is copied" : "chunks are copied over and back");
    }
}

/* Which phases a run records. */
std::string phases(opened &on, const scan_plugin *plugin, uint32_t level)
{
    posed<cuda_sum<uint32_t>> p(plugin, {}, SCAN_OP_SUM, SCAN_DTYPE_I32, 70'001, false);
    recorded.clear();
    on.host.recording = level;
    const std::string wrong = solve(on, p);
    on.host.recording = 0;
    std::string names = wrong;
    for (const auto &[name, ns] : recorded)
        names += name + (ns == 1e6 ? " " : ns == 5e6 ? "*5 " : "? ");
    return names;
}

void records(opened &on)
{
    const std::string device = phases(on, &stream_plugin, SCAN_RECORD_DEVICE);
    ok(device == "device ", "device is recorded: %s", device.c_str());
    const std::string stages = phases(on, &stream_plugin, SCAN_RECORD_KERNELS);
    ok(stages.find("kernel:from_device*5 kernel:scan*5 kernel:to_device*5") != std::string::npos,
       "and each stage of five chunks: %s", stages.c_str());
    const std::string copy = phases(on, &copy_plugin, SCAN_RECORD_KERNELS);
    ok(copy.find("kernel:from_device*5 kernel:to_device*5") != std::string::npos,
       "of a copy two: %s", copy.c_str());
    const std::string nothing = phases(on, &stream_plugin, 0);
    ok(nothing.empty(), "without being asked, nothing: %s", nothing.c_str());
}

void limits(opened &on)
{
    emulator::device_memory &memory = emulator::the_memory();
    posed<cuda_sum<uint64_t>> p(&stream_plugin, {}, SCAN_OP_SUM, SCAN_DTYPE_U64, 200'000, false);
    p.tunables[0] = 1024;
    p.tunables[2] = 1; /* MiB; three chunks of 1 MiB were wanted */
    memory.peak = memory.used;
    const std::string wrong = solve(on, p);
    ok(wrong.empty() && memory.peak <= UINT64_C(1) << 20 && memory.peak > UINT64_C(900) << 10,
       "device_memory is kept, and used: %llu bytes: %s",
       static_cast<unsigned long long>(memory.peak), wrong.c_str());
    p.tunables[0] = 65536;
    p.tunables[1] = 16;
    p.problem.n = 1'000'000'000;
    const scan_status status =
        stream_plugin.supports(&on.host, &stream_plugin, on.context, &p.problem);
    ok(status == SCAN_UNSUPPORTED && strstr(recorded_reason, "device_memory of 1 MiB") != nullptr,
       "a limit below the least is refused: %s", recorded_reason);

    posed<cuda_sum<uint32_t>> q(&stream_plugin, {}, SCAN_OP_SUM, SCAN_DTYPE_I32, 40'000, false);
    memory.most = 100'000;
    const std::string full = solve(on, q);
    memory.most = UINT64_C(1) << 30;
    ok(full.find("cudaMalloc of") == 0, "a device without room is told of: %s", full.c_str());
}

void probes()
{
    scan_host host = {};
    scan_device device = {};
    recording_host_init(&host);
    const scan_status status = stream_plugin.probe(&host, &stream_plugin, 0, &device);
    ok(status == SCAN_OK && (device.flags & SCAN_DEVICE_SHARES_HOST_MEMORY) != 0,
       "buffers are the host's memory");
    ok(strcmp(stream_plugin.backend, copy_plugin.backend) == 0 &&
           strcmp(stream_plugin.backend, "cuda") != 0,
       "the ceiling is the copy over the bus, and no copy on the device");
}

} // namespace

int main()
{
    tap_plan(6 + 2 + 4 + 3 + 2 + 1);
    {
        opened on;
        scans(on);
        copies(on);
        records(on);
        limits(on);
    }
    probes();
    ok(emulator::the_memory().used == 0 && emulator::the_device().allocations == 0 &&
           emulator::all_streams().empty(),
       "no memory of the device, no pinned memory and no stream is left");
    return tap_done();
}
