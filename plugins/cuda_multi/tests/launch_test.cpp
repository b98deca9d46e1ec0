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

void launches_parts()
{
    const multi_settings ahead = {MULTI_LOOKAHEAD, {32, MULTI_LINES, 3, 1, 0, false}, {}};
    const multi_settings back = {MULTI_LOOKBACK, {}, {64, MULTI_LOOKBACK_LINES, 32}};
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
    tap_plan(5);
    launches_parts();
    return tap_done();
}
