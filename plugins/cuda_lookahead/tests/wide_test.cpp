/*
 * wide_test.cpp - sums wider than their elements by the pipeline with look-ahead, under the
 * emulator: every pair of types, any n and alignment; and mistakes that must be found
 */
#include "emulated_lookahead.h"

namespace
{

using setting = emulated_lookahead_setting;

/* Scans n elements once, which the kernel takes for Read. "" or what is wrong. */
template <typename Op, typename From, typename Read = From, unsigned LINES = 1,
          typename Words = lookahead_words<typename Op::value>, typename Rules = lookahead_rules>
std::string scan(uint64_t n, const setting &how)
{
    using T = typename Op::value;
    emulated_words<Words> self(n / 32 + 2);
    emulated_arrays<Op, From> data({}, n, how.layout);
    const cuda_arrays<T, Read> arrays = {reinterpret_cast<const Read *>(data.in), data.out, n,
                                         how.layout.inclusive};
    unsigned first_ticket = 0;
    const std::string wrong =
        emulated_lookahead_launch<Op, LINES, Words, Rules>({}, self, arrays, how, &first_ticket);
    return wrong.empty() ? data.compare() : wrong;
}

/* Around the edges of tiles, both kinds, few and many CTAs. */
template <typename Op, typename From, unsigned LINES = 1>
std::string at_edges(const lookahead_shape &shape, uint64_t seeds)
{
    const uint64_t tile = lookahead_tile_elements<typename Op::value>(shape.scanners, LINES);
    setting how;
    how.shape = shape;
    for (how.seed = 1; how.seed <= seeds; how.seed++) {
        for (const uint64_t n :
             {UINT64_C(1), UINT64_C(15), tile - 1, tile, tile + 1, 7 * tile + 3}) {
            how.layout.inclusive = (how.seed + n) % 2 == 0;
            how.ctas = how.seed % 3 == 0 ? 1 : how.seed % 3 == 1 ? 3 : 8;
            how.resident = how.seed % 2 == 0 ? 2 : ~0u;
            const std::string wrong = scan<Op, From, From, LINES>(n, how);
            if (!wrong.empty())
                return wrong;
        }
    }
    return "";
}

void scans_every_pair()
{
    const lookahead_shape one = {1, 2, 3};
    const lookahead_shape two = {2, 3, 2};
    report(at_edges<cuda_sum<uint32_t>, int8_t>(one, 9), "sums of i8 in i32 are right");
    report(at_edges<cuda_sum<uint32_t>, uint8_t, 4>(two, 6), "those of u8 in u32, of 4 lines");
    report(at_edges<cuda_sum<uint32_t>, int16_t>(two, 9), "of i16 in i32");
    report(at_edges<cuda_sum<uint32_t>, uint16_t>(one, 6), "of u16 in u32");
    report(at_edges<cuda_sum<uint64_t>, int32_t>(one, 9), "of i32 in i64");
    report(at_edges<cuda_sum<uint64_t>, uint32_t, 2>(two, 6), "of u32 in u64, of 2 lines");
    report(at_edges<cuda_sum<double>, float>(one, 9), "of f32 in f64");
    report(at_edges<cuda_sum<float>, cuda_f16>(two, 6), "of f16 in f32");
    report(at_edges<cuda_sum<float>, cuda_bf16, 8>({1, 1, 2}, 3), "of bf16 in f32, of 8 lines");
}

/* Input and output begin anywhere. */
template <typename Op, typename From> std::string takes_any_skew()
{
    constexpr unsigned of_in = 16 / sizeof(From), of_out = 16 / sizeof(typename Op::value);
    const uint64_t tile = lookahead_tile_elements<typename Op::value>(2, 1);
    setting how;
    std::string wrong;
    for (unsigned i = 0; i < of_in * of_out && wrong.empty(); i++) {
        how.layout.skew_in = i / of_out;
        how.layout.skew_out = i % of_out;
        how.layout.inclusive = i % 3 == 0;
        how.seed = i + 1;
        const uint64_t sizes[] = {2 * tile - how.layout.skew_in, 1 + i % 40, 3 * tile + i % 17};
        wrong = scan<Op, From>(sizes[i % 3], how);
        if (!wrong.empty())
            wrong += ", skews " + std::to_string(how.layout.skew_in) + " and " +
                     std::to_string(how.layout.skew_out);
    }
    return wrong;
}

void takes_any_alignment()
{
    report(takes_any_skew<cuda_sum<uint32_t>, int8_t>(), "i8 and its sums may begin anywhere");
    report(takes_any_skew<cuda_sum<float>, cuda_f16>(), "so may f16");
    report(takes_any_skew<cuda_sum<double>, float>(), "and f32");
}

/* ---- broken on purpose ------------------------------------------------------------------- */

/* Totals that are as narrow as the elements. */
struct narrow_totals : lookahead_words<uint64_t> {
    static void store(word *to, unsigned launch, uint64_t total)
    {
        lookahead_words<uint64_t>::store(to, launch, static_cast<uint32_t>(total));
    }
};

struct float_totals : lookahead_words<double> {
    static void store(word *to, unsigned launch, double total)
    {
        lookahead_words<double>::store(to, launch, static_cast<float>(total));
    }
};

/* The results of a stage are overwritten while they are being stored. */
struct without_drain : lookahead_rules {
    static void wait_stored(bool)
    {
    }
};

/* Only at the end is there a wait for what is being stored. */
struct without_turns : lookahead_rules {
    static void wait_stored(bool but_one)
    {
        if (!but_one)
            lookahead_rules::wait_stored(but_one);
    }
};

struct without_fence : lookahead_rules {
    static void fence()
    {
    }
};

struct without_free : lookahead_rules {
    static void wait_free(cuda_phases *, unsigned)
    {
    }
};

/* What goes wrong under some seed in twenty tiles; "" if nothing does. */
template <typename Op, typename From, typename Read = From,
          typename Words = lookahead_words<typename Op::value>, typename Rules = lookahead_rules>
std::string find_fault()
{
    setting how;
    how.most_steps = 20'000'000;
    how.patience = 500'000;
    const uint64_t tile = lookahead_tile_elements<typename Op::value>(how.shape.scanners, 1);
    std::string wrong;
    for (how.seed = 1; how.seed <= 20 && wrong.empty(); how.seed++)
        wrong = scan<Op, From, Read, 1, Words, Rules>(20 * tile, how);
    return wrong;
}

template <typename Rules> std::string find_fault_of_rules()
{
    using sum = cuda_sum<uint32_t>;
    return find_fault<sum, int8_t, int8_t, lookahead_words<uint32_t>, Rules>();
}

void mutants_are_found()
{
    report(find_fault_of_rules<lookahead_rules>(), "nothing is found with all rules");
    found(find_fault_of_rules<without_drain>(), "results overwritten before they are stored");
    found(find_fault_of_rules<without_turns>(), "a room written again before it is stored");
    found(find_fault_of_rules<without_fence>(), "no fence before the bulk store");
    found(find_fault_of_rules<without_free>(), "a stage loaded before it is free");
    found(find_fault<cuda_sum<uint32_t>, int8_t, uint8_t>(), "signs that are lost");
    found(find_fault<cuda_sum<float>, cuda_bf16, cuda_f16>(), "bf16 read as f16");
    found(find_fault<cuda_sum<uint64_t>, uint32_t, uint32_t, narrow_totals>(), "totals in 32 bits");
    found(find_fault<cuda_sum<double>, float, float, float_totals>(), "totals in f32");
}

} // namespace

int main()
{
    tap_plan(9 + 3 + 9);
    scans_every_pair();
    takes_any_alignment();
    mutants_are_found();
    return tap_done();
}
