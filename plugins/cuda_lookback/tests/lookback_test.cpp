/*
 * lookback_test.cpp - the look-back kernel under the emulator, and whether the emulator would
 * notice
 *
 * The kernel is the source that nvcc compiles. It scans odd sizes under random schedules, with few
 * and with many resident blocks. Then it is broken in one place at a time, and each time the
 * emulator must find it.
 */
#include "lookback_kernel.cuh"

#include "emulated_blocks.h"

namespace
{

struct lookback_under_test {
    template <typename T> using words = lookback_words<T>;
    static constexpr unsigned MOST_WINDOW = LOOKBACK_MOST_WINDOW;

    static size_t words_of(uint64_t n)
    {
        return n / 32 + 2;
    }
    template <typename T> static uint64_t tile(unsigned warps, unsigned lines)
    {
        return lookback_tile_elements<T>(warps * 32, lines);
    }
    template <typename Words>
    static lookback_control<typename Words::word> control(emulated_words<Words> &self,
                                                          const emulated_setting &how)
    {
        return {self.words.data(), how.by_ticket ? &self.tickets : nullptr,
                &self.failed_tile, self.turn.first_ticket,
                self.turn.launch,  how.window,
                how.patience};
    }
    template <typename Op, unsigned LINES, typename Words>
    static void scan(Op op, const cuda_arrays<typename Op::value> &arrays,
                     const lookback_control<typename Words::word> &control)
    {
        lookback_scan<Op, LINES, Words, typename Op::value>(op, arrays, control);
    }
};
using blocks = emulated_blocks<lookback_under_test>;
using setting = emulated_setting;

/* ---- right ------------------------------------------------------------------------------ */

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
        const uint64_t tile = lookback_under_test::tile<cuda_pair<uint32_t>>(how.warps, 1);
        wrong = blocks::scan_fresh(cuda_affine<uint32_t>(), 33 * 32 * tile / how.seed + 1, how);
    }
    report(wrong, "33 windows are right");
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

/* What the head of lookback_kernel.cuh and docs/scans.md say. */
void counts_its_work()
{
    constexpr uint64_t n = 1 << 16;
    uint64_t count = 0;
    setting how;
    how.warps = 16;
    how.resident = 3;
    std::string wrong =
        blocks::scan_fresh<emulated_counted_sum, 8>(emulated_counted_sum(&count), n, how);
    count -= n; /* the expected result */
    if (wrong.empty() && (4 * count < 17 * n || 10 * count > 43 * n))
        wrong = std::to_string(count) + " additions for " + std::to_string(n) + " elements";
    report(wrong, "work is 4 1/4 n");
}

void mutants_are_found()
{
    using sum = cuda_sum<uint32_t>;
    report(blocks::find_fault<sum, separate_words<true, true, true>>(),
           "separate words with both fences are right");
    found(blocks::find_fault<sum, separate_words<false, true, true>>(),
          "no fence between the stores");
    found(blocks::find_fault<sum, separate_words<true, false, true>>(),
          "no fence between the loads");
    found(blocks::find_fault<sum, separate_words<true, true, false>>(), "the value loaded first");
    found(blocks::find_fault<cuda_sum<uint64_t>, half_checked_words>(), "one flag of two checked");
    found(blocks::find_fault<sum, numberless_words>(), "words without the launch's number");

    found(blocks::find_fault<cuda_sum<cuda_f16>, half_words<cuda_f16>>(),
          "prefixes of f16 rounded to it");
    found(blocks::find_fault<cuda_sum<cuda_bf16>, half_words<cuda_bf16>>(),
          "prefixes of bf16 rounded to it");
    blocks::needs_tickets();
}

} // namespace

int main()
{
    tap_plan(blocks::CLAIMS + 2 + 1 + 1 + 10);
    blocks::claims();
    chooses_lines();
    looks_far_back();
    counts_its_work();
    mutants_are_found();
    return tap_done();
}
