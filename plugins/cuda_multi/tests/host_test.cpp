/*
 * host_test.cpp - cuda_multi as a host calls it, on emulated devices: any number of them, all of
 * its settings, and what it leaves behind
 *
 * The plugin and what CUDA plugins share are the sources that nvcc compiles. Launches take place at
 * once, in the order in which the plugin makes them; how kernels meet is multi_test.cpp's matter.
 */
#include "cuda_multi.cu"
#include "multi_instances.cuh"

#include "counted_host.h"
#include "emulated_scan.h"
#include "tap.h"

namespace
{

scan_host host;
constexpr unsigned MOST_PARTS = 8;

/* One problem and its settings. */
struct question {
    unsigned parts = 3;
    uint64_t n = 1000;
    int64_t exchange = EXCHANGE_WORDS;
    uint32_t op = SCAN_OP_SUM;
    uint32_t dtype = SCAN_DTYPE_U32;
    uint32_t kind = SCAN_KIND_EXCLUSIVE;
    unsigned runs = 2;
    bool in_place = false;
};

template <typename Op> struct asked {
    using T = typename Op::value;
    question q;
    void *context;
    int64_t tunables[TUNABLES];
    scan_problem problem = {};
    std::vector<T> in, expected;
    std::vector<scan_buffer> from, to;

    asked(Op op, const question &given, void *opened)
        : q(given), context(opened), tunables{given.parts, given.exchange, MULTI_LOOKAHEAD}
    {
        problem = {sizeof problem, q.kind, q.op, q.dtype, q.n, tunables, TUNABLES, sizeof(T)};
        T running = op.identity();
        for (uint64_t i = 0; i < q.n; i++) {
            T element;
            emulated_element(i, &element);
            const T next = op(running, element);
            in.push_back(element);
            expected.push_back(q.kind == SCAN_KIND_INCLUSIVE ? next : running);
            running = next;
        }
    }

    uint64_t length(unsigned p) const
    {
        return scan_parts_length(q.n, scan_parts_slice(q.n, q.parts), q.parts, p);
    }

    bool allocate()
    {
        for (unsigned p = 0; p < q.parts; p++)
            for (std::vector<scan_buffer> *of : {&from, &to}) {
                scan_buffer buffer = 0;
                if (of == &to && q.in_place)
                    buffer = from[p];
                else if (cuda_parts_allocate(context, p, length(p) * sizeof(T) + 64, &buffer) !=
                         SCAN_OK)
                    return false;
                of->push_back(buffer);
            }
        return true;
    }

    void release() const
    {
        for (const scan_buffer buffer : from)
            cuda_parts_memory.release(context, buffer);
        for (const scan_buffer buffer : to)
            if (!q.in_place)
                cuda_parts_memory.release(context, buffer);
    }

    bool copy_in() const
    {
        uint64_t first = 0;
        for (unsigned p = 0; p < q.parts; first += length(p), p++)
            if (cuda_parts_memory.copy_in(context, from[p], 0, in.data() + first,
                                          length(p) * sizeof(T)) != SCAN_OK)
                return false;
        return true;
    }

    std::string compare() const
    {
        uint64_t first = 0;
        for (unsigned p = 0; p < q.parts; first += length(p), p++) {
            std::vector<T> found(length(p) + 1);
            if (cuda_parts_memory.copy_out(context, found.data(), to[p], 0,
                                           length(p) * sizeof(T)) != SCAN_OK)
                return recorded_reason;
            if (length(p) > 0 && memcmp(found.data(), &expected[first], length(p) * sizeof(T)) != 0)
                return "part " + std::to_string(p) + " is wrong";
        }
        return "";
    }

    std::string run(void *self) const
    {
        emulator::the_device().wrong.clear();
        for (unsigned i = 0; i < q.runs; i++) {
            if (!copy_in())
                return recorded_reason;
            recording_forget();
            const scan_status status = q.parts == 1 ? plugin.run(self, from[0], to[0])
                                                    : parts.run(self, from.data(), to.data());
            if (!emulator::the_device().wrong.empty())
                return emulator::the_device().wrong;
            if (status != SCAN_OK)
                return recorded_reason;
            if (emulator::the_device().index != 0)
                return "another device is current";
            if ((recorded_device_ns >= 0) != (host.recording != 0 && q.n > 0))
                return "times are not as asked for";
            const std::string wrong = compare();
            if (!wrong.empty())
                return wrong;
        }
        return "";
    }
};

/* Asks all that a host asks about one problem. "" or what is wrong. */
template <typename Op> std::string ask(Op op, const question &q, int devices)
{
    emulator::the_devices().count = devices;
    void *context = nullptr;
    if (plugin.memory->open(&host, &plugin, 0, &context) != SCAN_OK)
        return recorded_reason;
    std::string wrong;
    void *self = nullptr;
    asked<Op> all(op, q, context);
    if (plugin.supports(&host, &plugin, context, &all.problem) != SCAN_OK ||
        plugin.create(&host, &plugin, context, &all.problem, &self) != SCAN_OK)
        wrong = recorded_reason;
    if (wrong.empty())
        wrong = all.allocate() ? all.run(self) : recorded_reason;
    if (self != nullptr)
        plugin.destroy(self);
    all.release();
    plugin.memory->close(context);
    const emulator::devices &left = emulator::the_devices();
    if (host_blocks != 0 || !left.room.empty() || left.made != 0 ||
        emulator::the_device().allocations != 0)
        return wrong + " (something is left behind)";
    return wrong;
}

void report(const std::string &wrong, const char *text)
{
    if (!ok(wrong.empty(), "%s", text))
        printf("# %s\n", wrong.c_str());
}

void scans_in_parts()
{
    question q;
    for (const int devices : {1, 3, 8}) {
        std::string wrong;
        for (q.parts = 1; q.parts <= MOST_PARTS && wrong.empty(); q.parts++)
            for (const uint64_t n : {UINT64_C(0), UINT64_C(1), UINT64_C(9), UINT64_C(5000)}) {
                q.n = n;
                host.recording = static_cast<uint32_t>(q.parts % 3);
                if (wrong.empty())
                    wrong = ask(cuda_sum<uint32_t>(), q, devices);
            }
        if (!ok(wrong.empty(), "1 to 8 parts are right on %d device%s", devices,
                devices == 1 ? "" : "s"))
            printf("# %s\n", wrong.c_str());
    }
}

void takes_all_settings()
{
    question q;
    q.parts = 5;
    q.exchange = EXCHANGE_EVENTS;
    report(ask(cuda_sum<uint32_t>(), q, 5), "events can order the exchange");
    q.kind = SCAN_KIND_INCLUSIVE;
    q.in_place = true;
    q.op = SCAN_OP_AFFINE;
    q.dtype = SCAN_DTYPE_U32X2;
    q.n = 4001;
    report(ask(cuda_affine<uint32_t>(), q, 5), "affine is right, in place");
}

/* A total that does not come fails the run, and nothing but that run. */
void recovers()
{
    emulator::the_devices().count = 3;
    void *context = nullptr, *opaque = nullptr;
    question q;
    const bool opened = plugin.memory->open(&host, &plugin, 0, &context) == SCAN_OK;
    asked<cuda_sum<uint32_t>> all({}, q, context);
    if (!opened || plugin.create(&host, &plugin, context, &all.problem, &opaque) != SCAN_OK ||
        !all.allocate()) {
        ok(0, "an instance is made: %s", recorded_reason);
        return;
    }
    auto *self = static_cast<multi_instance<cuda_sum<uint32_t>> *>(
        static_cast<multi_base *>(static_cast<cuda_instance *>(opaque)));
    self->part[1].reduces = false;
    self->part[2].words.patience = 100;
    const std::string wrong = all.run(opaque);
    ok(wrong.find("part 2 looked 100 times") == 0, "a run whose totals do not come fails: %s",
       wrong.c_str());
    self->part[1].reduces = true;
    self->part[2].words.patience = CUDA_PATIENCE;
    report(all.run(opaque), "the next run is right");
    plugin.destroy(opaque);
    all.release();
    plugin.memory->close(context);
}

void refuses()
{
    question q;
    q.exchange = EXCHANGE_NCCL;
    const std::string without = ask(cuda_sum<uint32_t>(), q, 3);
    ok(without.find("built without NCCL") == 0, "without NCCL its exchange is refused: %s",
       without.c_str());
    q = {};
    emulator::the_devices().lonely = 2;
    const std::string lonely = ask(cuda_sum<uint32_t>(), q, 3);
    ok(lonely == "CUDA device 0 cannot access the memory of device 2 (no peer access)",
       "devices without peer access are named: %s", lonely.c_str());
    report(ask(cuda_sum<uint32_t>(), q, 2), "others are not affected");
    emulator::the_devices().lonely = -1;
    bool refused = true, whole = true;
    for (unsigned i = 0; i < 9; i++) { /* 3 of scratch, 6 buffers */
        emulator::the_devices().refuse_after = i;
        const std::string wrong = ask(cuda_sum<uint32_t>(), q, 3);
        refused = refused && wrong.find("cudaMalloc") == 0;
        whole = whole && wrong.find("left behind") == std::string::npos;
    }
    emulator::the_devices().refuse_after = ~0u;
    ok(refused && whole, "where memory is short nothing is left behind");
}

} // namespace

int main()
{
    recording_host_init(&host);
    host.allocate = counted_allocate;
    host.release = counted_release;
    tap_plan(3 + 2 + 2 + 4);
    scans_in_parts();
    takes_all_settings();
    recovers();
    refuses();
    return tap_done();
}
