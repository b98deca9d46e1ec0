/*
 * lookahead_test.cpp - the look-ahead kernel under the emulator, and whether the emulator would
 * notice
 *
 * The kernel is the source that nvcc compiles. It scans odd sizes under random schedules, with few
 * and with many CTAs, with stages that are loaded late and stored late. Then one of its rules is
 * broken at a time, and each time the emulator must find it.
 */
#include "emulated_lookahead.h"

#include "emulated_scan.h"
#include "lookahead_shape.h"

namespace
{

using setting = emulated_lookahead_setting;

unsigned taken_by[64]; /* tiles, by each CTA without tickets */
unsigned first_ticket; /* of the launch */

/* Launches once. "" or what is wrong, the output apart. */
template <typename Op, unsigned LINES, typename Words, typename Rules, typename T>
std::string launch(Op op, emulated_words<Words> &self, const cuda_arrays<T> &arrays,
                   const setting &how)
{
    std::fill(std::begin(taken_by), std::end(taken_by), 0u);
    return emulated_lookahead_launch<Op, LINES, Words, Rules>(op, self, arrays, how, &first_ticket);
}

/* Scans n elements once. "" or what is wrong. */
template <typename Op, unsigned LINES, typename Words, typename Rules = lookahead_rules>
std::string scan(Op op, emulated_words<Words> &self, uint64_t n, const setting &how)
{
    emulated_arrays<Op> data(op, n, how.layout);
    const cuda_arrays<typename Op::value> arrays = {data.in, data.out, n, how.layout.inclusive};
    const std::string wrong = launch<Op, LINES, Words, Rules>(op, self, arrays, how);
    return wrong.empty() ? data.compare() : wrong;
}

template <typename Op, unsigned LINES = 1>
std::string scan_fresh(Op op, uint64_t n, const setting &how)
{
    emulated_words<lookahead_words<typename Op::value>> self(n / 32 + 2);
    return scan<Op, LINES>(op, self, n, how);
}

/* ---- right ------------------------------------------------------------------------------ */

/* Around the edges of tiles, both kinds, few and many CTAs. */
template <typename Op, unsigned LINES>
std::string at_edges(Op op, const lookahead_shape &shape, uint64_t seeds)
{
    const uint64_t tile = lookahead_tile_elements<typename Op::value>(shape.scanners, LINES);
    setting how;
    how.shape = shape;
    for (how.seed = 1; how.seed <= seeds; how.seed++) {
        for (const uint64_t n : {UINT64_C(1), tile - 1, tile, tile + 1, 7 * tile + 3}) {
            how.layout.inclusive = (how.seed + n) % 2 == 0;
            how.ctas = how.seed % 3 == 0 ? 1 : how.seed % 3 == 1 ? 3 : 8;
            how.resident = how.seed % 2 == 0 ? 2 : ~0u;
            const std::string wrong = scan_fresh<Op, LINES>(op, n, how);
            if (!wrong.empty())
                return wrong;
        }
    }
    return "";
}

void scans_every_operator()
{
    const lookahead_shape one = {1, 2, 3};
    const lookahead_shape two = {2, 2, 3};
    report(at_edges<cuda_sum<uint32_t>, 1>({}, one, 18), "sums of 32-bit integers are right");
    report(at_edges<cuda_sum<uint64_t>, 1>({}, one, 18), "sums of 64-bit integers are right");
    report(at_edges<cuda_sum<float>, 1>({}, two, 12), "sums of floats are right");
    report(at_edges<cuda_sum<double>, 1>({}, two, 12), "sums of doubles are right");
    report(at_edges<cuda_extremum<int32_t>, 1>(cuda_max<int32_t>(), one, 12),
           "max of i32 is right");
    report(at_edges<cuda_extremum<uint32_t>, 1>(cuda_min<uint32_t>(), one, 12),
           "min of u32 is right");
    report(at_edges<cuda_extremum<int64_t>, 1>(cuda_min<int64_t>(), one, 12),
           "min of i64 is right");
    report(at_edges<cuda_extremum<uint64_t>, 1>(cuda_max<uint64_t>(), one, 12),
           "max of u64 is right");
    report(at_edges<cuda_extremum<float>, 1>(cuda_min<float>(), one, 12), "min of f32 is right");
    report(at_edges<cuda_extremum<double>, 1>(cuda_max<double>(), one, 12), "max of f64 is right");
    report(at_edges<cuda_affine<uint32_t>, 1>({}, two, 18), "affine on u32x2 is right");
    report(at_edges<cuda_affine<float>, 1>({}, two, 18), "affine on f32x2 is right");
}

void scans_narrow_types()
{
    const lookahead_shape one = {1, 2, 3};
    const lookahead_shape two = {2, 1, 2};
    report(at_edges<cuda_sum<uint8_t>, 1>({}, one, 12), "sums of 8-bit integers are right");
    report(at_edges<cuda_sum<uint8_t>, 4>({}, two, 6), "those of 4 lines, too");
    report(at_edges<cuda_sum<uint16_t>, 1>({}, one, 12), "sums of 16-bit integers are right");
    report(at_edges<cuda_extremum<int8_t>, 1>(cuda_max<int8_t>(), one, 12), "max of i8 is right");
    report(at_edges<cuda_extremum<int8_t>, 2>(cuda_min<int8_t>(), two, 6), "min of i8 is right");
    report(at_edges<cuda_extremum<uint8_t>, 1>(cuda_max<uint8_t>(), one, 6), "max of u8 is right");
    report(at_edges<cuda_extremum<uint8_t>, 1>(cuda_min<uint8_t>(), one, 6), "min of u8 is right");
    report(at_edges<cuda_extremum<int16_t>, 1>(cuda_max<int16_t>(), one, 6), "max of i16 is right");
    report(at_edges<cuda_extremum<int16_t>, 1>(cuda_min<int16_t>(), one, 6), "min of i16 is right");
    report(at_edges<cuda_extremum<uint16_t>, 1>(cuda_max<uint16_t>(), one, 6),
           "max of u16 is right");
    report(at_edges<cuda_extremum<uint16_t>, 1>(cuda_min<uint16_t>(), one, 6),
           "min of u16 is right");
}

void scans_half_types()
{
    const lookahead_shape one = {1, 2, 3};
    const lookahead_shape two = {2, 1, 2};
    report(at_edges<cuda_sum<cuda_f16>, 1>({}, one, 12), "sums of f16 are right");
    report(at_edges<cuda_sum<cuda_bf16>, 4>({}, two, 6), "sums of bf16, of 4 lines, are right");
    report(at_edges<cuda_extremum<cuda_f16>, 1>(cuda_max<cuda_f16>(), one, 6),
           "max of f16 is right");
    report(at_edges<cuda_extremum<cuda_f16>, 1>(cuda_min<cuda_f16>(), one, 6),
           "min of f16 is right");
    report(at_edges<cuda_extremum<cuda_bf16>, 1>(cuda_max<cuda_bf16>(), two, 6),
           "max of bf16 is right");
    report(at_edges<cuda_extremum<cuda_bf16>, 1>(cuda_min<cuda_bf16>(), two, 6),
           "min of bf16 is right");
}

/* {reducers, scanners, stages} */
void scans_every_shape()
{
    report(at_edges<cuda_sum<uint32_t>, 1>({}, {1, 1, 2}, 18), "2 stages are right");
    report(at_edges<cuda_sum<uint32_t>, 1>({}, {1, 1, 16}, 12), "16 stages are right");
    report(at_edges<cuda_sum<float>, 2>({}, {1, 2, 4}, 12), "2 lines are right");
    report(at_edges<cuda_affine<uint32_t>, 4>({}, {2, 3, 2}, 12), "4 lines, 3 scanners are right");
    report(at_edges<cuda_affine<uint32_t>, 8>({}, {2, 1, 3}, 12), "8 lines, 2 reducers are right");
    report(at_edges<cuda_sum<uint32_t>, 1>({}, {1, 9, 3}, 9), "9 scanners are right");
}

/* One warp, and words that are all there: steps of any length, among them none. */
template <typename Op> std::string adds_up_to(Op op, const std::vector<unsigned> &tiles)
{
    using T = typename Op::value;
    using words_type = lookahead_words<T>;
    std::vector<typename words_type::word> words(tiles.back());
    std::vector<T> prefix(1, op.identity());
    unsigned failed_tile = LOOKAHEAD_NO_TILE;
    std::vector<bool> right(tiles.size(), false);
    const lookahead_control<typename words_type::word> control = {
        words.data(), nullptr, &failed_tile, tiles.back(), 0, 1, 100};
    const std::string wrong = emulator::run({.blocks = 1, .threads = 32}, [&] {
        for (unsigned t = 0; t < tiles.back() && threadIdx.x == 0; t++) {
            T total;
            emulated_element(t, &total);
            words_type::store(&words[t], 1, total);
            prefix.push_back(op(prefix[t], total));
        }
        __syncwarp();
        lookahead_totals<Op, words_type> totals(control, op.identity());
        for (size_t i = 0; i < tiles.size(); i++) {
            const T found = totals.up_to(op, tiles[i]);
            right[i] = memcmp(&found, &prefix[tiles[i]], sizeof found) == 0;
        }
    });
    return !wrong.empty()                                                ? wrong
           : std::find(right.begin(), right.end(), false) != right.end() ? "a wrong total"
                                                                         : "";
}

void adds_up_totals()
{
    const std::vector<unsigned> tiles = {0,   0,   1,   31,  32,   33,   255,  256,
                                         257, 511, 512, 700, 1500, 1537, 3000, 3072};
    report(adds_up_to<cuda_sum<uint32_t>>({}, tiles), "totals of 4 bytes are added up");
    report(adds_up_to<cuda_sum<float>>({}, tiles), "totals of floats are added up");
    report(adds_up_to<cuda_affine<uint32_t>>({}, tiles), "totals are added up in order");
}

/* More tiles than a look-ahead holds at once. */
void looks_far_ahead()
{
    setting how;
    how.shape = {1, 1, 2};
    const uint64_t tile = lookahead_tile_elements<cuda_pair<uint32_t>>(1, 1);
    std::string wrong;
    for (const unsigned ctas : {2u, 12u, 40u}) {
        how.ctas = ctas;
        how.seed = ctas;
        if (wrong.empty())
            wrong = scan_fresh(cuda_affine<uint32_t>(), (ctas == 40 ? 100 : 300) * tile + 1, how);
    }
    report(wrong, "hundreds of tiles are right");
}

/* Input and output begin at each byte, or every second. */
template <typename Op> std::string takes_any_skew(Op op)
{
    constexpr unsigned of_vector = 16 / sizeof(typename Op::value);
    std::string wrong;
    setting how;
    for (unsigned i = 0; i < of_vector * of_vector && wrong.empty(); i++) {
        how.layout.skew_in = i / of_vector;
        how.layout.skew_out = i % of_vector;
        how.layout.inclusive = i % 3 == 0;
        how.seed = i + 1;
        const uint64_t tile = 64 * of_vector; /* of two scanners */
        const uint64_t sizes[] = {2 * tile - how.layout.skew_in, 1 + i % 40, 3 * tile + i % 17};
        wrong = scan_fresh(op, sizes[i % 3], how);
        if (!wrong.empty())
            wrong += ", skews " + std::to_string(how.layout.skew_in) + " and " +
                     std::to_string(how.layout.skew_out);
    }
    return wrong;
}

void takes_any_alignment()
{
    std::string wrong;
    setting how;
    for (unsigned i = 0; i < 16 && wrong.empty(); i++) {
        how.layout.skew_in = i / 4;
        how.layout.skew_out = i % 4;
        how.seed++;
        wrong = scan_fresh(cuda_sum<uint32_t>(), i < 8 ? 1500 : 512 - how.layout.skew_in, how);
        if (wrong.empty())
            wrong = scan_fresh(cuda_sum<float>(), 1 + i % 5, how);
        how.layout.in_place = i % 4 == 0;
        if (wrong.empty())
            wrong = scan_fresh(cuda_sum<float>(), 1517, how);
        how.layout.in_place = false;
        how.layout.skew_in %= 2;
        how.layout.skew_out %= 2;
        if (wrong.empty())
            wrong = scan_fresh(cuda_sum<uint64_t>(), 517, how);
    }
    report(wrong, "arrays of any alignment are scanned, also in place");
    report(takes_any_skew(cuda_sum<uint8_t>()), "sums of 8 bits may begin at any byte");
    report(takes_any_skew(cuda_min<uint8_t>()), "so may min");
    report(takes_any_skew(cuda_sum<uint16_t>()), "and those of 16 bits at every second");
    report(takes_any_skew(cuda_sum<cuda_f16>()), "also of floats");
}

/* Many launches on the same words, which nothing clears: shorter, longer, with other values. */
template <typename T> std::string runs_again(cuda_turn from, unsigned launches)
{
    setting how;
    emulated_words<lookahead_words<T>> self(40, from);
    std::string wrong;
    for (unsigned i = 0; i < launches && wrong.empty(); i++) {
        how.seed = i + 1;
        how.ctas = 1 + i % 5;
        how.layout.inclusive = i % 2 == 0;
        wrong = scan<cuda_sum<T>, 1>({}, self, 1 + (i * 389) % 1900, how);
    }
    return wrong;
}

void runs_again_and_again()
{
    report(runs_again<uint32_t>({}, 20), "words of earlier launches do not disturb");
    report(runs_again<double>({}, 20), "nor do words of two halves");
    report(runs_again<uint32_t>({CUDA_MOST_LAUNCHES - 3, 0, 0}, 8),
           "the numbers of launches begin again");
    report(runs_again<uint64_t>({7, ~0u - 20, 0}, 10), "tickets wrap around");
}

/* A tile that nobody takes: whoever needs its total gives up, and all CTAs end. */
void never_hangs()
{
    setting how;
    how.patience = 200;
    unsigned failed = 0;
    std::string wrong;
    for (how.seed = 1; how.seed <= 6; how.seed++) {
        emulated_words<lookahead_words<uint32_t>> self(64);
        self.turn = {1, 0, 0};
        self.tickets = 1;
        how.ctas = how.seed % 2 == 0 ? 3 : 30;
        wrong = scan<cuda_sum<uint32_t>, 1>({}, self, UINT64_C(256) * 40, how);
        failed += self.failed_tile < 64 && wrong.find("gave up") != std::string::npos;
    }
    ok(failed == 6, "who waits for a total in vain gives up: %s", wrong.c_str());
}

/* Sums that rounding makes depend on the order of additions. */
template <typename T> std::string rounds_alike()
{
    constexpr uint64_t n = 20'000;
    constexpr unsigned count = cuda_vector<T>::count;
    std::vector<cuda_vector<T>> in(n / count);
    std::vector<std::vector<cuda_vector<T>>> out;
    for (uint64_t i = 0; i < n; i++) {
        const float value = 1.0f / static_cast<float>(1 + emulated_bits(i) % 1000);
        cuda_set_element(in[i / count], i % count, cuda_narrow<T>(value));
    }
    setting how;
    std::string wrong;
    for (const unsigned ctas : {1u, 3u, 17u, 100u}) {
        emulated_words<lookahead_words<T>> self(n);
        how.ctas = ctas;
        how.seed = ctas;
        out.emplace_back(n / count);
        const cuda_arrays<T> arrays = {reinterpret_cast<const T *>(in.data()),
                                       reinterpret_cast<T *>(out.back().data()), n, true};
        if (wrong.empty())
            wrong =
                launch<cuda_sum<T>, 1, lookahead_words<T>, lookahead_rules>({}, self, arrays, how);
        if (wrong.empty() && memcmp(out[0].data(), out.back().data(), n * sizeof(T)) != 0)
            wrong = "the bits differ with " + std::to_string(ctas) + " CTAs";
    }
    return wrong;
}

void rounds_always_alike()
{
    report(rounds_alike<float>(), "float sums have the same bits with any number of CTAs");
    report(rounds_alike<cuda_f16>(), "so have those of f16");
}

/* ---- how a CTA is divided ------------------------------------------------------------------ */

const cuda_limits h200 = {132, 227 * 1024, 228 * 1024, 60 * 1024 * 1024};

unsigned stages_of(unsigned ctas, unsigned scanners)
{
    lookahead_settings wanted = {scanners * 32, 8, 0, 0, ctas, false};
    return lookahead_shape_for<uint32_t>(h200, wanted, scanners, 1).stages;
}

/* Warps that scan n elements of 4 bytes in tiles of at most 32 KiB, on one CTA per multiprocessor.
 */
unsigned scanners_for(uint64_t n, bool even)
{
    const lookahead_settings wanted = {256, 8, 0, 0, 1, even};
    unsigned resident[LOOKAHEAD_MOST_SCANNERS + 1];
    std::fill(std::begin(resident), std::end(resident), 132u);
    return lookahead_scanners_for<uint32_t>(wanted, n, resident);
}

bool evicts(uint64_t n)
{
    return lookahead_evicts_input(h200, {}, n * sizeof(uint32_t));
}

void divides_ctas()
{
    ok(stages_of(0, 8) == 7 && stages_of(1, 8) == 7 && stages_of(2, 8) == 3 &&
           stages_of(3, 8) == 2 && stages_of(4, 4) == 3 && stages_of(1, 1) == 16,
       "the CTAs of a multiprocessor share its memory");
    ok(lookahead_fullness(10'000'000, 8192, 132) == 92 &&
           lookahead_fullness(10'000'000, 5120, 132) == 98 && lookahead_fullness(0, 32, 132) == 100,
       "the last round leaves some CTAs without a tile");
    ok(scanners_for(10'000'000, false) == 8 && scanners_for(10'000'000, true) == 5,
       "smaller tiles divide 10^7 elements more evenly");
    ok(!evicts(7'800'000) && evicts(8'000'000) && evicts(10'000'000) && !evicts(12'000'000),
       "the input leaves the cache first where an array fills half to two thirds of it");
    ok(scanners_for(100'000'000, true) == 8 && scanners_for(0, true) == 8 &&
           scanners_for(1000, true) == 8,
       "where nothing is gained the tiles stay large");
}

/* ---- broken on purpose ------------------------------------------------------------------- */

/* Reducers and scanners believe that the tile is in the stage when its copy has begun. */
struct without_announcement : lookahead_rules {
    static void announce(cuda_phases *loaded, unsigned)
    {
        cuda_phases_announce(loaded, 0);
    }
};

/* The stage is loaded while it is still being stored. */
struct without_drain : lookahead_rules {
    static void wait_stored(bool)
    {
    }
};

/* The stage is loaded while it is still needed. */
struct without_free : lookahead_rules {
    static void wait_free(cuda_phases *, unsigned)
    {
    }
};

struct without_ready : lookahead_rules {
    static void wait_ready(cuda_phases *, unsigned)
    {
    }
};

struct without_fence : lookahead_rules {
    static void fence()
    {
    }
};

/* CTA b of c takes the tiles b, b + c, b + 2c, ... whether the others run or not. */
struct without_tickets : lookahead_rules {
    static unsigned take(unsigned *tickets)
    {
        atomicAdd(tickets, 1u);
        return first_ticket + taken_by[blockIdx.x]++ * gridDim.x + blockIdx.x;
    }
};

/* Takes the words of earlier launches for its own. */
struct numberless_words : lookahead_words<uint32_t> {
    static bool is_there(const word &from, unsigned)
    {
        return from >> 32 != 0;
    }
};

/* Takes the first half's number for both. */
struct half_checked_words : lookahead_words<uint64_t> {
    static bool is_there(const word &from, unsigned launch)
    {
        return from.first >> 32 == launch;
    }
};

/* Totals of 16 bits. */
template <typename T> struct half_totals : lookahead_words<T> {
    static void store(typename lookahead_words<T>::word *to, unsigned launch, float total)
    {
        lookahead_words<T>::store(to, launch, cuda_widen(cuda_narrow<T>(total)));
    }
};

constexpr uint64_t MOST_SEEDS = 20;

/* What goes wrong under some seed, in two launches of twenty tiles; "" if nothing does. */
template <typename T, typename Words, typename Rules> std::string find_fault(setting how)
{
    std::string wrong;
    how.most_steps = 20'000'000;
    how.patience = 500'000;
    for (how.seed = 1; how.seed <= MOST_SEEDS && wrong.empty(); how.seed++) {
        emulated_words<Words> self(32);
        const uint64_t tile = lookahead_tile_elements<T>(how.shape.scanners, 1);
        wrong = scan<cuda_sum<T>, 1, Words, Rules>({}, self, 20 * tile, how);
        if (wrong.empty())
            wrong = scan<cuda_sum<T>, 1, Words, Rules>({}, self, 19 * tile + 1, how);
    }
    return wrong;
}

template <typename Rules> std::string find_fault_of_rules(const setting &how = {})
{
    return find_fault<uint32_t, lookahead_words<uint32_t>, Rules>(how);
}

/* What the head of lookahead_kernel.cuh and docs/scans.md say: the reducers' n, 4 1/4 n as a
 * look-back, and for each tile, here of one part, its total and those before it. */
void counts_its_work()
{
    constexpr uint64_t n = 1 << 16;
    const uint64_t tiles = n / lookahead_tile_elements<uint32_t>(1, 8);
    uint64_t count = 0;
    setting how;
    how.shape = {1, 1, 2};
    std::string wrong = scan_fresh<emulated_counted_sum, 8>(emulated_counted_sum(&count), n, how);
    count -= n; /* the expected result */
    if (wrong.empty() && (4 * count < 21 * n || 4 * count > 21 * n + 4000 * tiles))
        wrong = std::to_string(count) + " additions for " + std::to_string(n) + " elements";
    report(wrong, "work is 5 1/4 n, and less than 1000 additions for each tile");
}

void mutants_are_found()
{
    report(find_fault_of_rules<lookahead_rules>(), "nothing is found with all rules");
    found(find_fault_of_rules<without_announcement>(), "totals published before the tile is there");
    found(find_fault_of_rules<without_drain>(), "a stage loaded before it is stored");
    found(find_fault_of_rules<without_free>(), "a stage loaded before it is free");
    found(find_fault_of_rules<without_ready>(), "a prefix used before it is there");
    found(find_fault_of_rules<without_fence>(), "no fence before the bulk store");
    found(find_fault<uint32_t, numberless_words, lookahead_rules>({}),
          "words without the launch's number");
    found(find_fault<uint64_t, half_checked_words, lookahead_rules>({}),
          "one number of two checked");
    found(find_fault<cuda_f16, half_totals<cuda_f16>, lookahead_rules>({}),
          "totals of f16 rounded to it");
    found(find_fault<cuda_bf16, half_totals<cuda_bf16>, lookahead_rules>({}),
          "totals of bf16 rounded to it");
    setting few;
    few.resident = 2;
    report(find_fault_of_rules<lookahead_rules>(few), "with tickets few resident CTAs are enough");
    report(find_fault_of_rules<without_tickets>({}),
           "without them all is well while every CTA is resident");
    found(find_fault_of_rules<without_tickets>(few), "no tickets, few resident CTAs");
}

} // namespace

int main()
{
    tap_plan(12 + 11 + 6 + 6 + 3 + 1 + 5 + 4 + 1 + 2 + 5 + 1 + 13);
    scans_every_operator();
    scans_narrow_types();
    scans_half_types();
    scans_every_shape();
    adds_up_totals();
    looks_far_ahead();
    takes_any_alignment();
    runs_again_and_again();
    never_hangs();
    rounds_always_alike();
    divides_ctas();
    counts_its_work();
    mutants_are_found();
    return tap_done();
}
