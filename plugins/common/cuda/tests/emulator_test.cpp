/*
 * emulator_test.cpp - the emulator lets right kernels pass and finds what is wrong with others
 *
 * Each kernel here is a few lines around one mistake, and comes once with it and once without.
 * "Found" means: under one of a number of seeds.
 */
#include "cuda_bulk.cuh"
#include "cuda_sync.cuh"

#include "tap.h"

#include <string>
#include <vector>

namespace
{

constexpr uint64_t MOST_SEEDS = 100;

using attempt = std::function<std::string(emulator::grid shape)>;

/* The first thing that goes wrong under any seed; "" if nothing does. */
std::string try_seeds(emulator::grid shape, const attempt &once)
{
    std::string wrong;
    shape.most_steps = 200'000;
    for (shape.seed = 1; shape.seed <= MOST_SEEDS && wrong.empty(); shape.seed++)
        wrong = once(shape);
    return wrong;
}

void passes(const emulator::grid &shape, const char *text, const attempt &once)
{
    const std::string wrong = try_seeds(shape, once);
    ok(wrong.empty(), "%s passes %s", text, wrong.c_str());
}

void fails(const emulator::grid &shape, const char *text, const char *expected, const attempt &once)
{
    const std::string wrong = try_seeds(shape, once);
    ok(!wrong.empty() && wrong.find(expected) != std::string::npos, "%s is found: %s", text,
       wrong.c_str());
}

std::string judge(const std::string &wrong, bool right)
{
    return !wrong.empty() ? wrong : right ? "" : "wrong answer";
}

/* ---- barriers --------------------------------------------------------------------------- */

struct exchange {
    unsigned word[64];
};

/* Each thread reads what the thread on its other side wrote. */
template <bool BARRIER> std::string reverse(const emulator::grid &shape)
{
    std::vector<unsigned> out(shape.threads);
    const std::string wrong = emulator::run(shape, [&] {
        CUDA_SHARED(exchange, shared);
        unsigned *const memory = shared.word;
        memory[threadIdx.x] = threadIdx.x;
        if (BARRIER)
            __syncthreads();
        emulator::step();
        out[threadIdx.x] = memory[blockDim.x - 1 - threadIdx.x];
    });
    bool right = true;
    for (unsigned i = 0; i < shape.threads; i++)
        right = right && out[i] == shape.threads - 1 - i;
    return judge(wrong, right);
}

/* Lane 0 writes, the other lanes read. */
template <bool BARRIER> std::string tell_warp(const emulator::grid &shape)
{
    unsigned heard = 0;
    const std::string wrong = emulator::run(shape, [&] {
        CUDA_SHARED(unsigned, memory);
        emulator::step();
        if (threadIdx.x == 0)
            memory = 17;
        if (BARRIER)
            __syncwarp();
        heard += memory == 17;
    });
    return judge(wrong, heard == 32);
}

/* The lanes of one warp wait at two barriers for each other. */
std::string half_at_barrier(const emulator::grid &shape)
{
    return emulator::run(shape, [] {
        if (threadIdx.x < 16)
            __syncthreads();
        else
            __syncwarp();
    });
}

std::string mixed_collectives(const emulator::grid &shape)
{
    return emulator::run(shape, [] {
        if (threadIdx.x < 16)
            (void)__ballot_sync(~0u, true);
        else
            (void)__shfl_sync(~0u, 1u, 0);
    });
}

std::string lane_left(const emulator::grid &shape)
{
    return emulator::run(shape, [] {
        if (threadIdx.x > 0)
            (void)__ballot_sync(~0u, true);
    });
}

std::string shuffles(const emulator::grid &shape)
{
    unsigned right = 0;
    const std::string wrong = emulator::run(shape, [&] {
        const unsigned lane = threadIdx.x % 32;
        const unsigned up = __shfl_up_sync(~0u, lane, 4);
        const unsigned down = __shfl_down_sync(~0u, lane, 4);
        const unsigned votes = __ballot_sync(~0u, lane % 3 == 0);
        const unsigned sum = __reduce_add_sync(~0u, lane);
        right += up == (lane < 4 ? lane : lane - 4) && down == (lane > 27 ? lane : lane + 4) &&
                 votes == 0x49249249u && sum == 496 && __shfl_sync(~0u, lane, 9) == 9 &&
                 __shfl_xor_sync(~0u, lane, 5) == (lane ^ 5);
    });
    return judge(wrong, right == shape.threads);
}

/* ---- words of several blocks -------------------------------------------------------------- */

/* Block 0 passes a message; block 1 may find it missing but never half of it. */
template <bool FENCE_STORES, bool FENCE_LOADS> std::string message(const emulator::grid &shape)
{
    uint64_t data = 0;
    uint64_t flag = 0;
    bool right = true;
    const std::string wrong = emulator::run(shape, [&] {
        if (threadIdx.x > 0)
            return;
        if (blockIdx.x == 0) {
            cuda_store_relaxed(&data, 17);
            if (FENCE_STORES)
                __threadfence();
            cuda_store_relaxed(&flag, 1);
        } else if (cuda_load_relaxed(&flag) == 1) {
            if (FENCE_LOADS)
                __threadfence();
            right = cuda_load_relaxed(&data) == 17;
        }
    });
    return judge(wrong, right);
}

/* The same with release and acquire, where another thread of the block has stored the data. */
template <bool BARRIER> std::string message_of_block(const emulator::grid &shape)
{
    using emulator::order;
    uint64_t data = 0;
    uint64_t flag = 0;
    bool right = true;
    const std::string wrong = emulator::run(shape, [&] {
        if (blockIdx.x == 0) {
            if (threadIdx.x == 40)
                emulator::store(&data, 17, 8, order::relaxed);
            if (BARRIER)
                __syncthreads();
            if (threadIdx.x == 0)
                emulator::store(&flag, 1, 8, order::release);
        } else if (threadIdx.x == 0 && emulator::load(&flag, 8, order::acquire) == 1) {
            right = emulator::load(&data, 8, order::relaxed) == 17;
        }
    });
    return judge(wrong, right);
}

/* A thread never sees a word go back, and sees the newest in the end. */
std::string counts_up(const emulator::grid &shape)
{
    uint64_t word = 0;
    bool right = true;
    const std::string wrong = emulator::run(shape, [&] {
        if (threadIdx.x > 0)
            return;
        uint64_t last = 0;
        for (uint64_t i = 1; i <= 20 && blockIdx.x == 0; i++)
            cuda_store_relaxed(&word, i);
        while (blockIdx.x != 0 && last < 20) {
            const uint64_t now = cuda_load_relaxed(&word);
            right = right && now >= last;
            last = now;
        }
    });
    return judge(wrong, right && word == 20);
}

std::string tickets(const emulator::grid &shape)
{
    unsigned counter = 0;
    std::vector<unsigned> taken(shape.blocks * shape.threads);
    const std::string wrong = emulator::run(shape, [&] { taken[atomicAdd(&counter, 1)]++; });
    bool right = counter == taken.size();
    for (const unsigned times : taken)
        right = right && times == 1;
    return judge(wrong, right);
}

/* Every block waits for block 0. */
std::string wait_for_first(const emulator::grid &shape)
{
    uint64_t word = 0;
    return emulator::run(shape, [&] {
        if (blockIdx.x == 0)
            cuda_store_relaxed(&word, 1);
        while (cuda_load_relaxed(&word) == 0) {
        }
    });
}

/* ---- clusters ------------------------------------------------------------------------------ */

/* Each block writes its index into the next block's shared memory. FIRST: do they wait until all
 * have begun? LAST: until all have written? */
template <bool FIRST, bool LAST> std::string pass_round(const emulator::grid &shape)
{
    std::vector<unsigned> got(shape.blocks);
    const std::string wrong = emulator::run(shape, [&] {
        CUDA_SHARED(unsigned, memory);
        const unsigned next = (cuda_cluster_rank() + 1) % shape.cluster;
        if (FIRST) {
            cuda_cluster_arrive();
            cuda_cluster_wait();
        }
        if (threadIdx.x == 0)
            *static_cast<unsigned *>(emulator::shared_of(&memory, next)) = blockIdx.x;
        if (LAST) {
            cuda_cluster_arrive();
            cuda_cluster_wait();
        }
        if (threadIdx.x == 0)
            got[blockIdx.x] = memory;
    });
    bool right = true;
    for (unsigned i = 0; i < shape.blocks; i++)
        right = right && got[i] == i / shape.cluster * shape.cluster +
                                       (i + shape.cluster - 1) % shape.cluster;
    return judge(wrong, right);
}

/* ---- what completes later ------------------------------------------------------------------ */

/* A copy that is under way; the thread waits for it, or not. */
template <bool WAITS> std::string copy_later(const emulator::grid &shape)
{
    unsigned copy = 0;
    uint64_t done = 0;
    bool right = true;
    const std::string wrong = emulator::run(shape, [&] {
        if (threadIdx.x > 0)
            return;
        emulator::later([&] {
            copy = 17;
            done = 1;
        });
        while (WAITS && done == 0)
            emulator::step();
        right = copy == 17;
    });
    return judge(wrong, right);
}

/* ---- barriers with phases, and bulk copies --------------------------------------------------- */

constexpr unsigned STAGE_WORDS = 64;

struct staged {
    alignas(16) unsigned word[STAGE_WORDS];
    cuda_phases loaded, free;
};

/* What a kernel with one stage does right, unless it is left out. */
struct stage_rules {
    bool announces = true, waits = true, fences = true, drains = true, frees = true;
};

/* Warp 0 loads pieces of an array into one stage, warp 1 adds 1 to each word and stores them. */
std::string add_one(const emulator::grid &shape, const stage_rules &rules)
{
    constexpr unsigned turns = 4;
    alignas(16) unsigned in[turns * STAGE_WORDS], out[turns * STAGE_WORDS] = {};
    for (unsigned i = 0; i < turns * STAGE_WORDS; i++)
        in[i] = 1000 + i;
    const auto load = [&](staged &shared, unsigned turn) {
        if (rules.frees)
            cuda_phases_wait(&shared.free, (turn + 1) % 2);
        if (rules.announces)
            cuda_phases_announce(&shared.loaded, sizeof shared.word);
        else
            cuda_phases_arrive(&shared.loaded);
        cuda_bulk_load(shared.word, in + turn * STAGE_WORDS, sizeof shared.word, &shared.loaded,
                       cuda_policy_of(false));
    };
    const auto store = [&](staged &shared, unsigned turn) {
        if (rules.waits)
            cuda_phases_wait(&shared.loaded, turn % 2);
        for (unsigned i = threadIdx.x % 32; i < STAGE_WORDS; i += 32)
            shared.word[i]++;
        if (rules.fences)
            cuda_bulk_fence();
        __syncwarp();
        if (threadIdx.x % 32 != 0)
            return;
        cuda_bulk_store(out + turn * STAGE_WORDS, shared.word, sizeof shared.word);
        if (rules.drains || turn + 1 == turns)
            cuda_bulk_wait_read();
        cuda_phases_arrive(&shared.free);
    };
    const std::string wrong = emulator::run(shape, [&] {
        CUDA_SHARED(staged, shared);
        if (threadIdx.x == 0) {
            cuda_phases_begin(&shared.loaded, 1);
            cuda_phases_begin(&shared.free, 1);
            cuda_phases_show();
        }
        __syncthreads();
        for (unsigned turn = 0; turn < turns; turn++) {
            if (threadIdx.x == 0)
                load(shared, turn);
            else if (threadIdx.x >= 32)
                store(shared, turn);
        }
    });
    bool right = true;
    for (unsigned i = 0; i < turns * STAGE_WORDS; i++)
        right = right && out[i] == in[i] + 1;
    return judge(wrong, right);
}

/* Who waits for a phase that is over twice waits for ever. */
std::string two_phases_behind(const emulator::grid &shape)
{
    return emulator::run(shape, [] {
        CUDA_SHARED(cuda_phases, phases);
        if (threadIdx.x == 0)
            cuda_phases_begin(&phases, 1);
        __syncthreads();
        if (threadIdx.x == 0) {
            cuda_phases_arrive(&phases);
            cuda_phases_arrive(&phases);
        } else {
            cuda_phases_wait(&phases, 0);
        }
    });
}

std::string bulk_copy_of(const emulator::grid &shape, unsigned offset, unsigned bytes)
{
    alignas(16) unsigned in[STAGE_WORDS] = {};
    return emulator::run(shape, [&] {
        CUDA_SHARED(staged, shared);
        if (threadIdx.x > 0)
            return;
        cuda_phases_begin(&shared.loaded, 1);
        cuda_bulk_load(shared.word, in + offset, bytes, &shared.loaded, cuda_policy_of(false));
    });
}

void stages_are_followed(const emulator::grid &two_warps)
{
    const auto with = [](const stage_rules &rules) {
        return [rules](const emulator::grid &shape) { return add_one(shape, rules); };
    };
    passes(two_warps, "a stage with all its waits", with({}));
    fails(two_warps, "a copy that is not announced", "", with({.announces = false}));
    fails(two_warps, "a stage that is read before it is loaded", "", with({.waits = false}));
    fails(two_warps, "a store that is not fenced", "wrong answer", with({.fences = false}));
    fails(two_warps, "a stage given back while it is stored", "wrong answer",
          with({.drains = false}));
    fails(two_warps, "a stage loaded while it is in use", "", with({.frees = false}));
    fails(two_warps, "a wait that is two phases behind", "wait at a barrier with phases",
          two_phases_behind);
    fails(two_warps, "a misaligned bulk copy", "not aligned",
          [](const emulator::grid &shape) { return bulk_copy_of(shape, 1, 32); });
    fails(two_warps, "an odd size of a bulk copy", "not aligned",
          [](const emulator::grid &shape) { return bulk_copy_of(shape, 0, 20); });
    fails(two_warps, "a block that ends before its bulk copy", "a block ends",
          [](const emulator::grid &shape) { return bulk_copy_of(shape, 0, 32); });
}

} // namespace

int main()
{
    const emulator::grid one = {.blocks = 1, .threads = 64};
    const emulator::grid warp = {.blocks = 1, .threads = 32};
    const emulator::grid two = {.blocks = 2, .threads = 64};
    const emulator::grid many = {.blocks = 6, .threads = 32};
    emulator::grid few = many;
    few.resident = 2;
    const emulator::grid clusters = {.blocks = 6, .threads = 32, .resident = 3, .cluster = 3};
    tap_plan(24 + 10);
    passes(one, "an exchange with a barrier", reverse<true>);
    fails(one, "a missing __syncthreads", "wrong answer", reverse<false>);
    passes(warp, "an exchange within a warp", tell_warp<true>);
    fails(warp, "a missing __syncwarp", "wrong answer", tell_warp<false>);
    fails(one, "a barrier that some lanes do not reach", "deadlock", half_at_barrier);
    fails(warp, "lanes at different operations", "the lanes of a warp are at", mixed_collectives);
    fails(warp, "a lane that has ended", "a lane has ended before __ballot_sync", lane_left);
    passes(one, "a kernel with every shuffle", shuffles);
    passes(two, "a message between two fences", message<true, true>);
    fails(two, "a missing fence between stores", "wrong answer", message<false, true>);
    fails(two, "a missing fence between loads", "wrong answer", message<true, false>);
    passes(two, "a message of a whole block", message_of_block<true>);
    fails(two, "a missing barrier before it", "wrong answer", message_of_block<false>);
    passes(two, "a word that counts up", counts_up);
    passes(many, "a counter that all threads add to", tickets);
    passes(many, "a wait for a resident block", wait_for_first);
    fails(few, "a wait for a block that has not begun", "no end in sight", wait_for_first);
    passes(clusters, "an exchange in a cluster", pass_round<true, true>);
    fails(clusters, "shared memory of a block that has not begun", "does not run",
          pass_round<false, true>);
    fails(clusters, "a cluster that does not wait for the answer", "", pass_round<true, false>);
    passes(one, "a wait for a copy", copy_later<true>);
    fails(one, "a copy that is not waited for", "wrong answer", copy_later<false>);
    ok(!emulator::run({.blocks = 1, .threads = 33}, [] {}).empty(), "half a warp is refused");
    ok(emulator::run({.blocks = 0, .threads = 32}, [] {}).empty(), "an empty grid ends");
    stages_are_followed(one);
    return tap_done();
}
