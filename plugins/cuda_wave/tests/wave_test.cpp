/*
 * wave_test.cpp - the one-wave kernel under the emulator, how it divides an array, and whether the
 * emulator would notice what is broken
 *
 * The kernel is the source that nvcc compiles. It scans odd sizes under random schedules, with few
 * and with many resident blocks. Then it is broken in one place at a time, and each time the
 * emulator must find it.
 */
#include "wave_kernel.cuh"

#include "emulated_blocks.h"

namespace
{

template <typename Rules> struct wave_under_test {
    template <typename T> using words = wave_words<T>;
    static constexpr unsigned MOST_WINDOW = 1;

    static size_t words_of(uint64_t)
    {
        return WAVE_MOST_TILES;
    }
    template <typename T> static uint64_t tile(unsigned warps, unsigned lines)
    {
        return wave_tile_bytes({warps, lines}) / sizeof(T);
    }
    template <typename Words>
    static wave_control<typename Words::word> control(emulated_words<Words> &self,
                                                      const emulated_setting &how)
    {
        return {self.words.data(),     how.by_ticket ? &self.tickets : nullptr,
                &self.failed_tile,     self.turn.first_ticket,
                self.turn.launch << 2, how.patience};
    }
    template <typename Op, unsigned LINES, typename Words>
    static void scan(Op op, const cuda_arrays<typename Op::value> &arrays,
                     const wave_control<typename Words::word> &control)
    {
        wave_scan<Op, LINES, Words, Rules, typename Op::value>(op, arrays, control);
    }
};
template <typename Rules> using broken = emulated_blocks<wave_under_test<Rules>>;
using wave = broken<wave_rules>; /* not broken */
using setting = emulated_setting;

/* ---- right ------------------------------------------------------------------------------ */

/* More groups of tiles than a block has warps, up to as many as there can be. */
void adds_up_all_tiles()
{
    using op = cuda_affine<uint32_t>;
    std::string wrong;
    setting how;
    for (const unsigned tiles : {32u, 33u, 100u, +WAVE_MOST_TILES}) {
        how.warps = tiles > 100 ? 1 : 2;
        how.resident = tiles == 100 ? 5 : 150;
        const uint64_t n = tiles * wave_under_test<wave_rules>::tile<op::value>(how.warps, 1) - 1;
        if (wrong.empty())
            wrong = wave::scan_fresh(op(), n, how);
        how.seed++;
    }
    report(wrong, "as many tiles as there can be are added up");
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

/* What the head of wave_kernel.cuh and docs/scans.md say. */
void counts_its_work()
{
    constexpr uint64_t n = 1 << 16;
    uint64_t count = 0;
    setting how;
    how.warps = 16;
    std::string wrong =
        wave::scan_fresh<emulated_counted_sum, 8>(emulated_counted_sum(&count), n, how);
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

void mutants_are_found()
{
    using sum = cuda_sum<uint32_t>;
    report(wave::find_fault<sum, separate_words<true, true>>(),
           "separate words with both fences are right");
    found(wave::find_fault<sum, separate_words<false, true>>(), "no fence between the stores");
    found(wave::find_fault<sum, separate_words<true, false>>(), "no fence between the loads");
    found(wave::find_fault<cuda_sum<uint64_t>, half_checked_words>(), "one tag of two checked");
    found(wave::find_fault<sum, numberless_words>(), "words without the launch's number");
    found(wave::find_fault<cuda_sum<cuda_f16>, half_words>(), "totals of f16 rounded to it");
    found(wave::at_edges<emulated_rounded_twice<cuda_f16>, 1>({}, 2, 2),
          "f16 that is rounded twice");

    setting two_warps;
    two_warps.warps = 2;
    found(broken<hurried<wave_rules::WARPS>>::find_fault<sum>(two_warps),
          "totals of warps read before they are there");
    found(broken<hurried<wave_rules::GROUPS>>::find_fault<sum>(two_warps),
          "totals of groups read before they are there");
    wave::needs_tickets();
}

} // namespace

int main()
{
    tap_plan(wave::CLAIMS + 1 + 1 + 1 + 6 + 11);
    wave::claims();
    adds_up_all_tiles();
    rounds_always_alike();
    counts_its_work();
    divides_arrays();
    mutants_are_found();
    return tap_done();
}
