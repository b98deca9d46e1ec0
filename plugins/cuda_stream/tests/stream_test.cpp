/*
 * stream_test.cpp - chunks with a carry, under the emulator
 *
 * Plan, pipeline and kernels are the sources that nvcc compiles. The streams advance in random
 * order, so that what no event orders goes wrong under some seed; the mutants show that it does.
 */
#include <cuda_runtime.h>

namespace
{

cudaStream_t careless = nullptr; /* a mutant: the stream that waits for nothing */

cudaError_t wait_unless_careless(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    return stream == careless ? cudaSuccess : cudaStreamWaitEvent(stream, event, flags);
}

} // namespace

#define cudaStreamWaitEvent wait_unless_careless
#include "stream_pipeline.cu"
#undef cudaStreamWaitEvent

#include "stream_scan.cuh"

#include "lookback_instances.cuh"

#include "emulated_scan.h"
#include "emulated_words.h"

namespace
{

/* How one problem is run. */
struct setting {
    unsigned block = 32;
    unsigned lines = 1;
    uint64_t chunk_bytes = STREAM_ALIGNED;
    unsigned buffers = 3;
    emulated_layout layout;
    uint64_t seed = 1;
    bool timed = false;
    bool behind_out = false;
    bool forgets_carry = false; /* a mutant */
};

template <typename Op> struct instance {
    using T = typename Op::value;
    stream_plan plan = {};
    stream_pipeline pipeline = {};
    cuda_words words = {};
    stream_scanner<Op> scanner;
    std::vector<uint4> memory;
    bool forgets_carry;

    instance(Op op, uint64_t n, const setting &how)
        : scanner{op, how.block, how.lines, how.layout.inclusive, nullptr, &words},
          forgets_carry(how.forgets_carry)
    {
        const stream_needs needs = {scanner.tile() * sizeof(T), sizeof(lookback_word<T>),
                                    CUDA_WORDS_AT};
        (void)stream_plan_make(n * sizeof(T), {how.chunk_bytes, how.buffers, 0}, needs, &plan);
        memory.resize(plan.device_bytes / sizeof(uint4) + 1, {0xdead, 0xbeef, 0xdead, 0xbeef});
        char *const carry = device() + plan.buffers * plan.stride_bytes;
        scanner.carry = reinterpret_cast<T *>(carry);
        (void)cuda_words_create(&words);
        cuda_words_use(&words, carry + STREAM_CARRY_BYTES, plan.words_bytes);
        (void)stream_pipeline_make(&pipeline);
    }
    ~instance()
    {
        stream_pipeline_free(&pipeline);
        cuda_words_destroy(&words);
    }
    instance(const instance &) = delete;
    instance &operator=(const instance &) = delete;

    char *device()
    {
        return reinterpret_cast<char *>(memory.data());
    }
};

template <typename Op>
cudaError_t scan_chunk(void *opaque, uint64_t chunk, char *data, cudaStream_t stream)
{
    using T = typename Op::value;
    auto *self = static_cast<instance<Op> *>(opaque);
    const stream_plan &plan = self->plan;
    return self->scanner.queue({reinterpret_cast<T *>(data),
                                stream_bytes_of(plan, chunk) / sizeof(T),
                                chunk == 0 || self->forgets_carry, chunk + 1 == plan.chunks},
                               stream);
}

/* One run; "" or what is wrong. */
template <typename Op>
std::string run_once(Op op, instance<Op> &self, uint64_t n, const setting &how)
{
    emulated_arrays<Op> data(op, n, how.layout);
    double stage_ns[STREAM_STAGES] = {};
    emulator::device &device = emulator::the_device();
    device.stream_seed = device.seed = how.seed;
    device.resident = how.seed % 2 == 0 ? 2 : ~0u;
    device.wrong.clear();
    const stream_run run = {&self.plan,
                            reinterpret_cast<const char *>(data.in),
                            reinterpret_cast<char *>(data.out),
                            self.device(),
                            {scan_chunk<Op>, &self},
                            how.timed ? stage_ns : nullptr,
                            how.behind_out};
    if (stream_pipeline_run(&self.pipeline, run) != cudaSuccess ||
        cudaStreamSynchronize(self.pipeline.stream[STREAM_OUT]) != cudaSuccess)
        return "the run did not end";
    if (!device.wrong.empty())
        return device.wrong;
    for (unsigned i = 0; i < STREAM_STAGES && how.timed; i++)
        if (stage_ns[i] != 1e6 * static_cast<double>(self.plan.chunks))
            return "the time of a stage is not that of every chunk";
    return data.compare();
}

template <typename Op> std::string run_fresh(Op op, uint64_t n, const setting &how)
{
    instance<Op> self(op, n, how);
    return run_once(op, self, n, how);
}

/* ---- right ------------------------------------------------------------------------------ */

/* Around the edges of chunks and tiles, both kinds. */
template <typename Op> std::string at_edges(Op op)
{
    constexpr uint64_t chunk = STREAM_ALIGNED / sizeof(typename Op::value);
    setting how;
    for (const uint64_t n : {UINT64_C(1), chunk - 1, chunk, chunk + 1, 3 * chunk - 1, 4 * chunk,
                             7 * chunk + chunk / 3}) {
        for (unsigned kind = 0; kind < 2; kind++) {
            how.seed++;
            how.layout.inclusive = kind == 1;
            how.buffers = 1 + static_cast<unsigned>(how.seed) % 4;
            how.lines = 1 << how.seed % 3;
            const std::string wrong = run_fresh(op, n, how);
            if (!wrong.empty())
                return wrong + " (n = " + std::to_string(n) + ")";
        }
    }
    return "";
}

void scans_every_operator()
{
    report(at_edges<cuda_sum<uint32_t>>({}), "sums of 32-bit integers are right");
    report(at_edges<cuda_sum<uint64_t>>({}), "sums of 64-bit integers are right");
    report(at_edges<cuda_sum<float>>({}), "sums of floats are right");
    report(at_edges<cuda_sum<double>>({}), "sums of doubles are right");
    report(at_edges(cuda_max<int32_t>()), "max of i32 is right");
    report(at_edges(cuda_min<uint64_t>()), "min of u64 is right");
    report(at_edges(cuda_min<float>()), "min of f32 is right");
    report(at_edges<cuda_affine<uint32_t>>({}), "affine on u32x2 is right");
    report(at_edges<cuda_affine<float>>({}), "affine on f32x2 is right");
}

void scans_in_place()
{
    setting how;
    how.layout.in_place = true;
    std::string wrong;
    for (how.seed = 1; how.seed <= 4 && wrong.empty(); how.seed++)
        wrong = run_fresh(cuda_affine<uint32_t>(), 3000, how);
    report(wrong, "a scan in place is right");
}

void times_stages()
{
    setting how;
    how.timed = true;
    how.behind_out = true;
    std::string wrong;
    for (how.buffers = 1; how.buffers <= 9 && wrong.empty(); how.buffers += 4)
        wrong = run_fresh(cuda_sum<uint32_t>(), 6500, how);
    report(wrong, "the stages of every chunk are timed");
}

/* Runs on the same words and buffers, across the end of the launches' numbers. */
void runs_again()
{
    setting how;
    constexpr uint64_t n = 5000;
    instance<cuda_sum<uint64_t>> self({}, n, how);
    std::string wrong = run_once<cuda_sum<uint64_t>>({}, self, n, how);
    self.words.turn.launch = CUDA_MOST_LAUNCHES - 4; /* the numbers begin again within a run */
    for (how.seed = 2; how.seed <= 4 && wrong.empty(); how.seed++)
        wrong = run_once<cuda_sum<uint64_t>>({}, self, n, how);
    report(wrong, "runs follow one another, and the numbers of launches begin again");
}

/* ---- the plan --------------------------------------------------------------------------- */

/* "" or what is wrong with the plan of an array. */
std::string plan_of(uint64_t bytes, const stream_settings &settings, const stream_needs &needs)
{
    stream_plan plan;
    if (!stream_plan_make(bytes, settings, needs, &plan))
        return settings.device_bytes == 0 ? "nothing fits into no limit" : "";
    uint64_t sum = 0;
    for (uint64_t chunk = 0; chunk < plan.chunks; chunk++)
        sum += stream_bytes_of(plan, chunk);
    if (sum != bytes)
        return "the chunks are not the array";
    if (plan.chunk_bytes % STREAM_ALIGNED != 0 || plan.lead_bytes % STREAM_ALIGNED != 0)
        return "a chunk is not aligned";
    if (plan.lead_bytes < (needs.word_bytes > 0 ? needs.tile_bytes : 0))
        return "there is no room for a tile before a chunk";
    if (plan.buffers > settings.buffers || (plan.chunks > 0 && plan.buffers == 0))
        return "the buffers are not as many as wanted";
    if (settings.device_bytes > 0 && plan.device_bytes > settings.device_bytes)
        return "more is allocated than the limit";
    const uint64_t tiles = (plan.chunk_bytes + needs.tile_bytes - 1) / needs.tile_bytes;
    if (needs.word_bytes > 0 && plan.words_bytes < CUDA_WORDS_AT + (tiles + 1) * needs.word_bytes)
        return "there are too few words";
    return "";
}

void plans_are_whole()
{
    const stream_needs needs[] = {
        {16384, 8, CUDA_WORDS_AT}, {131072, 16, CUDA_WORDS_AT}, {1, 0, 0}};
    std::string wrong;
    for (const uint64_t bytes :
         {UINT64_C(0), UINT64_C(4), UINT64_C(4096), UINT64_C(1) << 20, (UINT64_C(1) << 24) + 4,
          UINT64_C(123123123) * 4, UINT64_C(16'000'000'000)})
        for (const uint64_t chunk : {0, 65536, 1 << 20, 64 << 20})
            for (const unsigned buffers : {1u, 4u, 16u})
                for (const uint64_t limit :
                     {UINT64_C(0), UINT64_C(1) << 20, UINT64_C(1) << 26, UINT64_C(8) << 30})
                    for (const stream_needs &need : needs)
                        if (wrong.empty())
                            wrong = plan_of(bytes, {chunk, buffers, limit}, need);
    report(wrong, "chunks are the whole array, aligned, within the limit");
}

void limits_are_used()
{
    const stream_needs needs = {131072, 8, CUDA_WORDS_AT};
    const uint64_t mib = UINT64_C(1) << 20, array = UINT64_C(16) << 30;
    stream_plan plan;
    const bool small = !stream_plan_make(array, {0, 16, mib}, needs, &plan);
    ok(small && plan.device_bytes > mib, "a limit too small for the least chunks is refused");
    const bool fits = stream_plan_make(array, {64 * mib, 4, 100 * mib}, needs, &plan);
    ok(fits && plan.chunk_bytes > 24 * mib && plan.chunk_bytes < 25 * mib,
       "chunks shrink to the limit, no further");
    const bool wanted = stream_plan_make(array, {0, 4, 8192 * mib}, needs, &plan);
    ok(wanted && plan.chunk_bytes == 64 * mib && plan.chunks == 256 && plan.buffers == 4,
       "below a limit that is large enough chunks are as large as ever");
}

/* ---- broken on purpose ------------------------------------------------------------------- */

constexpr uint64_t MOST_SEEDS = 40;

template <typename Break> std::string find_fault(setting how, Break broken)
{
    std::string wrong;
    for (how.seed = 1; how.seed <= MOST_SEEDS && wrong.empty(); how.seed++) {
        instance<cuda_sum<uint32_t>> self({}, 8000, how);
        broken(self);
        wrong = run_once<cuda_sum<uint32_t>>({}, self, 8000, how);
    }
    return wrong;
}

std::string find_fault_of_careless(stream_stage stage)
{
    const std::string wrong = find_fault({}, [&](const instance<cuda_sum<uint32_t>> &self) {
        careless = self.pipeline.stream[stage];
    });
    careless = nullptr;
    return wrong;
}

void mutants_are_found()
{
    setting how;
    const auto whole = [](instance<cuda_sum<uint32_t>> &) {};
    report(find_fault(how, whole), "unbroken, all is right under every seed");
    found(find_fault_of_careless(STREAM_IN), "copies into buffers that are not empty yet");
    found(find_fault_of_careless(STREAM_WORK), "scans of chunks that are not there yet");
    found(find_fault_of_careless(STREAM_OUT), "copies out of chunks that are not scanned yet");
    how.forgets_carry = true;
    found(find_fault(how, whole), "chunks that begin without a carry");
}

} // namespace

int main()
{
    tap_plan(9 + 1 + 1 + 1 + 1 + 3 + 5);
    scans_every_operator();
    scans_in_place();
    times_stages();
    runs_again();
    plans_are_whole();
    limits_are_used();
    mutants_are_found();
    return tap_done();
}
