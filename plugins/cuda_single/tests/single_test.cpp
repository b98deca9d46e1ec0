/*
 * single_test.cpp - the single-launch kernel under the emulator: one block, clusters, several
 * rounds; and with a barrier of the cluster left out
 */
#include "single_kernel.cuh"

#include "emulated_half.h"
#include "emulated_scan.h"
#include "emulated_words.h"

namespace
{

struct setting {
    single_shape shape = {32, 1, 1};
    emulated_layout layout;
    uint64_t seed = 1;
};

template <typename Op, unsigned LINES = 1> std::string scan(Op op, uint64_t n, const setting &how)
{
    using T = typename Op::value;
    emulated_arrays<Op> data(op, n, how.layout);
    const unsigned ctas = how.shape.ctas;
    const emulator::grid shape = {.blocks = ctas,
                                  .threads = how.shape.block,
                                  .resident = ctas,
                                  .cluster = ctas,
                                  .seed = how.seed};
    const std::string wrong = emulator::run(shape, [&] {
        single_scan<Op, LINES, T>(op, data.in, data.out, n, how.layout.inclusive, ctas);
    });
    return wrong.empty() ? data.compare() : wrong;
}

/* One round and several, at their edges, with clusters of 1, 3 and 16. */
template <typename Op, unsigned LINES> std::string at_edges(Op op, unsigned block, uint64_t seeds)
{
    setting how;
    how.shape.block = block;
    how.shape.lines = LINES;
    for (how.seed = 1; how.seed <= seeds; how.seed++) {
        for (const unsigned ctas : {1u, 3u, 16u}) {
            how.shape.ctas = ctas;
            const uint64_t round = single_round_bytes(how.shape) / sizeof(typename Op::value);
            for (const uint64_t n :
                 {UINT64_C(0), UINT64_C(1), round - 1, round, round + 1, 3 * round + 5}) {
                if (ctas == 16 && n > round + 1)
                    continue;
                how.layout.inclusive = (how.seed + n) % 2 == 0;
                const std::string wrong = scan<Op, LINES>(op, n, how);
                if (!wrong.empty())
                    return wrong;
            }
        }
    }
    return "";
}

void scans_every_operator()
{
    report(at_edges<cuda_sum<uint32_t>, 1>({}, 64, 4), "sums of 32-bit integers are right");
    report(at_edges<cuda_sum<uint64_t>, 1>({}, 64, 4), "sums of 64-bit integers are right");
    report(at_edges<cuda_sum<float>, 1>({}, 32, 2), "sums of floats are right");
    report(at_edges<cuda_sum<double>, 1>({}, 32, 2), "sums of doubles are right");
    report(at_edges<cuda_extremum<int32_t>, 1>(cuda_max<int32_t>(), 32, 2), "max of i32 is right");
    report(at_edges<cuda_extremum<uint64_t>, 1>(cuda_min<uint64_t>(), 32, 2),
           "min of u64 is right");
    report(at_edges<cuda_extremum<float>, 1>(cuda_min<float>(), 32, 2), "min of f32 is right");
    report(at_edges<cuda_extremum<double>, 1>(cuda_max<double>(), 32, 2), "max of f64 is right");
    report(at_edges<cuda_affine<uint32_t>, 1>({}, 64, 4), "affine on u32x2 is right");
    report(at_edges<cuda_affine<float>, 1>({}, 64, 4), "affine on f32x2 is right");
    report(at_edges<cuda_sum<uint8_t>, 1>({}, 64, 2), "sums of 8-bit integers are right");
    report(at_edges<cuda_sum<uint16_t>, 2>({}, 32, 2), "sums of 16-bit integers are right");
    report(at_edges<cuda_extremum<int8_t>, 1>(cuda_min<int8_t>(), 32, 2), "min of i8 is right");
    report(at_edges<cuda_extremum<uint16_t>, 1>(cuda_max<uint16_t>(), 32, 2),
           "max of u16 is right");
    report(at_edges<cuda_sum<cuda_f16>, 1>({}, 64, 2), "sums of f16 are right");
    report(at_edges<cuda_sum<cuda_bf16>, 2>({}, 32, 2), "sums of bf16 are right");
    report(at_edges<cuda_extremum<cuda_f16>, 1>(cuda_max<cuda_f16>(), 32, 2),
           "max of f16 is right");
    report(at_edges<cuda_extremum<cuda_bf16>, 1>(cuda_min<cuda_bf16>(), 32, 2),
           "min of bf16 is right");
    report(at_edges<cuda_affine<uint32_t>, 2>({}, 96, 1), "2 lines in 3 warps are right");
    report(at_edges<cuda_affine<uint32_t>, 8>({}, 32, 1), "8 lines are right");
}

void takes_any_alignment()
{
    std::string wrong;
    setting how;
    for (unsigned i = 0; i < 32 && wrong.empty(); i++) {
        how.shape.ctas = i < 16 ? 1 : 3;
        how.layout.skew_in = i % 16 / 4;
        how.layout.skew_out = i % 4;
        how.layout.in_place = i % 8 == 0;
        how.seed++;
        wrong = scan(cuda_sum<uint32_t>(), i % 3 == 0 ? 128 - how.layout.skew_in : 777, how);
    }
    report(wrong, "arrays of any alignment are scanned, also in place");
}

/* ---- broken on purpose ------------------------------------------------------------------- */

/* The exchange of a cluster alone, which mutants leave parts of out of. */
template <bool FIRST, bool WAITS, bool TWO_SETS> std::string exchange(uint64_t seed)
{
    constexpr unsigned CTAS = 3;
    bool right = true;
    const emulator::grid shape = {
        .blocks = CTAS, .threads = 32, .resident = CTAS, .cluster = CTAS, .seed = seed};
    const std::string wrong = emulator::run(shape, [&] {
        CUDA_SHARED(single_shared<unsigned>, shared);
        single_begin(shared.totals);
        if (FIRST)
            cuda_cluster_wait();
        for (unsigned round = 0; round < 4; round++) {
            single_totals<unsigned> *const totals = shared.totals + (TWO_SETS ? round % 2 : 0);
            const unsigned total = round * 10 + cuda_cluster_rank();
            const unsigned parity = TWO_SETS ? round / 2 % 2 : round % 2;
            unsigned before, all;
            single_tell(totals, CTAS, total, WAITS ? parity : parity ^ 1);
            single_add_up(cuda_sum<unsigned>(), totals->of_cta, CTAS, cuda_cluster_rank(), &before,
                          &all);
            right = right && all == 3 * round * 10 + 3;
        }
    });
    return !wrong.empty() ? wrong : right ? "" : "wrong answer";
}

std::string find_fault(std::string (*once)(uint64_t))
{
    std::string wrong;
    for (uint64_t seed = 1; seed <= 100 && wrong.empty(); seed++)
        wrong = once(seed);
    return wrong;
}

void mutants_are_found()
{
    report(find_fault(exchange<true, true, true>), "the exchange of a cluster is right");
    const std::string first = find_fault(exchange<false, true, true>);
    ok(!first.empty(), "no barrier before the first exchange: %s", first.c_str());
    const std::string second = find_fault(exchange<true, false, true>);
    ok(!second.empty(), "no wait for the totals: %s", second.c_str());
    const std::string sets = find_fault(exchange<true, true, false>);
    ok(!sets.empty(), "one set of totals instead of two: %s", sets.c_str());
    const std::string twice = at_edges<emulated_rounded_twice<cuda_f16>, 1>({}, 64, 2);
    ok(!twice.empty(), "f16 that is rounded twice: %s", twice.c_str());
}

/* ---- the shape -------------------------------------------------------------------------- */

bool chosen(uint64_t bytes, unsigned most_ctas, unsigned lines, unsigned ctas)
{
    const single_shape shape = single_choose({512, 0, 0}, bytes, most_ctas);
    if (shape.lines != lines || shape.ctas != ctas)
        printf("# %llu bytes: %u lines, %u blocks\n", static_cast<unsigned long long>(bytes),
               shape.lines, shape.ctas);
    return shape.lines == lines && shape.ctas == ctas;
}

void shapes_fit()
{
    constexpr uint64_t line = 512 * 16;
    ok(chosen(0, 16, 1, 1) && chosen(line, 16, 1, 1) && chosen(line + 1, 16, 2, 1),
       "little is for one block of few lines");
    ok(chosen(2 * line + 1, 16, 1, 8) && chosen(8 * line + 1, 16, 2, 8), "more is for 8 blocks");
    ok(chosen(16 * line + 1, 16, 2, 16) && chosen(32 * line + 1, 16, 4, 16) &&
           chosen(1000 * line, 16, 8, 16),
       "still more is for 16 blocks");
    ok(chosen(32 * line + 1, 8, 8, 8) && chosen(1000 * line, 8, 8, 8),
       "or for 8, where 16 do not fit");
    ok(chosen(3 * line, 1, 4, 1) && chosen(1000 * line, 1, 8, 1),
       "or for one, where nothing else does");
    const single_shape fixed = single_choose({64, 4, 3}, 1, 16);
    ok(fixed.block == 64 && fixed.lines == 4 && fixed.ctas == 3, "what is wanted is kept");
}

} // namespace

int main()
{
    tap_plan(20 + 1 + 5 + 6);
    scans_every_operator();
    takes_any_alignment();
    mutants_are_found();
    shapes_fit();
    return tap_done();
}
