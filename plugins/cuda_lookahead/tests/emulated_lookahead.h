/*
 * emulated_lookahead.h - launches the pipeline with look-ahead under the emulator, with any words
 * and rules, also broken ones
 */
#ifndef EMULATED_LOOKAHEAD_H
#define EMULATED_LOOKAHEAD_H

#include "lookahead_kernel.cuh"

#include "emulated_scan.h"
#include "emulated_words.h"

/* How one problem is run. */
struct emulated_lookahead_setting {
    lookahead_shape shape = {1, 2, 3};
    unsigned ctas = 4;
    unsigned resident = ~0u; /* of these */
    unsigned patience = CUDA_PATIENCE;
    emulated_layout layout = {};
    uint64_t seed = 1;
    uint64_t most_steps = 50'000'000;
};

/* Launches once. "" or what is wrong, the output apart. *first_ticket_p is the launch's. */
template <typename Op, unsigned LINES, typename Words, typename Rules, typename T, typename From>
std::string
emulated_lookahead_launch(Op op, emulated_words<Words> &self, const cuda_arrays<T, From> &arrays,
                          const emulated_lookahead_setting &how, unsigned *first_ticket_p)
{
    const uint64_t tile = lookahead_tile_elements<T>(how.shape.scanners, LINES);
    const auto tiles = static_cast<unsigned>((arrays.n + cuda_skew(arrays.in) + tile - 1) / tile);
    const unsigned ctas = std::min(tiles, how.ctas);
    if (tiles > self.words.size())
        return "the test has too few words";
    self.advance(tiles + ctas);
    const lookahead_control<typename Words::word> control = {
        self.words.data(),      &self.tickets,    &self.failed_tile, tiles,
        self.turn.first_ticket, self.turn.launch, how.patience};
    *first_ticket_p = self.turn.first_ticket;
    emulator::grid shape = {
        .blocks = ctas, .threads = lookahead_threads(how.shape), .resident = how.resident};
    shape.seed = how.seed;
    shape.most_steps = how.most_steps;
    const std::string wrong = emulator::run(shape, [&] {
        lookahead_scan<Op, LINES, Words, Rules, T, From>(op, arrays, control, how.shape);
    });
    return wrong.empty() ? self.outcome() : wrong;
}

#endif
