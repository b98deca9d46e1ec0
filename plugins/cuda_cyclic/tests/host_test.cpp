/*
 * host_test.cpp - cuda_cyclic as a host calls it, on emulated devices of any number: parts that
 * share a device, what is refused, a device that fails, and what is left behind
 *
 * The plugin and what CUDA plugins share are the sources that nvcc compiles. The launches of a run
 * take place together when the plugin waits for them.
 */
#include "cuda_cyclic.cu"
#include "cyclic_instances.cuh"

#include "counted_host.h"
#include "emulated_scan.h"
#include "tap.h"

#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace
{

scan_host host;
/* One problem and its settings. */
struct question {
    unsigned parts = 3;
    int devices = 3;
    uint64_t n = 1000;
    int64_t block = 32;
    uint32_t op = SCAN_OP_SUM;
    uint32_t dtype = SCAN_DTYPE_U32;
    uint32_t kind = SCAN_KIND_EXCLUSIVE;
    bool in_place = false;
};

/* The host's side of one problem, from open to close. */
template <typename Op> class asking
{
  public:
    using T = typename Op::value;

    asking(Op op, const question &given)
        : q_(given), op_(op), tunables_{given.block, 1, 0, 0, 0, 0, given.parts}
    {
        emulator::the_devices().count = q_.devices;
        problem_ = {sizeof problem_, q_.kind, q_.op, q_.dtype, q_.n, tunables_, 7, sizeof(T)};
        opened_ = plugin.memory->open(&host, &plugin, 0, &context_) == SCAN_OK;
    }

    asking(const asking &) = delete;
    asking &operator=(const asking &) = delete;

    /* "" or why not. */
    std::string begin()
    {
        if (!opened_ || plugin.supports(&host, &plugin, context_, &problem_) != SCAN_OK ||
            plugin.create(&host, &plugin, context_, &problem_, &self_) != SCAN_OK)
            return recorded_reason;
        tile_ = parts.tile(&plugin, &problem_);
        for (unsigned p = 0; p < q_.parts; p++) {
            const uint64_t bytes =
                scan_parts_length(q_.n, tile_, q_.parts, p) * sizeof(T) + sizeof(T);
            in_.push_back(0);
            if (cuda_parts_allocate(context_, p, bytes, &in_[p]) != SCAN_OK)
                return recorded_reason;
            out_.push_back(in_[p]);
            if (!q_.in_place && cuda_parts_allocate(context_, p, bytes, &out_[p]) != SCAN_OK)
                return recorded_reason;
        }
        return "";
    }

    /* Runs once, on elements that depend on `turn`. */
    std::string run(uint64_t turn)
    {
        for (uint64_t i = 0; i < q_.n; i++)
            emulated_element(i + turn, at(in_, i));
        std::vector<T> expected;
        T running = op_.identity();
        for (uint64_t i = 0; i < q_.n; i++) {
            const T next = op_(running, *at(in_, i));
            expected.push_back(q_.kind == SCAN_KIND_INCLUSIVE ? next : running);
            running = next;
        }
        emulator::the_device().wrong.clear();
        recording_forget();
        const scan_status status = q_.parts == 1 ? plugin.run(self_, in_[0], out_[0])
                                                 : parts.run(self_, in_.data(), out_.data());
        if (!emulator::the_device().wrong.empty())
            return emulator::the_device().wrong;
        if (status != SCAN_OK)
            return recorded_reason;
        if (emulator::the_device().index != 0)
            return "another device is current";
        if ((recorded_device_ns >= 0) != (host.recording != 0 && q_.n > 0))
            return "times are not as asked for";
        for (uint64_t i = 0; i < q_.n; i++)
            if (memcmp(at(out_, i), &expected[i], sizeof(T)) != 0)
                return "element " + std::to_string(i) + " of " + std::to_string(q_.n) + " in " +
                       std::to_string(q_.parts) + " parts is wrong";
        return "";
    }

    cyclic_instance<Op> *instance()
    {
        return static_cast<cyclic_instance<Op> *>(static_cast<cuda_instance *>(self_));
    }

    /* "" or what is left behind. */
    std::string end()
    {
        if (self_ != nullptr)
            plugin.destroy(self_);
        for (unsigned p = 0; p < in_.size(); p++) {
            cuda_parts_memory.release(context_, in_[p]);
            if (!q_.in_place && p < out_.size() && out_[p] != in_[p])
                cuda_parts_memory.release(context_, out_[p]);
        }
        plugin.memory->close(context_);
        const emulator::devices &left = emulator::the_devices();
        const bool nothing = host_blocks == 0 && left.room.empty() && left.made == 0 &&
                             emulator::the_device().allocations == 0;
        return nothing ? "" : "something is left behind";
    }

  private:
    T *at(const std::vector<scan_buffer> &of, uint64_t i) const
    {
        const uint64_t t = i / tile_;
        return static_cast<T *>(scan_host_pointer(of[t % q_.parts])) + t / q_.parts * tile_ +
               i % tile_;
    }

    const question q_;
    const Op op_;
    const int64_t tunables_[7];
    scan_problem problem_ = {};
    bool opened_ = false;
    void *context_ = nullptr;
    void *self_ = nullptr;
    uint64_t tile_ = 1;
    std::vector<scan_buffer> in_, out_;
};

/* Two runs of a problem. "" or what is wrong. */
template <typename Op> std::string ask(Op op, const question &q)
{
    asking<Op> one(op, q);
    std::string wrong = one.begin();
    for (uint64_t turn = 0; turn < 2 && wrong.empty(); turn++)
        wrong = one.run(turn);
    const std::string left = one.end();
    return wrong.empty() ? left : wrong;
}

void report(const std::string &wrong, const char *text)
{
    if (!ok(wrong.empty(), "%s", text))
        printf("# %s\n", wrong.c_str());
}

/* Does the reason begin so? */
void refused(const std::string &reason, const std::string &begin, const char *text)
{
    if (!ok(reason.compare(0, begin.size(), begin) == 0, "%s", text))
        printf("# %s\n", reason.c_str());
}

void scans_in_parts()
{
    constexpr unsigned most = 8;
    question q;
    for (const int devices : {1, 3, 8}) {
        std::string wrong;
        q.devices = devices;
        for (q.parts = 1; q.parts <= most && wrong.empty(); q.parts++)
            for (const uint64_t n : {0, 1, 129, 3000}) {
                q.n = n;
                host.recording = static_cast<uint32_t>(q.parts % 3);
                if (wrong.empty())
                    wrong = ask(cuda_sum<uint32_t>(), q);
            }
        const std::string on = std::to_string(devices) + (devices == 1 ? " device" : " devices");
        report(wrong, ("1 to 8 parts are right on " + on).c_str());
    }
    host.recording = 0;
}

void takes_other_problems()
{
    question q;
    q.kind = SCAN_KIND_INCLUSIVE;
    q.in_place = true;
    q.op = SCAN_OP_AFFINE;
    q.dtype = SCAN_DTYPE_U32X2;
    q.block = 64;
    q.n = 2001;
    report(ask(cuda_affine<uint32_t>(), q), "affine is right, in place");
}

void refuses()
{
    question q;
    q.block = 33;
    refused(ask(cuda_sum<uint32_t>(), q), "block 33: whole warps", "half warps are refused");
    q = {};
    q.parts = 20;
    q.devices = 2;
    q.n = 100'000;
    refused(ask(cuda_sum<uint32_t>(), q), "10 parts share a device that holds 8 blocks",
            "more parts than blocks fit on their device are refused");
    q.n = 1000; /* in 8 tiles */
    report(ask(cuda_sum<uint32_t>(), q), "but not if most of them hold nothing");
    q = {};
    emulator::the_device().version = 80;
    refused(ask(cuda_sum<uint32_t>(), q), "bulk copies need compute capability 9.0",
            "older devices are refused");
    emulator::the_device().version = 90;
    emulator::the_devices().lonely = 2;
    refused(ask(cuda_sum<uint32_t>(), q), "CUDA device 0 cannot access the memory of device 2",
            "devices without peer access are refused");
    emulator::the_devices().lonely = -1;
    bool whole = true;
    for (unsigned i = 0; i < 9; i++) { /* 3 of words, 6 buffers */
        emulator::the_devices().refuse_after = i;
        asking<cuda_sum<uint32_t>> one({}, q);
        whole = whole && one.begin().find("cudaMalloc") == 0;
        whole = one.end().empty() && whole;
    }
    emulator::the_devices().refuse_after = ~0u;
    ok(whole, "where memory is short nothing is left behind");
}

/* One device does not launch; then it does again. */
void survives_failures()
{
    asking<cuda_sum<uint32_t>> one({}, question());
    std::string wrong = one.begin();
    if (wrong.empty())
        wrong = one.run(1);
    auto &lost = one.instance()->device[1];
    const unsigned ctas = lost.ctas;
    for (auto &device : one.instance()->device)
        device.launch.patience = 300;
    lost.ctas = 0;
    const std::string reason = wrong.empty() ? one.run(2) : wrong;
    lost.ctas = ctas;
    for (auto &device : one.instance()->device)
        device.launch.patience = CUDA_PATIENCE;
    ok(reason.find(" looked ") != std::string::npos,
       "a device that does not launch is an error: %s", reason.c_str());
    for (uint64_t turn = 3; turn < 6 && wrong.empty(); turn++)
        wrong = one.run(turn);
    const std::string left = one.end();
    report(wrong.empty() ? left : wrong, "the next run is right again");
}

/* With a thread for each device. They sleep, so that the caller launches for them: the emulator
 * is not made for several threads. */
void launches_at_once()
{
    host.places = 8;
    asking<cuda_sum<uint32_t>> one({}, question());
    std::string wrong = one.begin();
    const cuda_crew &crew = one.instance()->crew;
    ok(crew.members() == 3, "each device has a thread that launches");
    for (uint64_t turn = 0; turn < 3 && wrong.empty(); turn++) {
        const timespec moment = {0, 2'000'000};
        for (int tries = 0; crew.awake() > 1 && tries < 5000; tries++)
            nanosleep(&moment, nullptr);
        wrong = one.run(turn);
    }
    const std::string left = one.end();
    report(wrong.empty() ? left : wrong, "launches from a crew are right");
    host.places = 1;
}

/* Whatever it depends on, the tile is what a block holds. */
void tells_its_tile()
{
    int64_t tunables[] = {256, 8, 0, 0, 0, 4};
    scan_problem problem = {};
    problem.tunables = tunables;
    problem.element_bytes = 4;
    const uint64_t of_words = parts.tile(&plugin, &problem);
    problem.element_bytes = 8;
    ok(of_words == lookahead_tile_elements<uint32_t>(8, 8) && of_words == plugin.tile &&
           parts.tile(&plugin, &problem) == lookahead_tile_elements<double>(8, 8),
       "a tile is what a block holds in a stage");
}

} // namespace

int main()
{
    recording_host_init(&host);
    host.allocate = counted_allocate;
    host.release = counted_release;
    host.recording = 0;
    host.places = 1;
    emulator::the_device().processors = 8;
    emulator::the_devices().meet = true;
    tap_plan(3 + 1 + 6 + 2 + 2 + 1);
    scans_in_parts();
    takes_other_problems();
    refuses();
    survives_failures();
    launches_at_once();
    tells_its_tile();
    return tap_done();
}
