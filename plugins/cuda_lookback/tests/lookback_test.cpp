/*
 * lookback_test.cpp - the look-back kernel under the emulator, and whether the emulator would
 * notice
 *
 * The kernel is the source that nvcc compiles. It scans odd sizes under random schedules, with few
 * and with many resident blocks. Then it is broken in one place at a time, and each time the
 * emulator must find it.
 */
#include "lookback_kernel.cuh"

#include "emulated_scan.h"
#include "emulated_words.h"

namespace
{

/* How one problem is run. */
struct setting {
    unsigned block = 32;
    unsigned window = 1;
    unsigned resident = ~0u;
    unsigned patience = CUDA_PATIENCE;
    emulated_layout layout;
    bool by_ticket = true; /* false: a block takes its index's tile */
    uint64_t seed = 1;
    uint64_t most_steps = 20'000'000;
};

/* Scans n elements once. "" or what is wrong. */
template <typename Op, unsigned LINES, typename Words>
std::string scan(Op op, emulated_words<Words> &self, uint64_t n, const setting &how)
{
    using T = typename Op::value;
    emulated_arrays<Op> data(op, n, how.layout);
    const uint64_t tile = lookback_tile_elements<T>(how.block, LINES);
    const auto tiles = static_cast<unsigned>((n + how.layout.skew_in + tile - 1) / tile);
    if (tiles > self.words.size())
        return "the test has too few words";
    self.advance(how.by_ticket ? tiles : 0);
    const cuda_arrays<T> given = {data.in, data.out, n, how.layout.inclusive};
    const lookback_control<typename Words::word> control = {
        self.words.data(), how.by_ticket ? &self.tickets : nullptr,
        &self.failed_tile, self.turn.first_ticket,
        self.turn.launch,  how.window,
        how.patience};
    emulator::grid shape = {.blocks = tiles, .threads = how.block, .resident = how.resident};
    shape.seed = how.seed;
    shape.most_steps = how.most_steps;
    std::string wrong =
        emulator::run(shape, [&] { lookback_scan<Op, LINES, Words, T>(op, given, control); });
    if (wrong.empty())
        wrong = self.outcome();
    return wrong.empty() ? data.compare() : wrong;
}

template <typename Op, unsigned LINES = 1>
std::string scan_fresh(Op op, uint64_t n, const setting &how)
{
    emulated_words<lookback_words<typename Op::value>> self(n / 32 + 2);
    return scan<Op, LINES>(op, self, n, how);
}

/* ---- right ------------------------------------------------------------------------------ */

/* Around the edges of tiles, both kinds, few and many blocks at once. */
template <typename Op, unsigned LINES> std::string at_edges(Op op, unsigned block, uint64_t seeds)
{
    const uint64_t tile = lookback_tile_elements<typename Op::value>(block, LINES);
    setting how;
    how.block = block;
    for (how.seed = 1; how.seed <= seeds; how.seed++) {
        for (const uint64_t n : {UINT64_C(1), tile - 1, tile, tile + 1, 5 * tile + 3}) {
            how.layout.inclusive = (how.seed + n) % 2 == 0;
            how.resident = how.seed % 3 == 0 ? 1 : how.seed % 3 == 1 ? 3 : ~0u;
            how.window = 1 + how.seed % LOOKBACK_MOST_WINDOW;
            const std::string wrong = scan_fresh<Op, LINES>(op, n, how);
            if (!wrong.empty())
                return wrong;
        }
    }
    return "";
}

void scans_every_operator()
{
    report(at_edges<cuda_sum<uint32_t>, 1>({}, 64, 9), "sums of 32-bit integers are right");
    report(at_edges<cuda_sum<uint64_t>, 1>({}, 64, 9), "sums of 64-bit integers are right");
    report(at_edges<cuda_sum<float>, 1>({}, 64, 6), "sums of floats are right");
    report(at_edges<cuda_sum<double>, 1>({}, 64, 6), "sums of doubles are right");
    report(at_edges<cuda_extremum<int32_t>, 1>(cuda_max<int32_t>(), 64, 6), "max of i32 is right");
    report(at_edges<cuda_extremum<uint32_t>, 1>(cuda_min<uint32_t>(), 64, 6),
           "min of u32 is right");
    report(at_edges<cuda_extremum<int64_t>, 1>(cuda_min<int64_t>(), 64, 6), "min of i64 is right");
    report(at_edges<cuda_extremum<uint64_t>, 1>(cuda_max<uint64_t>(), 64, 6),
           "max of u64 is right");
    report(at_edges<cuda_extremum<float>, 1>(cuda_min<float>(), 64, 6), "min of f32 is right");
    report(at_edges<cuda_extremum<double>, 1>(cuda_max<double>(), 64, 6), "max of f64 is right");
    report(at_edges<cuda_affine<uint32_t>, 1>({}, 64, 9), "affine on u32x2 is right");
    report(at_edges<cuda_affine<float>, 1>({}, 64, 9), "affine on f32x2 is right");
    report(at_edges<cuda_sum<uint8_t>, 1>({}, 64, 9), "sums of 8-bit integers are right");
    report(at_edges<cuda_sum<uint16_t>, 2>({}, 64, 6), "sums of 16-bit integers are right");
    report(at_edges<cuda_extremum<int8_t>, 1>(cuda_min<int8_t>(), 64, 6), "min of i8 is right");
    report(at_edges<cuda_extremum<uint16_t>, 1>(cuda_max<uint16_t>(), 64, 6),
           "max of u16 is right");
    report(at_edges<cuda_sum<cuda_f16>, 1>({}, 64, 6), "sums of f16 are right");
    report(at_edges<cuda_sum<cuda_bf16>, 2>({}, 64, 6), "sums of bf16 are right");
    report(at_edges<cuda_extremum<cuda_f16>, 1>(cuda_min<cuda_f16>(), 64, 6),
           "min of f16 is right");
    report(at_edges<cuda_extremum<cuda_bf16>, 1>(cuda_max<cuda_bf16>(), 64, 6),
           "max of bf16 is right");
}

void scans_every_shape()
{
    report(at_edges<cuda_sum<uint32_t>, 2>({}, 32, 3), "2 lines are right");
    report(at_edges<cuda_affine<uint32_t>, 4>({}, 96, 3), "4 lines in 3 warps are right");
    report(at_edges<cuda_affine<uint32_t>, 8>({}, 32, 3), "8 lines are right");
    report(at_edges<cuda_sum<uint32_t>, 8>({}, 1024, 1), "8 lines in 32 warps are right");
}

void chooses_lines()
{
    const auto lines = lookback_lines_for<uint32_t>;
    const bool by_n = lines(0, 1024, 132) == 1 && lines(4096 * 132, 1024, 132) == 1 &&
                      lines(4096 * 132 + 1, 1024, 132) == 2 && lines(1000000, 1024, 132) == 2 &&
                      lines(4 * 4096 * 132, 1024, 132) == 4 && lines(100000000, 1024, 132) == 8;
    const bool fits = lookback_lines_for<uint64_t>(100000000, 1024, 132) == 4 &&
                      lookback_lines_for<uint64_t>(100000000, 768, 132) == 8;
    report(by_n ? "" : "a processor gets two tiles", "the tiles are as large as n asks for");
    report(fits ? "" : "too many", "there are registers for as many lines as are chosen");
}

/* More tiles than a look-back sees at once, many times over. */
void looks_far_back()
{
    std::string wrong;
    setting how;
    for (how.seed = 1; how.seed <= 3 && wrong.empty(); how.seed++) {
        how.window = static_cast<unsigned>(how.seed);
        how.resident = how.seed == 2 ? 5 : 150;
        const uint64_t tile = lookback_tile_elements<cuda_pair<uint32_t>>(how.block, 1);
        wrong = scan_fresh(cuda_affine<uint32_t>(), 33 * 32 * tile / how.seed + 1, how);
    }
    report(wrong, "33 windows are right");
}

void takes_any_alignment()
{
    std::string wrong;
    setting how;
    how.block = 64;
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
template <typename T> std::string runs_again(cuda_turn from, unsigned launches)
{
    setting how;
    emulated_words<lookback_words<T>> self(16, from);
    std::string wrong;
    for (unsigned i = 0; i < launches && wrong.empty(); i++) {
        how.seed = i + 1;
        how.layout.inclusive = i % 2 == 0;
        how.by_ticket = i % 3 > 0;
        wrong = scan<cuda_sum<T>, 1>({}, self, 1 + (i * 389) % 900, how);
    }
    return wrong;
}

void runs_again_and_again()
{
    report(runs_again<uint32_t>({}, 40), "words of earlier launches do not disturb");
    report(runs_again<double>({}, 40), "nor do words of two halves");
    report(runs_again<uint32_t>({CUDA_MOST_LAUNCHES - 3, 0, 0}, 12),
           "the numbers of launches begin again");
    report(runs_again<uint64_t>({7, ~0u - 20, 0}, 20), "tickets wrap around");
}

/* A tile that nobody takes: the tiles behind it give up, all others end as ever. */
void never_hangs()
{
    setting how;
    how.patience = 200;
    unsigned failed = 0;
    std::string wrong;
    for (how.seed = 1; how.seed <= 10; how.seed++) {
        emulated_words<lookback_words<uint32_t>> self(64);
        self.turn = {1, 0, 0};
        self.tickets = 1;
        how.resident = how.seed % 2 == 0 ? 3 : ~0u;
        wrong = scan<cuda_sum<uint32_t>, 1>({}, self, 128 * 40, how);
        failed += self.failed_tile < 64 && wrong.find("gave up") != std::string::npos;
    }
    ok(failed == 10, "a tile that waits in vain gives up, and those behind it: %s", wrong.c_str());
}

/* ---- broken on purpose ------------------------------------------------------------------- */

/* Flag and values in words of their own, which takes fences. */
template <bool STORE_FENCED, bool LOAD_FENCED, bool FLAG_FIRST> struct separate_words {
    struct word {
        uint64_t tag;
        uint64_t value[2]; /* total, prefix */
    };

    static word load(const word *from)
    {
        word found;
        if (FLAG_FIRST)
            found.tag = cuda_load_relaxed(&from->tag);
        if (LOAD_FENCED)
            __threadfence();
        found.value[0] = cuda_load_relaxed(&from->value[0]);
        found.value[1] = cuda_load_relaxed(&from->value[1]);
        if (!FLAG_FIRST)
            found.tag = cuda_load_relaxed(&from->tag);
        return found;
    }
    static void store(word *to, unsigned launch, unsigned flag, uint32_t value)
    {
        cuda_store_relaxed(&to->value[flag == LOOKBACK_PREFIX], value);
        if (STORE_FENCED)
            __threadfence();
        cuda_store_relaxed(&to->tag, cuda_tag(lookback_tag(launch, flag)));
    }
    static word pack(unsigned launch, unsigned flag, uint32_t value)
    {
        return {cuda_tag(lookback_tag(launch, flag)), {value, value}};
    }
    static unsigned flag(const word &from, unsigned launch)
    {
        return lookback_flag_of(from.tag, launch);
    }
    static uint32_t value(const word &from)
    {
        return static_cast<uint32_t>(from.value[from.tag >> 32 & 1 ? 0 : 1]);
    }
};

/* Takes the first half's flag for both. */
struct half_checked_words : lookback_words<uint64_t> {
    static unsigned flag(const word &from, unsigned launch)
    {
        return lookback_flag_of(from.first, launch);
    }
};

/* Takes the words of earlier launches for its own. */
struct numberless_words : lookback_words<uint32_t> {
    static unsigned flag(const word &from, unsigned)
    {
        return static_cast<unsigned>(from >> 32) & 3;
    }
};

/* Totals and prefixes of 16 bits. */
template <typename T> struct half_words : lookback_words<T> {
    static void store(uint64_t *to, unsigned launch, unsigned flag, float value)
    {
        lookback_words<T>::store(to, launch, flag, cuda_widen(cuda_narrow<T>(value)));
    }
};

constexpr uint64_t MOST_SEEDS = 60;

/* What goes wrong under some seed, in two launches of ten tiles; "" if nothing does. */
template <typename Op, typename Words> std::string find_fault(setting how)
{
    using T = typename Op::value;
    std::string wrong;
    for (how.seed = 1; how.seed <= MOST_SEEDS && wrong.empty(); how.seed++) {
        emulated_words<Words> self(16);
        const uint64_t tile = lookback_tile_elements<T>(how.block, 1);
        wrong = scan<Op, 1>(Op(), self, 10 * tile, how);
        if (wrong.empty())
            wrong = scan<Op, 1>(Op(), self, 9 * tile + 1, how);
    }
    return wrong;
}

template <typename Words> std::string find_fault_of_words()
{
    return find_fault<cuda_sum<uint32_t>, Words>({});
}

/* What the head of lookback_kernel.cuh and docs/scans.md say. */
void counts_its_work()
{
    constexpr uint64_t n = 1 << 16;
    uint64_t count = 0;
    setting how;
    how.block = 512;
    how.resident = 3;
    std::string wrong = scan_fresh<emulated_counted_sum, 8>(emulated_counted_sum(&count), n, how);
    count -= n; /* the expected result */
    if (wrong.empty() && (4 * count < 17 * n || 10 * count > 43 * n))
        wrong = std::to_string(count) + " additions for " + std::to_string(n) + " elements";
    report(wrong, "work is 4 1/4 n");
}

void mutants_are_found()
{
    using sum = cuda_sum<uint32_t>;
    report(find_fault_of_words<separate_words<true, true, true>>(),
           "separate words with both fences are right");
    found(find_fault_of_words<separate_words<false, true, true>>(), "no fence between the stores");
    found(find_fault_of_words<separate_words<true, false, true>>(), "no fence between the loads");
    found(find_fault_of_words<separate_words<true, true, false>>(), "the value loaded first");
    found(find_fault<cuda_sum<uint64_t>, half_checked_words>({}), "one flag of two checked");
    found(find_fault<sum, numberless_words>({}), "words without the launch's number");

    found(find_fault<cuda_sum<cuda_f16>, half_words<cuda_f16>>({}),
          "prefixes of f16 rounded to it");
    found(find_fault<cuda_sum<cuda_bf16>, half_words<cuda_bf16>>({}),
          "prefixes of bf16 rounded to it");

    setting by_index;
    by_index.by_ticket = false;
    by_index.most_steps = 300'000;
    report(find_fault<sum, lookback_words<uint32_t>>(by_index),
           "without tickets all is well while every block is resident");
    by_index.resident = 3;
    found(find_fault<sum, lookback_words<uint32_t>>(by_index), "no tickets, few resident blocks");
}

} // namespace

int main()
{
    tap_plan(20 + 4 + 2 + 1 + 1 + 4 + 1 + 1 + 10);
    scans_every_operator();
    scans_every_shape();
    chooses_lines();
    looks_far_back();
    takes_any_alignment();
    runs_again_and_again();
    never_hangs();
    counts_its_work();
    mutants_are_found();
    return tap_done();
}
