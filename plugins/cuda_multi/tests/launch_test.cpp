/*
 * launch_test.cpp - whole parts of cuda_multi, loaded and launched under the emulator as the plugin
 * does it: one launch after the other, as when they share a device
 */
#include "emulated_slices.h"
#include "emulated_words.h"
#include "multi_instances.cuh"
#include "scan_parts.h"

#include <algorithm>

namespace
{

/* Parts on one emulated device, each with its memory; launches take place at once. */
template <typename Op> std::string launch_parts(Op op, uint64_t n, const multi_settings &settings)
{
    using T = typename Op::value;
    constexpr unsigned parts = 3;
    const cuda_limits limits = {2, emulator::SHARED_BYTES, 4 * emulator::SHARED_BYTES};
    const whole<Op> problem(op, n, true);
    const setting how;
    std::vector<multi_part<Op>> part(parts);
    std::vector<slice<T>> slices;
    std::vector<std::vector<cuda_two_words>> memory(parts);
    uint64_t tiles = 0;
    unsigned totals = 0;
    uint64_t first = 0;
    emulator::the_device().wrong.clear();
    for (unsigned p = 0; p < parts; p++) {
        const uint64_t length = scan_parts_length(n, scan_parts_slice(n, parts), parts, p);
        cuda_reason reason;
        if (part[p].load(limits, length, settings, &reason) != SCAN_OK)
            return reason.text;
        if (part[p].looks_ahead != (settings.method == MULTI_LOOKAHEAD))
            return "the other method";
        tiles = std::max(tiles, part[p].most_tiles());
        totals = std::max(totals, part[p].totals());
        slices.emplace_back(problem.in, first, length, how);
        first += length;
    }
    const multi_layout at = multi_layout_of<T>(parts, tiles, totals);
    for (unsigned p = 0; p < parts; p++) {
        memory[p].resize(at.bytes / sizeof(cuda_two_words) + 1);
        memset(memory[p].data(), 0xa5, at.bytes);
        memset(memory[p].data(), 0, at.cleared);
        part[p].memory = reinterpret_cast<char *>(memory[p].data());
        if (cuda_words_create(&part[p].words) != cudaSuccess)
            return "no words";
        cuda_words_use(&part[p].words, part[p].memory + at.words, at.bytes - at.words);
    }
    for (unsigned p = 0; p < parts; p++)
        for (unsigned q = 0; q < parts; q++)
            part[p].template at_place<multi_word<T> *>(at.everyone)[q] =
                part[q].template at_place<multi_word<T>>(at.carries);
    std::string wrong;
    for (unsigned run = 1; run <= 2 && wrong.empty(); run++) {
        for (unsigned p = 0; p + 1 < parts; p++)
            (void)part[p].reduce(op, slices[p].in, at, {run, p, parts, false}, nullptr);
        for (unsigned p = 0; p < parts; p++) {
            const cuda_arrays<T> arrays = {slices[p].in, slices[p].out, slices[p].n, true};
            (void)part[p].advance(arrays, nullptr);
            (void)part[p].scan(op, arrays, at, {run, p, parts, false}, nullptr);
            if (cuda_words_failed_tile(&part[p].words) != CUDA_NO_TILE)
                wrong = "a tile gave up";
        }
        if (!emulator::the_device().wrong.empty())
            wrong = emulator::the_device().wrong;
        for (unsigned p = 0; p < parts && wrong.empty(); p++)
            wrong = slices[p].compare(problem.expected);
    }
    for (unsigned p = 0; p < parts; p++)
        cuda_words_destroy(&part[p].words);
    return wrong;
}

/* One part of n elements, the second of two, may fetch up to `most` bytes. "" or what is wrong with
 * what it fetched. */
std::string fetched(uint64_t n, unsigned skew, uint64_t most)
{
    using T = uint32_t;
    const cuda_limits limits = {2, emulator::SHARED_BYTES, 4 * emulator::SHARED_BYTES};
    const multi_settings settings = {MULTI_LOOKAHEAD, {32, MULTI_ROWS, 3, 1, 0, false}, {}};
    setting how;
    how.skew = skew;
    const whole<cuda_sum<T>> problem({}, n, true);
    const slice<T> data(problem.in, 0, n, how);
    multi_part<cuda_sum<T>> part = {};
    cuda_reason reason;
    if (part.load(limits, n, settings, &reason) != SCAN_OK)
        return reason.text;
    const multi_layout at = multi_layout_of<T>(2, part.most_tiles(), part.totals());
    std::vector<cuda_two_words> memory(at.bytes / sizeof(cuda_two_words) + 1);
    part.memory = reinterpret_cast<char *>(memory.data());
    if (cuda_words_create(&part.words) != cudaSuccess)
        return "no words";
    cuda_words_use(&part.words, part.memory + at.words, at.bytes - at.words);
    *part.at_place<multi_word<T>>(at.carries) = UINT64_C(1) << 32; /* part 0's total is 0 */
    const cuda_arrays<T> arrays = {data.in, data.out, n, true};
    multi_turn turn = {1, 1, 2, false};
    turn.prefetch_most = most;
    auto &noted = emulator::the_device().prefetched;
    noted.clear();
    (void)part.advance(arrays, nullptr);
    (void)part.scan({}, arrays, at, turn, nullptr);
    cuda_words_destroy(&part.words);
    std::string wrong = emulator::the_device().wrong;
    if (wrong.empty())
        wrong = data.compare(problem.expected);
    const lookahead_shape shape = part.ahead.shape_for(n);
    const uint64_t ctas = part.ahead.ctas_of(part.ahead.tiles_of(arrays, shape), shape);
    const uint64_t loaded =
        ctas * shape.stages * lookahead_tile_elements<T>(shape.scanners, MULTI_ROWS) - skew;
    const uint64_t left = n > loaded ? (n - loaded) * sizeof(T) : 0;
    const uint64_t lines = (std::min(left, most) + 127) / 128;
    if (noted.size() != lines)
        wrong += " fetched " + std::to_string(noted.size()) + " lines of " + std::to_string(lines);
    /* Each lane of each CTA in turn has a line, then each its next. */
    std::vector<uint64_t> next;
    for (uint64_t lane = 0; lane < ctas * CUDA_WARP; lane++)
        next.push_back(lane);
    for (const char *line : noted) {
        const auto bytes = static_cast<uint64_t>(
            line - reinterpret_cast<const char *>(data.in + std::min(loaded, n)));
        uint64_t &due = next[bytes / 128 % next.size()];
        if (bytes % 128 != 0 || bytes / 128 != due || due >= lines)
            return wrong + " fetched byte " + std::to_string(bytes) + " out of turn";
        due += next.size();
    }
    return wrong;
}

void fetches_ahead()
{
    std::string wrong;
    for (const uint64_t n : {UINT64_C(1), UINT64_C(7000), UINT64_C(60'001), UINT64_C(120'003)})
        for (const unsigned skew : {0u, 3u})
            for (const uint64_t most : {UINT64_C(0), UINT64_C(100'000), UINT64_C(1) << 28})
                if (wrong.empty())
                    wrong = fetched(n, skew, most);
    report(wrong, "what stands behind the stages is brought into the cache, and nothing else");
}

void launches_parts()
{
    const multi_settings ahead = {MULTI_LOOKAHEAD, {32, MULTI_ROWS, 3, 1, 0, false}, {}};
    const multi_settings back = {MULTI_LOOKBACK, {}, {64, MULTI_LOOKBACK_ROWS, 32}};
    report(launch_parts(cuda_sum<uint32_t>(), 50'001, ahead), "parts are launched with look-ahead");
    report(launch_parts(cuda_affine<uint32_t>(), 20'001, ahead), "in order too");
    report(launch_parts(cuda_affine<uint32_t>(), 20'001, back), "with look-back");
    emulator::the_device().version = 80;
    multi_settings either = ahead;
    either.back = back.back;
    report(launch_parts(cuda_sum<float>(), 9'001, back), "before compute capability 9.0");
    ok(launch_parts(cuda_sum<float>(), 9'001, either) == "the other method",
       "which has no look-ahead");
    emulator::the_device().version = 90;
}

} // namespace

int main()
{
    tap_plan(6);
    launches_parts();
    fetches_ahead();
    return tap_done();
}
