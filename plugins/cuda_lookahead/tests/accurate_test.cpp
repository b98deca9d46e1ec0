/*
 * accurate_test.cpp - accurate sums of f32 by the pipeline with look-ahead, under the emulator:
 * rounded once, within one unit in the last place where f32 is not, with the same bits again; and
 * mistakes that must be found
 */
#include "cuda_accurate.h"
#include "emulated_lookahead.h"
#include "recording_host.h"

#include <cfloat>
#include <cmath>

namespace
{

using setting = emulated_lookahead_setting;
using sum = cuda_sum<cuda_accurate_f32>;
using sum_words = lookahead_words<cuda_accurate_f32>;

/* ---- exact sums: integers of 24 bits ------------------------------------------------------- */

/* Scans n elements once by Op, which has to give what `sum` does. "" or what is wrong. */
template <typename Op, unsigned LINES = 1, typename Words = sum_words>
std::string scan(uint64_t n, const setting &how)
{
    emulated_words<Words> self(n / 32 + 2);
    emulated_arrays<sum> data({}, n, how.layout);
    const cuda_arrays<cuda_accurate_f32> arrays = {data.in, data.out, n, how.layout.inclusive};
    unsigned first_ticket = 0;
    const std::string wrong = emulated_lookahead_launch<Op, LINES, Words, lookahead_rules>(
        Op(), self, arrays, how, &first_ticket);
    return wrong.empty() ? data.compare() : wrong;
}

/* Around the edges of tiles, both kinds, few and many CTAs, anywhere and in place. */
template <unsigned LINES> std::string at_edges(const lookahead_shape &shape, uint64_t seeds)
{
    const uint64_t tile = lookahead_tile_elements<cuda_accurate_f32>(shape.scanners, LINES);
    setting how;
    how.shape = shape;
    for (how.seed = 1; how.seed <= seeds; how.seed++) {
        for (const uint64_t n : {UINT64_C(1), UINT64_C(7), tile - 1, tile, 7 * tile + 3}) {
            how.layout.inclusive = (how.seed + n) % 2 == 0;
            how.layout.skew_in = how.seed % 4;
            how.layout.skew_out = how.seed / 4 % 4;
            how.layout.in_place = how.seed % 3 == 0;
            how.ctas = how.seed % 3 == 1 ? 3 : 8;
            how.resident = how.seed % 2 == 0 ? 2 : ~0u;
            const std::string wrong = scan<sum, LINES>(n, how);
            if (!wrong.empty())
                return wrong;
        }
    }
    return "";
}

void rounds_once()
{
    report(at_edges<1>({2, 2, 3}, 16), "sums are rounded once, anywhere and in place");
    report(at_edges<2>({1, 3, 2}, 8), "those of 2 lines, too");
    report(at_edges<8>({2, 1, 2}, 4), "and of 8 lines");
}

/* ---- sums that round ------------------------------------------------------------------------ */

constexpr uint64_t N = 60'001;

/* Of one sign, of which f32 loses the last bits; no sum of two of them is an f32. */
std::vector<float> fractions()
{
    std::vector<float> made(N);
    for (uint64_t i = 0; i < N; i++)
        made[i] = 1.0f / static_cast<float>(3 + emulated_bits(i) % 1000);
    return made;
}

/* The scan of fractions by a sum of elements T, which are floats. */
template <typename Op> std::vector<float> scanned(const setting &how)
{
    using T = typename Op::value;
    static_assert(sizeof(T) == sizeof(float));
    std::vector<cuda_vector<T>> in(N / 4 + 1), out(N / 4 + 1);
    const std::vector<float> elements = fractions();
    memcpy(in.data(), elements.data(), N * sizeof(float));
    emulated_words<lookahead_words<T>> self(N / 32 + 2);
    const cuda_arrays<T> arrays = {in[0].element, out[0].element, N, how.layout.inclusive};
    unsigned first_ticket = 0;
    const std::string wrong = emulated_lookahead_launch<Op, 1, lookahead_words<T>, lookahead_rules>(
        {}, self, arrays, how, &first_ticket);
    std::vector<float> sums(N);
    memcpy(sums.data(), out.data(), N * sizeof(float));
    if (!wrong.empty())
        sums.clear();
    return sums;
}

/* The greatest error, in units of the last place of the exact sum; infinity if there are none. The
 * exact sum is of integers: of multiples of 2^-34, which all bits of the fractions are. */
double most_ulps(const std::vector<float> &sums, bool inclusive)
{
    const std::vector<float> elements = fractions();
    double most = sums.empty() ? INFINITY : 0;
    uint64_t exact = 0;
    for (uint64_t i = 0; i < sums.size(); i++) {
        const uint64_t next = exact + static_cast<uint64_t>(std::ldexp(elements[i], 34));
        const uint64_t here = inclusive ? next : exact;
        const auto mine = static_cast<uint64_t>(std::ldexp(sums[i], 34));
        const uint64_t off = mine > here ? mine - here : here - mine;
        const double ulp = here == 0 ? 1 : std::exp2(std::floor(std::log2(here)) - 23);
        most = std::fmax(most, static_cast<double>(off) / ulp);
        exact = next;
    }
    return most;
}

void is_accurate()
{
    setting how;
    for (const bool inclusive : {false, true}) {
        how.layout.inclusive = inclusive;
        const double mine = most_ulps(scanned<sum>(how), inclusive);
        const double plain = most_ulps(scanned<cuda_sum<float>>(how), inclusive);
        ok(mine <= 0.51 && plain > 1, "%s sums are %.4f units of the last place off, in f32 %.1f",
           inclusive ? "inclusive" : "exclusive", mine, plain);
    }
}

void has_the_same_bits()
{
    setting how;
    const std::vector<float> first = scanned<sum>(how);
    bool same = !first.empty();
    for (how.seed = 2; how.seed <= 7; how.seed++) {
        how.ctas = static_cast<unsigned>(how.seed);
        how.resident = how.seed % 2 == 0 ? 2 : ~0u;
        same = same && scanned<sum>(how) == first;
    }
    ok(same, "and have the same bits whatever the schedule");
}

/* ---- what the tunable takes -------------------------------------------------------------- */

/* Of sums, or another operator: which types accurate=1 is for, a bit for each. */
unsigned accepted(uint32_t op, bool wide)
{
    scan_host host = {};
    host.fail = recording_fail;
    unsigned types = 0;
    for (uint32_t type = 0; type < SCAN_DTYPE_COUNT; type++) {
        scan_problem problem = {};
        problem.struct_size = sizeof problem;
        problem.op = op;
        problem.dtype = type;
        problem.result = wide && type == SCAN_DTYPE_F32 ? SCAN_DTYPE_F64 + 1 : 0;
        const bool taken = cuda_accurate_supports(&host, &problem, 1) == SCAN_OK;
        if (cuda_accurate_supports(&host, &problem, 0) != SCAN_OK ||
            cuda_sums_accurately(&problem, 0))
            return 0;
        types |= (taken ? 1u : 0u) << type;
    }
    return types;
}

void refuses_what_it_cannot_keep()
{
    constexpr unsigned all = (1u << SCAN_DTYPE_COUNT) - 1, f32 = 1u << SCAN_DTYPE_F32;
    constexpr unsigned floats = f32 | 1u << SCAN_DTYPE_F64 | 1u << SCAN_DTYPE_F16 |
                                1u << SCAN_DTYPE_BF16 | 1u << SCAN_DTYPE_F32X2;
    ok(accepted(SCAN_OP_SUM, false) == ((all & ~floats) | f32), "sums of other floats are refused");
    ok(accepted(SCAN_OP_SUM, true) == (all & ~floats), "and those of f32 in f64");
    ok(accepted(SCAN_OP_MAX, false) == all && accepted(SCAN_OP_MIN, false) == all,
       "max and min are not");
    ok((accepted(SCAN_OP_AFFINE, false) & floats) == 0, "affine of floats is");
}

/* ---- broken on purpose ------------------------------------------------------------------- */

/* Totals of tiles are rounded to f32. */
struct float_totals : sum_words {
    static void store(word *to, unsigned launch, double total)
    {
        sum_words::store(to, launch, static_cast<float>(total));
    }
};

/* Each addition is rounded to f32. */
struct float_sum : sum {
    double operator()(double left, double right) const
    {
        return static_cast<float>(left + right);
    }
};

/* Results are rounded to a bit more than they have, and then to what they have. */
struct twice_rounded : sum {
    cuda_accurate_f32 narrow(double of) const
    {
        const double past = of * ((1 << 28) + 1.0);
        return {static_cast<float>(past - (past - of))};
    }
};

/* Results are cut off. */
struct cut_off : sum {
    cuda_accurate_f32 narrow(double of) const
    {
        const auto near = static_cast<float>(of);
        return {std::fabs(near) > std::fabs(of) ? std::nextafter(near, 0.0f) : near};
    }
};

/* What goes wrong in twenty tiles; "" if nothing does. */
template <typename Op, typename Words = sum_words> std::string find_fault()
{
    setting how;
    how.layout.inclusive = true;
    return scan<Op, 1, Words>(20 * lookahead_tile_elements<cuda_accurate_f32>(2, 1), how);
}

} // namespace

int main()
{
    tap_plan(3 + 3 + 4 + 5);
    rounds_once();
    is_accurate();
    has_the_same_bits();
    refuses_what_it_cannot_keep();
    report(find_fault<sum>(), "nothing is found in what is right");
    found(find_fault<sum, float_totals>(), "totals of tiles in f32");
    found(find_fault<float_sum>(), "sums in f32");
    found(find_fault<twice_rounded>(), "results rounded twice");
    found(find_fault<cut_off>(), "results cut off");
    return tap_done();
}
