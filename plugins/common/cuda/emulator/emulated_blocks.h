/*
 * emulated_blocks.h - what is claimed of a kernel whose blocks each scan a tile and exchange words,
 * under random schedules: every operator and shape, any alignment, launch after launch, and an end
 * if a tile is missing
 *
 * A test gives such a Kernel:
 *
 *     template <typename T> using words         the words that it exchanges
 *     MOST_WINDOW                               of a look-back; 1
 *     words_of(n)                               of an array, at least
 *     tile<T>(warps, lines)                     elements of a tile
 *     control(emulated_words, setting)          what a launch is given
 *     scan<Op, LINES, Words>(op, arrays, control)    the kernel, in each thread
 */
#ifndef EMULATED_BLOCKS_H
#define EMULATED_BLOCKS_H

#include "emulated_half.h"
#include "emulated_scan.h"
#include "emulated_words.h"

/* How one problem is run. */
struct emulated_setting {
    unsigned warps = 1;
    unsigned window = 1;
    unsigned resident = ~0u;
    unsigned patience = CUDA_PATIENCE;
    emulated_layout layout;
    bool by_ticket = true; /* false: a block takes its index's tile */
    uint64_t seed = 1;
    uint64_t most_steps = 20'000'000;
};

template <typename Kernel> struct emulated_blocks {
    using setting = emulated_setting;
    template <typename T> using words = typename Kernel::template words<T>;

    /* Scans n elements once. "" or what is wrong. */
    template <typename Op, unsigned LINES = 1, typename Words>
    static std::string scan(Op op, emulated_words<Words> &self, uint64_t n, const setting &how)
    {
        using T = typename Op::value;
        emulated_arrays<Op> data(op, n, how.layout);
        const uint64_t tile = Kernel::template tile<T>(how.warps, LINES);
        const auto tiles = static_cast<unsigned>((n + how.layout.skew_in + tile - 1) / tile);
        if (tiles > self.words.size())
            return "the test has too few words";
        self.advance(how.by_ticket ? tiles : 0);
        const cuda_arrays<T> given = {data.in, data.out, n, how.layout.inclusive};
        const auto control = Kernel::control(self, how);
        const emulator::grid shape = {.blocks = tiles,
                                      .threads = how.warps * 32,
                                      .resident = how.resident,
                                      .seed = how.seed,
                                      .most_steps = how.most_steps};
        std::string wrong = emulator::run(
            shape, [&] { Kernel::template scan<Op, LINES, Words>(op, given, control); });
        if (wrong.empty())
            wrong = self.outcome();
        return wrong.empty() ? data.compare() : wrong;
    }

    template <typename Op, unsigned LINES = 1>
    static std::string scan_fresh(Op op, uint64_t n, const setting &how)
    {
        emulated_words<words<typename Op::value>> self(Kernel::words_of(n));
        return scan<Op, LINES>(op, self, n, how);
    }

    /* Around the edges of tiles, both kinds, few and many blocks at once. */
    template <typename Op, unsigned LINES>
    static std::string at_edges(Op op, unsigned warps, uint64_t seeds)
    {
        const uint64_t tile = Kernel::template tile<typename Op::value>(warps, LINES);
        setting how;
        how.warps = warps;
        for (how.seed = 1; how.seed <= seeds; how.seed++) {
            for (const uint64_t n : {UINT64_C(1), tile - 1, tile, tile + 1, 5 * tile + 3}) {
                how.layout.inclusive = (how.seed + n) % 2 == 0;
                how.resident = how.seed % 3 == 0 ? 1 : how.seed % 3 == 1 ? 3 : ~0u;
                how.window = 1 + how.seed % Kernel::MOST_WINDOW;
                const std::string wrong = scan_fresh<Op, LINES>(op, n, how);
                if (!wrong.empty())
                    return wrong;
            }
        }
        return "";
    }

    static void scans_every_operator()
    {
        report(at_edges<cuda_sum<uint32_t>, 1>({}, 2, 9), "sums of 32-bit integers are right");
        report(at_edges<cuda_sum<uint64_t>, 1>({}, 2, 9), "sums of 64-bit integers are right");
        report(at_edges<cuda_sum<float>, 1>({}, 2, 6), "sums of floats are right");
        report(at_edges<cuda_sum<double>, 1>({}, 2, 6), "sums of doubles are right");
        report(at_edges<cuda_extremum<int32_t>, 1>(cuda_max<int32_t>(), 2, 6),
               "max of i32 is right");
        report(at_edges<cuda_extremum<uint32_t>, 1>(cuda_min<uint32_t>(), 2, 6),
               "min of u32 is right");
        report(at_edges<cuda_extremum<int64_t>, 1>(cuda_min<int64_t>(), 2, 6),
               "min of i64 is right");
        report(at_edges<cuda_extremum<uint64_t>, 1>(cuda_max<uint64_t>(), 2, 6),
               "max of u64 is right");
        report(at_edges<cuda_extremum<float>, 1>(cuda_min<float>(), 2, 6), "min of f32 is right");
        report(at_edges<cuda_extremum<double>, 1>(cuda_max<double>(), 2, 6), "max of f64 is right");
        report(at_edges<cuda_affine<uint32_t>, 1>({}, 2, 9), "affine on u32x2 is right");
        report(at_edges<cuda_affine<float>, 1>({}, 2, 9), "affine on f32x2 is right");
        report(at_edges<cuda_sum<uint8_t>, 1>({}, 2, 9), "sums of 8-bit integers are right");
        report(at_edges<cuda_sum<uint16_t>, 2>({}, 2, 6), "sums of 16-bit integers are right");
        report(at_edges<cuda_extremum<int8_t>, 1>(cuda_min<int8_t>(), 2, 6), "min of i8 is right");
        report(at_edges<cuda_extremum<uint16_t>, 1>(cuda_max<uint16_t>(), 2, 6),
               "max of u16 is right");
        report(at_edges<cuda_sum<cuda_f16>, 1>({}, 2, 6), "sums of f16 are right");
        report(at_edges<cuda_sum<cuda_bf16>, 2>({}, 2, 6), "sums of bf16 are right");
        report(at_edges<cuda_extremum<cuda_f16>, 1>(cuda_min<cuda_f16>(), 2, 6),
               "min of f16 is right");
        report(at_edges<cuda_extremum<cuda_bf16>, 1>(cuda_max<cuda_bf16>(), 2, 6),
               "max of bf16 is right");
    }

    static void scans_every_shape()
    {
        report(at_edges<cuda_sum<uint32_t>, 2>({}, 1, 3), "2 lines are right");
        report(at_edges<cuda_affine<uint32_t>, 4>({}, 3, 3), "4 lines in 3 warps are right");
        report(at_edges<cuda_affine<uint32_t>, 8>({}, 1, 3), "8 lines are right");
        report(at_edges<cuda_sum<uint32_t>, 8>({}, 32, 1), "8 lines in 32 warps are right");
    }

    static void takes_any_alignment()
    {
        std::string wrong;
        setting how;
        how.warps = 2;
        for (unsigned i = 0; i < 16 && wrong.empty(); i++) {
            how.layout.skew_in = i / 4;
            how.layout.skew_out = i % 4;
            how.seed++;
            wrong = scan_fresh(cuda_sum<uint32_t>(), i < 8 ? 1000 : 255 - how.layout.skew_in, how);
            how.layout.in_place = i % 4 == 0;
            if (wrong.empty())
                wrong = scan_fresh(cuda_sum<float>(), 517, how);
            how.layout.in_place = false;
            how.layout.skew_in %= 2;
            how.layout.skew_out %= 2;
            if (wrong.empty())
                wrong = scan_fresh(cuda_sum<uint64_t>(), 517, how);
        }
        report(wrong, "arrays of any alignment are scanned, also in place");
    }

    /* Many launches on the same words, which nothing clears: shorter, longer, with other values. */
    template <typename T> static std::string runs_again(cuda_turn from, unsigned launches)
    {
        setting how;
        emulated_words<words<T>> self(16, from);
        std::string wrong;
        for (unsigned i = 0; i < launches && wrong.empty(); i++) {
            how.seed = i + 1;
            how.layout.inclusive = i % 2 == 0;
            how.by_ticket = i % 3 > 0;
            wrong = scan(cuda_sum<T>(), self, 1 + (i * 389) % 900, how);
        }
        return wrong;
    }

    static void runs_again_and_again()
    {
        report(runs_again<uint32_t>({}, 40), "words of earlier launches do not disturb");
        report(runs_again<double>({}, 40), "nor do words of two halves");
        report(runs_again<uint32_t>({CUDA_MOST_LAUNCHES - 3, 0, 0}, 12),
               "the numbers of launches begin again");
        report(runs_again<uint64_t>({7, ~0u - 20, 0}, 20), "tickets wrap around");
    }

    /* A tile that nobody takes: the tiles behind it give up, all others end as ever. */
    static void never_hangs()
    {
        setting how;
        how.patience = 200;
        unsigned failed = 0;
        std::string wrong;
        for (how.seed = 1; how.seed <= 10; how.seed++) {
            emulated_words<words<uint32_t>> self(64);
            self.turn = {1, 0, 0};
            self.tickets = 1;
            how.resident = how.seed % 2 == 0 ? 3 : ~0u;
            wrong = scan(cuda_sum<uint32_t>(), self, 128 * 40, how);
            failed += self.failed_tile < 64 && wrong.find("gave up") != std::string::npos;
        }
        ok(failed == 10, "a tile that waits in vain gives up, and those behind it: %s",
           wrong.c_str());
    }

    /* All of the above, so many claims. */
    enum { CLAIMS = 20 + 4 + 1 + 4 + 1 };
    static void claims()
    {
        scans_every_operator();
        scans_every_shape();
        takes_any_alignment();
        runs_again_and_again();
        never_hangs();
    }

    /* What goes wrong under some seed, in two launches of ten tiles; "" if nothing does. */
    template <typename Op, typename Words = words<typename Op::value>>
    static std::string find_fault(setting how = {})
    {
        std::string wrong;
        for (how.seed = 1; how.seed <= 60 && wrong.empty(); how.seed++) {
            emulated_words<Words> self(16);
            const uint64_t tile = Kernel::template tile<typename Op::value>(how.warps, 1);
            wrong = scan(Op(), self, 10 * tile, how);
            if (wrong.empty())
                wrong = scan(Op(), self, 9 * tile + 1, how);
        }
        return wrong;
    }

    /* Blocks that take their index's tile: right while all are resident, and not with few. */
    static void needs_tickets()
    {
        setting by_index;
        by_index.by_ticket = false;
        by_index.most_steps = 300'000;
        report(find_fault<cuda_sum<uint32_t>>(by_index),
               "by index all is well while every block is resident");
        by_index.resident = 3;
        found(find_fault<cuda_sum<uint32_t>>(by_index), "by index with few resident blocks");
    }
};

#endif
