/*
 * multi_test.cpp - the kernels of cuda_multi under the emulator, and whether the emulator would
 * notice: one rule is broken at a time
 */
#include "emulated_parts.h"

namespace
{

/* ---- right ------------------------------------------------------------------------------ */

/* 1 to 8 parts, every `step`-th number of them, from empty slices to several tiles of each. */
template <typename Op> std::string in_parts(Op op, bool looks_ahead, unsigned step = 3)
{
    const uint64_t piece = cuda_lines<Op, MULTI_LINES>::elements;
    std::string wrong;
    setting how;
    how.looks_ahead = looks_ahead;
    for (how.parts = 1 + step / 2; how.parts <= 8; how.parts += step) {
        for (const uint64_t n :
             {UINT64_C(0), UINT64_C(1), UINT64_C(5), UINT64_C(9), UINT64_C(333), 2 * piece + 7}) {
            how.seed++;
            how.inclusive = how.seed % 2 == 0;
            how.blocks = 1 + static_cast<unsigned>(how.seed % 3);
            how.ctas = 1 + static_cast<unsigned>(how.seed % 4);
            if (wrong.empty())
                wrong = scan_fresh(op, n, how);
        }
    }
    return wrong;
}

void scans_every_operator()
{
    report(in_parts<cuda_sum<uint32_t>>({}, true, 1), "sums of 32-bit integers are right");
    report(in_parts<cuda_sum<uint64_t>>({}, true), "sums of 64-bit integers are right");
    report(in_parts<cuda_sum<float>>({}, true), "sums of floats are right");
    report(in_parts<cuda_sum<double>>({}, true), "sums of doubles are right");
    report(in_parts(cuda_max<int32_t>(), true), "max of i32 is right");
    report(in_parts(cuda_min<uint32_t>(), true), "min of u32 is right");
    report(in_parts(cuda_min<int64_t>(), true), "min of i64 is right");
    report(in_parts(cuda_max<uint64_t>(), true), "max of u64 is right");
    report(in_parts(cuda_min<float>(), true), "min of f32 is right");
    report(in_parts(cuda_max<double>(), true), "max of f64 is right");
    report(in_parts<cuda_affine<uint32_t>>({}, true, 1), "affine on u32x2 is right");
    report(in_parts<cuda_affine<float>>({}, true), "affine on f32x2 is right");
    report(in_parts<cuda_sum<uint32_t>>({}, false), "sums by look-back are right");
    report(in_parts<cuda_affine<uint32_t>>({}, false, 1), "affine by look-back is right");
}

/* Slices of several chunks, of several pieces for each warp. */
template <typename Op> std::string in_chunks(Op op)
{
    const uint64_t chunk = cuda_lines<Op, MULTI_LINES>::elements * 4;
    std::string wrong;
    setting how;
    how.shape = {1, 1, 3};
    how.ctas = 6;
    for (how.runs = 1; how.runs <= 2; how.runs++) {
        for (how.parts = 2; how.parts <= 3; how.parts++) {
            for (how.blocks = 1; how.blocks <= 4; how.blocks += 3) {
                how.seed++;
                how.skew = static_cast<unsigned>(how.seed % (16 / sizeof(typename Op::value)));
                if (wrong.empty())
                    wrong = scan_fresh(op, 4 * chunk + how.seed, how);
            }
        }
    }
    return wrong;
}

void reduces_chunks()
{
    report(in_chunks<cuda_sum<uint32_t>>({}), "chunks of an operator that commutes are folded");
    report(in_chunks<cuda_affine<uint32_t>>({}), "others are folded in order");
    report(in_chunks<cuda_sum<double>>({}), "doubles too");
}

void takes_any_layout()
{
    std::string wrong;
    setting how;
    for (unsigned i = 0; i < 24 && wrong.empty(); i++) {
        how.skew = i % 4;
        how.in_place = i % 3 == 0;
        how.looks_ahead = i % 2 == 0;
        how.parts = 2 + i % 4;
        how.seed++;
        wrong = scan_fresh(cuda_sum<uint32_t>(), 1 + i * 331, how);
        how.skew %= 2;
        if (wrong.empty())
            wrong = scan_fresh(cuda_affine<uint32_t>(), 1 + i * 97, how);
    }
    report(wrong, "slices of any alignment are scanned, also in place");
    how = {};
    how.gathers = true;
    for (how.parts = 1; how.parts <= 6 && wrong.empty(); how.parts++)
        wrong = scan_fresh(cuda_affine<uint32_t>(), 1234, how);
    report(wrong, "totals that were gathered are used");
    how = {};
    how.parts = 50;
    how.blocks = how.ctas = 1;
    how.in_turn = true; /* fewer fibers at once */
    report(scan_fresh(cuda_affine<uint32_t>(), 3001, how), "more parts than lanes are right");
}

/* Many runs with the same memory, which nothing clears. */
template <typename Op> std::string runs_again(Op op, unsigned from)
{
    setting how;
    how.parts = 4;
    devices<Op> self(how.parts);
    self.number = from;
    std::string wrong;
    for (unsigned i = 0; i < 16 && wrong.empty(); i++) {
        how.seed = i + 1;
        how.blocks = 1 + i % 3;
        how.inclusive = i % 2 == 0;
        how.looks_ahead = i % 5 != 0;
        wrong = scan(op, self, 1 + (i * 389) % 1900, how);
    }
    return wrong;
}

void runs_again_and_again()
{
    report(runs_again(cuda_sum<uint32_t>(), 0), "totals of earlier runs do not disturb");
    report(runs_again(cuda_sum<uint64_t>(), 1u << 29), "nor do totals of two halves");
}

/* A total that never comes: whoever needs it gives up, and all blocks end. */
void never_hangs()
{
    setting how;
    how.patience = 5000; /* enough for what does come */
    how.missing = 1;
    unsigned failed = 0;
    std::string wrong;
    for (how.seed = 1; how.seed <= 6; how.seed++) {
        how.looks_ahead = how.seed % 2 == 0;
        wrong = scan_fresh(cuda_sum<uint32_t>(), 1500, how);
        failed += wrong.find("part 2") == 0;
    }
    ok(failed == 6, "who waits for a part in vain gives up: %s", wrong.c_str());
}

/* ---- broken on purpose ------------------------------------------------------------------- */

struct without_fence : multi_reduce_rules {
    static void fence()
    {
    }
};

/* Takes the totals of earlier runs for those of this one. */
struct numberless_words : multi_words<uint32_t> {
    static bool is_there(const word &from, unsigned)
    {
        return from >> 32 != 0;
    }
};

/* Waits for nothing. */
struct hasty_words : multi_words<uint32_t> {
    static bool is_there(const word &, unsigned)
    {
        return true;
    }
};

/* Takes the first half's number for both. */
struct half_checked_words : multi_words<uint64_t> {
    static bool is_there(const word &from, unsigned number)
    {
        return from.first >> 32 == number;
    }
};

constexpr uint64_t MOST_SEEDS = 8;

/* What goes wrong under some seed, in two runs; "" if nothing does. */
template <typename T, typename Words = multi_words<T>, typename Rules = multi_reduce_rules>
std::string find_fault()
{
    setting how;
    std::string wrong;
    how.shape = {1, 1, 3};
    how.blocks = 5;
    for (how.seed = 1; how.seed <= MOST_SEEDS && wrong.empty(); how.seed++) {
        devices<cuda_sum<T>> self(how.parts);
        wrong = scan<cuda_sum<T>, Words, Rules>({}, self, 20'000, how);
        if (wrong.empty())
            wrong = scan<cuda_sum<T>, Words, Rules>({}, self, 1'000, how);
    }
    return wrong;
}

void mutants_are_found()
{
    report(find_fault<uint32_t>(), "nothing is found with all rules");
    found(find_fault<uint32_t, multi_words<uint32_t>, without_fence>(),
          "no fence before a block is counted");
    found(find_fault<uint32_t, numberless_words>(), "totals without the run's number");
    found(find_fault<uint32_t, hasty_words>(), "totals that are not awaited");
    found(find_fault<uint64_t, half_checked_words>(), "one number of two checked");
}

} // namespace

int main()
{
    tap_plan(14 + 3 + 3 + 2 + 1 + 5);
    scans_every_operator();
    reduces_chunks();
    takes_any_layout();
    runs_again_and_again();
    never_hangs();
    mutants_are_found();
    return tap_done();
}
