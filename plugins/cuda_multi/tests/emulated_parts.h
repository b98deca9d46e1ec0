/*
 * emulated_parts.h - a run of cuda_multi's kernels on emulated devices of their own
 *
 * The blocks of all parts' reductions and scans run in one launch: in any order and at any speed,
 * and what one stores reaches the others late. In place the reductions have a launch of their own:
 * a device reduces a slice before it overwrites it.
 */
#ifndef EMULATED_PARTS_H
#define EMULATED_PARTS_H

#include "emulated_slices.h"
#include "emulated_words.h"
#include "multi_instances.cuh"
#include "scan_parts.h"

#include <functional>

namespace
{

/* What outlives a run. */
template <typename Op> struct devices {
    using T = typename Op::value;
    struct one {
        std::vector<multi_word<T>> carries;
        std::vector<uint64_t> totals;
        unsigned done = 0;
        unsigned first_done = 0;
        T sent;
        std::vector<T> gathered;
        emulated_words<lookahead_words<T>> ahead;
        emulated_words<lookback_words<T>> back;
        explicit one(unsigned parts)
            : carries(parts), totals(4096), sent(), gathered(parts), ahead(256), back(256)
        {
        }
    };
    std::vector<one> of;
    std::vector<multi_word<T> *> everyone;
    unsigned number = 0;

    explicit devices(unsigned parts)
    {
        for (unsigned p = 0; p < parts; p++)
            of.emplace_back(parts);
        for (unsigned p = 0; p < parts; p++)
            everyone.push_back(of[p].carries.data());
    }
};

/* A range of the launch's blocks, and what they do. */
struct work {
    unsigned blocks;
    std::function<void(unsigned block)> act;
};

std::string launch(const std::vector<work> &all, const setting &how)
{
    emulator::grid shape = {.blocks = 0, .threads = lookahead_threads(how.shape)};
    shape.seed = how.seed;
    shape.most_steps = how.most_steps;
    for (const work &one : all)
        shape.blocks += one.blocks;
    if (shape.blocks == 0)
        return "";
    return emulator::run(shape, [&] {
        unsigned block = blockIdx.x;
        const work *one = all.data();
        for (; block >= one->blocks; one++)
            block -= one->blocks;
        one->act(block);
    });
}

template <typename Op, typename Words, typename Rules>
work reduction_of(Op op, devices<Op> &self, unsigned p, const slice<typename Op::value> &data,
                  const setting &how)
{
    using T = typename Op::value;
    typename devices<Op>::one &own = self.of[p];
    const uint64_t piece = cuda_lines<Op, MULTI_LINES>::elements;
    const unsigned warps = lookahead_threads(how.shape) / 32;
    const auto chunks = static_cast<unsigned>((data.n + 4) / (piece * warps * how.runs) + 1);
    const multi_reduction<T> control = {data.in,
                                        data.n,
                                        chunks,
                                        how.runs,
                                        own.totals.data(),
                                        &own.done,
                                        own.first_done,
                                        self.everyone.data(),
                                        p,
                                        how.parts,
                                        self.number,
                                        how.gathers ? &own.sent : nullptr};
    own.first_done += how.blocks;
    return {how.blocks, [=](unsigned block) {
                CUDA_SHARED(multi_shared<T>, shared);
                multi_reducer<Op, Rules>{op, control, shared}.run(block, how.blocks);
            }};
}

template <typename Op, typename Words>
work scan_of(Op op, devices<Op> &self, unsigned p, const slice<typename Op::value> &data,
             const setting &how)
{
    using T = typename Op::value;
    typename devices<Op>::one &own = self.of[p];
    const unsigned scanners =
        how.looks_ahead ? how.shape.scanners : lookahead_threads(how.shape) / 32;
    const uint64_t tile = lookahead_tile_elements<T>(scanners, 1);
    const auto tiles = static_cast<unsigned>((data.n + cuda_skew(data.in) + tile - 1) / tile);
    const cuda_arrays<T> arrays = {data.in, data.out, data.n, how.inclusive};
    const multi_carries<T> carries = {own.carries.data(),
                                      how.gathers ? own.gathered.data() : nullptr, p, self.number};
    if (!how.looks_ahead) {
        own.back.advance(tiles);
        const multi_lookback_control<T> control = {
            {own.back.words.data(), &own.back.tickets, &own.back.failed_tile,
             own.back.turn.first_ticket, own.back.turn.launch, 2, how.patience},
            carries};
        return {tiles, [=](unsigned) {
                    CUDA_SHARED(lookback_shared<T>, shared);
                    if (threadIdx.x == 0)
                        shared.tile = atomicAdd(control.tickets, 1u) - control.first_ticket;
                    __syncthreads();
                    lookback_tile<Op, 1, lookback_words<T>, multi_lookback_rules<Words>>(
                        op, arrays, control, shared.tile, shared);
                }};
    }
    const unsigned ctas = std::min(tiles, how.ctas);
    own.ahead.advance(tiles + ctas);
    const multi_lookahead_control<T> control = {
        {own.ahead.words.data(), &own.ahead.tickets, &own.ahead.failed_tile, tiles,
         own.ahead.turn.first_ticket, own.ahead.turn.launch, how.patience},
        carries};
    return {ctas, [=](unsigned) {
                CUDA_SHARED_BYTES(shared, how.shape.stages *
                                              lookahead_stage_bytes<T>(how.shape.scanners, 1));
                lookahead_cta<Op, 1, lookahead_words<T>, multi_lookahead_rules<Words>>(
                    op, arrays, control, how.shape, shared)
                    .run();
            }};
}

template <typename Op> std::string outcome_of(const devices<Op> &self)
{
    for (size_t p = 0; p < self.of.size(); p++)
        for (const unsigned tile : {self.of[p].ahead.failed_tile, self.of[p].back.failed_tile})
            if (tile == MULTI_NO_CARRY)
                return "part " + std::to_string(p) + " found no carry";
            else if (tile != CUDA_NO_TILE)
                return "part " + std::to_string(p) + ", a tile gave up";
    return "";
}

/* Scans n elements once. "" or what is wrong. */
template <typename Op, typename Words = multi_words<typename Op::value>,
          typename Rules = multi_reduce_rules>
std::string scan(Op op, devices<Op> &self, uint64_t n, const setting &how)
{
    using T = typename Op::value;
    const whole<Op> problem(op, n, how.inclusive);
    std::vector<slice<T>> slices;
    std::vector<work> reductions, scans;
    self.number++;
    uint64_t first = 0;
    for (unsigned p = 0; p < how.parts; p++) {
        const uint64_t length = scan_parts_length(n, scan_parts_slice(n, how.parts), how.parts, p);
        slices.emplace_back(problem.in, first, length, how);
        first += length;
    }
    for (unsigned p = 0; p < how.parts; p++) {
        if (p + 1 < how.parts && slices[p + 1].n > 0 && p != how.missing)
            reductions.push_back(reduction_of<Op, Words, Rules>(op, self, p, slices[p], how));
        if (slices[p].n > 0)
            scans.push_back(scan_of<Op, Words>(op, self, p, slices[p], how));
    }
    std::string wrong;
    if (how.in_turn || how.gathers || how.in_place) {
        wrong = launch(reductions, how);
        for (unsigned p = 0; p < how.parts; p++)
            for (unsigned q = 0; q < how.parts; q++)
                self.of[q].gathered[p] = self.of[p].sent;
        reductions.clear();
    }
    reductions.insert(reductions.end(), scans.begin(), scans.end());
    wrong = wrong.empty() ? launch(reductions, how) : wrong;
    wrong = wrong.empty() ? outcome_of(self) : wrong;
    for (unsigned p = 0; p < how.parts && wrong.empty(); p++)
        wrong = slices[p].compare(problem.expected);
    return wrong.empty() ? ""
                         : wrong + " of " + std::to_string(n) + " in " + std::to_string(how.parts) +
                               " parts, seed " + std::to_string(how.seed);
}

template <typename Op> std::string scan_fresh(Op op, uint64_t n, const setting &how)
{
    devices<Op> self(how.parts);
    return scan(op, self, n, how);
}

} // namespace

#endif
