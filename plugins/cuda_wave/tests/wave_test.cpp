/*
 * wave_test.cpp - the one-wave kernel under the emulator, how it divides an array, and whether the
 * emulator would notice what is broken
 *
 * The kernel is the source that nvcc compiles. It scans odd sizes under random schedules, with few
 * and with many resident blocks. Then it is broken in one place at a time, and each time the
 * emulator must find it.
 */
#include "wave_kernel.cuh"

#include "emulated_half.h"
#include "emulated_scan.h"
#include "emulated_words.h"

namespace
{

/* How one problem is run. */
struct setting {
    unsigned warps = 1;
    unsigned resident = ~0u;
    unsigned patience = CUDA_PATIENCE;
    emulated_layout layout;
    bool by_ticket = true; /* false: a block takes its index's tile */
    uint64_t seed = 1;
    uint64_t most_steps = 20'000'000;
};

/* Elements of a tile. */
template <typename T> uint64_t tile_of(unsigned warps, unsigned lines)
{
    return wave_tile_bytes({warps, lines}) / sizeof(T);
}

/* Scans n elements once. "" or what is wrong. */
template <typename Op, unsigned LINES = 1, typename Rules = wave_rules, typename Words>
std::string scan(Op op, emulated_words<Words> &self, uint64_t n, const setting &how)
{
    using T = typename Op::value;
    emulated_arrays<Op> data(op, n, how.layout);
    const uint64_t tile = tile_of<T>(how.warps, LINES);
    const auto tiles = static_cast<unsigned>((n + how.layout.skew_in + tile - 1) / tile);
    if (tiles > self.words.size())
        return "the test has too few words";
    self.advance(how.by_ticket ? tiles : 0);
    const cuda_arrays<T> given = {data.in, data.out, n, how.layout.inclusive};
    const wave_control<typename Words::word> control = {
        self.words.data(),     how.by_ticket ? &self.tickets : nullptr,
        &self.failed_tile,     self.turn.first_ticket,
        self.turn.launch << 2, how.patience};
    const emulator::grid shape = {.blocks = tiles,
                                  .threads = how.warps * 32,
                                  .resident = how.resident,
                                  .seed = how.seed,
                                  .most_steps = how.most_steps};
    std::string wrong =
        emulator::run(shape, [&] { wave_scan<Op, LINES, Words, Rules, T>(op, given, control); });
    if (wrong.empty())
        wrong = self.outcome();
    return wrong.empty() ? data.compare() : wrong;
}

template <typename Op, unsigned LINES = 1>
std::string scan_fresh(Op op, uint64_t n, const setting &how)
{
    emulated_words<wave_words<typename Op::value>> self(WAVE_MOST_TILES);
    return scan<Op, LINES>(op, self, n, how);
}

/* ---- right ------------------------------------------------------------------------------ */

/* Around the edges of tiles, both kinds, few and many blocks at once. */
template <typename Op, unsigned LINES> std::string at_edges(Op op, unsigned warps, uint64_t seeds)
{
    const uint64_t tile = tile_of<typename Op::value>(warps, LINES);
    setting how;
    how.warps = warps;
    for (how.seed = 1; how.seed <= seeds; how.seed++) {
        for (const uint64_t n : {UINT64_C(1), tile - 1, tile, tile + 1, 5 * tile + 3}) {
            how.layout.inclusive = (how.seed + n) % 2 == 0;
            how.resident = how.seed % 3 == 0 ? 1 : how.seed % 3 == 1 ? 3 : ~0u;
            const std::string wrong = scan_fresh<Op, LINES>(op, n, how);
            if (!wrong.empty())
                return wrong;
        }
    }
    return "";
}

void scans_every_operator()
{
    report(at_edges<cuda_sum<uint32_t>, 1>({}, 2, 9), "sums of 32-bit integers are right");
    report(at_edges<cuda_sum<uint64_t>, 1>({}, 2, 9), "sums of 64-bit integers are right");
    report(at_edges<cuda_sum<float>, 1>({}, 2, 6), "sums of floats are right");
    report(at_edges<cuda_sum<double>, 1>({}, 2, 6), "sums of doubles are right");
    report(at_edges<cuda_extremum<int32_t>, 1>(cuda_max<int32_t>(), 2, 6), "max of i32 is right");
    report(at_edges<cuda_extremum<uint32_t>, 1>(cuda_min<uint32_t>(), 2, 6), "min of u32 is right");
    report(at_edges<cuda_extremum<int64_t>, 1>(cuda_min<int64_t>(), 2, 6), "min of i64 is right");
    report(at_edges<cuda_extremum<uint64_t>, 1>(cuda_max<uint64_t>(), 2, 6), "max of u64 is right");
    report(at_edges<cuda_extremum<float>, 1>(cuda_min<float>(), 2, 6), "min of f32 is right");
    report(at_edges<cuda_extremum<double>, 1>(cuda_max<double>(), 2, 6), "max of f64 is right");
    report(at_edges<cuda_affine<uint32_t>, 1>({}, 2, 9), "affine on u32x2 is right");
    report(at_edges<cuda_affine<float>, 1>({}, 2, 9), "affine on f32x2 is right");
    report(at_edges<cuda_sum<uint8_t>, 1>({}, 2, 9), "sums of 8-bit integers are right");
    report(at_edges<cuda_sum<uint16_t>, 2>({}, 2, 6), "sums of 16-bit integers are right");
    report(at_edges<cuda_extremum<int8_t>, 1>(cuda_min<int8_t>(), 2, 6), "min of i8 is right");
    report(at_edges<cuda_extremum<uint16_t>, 1>(cuda_max<uint16_t>(), 2, 6), "max of u16 is right");
    report(at_edges<cuda_sum<cuda_f16>, 1>({}, 2, 6), "sums of f16 are right");
    report(at_edges<cuda_sum<cuda_bf16>, 2>({}, 2, 6), "sums of bf16 are right");
    report(at_edges<cuda_extremum<cuda_f16>, 1>(cuda_min<cuda_f16>(), 2, 6), "min of f16 is right");
    report(at_edges<cuda_extremum<cuda_bf16>, 1>(cuda_max<cuda_bf16>(), 2, 6),
           "max of bf16 is right");
}

void scans_every_shape()
{
    report(at_edges<cuda_sum<uint32_t>, 2>({}, 1, 3), "2 lines are right");
    report(at_edges<cuda_affine<uint32_t>, 4>({}, 3, 3), "4 lines in 3 warps are right");
    report(at_edges<cuda_affine<uint32_t>, 8>({}, 1, 3), "8 lines are right");
    report(at_edges<cuda_sum<uint32_t>, 8>({}, 32, 1), "8 lines in 32 warps are right");
}

/* More groups of tiles than a block has warps, up to as many as there can be. */
void adds_up_all_tiles()
{
    using op = cuda_affine<uint32_t>;
    std::string wrong;
    setting how;
    for (const unsigned tiles : {32u, 33u, 100u, +WAVE_MOST_TILES}) {
        how.warps = tiles > 100 ? 1 : 2;
        how.resident = tiles == 100 ? 5 : 150;
        const uint64_t n = tiles * tile_of<op::value>(how.warps, 1) - 1;
        if (wrong.empty())
            wrong = scan_fresh(op(), n, how);
        how.seed++;
    }
    report(wrong, "as many tiles as there can be are added up");
}

void takes_any_alignment()
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
template <typename T> std::string runs_again(cuda_turn from, unsigned launches)
{
    setting how;
    emulated_words<wave_words<T>> self(16, from);
    std::string wrong;
    for (unsigned i = 0; i < launches && wrong.empty(); i++) {
        how.seed = i + 1;
        how.layout.inclusive = i % 2 == 0;
        how.by_ticket = i % 3 > 0;
        wrong = scan(cuda_sum<T>(), self, 1 + (i * 389) % 900, how);
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

/* Sums that rounding makes: the same bits whatever the schedule. */
void rounds_always_alike()
{
    constexpr uint64_t n = 5000;
    std::vector<float> in(n + 4), first(n + 4), again(n + 4);
    for (uint64_t i = 0; i < n; i++)
        in[i] = 1.0f / static_cast<float>(1 + emulated_bits(i) % 1000);
    std::string wrong;
    for (unsigned i = 0; i < 8 && wrong.empty(); i++) {
        emulated_words<wave_words<float>> self(64);
        self.advance(40);
        const wave_control<uint64_t> control = {self.words.data(), &self.tickets,
                                                &self.failed_tile, 0,
                                                self.turn.launch,  CUDA_PATIENCE};
        std::vector<float> &out = i == 0 ? first : again;
        const cuda_arrays<float> given = {in.data(), out.data(), n, true};
        const emulator::grid shape = {
            .blocks = 40, .threads = 32, .resident = i % 4 == 0 ? ~0u : i, .seed = i + 1};
        wrong = emulator::run(shape, [&] {
            wave_scan<cuda_sum<float>, 1, wave_words<float>, wave_rules, float>({}, given, control);
        });
        if (i > 0 && memcmp(first.data(), again.data(), n * sizeof(float)) != 0)
            wrong = "other bits in run " + std::to_string(i);
    }
    report(wrong, "float sums have the same bits in every run");
}

/* A tile that nobody takes: the tiles behind it give up, all others end as ever. */
void never_hangs()
{
    setting how;
    how.patience = 200;
    unsigned failed = 0;
    std::string wrong;
    for (how.seed = 1; how.seed <= 10; how.seed++) {
        emulated_words<wave_words<uint32_t>> self(64);
        self.turn = {1, 0, 0};
        self.tickets = 1;
        how.resident = how.seed % 2 == 0 ? 3 : ~0u;
        wrong = scan(cuda_sum<uint32_t>(), self, 128 * 40, how);
        failed += self.failed_tile < 64 && wrong.find("gave up") != std::string::npos;
    }
    ok(failed == 10, "a tile that waits in vain gives up, and those behind it: %s", wrong.c_str());
}

/* What the head of wave_kernel.cuh and docs/scans.md say. */
void counts_its_work()
{
    constexpr uint64_t n = 1 << 16;
    uint64_t count = 0;
    setting how;
    how.warps = 16;
    std::string wrong = scan_fresh<emulated_counted_sum, 8>(emulated_counted_sum(&count), n, how);
    count -= n; /* the expected result */
    if (wrong.empty() && (20 * count < 113 * n || 20 * count > 117 * n))
        wrong = std::to_string(count) + " additions for " + std::to_string(n) + " elements";
    report(wrong, "work is 5 3/4 n");
}

/* ---- the shape -------------------------------------------------------------------------- */

template <typename T>
bool divides(const wave_settings &wanted, uint64_t n, unsigned warps, unsigned lines)
{
    const wave_shape shape = wave_shape_for<T>(wanted, 132, n);
    if (shape.warps != warps || shape.lines != lines)
        printf("# %llu elements: %u warps, %u lines\n", static_cast<unsigned long long>(n),
               shape.warps, shape.lines);
    return shape.warps == warps && shape.lines == lines;
}

void divides_arrays()
{
    const wave_settings any = {1024, 0, 1, false};
    constexpr uint64_t line = 132 * 128; /* elements of 4 bytes, in a line of every tile */
    ok(divides<uint32_t>(any, 0, 1, 1) && divides<uint32_t>(any, line - 4, 1, 1) &&
           divides<uint32_t>(any, line, 2, 1) && divides<uint32_t>(any, 16 * line - 4, 16, 1),
       "few elements are one line in a few warps of each block");
    ok(divides<uint32_t>(any, 16 * line, 9, 2) && divides<uint32_t>(any, 1'000'000, 15, 4) &&
           divides<uint32_t>(any, 128 * line - 4, 16, 8),
       "more are more lines");
    ok(divides<uint32_t>(any, 128 * line, 17, 8) && divides<uint32_t>(any, 4'000'000, 30, 8),
       "still more are more warps");
    ok(divides<uint32_t>(any, 256 * line, 0, 0) && divides<uint32_t>(any, UINT64_C(1) << 61, 0, 0),
       "what registers do not hold is no shape");
    ok(divides<uint64_t>(any, 96 * line - 2, 24, 8) && divides<uint64_t>(any, 96 * line, 0, 0),
       "pairs and 8 bytes leave room for fewer threads");
    ok(divides<uint32_t>({256, 2, 1, false}, 16 * line - 4, 8, 2) &&
           divides<uint32_t>({256, 2, 1, false}, 16 * line, 0, 0) &&
           divides<uint32_t>({1024, 0, 4, false}, 64 * line - 4, 8, 8) &&
           divides<uint32_t>({1024, 0, 4, false}, 64 * line, 0, 0),
       "what is wanted is kept, and blocks of a multiprocessor share its registers");
}

/* ---- broken on purpose ------------------------------------------------------------------- */

/* Tag and total in words of their own, which takes fences. */
template <bool STORE_FENCED, bool LOAD_FENCED> struct separate_words {
    struct word {
        uint64_t tag;
        uint64_t value;
    };

    static word load(const word *from)
    {
        word found;
        found.tag = cuda_load_relaxed(&from->tag);
        if (LOAD_FENCED)
            __threadfence();
        found.value = cuda_load_relaxed(&from->value);
        return found;
    }
    static void store(word *to, unsigned launch, uint32_t value)
    {
        cuda_store_relaxed(&to->value, value);
        if (STORE_FENCED)
            __threadfence();
        cuda_store_relaxed(&to->tag, launch);
    }
    static bool is_there(const word &from, unsigned launch)
    {
        return from.tag == launch;
    }
    static uint32_t value(const word &from)
    {
        return static_cast<uint32_t>(from.value);
    }
};

/* Takes the first half's tag for both. */
struct half_checked_words : wave_words<uint64_t> {
    static bool is_there(const word &from, unsigned launch)
    {
        return from.first >> 32 == launch;
    }
};

/* Takes the words of earlier launches for its own. */
struct numberless_words : wave_words<uint32_t> {
    static bool is_there(const word &from, unsigned)
    {
        return from != 0;
    }
};

/* Totals of 16 bits. */
struct half_words : wave_words<cuda_f16> {
    static void store(uint64_t *to, unsigned launch, float value)
    {
        wave_words<cuda_f16>::store(to, launch, cuda_widen(cuda_narrow<cuda_f16>(value)));
    }
};

/* The threads of a block do not meet there. */
template <wave_rules::meeting LEFT_OUT> struct hurried : wave_rules {
    template <meeting AT> static void meet()
    {
        if (AT != LEFT_OUT)
            __syncthreads();
    }
};

/* What goes wrong under some seed, in two launches of ten tiles; "" if nothing does. */
template <typename Op, typename Words, typename Rules = wave_rules>
std::string find_fault(setting how)
{
    std::string wrong;
    for (how.seed = 1; how.seed <= 60 && wrong.empty(); how.seed++) {
        emulated_words<Words> self(16);
        const uint64_t tile = tile_of<typename Op::value>(how.warps, 1);
        wrong = scan<Op, 1, Rules>(Op(), self, 10 * tile, how);
        if (wrong.empty())
            wrong = scan<Op, 1, Rules>(Op(), self, 9 * tile + 1, how);
    }
    return wrong;
}

void mutants_are_found()
{
    using sum = cuda_sum<uint32_t>;
    using words = wave_words<uint32_t>;
    report(find_fault<sum, separate_words<true, true>>({}),
           "separate words with both fences are right");
    found(find_fault<sum, separate_words<false, true>>({}), "no fence between the stores");
    found(find_fault<sum, separate_words<true, false>>({}), "no fence between the loads");
    found(find_fault<cuda_sum<uint64_t>, half_checked_words>({}), "one tag of two checked");
    found(find_fault<sum, numberless_words>({}), "words without the launch's number");
    found(find_fault<cuda_sum<cuda_f16>, half_words>({}), "totals of f16 rounded to it");
    found(at_edges<emulated_rounded_twice<cuda_f16>, 1>({}, 2, 2), "f16 that is rounded twice");

    setting two_warps;
    two_warps.warps = 2;
    found(find_fault<sum, words, hurried<wave_rules::WARPS>>(two_warps),
          "totals of warps read before they are there");
    found(find_fault<sum, words, hurried<wave_rules::GROUPS>>(two_warps),
          "totals of groups read before they are there");

    setting by_index;
    by_index.by_ticket = false;
    by_index.most_steps = 300'000;
    report(find_fault<sum, words>(by_index), "by index all is well while every block is resident");
    by_index.resident = 3;
    found(find_fault<sum, words>(by_index), "by index with few resident blocks");
}

} // namespace

int main()
{
    tap_plan(20 + 4 + 1 + 1 + 4 + 1 + 1 + 1 + 6 + 11);
    scans_every_operator();
    scans_every_shape();
    adds_up_all_tiles();
    takes_any_alignment();
    runs_again_and_again();
    rounds_always_alike();
    never_hangs();
    counts_its_work();
    divides_arrays();
    mutants_are_found();
    return tap_done();
}
