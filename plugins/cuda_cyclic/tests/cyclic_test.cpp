/*
 * cyclic_test.cpp - the cyclic kernel on one to eight devices under the emulator, and whether the
 * emulator would notice
 *
 * The kernel is the source that nvcc compiles. It scans odd sizes in parts under random schedules,
 * with devices that lag behind, with totals that reach the others late, with parts that share a
 * device. Then one rule is broken at a time, and each time the emulator must find it.
 */
#include "parted_scan.h"

namespace
{

template <typename Op, unsigned LINES = 1>
std::string scan_fresh(Op op, uint64_t n, const parted_setting &how)
{
    parted_words<cyclic_words<typename Op::value>> self(how.parts, n / 32 + 2);
    return parted_scan<Op, LINES>(op, self, n, how);
}

/* ---- right ------------------------------------------------------------------------------ */

/* Around the edges of tiles and of rounds of tiles, both kinds. */
template <typename Op, unsigned LINES> std::string at_edges(Op op, parted_setting how)
{
    const uint64_t tile = lookahead_tile_elements<typename Op::value>(how.shape.scanners, LINES);
    const uint64_t round = how.parts * tile;
    for (const uint64_t n : {UINT64_C(1), tile, tile + 1, round - 1, round, round + 1,
                             2 * round + tile + 3, 5 * round - tile}) {
        how.seed++;
        how.inclusive = (how.seed + n) % 2 == 0;
        how.ctas = 1 + static_cast<unsigned>(how.seed % 3);
        const std::string wrong = scan_fresh<Op, LINES>(op, n, how);
        if (!wrong.empty())
            return wrong + ", n = " + std::to_string(n);
    }
    return "";
}

/* In as many parts, on as many devices. */
template <typename Op, unsigned LINES = 1>
std::string on_devices(Op op, unsigned parts, unsigned devices, const lookahead_shape &shape)
{
    parted_setting how;
    how.parts = parts;
    how.devices = devices;
    how.shape = shape;
    how.seed = parts * 10 + devices;
    return at_edges<Op, LINES>(op, how);
}

void scans_on_every_number_of_devices()
{
    const lookahead_shape small = {1, 1, 2};
    for (unsigned k = 1; k <= 8; k++)
        report(on_devices(cuda_sum<uint32_t>(), k, k, small),
               ("a part on each of " + std::to_string(k) + " devices is right").c_str());
}

/* On fewer devices than parts, down to one. */
void parts_share_devices()
{
    const lookahead_shape small = {1, 1, 2};
    report(on_devices(cuda_affine<uint32_t>(), 2, 1, small), "2 parts on one device are right");
    report(on_devices(cuda_sum<float>(), 5, 2, small), "5 parts on 2 devices are right");
    report(on_devices(cuda_sum<uint64_t>(), 8, 3, small), "8 parts on 3 devices are right");
    report(on_devices(cuda_sum<uint32_t>(), 32, 1, small), "32 parts on one device are right");
}

void scans_every_operator()
{
    const lookahead_shape one = {1, 2, 3};
    const lookahead_shape two = {2, 2, 3};
    report(on_devices(cuda_sum<uint32_t>(), 3, 3, one), "sums of 32-bit integers are right");
    report(on_devices(cuda_sum<uint64_t>(), 2, 2, one), "sums of 64-bit integers are right");
    report(on_devices(cuda_sum<float>(), 4, 4, two), "sums of floats are right");
    report(on_devices(cuda_sum<double>(), 3, 3, two), "sums of doubles are right");
    report(on_devices(cuda_max<int32_t>(), 2, 2, one), "max of i32 is right");
    report(on_devices(cuda_min<uint32_t>(), 3, 3, one), "min of u32 is right");
    report(on_devices(cuda_min<int64_t>(), 2, 2, one), "min of i64 is right");
    report(on_devices(cuda_max<uint64_t>(), 3, 3, one), "max of u64 is right");
    report(on_devices(cuda_min<float>(), 2, 2, one), "min of f32 is right");
    report(on_devices(cuda_max<double>(), 3, 3, one), "max of f64 is right");
    report(on_devices(cuda_affine<uint32_t>(), 3, 3, two), "affine on u32x2 is right");
    report(on_devices(cuda_affine<float>(), 4, 4, two), "affine on f32x2 is right");
}

/* {reducers, scanners, stages} */
void scans_every_shape()
{
    report(on_devices<cuda_sum<uint32_t>, 1>({}, 2, 2, {1, 1, 16}), "16 stages are right");
    report(on_devices<cuda_affine<uint32_t>, 4>({}, 2, 2, {2, 3, 2}), "3 scanners are right");
    report(on_devices<cuda_sum<uint32_t>, 1>({}, 2, 2, {1, 8, 3}), "8 scanners are right");
    report(on_devices<cuda_sum<double>, 8>({}, 2, 2, {2, 1, 3}), "8 lines are right");
}

/* More tiles than a look-ahead holds at once, with few CTAs and with many, of which few are
 * resident. */
void looks_far_ahead()
{
    parted_setting how;
    how.shape = {1, 1, 2};
    const uint64_t tile = lookahead_tile_elements<cuda_pair<uint32_t>>(1, 1);
    std::string wrong;
    for (const unsigned ctas : {1u, 6u, 20u}) {
        how.ctas = ctas;
        how.seed = ctas;
        how.resident = ctas == 20 ? 3 : ~0u;
        if (wrong.empty())
            wrong = scan_fresh(cuda_affine<uint32_t>(), (ctas == 1 ? 1700 : 400) * tile + 1, how);
    }
    report(wrong, "hundreds of tiles are right");
}

void writes_anywhere()
{
    parted_setting how;
    std::string wrong;
    for (unsigned i = 0; i < 4 && wrong.empty(); i++) {
        how.skew_out = i;
        how.seed++;
        wrong = scan_fresh(cuda_sum<float>(), 4000 + i, how);
    }
    how.skew_out = 0;
    how.in_place = true;
    for (how.parts = 1; how.parts <= 3 && wrong.empty(); how.parts++)
        wrong = scan_fresh(cuda_sum<uint32_t>(), 4001, how);
    report(wrong, "outputs of any alignment are written, also in place");
}

/* Many launches on the same words, which nothing clears: shorter, longer, with other values. The
 * host waits for all devices in between. */
template <typename T> std::string runs_again(unsigned launches, unsigned from, unsigned tickets)
{
    parted_setting how;
    how.parts = how.devices = 3;
    parted_words<cyclic_words<T>> self(how.parts, 100, tickets);
    self.turn.launch = from;
    std::string wrong;
    for (unsigned i = 0; i < launches && wrong.empty(); i++) {
        how.seed = i + 1;
        how.ctas = 1 + i % 4;
        how.inclusive = i % 2 == 0;
        wrong = parted_scan<cuda_sum<T>, 1>({}, self, 1 + (i * 1389) % 6900, how);
    }
    return wrong;
}

void runs_again_and_again()
{
    report(runs_again<uint32_t>(16, 0, 0), "words of earlier launches do not disturb");
    report(runs_again<double>(16, 0, 0), "nor do words of two halves");
    report(runs_again<uint32_t>(6, CUDA_MOST_LAUNCHES - 3, 0), "numbers of launches begin again");
    report(runs_again<uint64_t>(8, 7, ~0u - 20), "tickets wrap around");
}

/* A device that does not launch: the others give up, and end. */
void never_hangs()
{
    parted_setting how;
    how.parts = how.devices = 3;
    how.patience = 200;
    unsigned failed = 0;
    std::string wrong;
    for (how.seed = 1; how.seed <= 6; how.seed++) {
        parted_words<cyclic_words<uint32_t>> self(how.parts, 64);
        how.missing = static_cast<unsigned>(how.seed % 3);
        wrong = parted_scan<cuda_sum<uint32_t>, 1>({}, self, UINT64_C(256) * 40, how);
        failed += self.failed_tile < 64 && wrong.find("gave up") != std::string::npos;
    }
    ok(failed == 6, "who waits for another device in vain gives up: %s", wrong.c_str());
}

/* Sums that rounding makes depend on the order of additions. */
void rounds_always_alike()
{
    constexpr uint64_t n = 20'000;
    std::vector<float> first;
    std::string wrong;
    for (const unsigned parts : {1u, 2u, 3u, 7u}) {
        parted_setting how;
        how.parts = how.devices = parts;
        how.seed = parts;
        how.ctas = 1 + parts % 3;
        parted_words<cyclic_words<float>> self(parts, n);
        parted_arrays<cuda_sum<float>> data({}, n, lookahead_tile_elements<float>(2, 1), how);
        for (uint64_t i = 0; i < n; i++)
            *data.in_at(i) = 1.0f / static_cast<float>(1 + emulated_bits(i) % 1000);
        if (wrong.empty())
            wrong = parted_run<cuda_sum<float>, 1, cyclic_words<float>, lookahead_rules>({}, self,
                                                                                         data, how);
        std::vector<float> out(n);
        for (uint64_t i = 0; i < n; i++)
            out[i] = *data.out_at(i);
        if (first.empty())
            first = out;
        if (wrong.empty() && memcmp(first.data(), out.data(), n * sizeof(float)) != 0)
            wrong = "the bits differ in " + std::to_string(parts) + " parts";
    }
    report(wrong, "float sums have the same bits in any number of parts");
}

/* ---- broken on purpose ------------------------------------------------------------------- */

/* Takes the words of earlier launches for its own. */
struct numberless_words : cyclic_words<uint32_t> {
    static bool is_there(const word &from, unsigned)
    {
        return from >> 32 != 0;
    }
};

/* Takes the first half's number for both. */
struct half_checked_words : cyclic_words<uint64_t> {
    static bool is_there(const word &from, unsigned launch)
    {
        return from.first >> 32 == launch;
    }
};

/* cyclic_words with another control. */
template <typename Control> struct words_with : cyclic_words<uint32_t> {
    using control = Control;
};

/* The last part's copy does not get the totals of others. */
struct without_last_copy : cyclic_control<uint64_t> {
    template <typename Words, typename T> void publish(unsigned tile, T total) const
    {
        cyclic_control<uint64_t> few = *this;
        few.parts = part + 1 == parts ? parts : parts - 1;
        const unsigned lane = threadIdx.x % 32;
        total = cuda_shuffle_from(total, 31);
        if (lane < few.parts)
            Words::store(copy[lane] + number_of(tile), launch, total);
    }
};

/* Totals stay on their own device. */
struct without_peers : cyclic_control<uint64_t> {
    template <typename Words, typename T> void publish(unsigned tile, T total) const
    {
        if (threadIdx.x % 32 == 31)
            Words::store(copy[part] + number_of(tile), launch, total);
    }
};

/* The total of another lane than the last. */
struct without_shuffle : cyclic_control<uint64_t> {
    template <typename Words, typename T> void publish(unsigned tile, T total) const
    {
        if (threadIdx.x % 32 < parts)
            Words::store(copy[threadIdx.x % 32] + number_of(tile), launch, total);
    }
};

/* A part's tiles one behind the other, as if the parts were contiguous. */
struct own_tiles_only : cyclic_control<uint64_t> {
    unsigned number_of(unsigned tile) const
    {
        return tile;
    }
    template <typename Words, typename T> void publish(unsigned tile, T total) const
    {
        own().template publish<Words>(tile, total);
    }
    const cyclic_control<uint64_t> &own() const
    {
        return *this;
    }
};

/* The carry without the tiles of the same round in the parts before. */
struct whole_rounds_only : cyclic_control<uint64_t> {
    unsigned number_of(unsigned tile) const
    {
        return tile * parts;
    }
};

constexpr uint64_t MOST_SEEDS = 12;

/* What goes wrong under some seed, in two launches of some twenty tiles; "" if nothing does. */
template <typename T, typename Words> std::string find_fault(parted_setting how)
{
    std::string wrong;
    how.most_steps = 20'000'000;
    how.patience = 100'000;
    const uint64_t tile = lookahead_tile_elements<T>(how.shape.scanners, 1);
    for (how.seed = 1; how.seed <= MOST_SEEDS && wrong.empty(); how.seed++) {
        parted_words<Words> self(how.parts, 32);
        wrong = parted_scan<cuda_sum<T>, 1, Words>({}, self, 20 * tile, how);
        if (wrong.empty())
            wrong = parted_scan<cuda_sum<T>, 1, Words>({}, self, 19 * tile + 1, how);
    }
    return wrong;
}

void mutants_are_found()
{
    parted_setting how;
    how.parts = how.devices = 3;
    report(find_fault<uint32_t, cyclic_words<uint32_t>>(how), "nothing is found with all rules");
    found(find_fault<uint32_t, numberless_words>(how), "words without the launch's number");
    found(find_fault<uint64_t, half_checked_words>(how), "one number of two checked");
    found(find_fault<uint32_t, words_with<without_last_copy>>(how), "one copy is left out");
    found(find_fault<uint32_t, words_with<without_peers>>(how), "only the own copy is written");
    found(find_fault<uint32_t, words_with<without_shuffle>>(how), "a total of another lane");
    found(find_fault<uint32_t, words_with<own_tiles_only>>(how), "tiles of other parts forgotten");
    found(find_fault<uint32_t, words_with<whole_rounds_only>>(how), "a carry of whole rounds only");
    parted_setting shared;
    shared.parts = 4;
    shared.devices = 2;
    report(find_fault<uint32_t, cyclic_words<uint32_t>>(shared), "2 parts a device are right");
    shared.ctas = 1;
    shared.resident = 1;
    found(find_fault<uint32_t, cyclic_words<uint32_t>>(shared),
          "a part of which no CTA is resident");
}

} // namespace

int main()
{
    tap_plan(8 + 4 + 12 + 4 + 1 + 1 + 4 + 1 + 1 + 10);
    scans_on_every_number_of_devices();
    parts_share_devices();
    scans_every_operator();
    scans_every_shape();
    looks_far_ahead();
    writes_anywhere();
    runs_again_and_again();
    never_hangs();
    rounds_always_alike();
    mutants_are_found();
    return tap_done();
}
