/*
 * multi_test.cpp - the kernels of cuda_multi under the emulator, and whether the emulator would
 * notice
 *
 * The blocks of all parts' reductions and scans run in one launch, as on devices of their own: in
 * any order and at any speed, and what one stores reaches the others late. Then one rule is broken
 * at a time. At the end whole parts are loaded and launched as the plugin does it, one launch after
 * the other, as when they share a device.
 */
#include "multi_instances.cuh"
#include "multi_part.cuh"

#include "emulated_scan.h"
#include "emulated_words.h"
#include "scan_parts.h"

namespace
{

/* How one problem is run. */
struct setting {
    unsigned parts = 3;
    lookahead_shape shape = {1, 2, 3};
    bool looks_ahead = true;
    bool gathers = false;   /* as if by NCCL */
    bool in_turn = false;   /* reductions in a launch of their own */
    unsigned missing = ~0u; /* the part that is not reduced */
    unsigned blocks = 2;    /* of a reduction */
    unsigned ctas = 2;      /* of a look-ahead */
    unsigned runs = 1;
    unsigned patience = CUDA_PATIENCE;
    bool inclusive = false;
    bool in_place = false;
    unsigned skew = 0;
    uint64_t seed = 1;
    uint64_t most_steps = 100'000'000;
};

/* A problem's elements and result. */
template <typename Op> struct whole {
    using T = typename Op::value;
    std::vector<T> in, expected;

    whole(Op op, uint64_t n, bool inclusive)
    {
        T running = op.identity();
        for (uint64_t i = 0; i < n; i++) {
            T element;
            emulated_element(n + i, &element);
            const T next = op(running, element);
            in.push_back(element);
            expected.push_back(inclusive ? next : running);
            running = next;
        }
    }
};

/* A part's arrays, between guards. */
template <typename T> struct slice {
    static constexpr unsigned GUARD = 8;
    std::vector<cuda_vector<T>> room_in, room_out;
    uint64_t first, n;
    T *in, *out;

    slice(const std::vector<T> &from, uint64_t given_first, uint64_t given_n, const setting &how)
        : room_in(given_n + how.skew + 1), room_out(given_n + how.skew + 2 * GUARD + 1),
          first(given_first), n(given_n), in(room_in[0].element + how.skew % (16 / sizeof(T))),
          out(how.in_place ? in : room_out[0].element + GUARD + how.skew % (16 / sizeof(T)))
    {
        std::copy(from.begin() + static_cast<ptrdiff_t>(first),
                  from.begin() + static_cast<ptrdiff_t>(first + n), in);
    }

    std::string compare(const std::vector<T> &expected) const
    {
        for (uint64_t i = 0; i < n; i++)
            if (memcmp(&out[i], &expected[first + i], sizeof(T)) != 0)
                return "element " + std::to_string(first + i) + " is wrong";
        const T untouched = {};
        if (out != in && (memcmp(out - 1, &untouched, sizeof(T)) != 0 ||
                          memcmp(out + n, &untouched, sizeof(T)) != 0))
            return "wrote outside of the output";
        return "";
    }
};

/* What outlives a run. */
template <typename Op> struct devices {
    using T = typename Op::value;
    struct one {
        std::vector<multi_word<T>> carries;
        std::vector<uint64_t> totals;
        unsigned done = 0;
        unsigned first_done = 0;
        T sent;
        std::vector<T> gathered;
        emulated_words<lookahead_words<T>> ahead;
        emulated_words<lookback_words<T>> back;
        explicit one(unsigned parts)
            : carries(parts), totals(4096), sent(), gathered(parts), ahead(256), back(256)
        {
        }
    };
    std::vector<one> of;
    std::vector<multi_word<T> *> everyone;
    unsigned number = 0;

    explicit devices(unsigned parts)
    {
        for (unsigned p = 0; p < parts; p++)
            of.emplace_back(parts);
        for (unsigned p = 0; p < parts; p++)
            everyone.push_back(of[p].carries.data());
    }
};

/* A range of the launch's blocks, and what they do. */
struct work {
    unsigned blocks;
    std::function<void(unsigned block)> act;
};

std::string launch(const std::vector<work> &all, const setting &how)
{
    emulator::grid shape = {.blocks = 0, .threads = lookahead_threads(how.shape)};
    shape.seed = how.seed;
    shape.most_steps = how.most_steps;
    for (const work &one : all)
        shape.blocks += one.blocks;
    if (shape.blocks == 0)
        return "";
    return emulator::run(shape, [&] {
        unsigned block = blockIdx.x;
        const work *one = all.data();
        for (; block >= one->blocks; one++)
            block -= one->blocks;
        one->act(block);
    });
}

template <typename Op, typename Words, typename Rules>
work reduction_of(Op op, devices<Op> &self, unsigned p, const slice<typename Op::value> &data,
                  const setting &how)
{
    using T = typename Op::value;
    typename devices<Op>::one &own = self.of[p];
    const uint64_t piece = cuda_rows<Op, MULTI_ROWS>::elements;
    const unsigned warps = lookahead_threads(how.shape) / 32;
    const auto chunks = static_cast<unsigned>((data.n + 4) / (piece * warps * how.runs) + 1);
    const multi_reduction<T> control = {data.in,
                                        data.n,
                                        chunks,
                                        how.runs,
                                        own.totals.data(),
                                        &own.done,
                                        own.first_done,
                                        self.everyone.data(),
                                        p,
                                        how.parts,
                                        self.number,
                                        how.gathers ? &own.sent : nullptr};
    own.first_done += how.blocks;
    return {how.blocks, [=](unsigned block) {
                CUDA_SHARED(multi_shared<T>, shared);
                multi_reducer<Op, Rules>{op, control, shared}.run(block, how.blocks);
            }};
}

template <typename Op, typename Words>
work scan_of(Op op, devices<Op> &self, unsigned p, const slice<typename Op::value> &data,
             const setting &how)
{
    using T = typename Op::value;
    typename devices<Op>::one &own = self.of[p];
    const unsigned scanners =
        how.looks_ahead ? how.shape.scanners : lookahead_threads(how.shape) / 32;
    const uint64_t tile = lookahead_tile_elements<T>(scanners, 1);
    const auto tiles = static_cast<unsigned>((data.n + cuda_skew(data.in) + tile - 1) / tile);
    const cuda_arrays<T> arrays = {data.in, data.out, data.n, how.inclusive};
    const multi_carries<T> carries = {own.carries.data(),
                                      how.gathers ? own.gathered.data() : nullptr, p, self.number};
    if (!how.looks_ahead) {
        own.back.advance(tiles);
        const multi_lookback_control<T> control = {
            {own.back.words.data(), &own.back.tickets, &own.back.failed_tile,
             own.back.turn.first_ticket, own.back.turn.launch, 2, how.patience},
            carries};
        return {tiles, [=](unsigned) {
                    CUDA_SHARED(lookback_shared<T>, shared);
                    if (threadIdx.x == 0)
                        shared.tile = atomicAdd(control.tickets, 1u) - control.first_ticket;
                    __syncthreads();
                    lookback_tile<Op, 1, lookback_words<T>, multi_lookback_rules<Words>>(
                        op, arrays, control, shared.tile, shared);
                }};
    }
    const unsigned ctas = std::min(tiles, how.ctas);
    own.ahead.advance(tiles + ctas);
    const multi_lookahead_control<T> control = {
        {own.ahead.words.data(), &own.ahead.tickets, &own.ahead.failed_tile, tiles,
         own.ahead.turn.first_ticket, own.ahead.turn.launch, how.patience},
        carries};
    return {ctas, [=](unsigned) {
                CUDA_SHARED_BYTES(shared, how.shape.stages *
                                              lookahead_stage_bytes<T>(how.shape.scanners, 1));
                lookahead_cta<Op, 1, lookahead_words<T>, multi_lookahead_rules<Words>>(
                    op, arrays, control, how.shape, shared)
                    .run();
            }};
}

template <typename Op> std::string outcome_of(const devices<Op> &self)
{
    for (size_t p = 0; p < self.of.size(); p++)
        for (const unsigned tile : {self.of[p].ahead.failed_tile, self.of[p].back.failed_tile})
            if (tile == MULTI_NO_CARRY)
                return "part " + std::to_string(p) + " found no carry";
            else if (tile != CUDA_NO_TILE)
                return "part " + std::to_string(p) + ", a tile gave up";
    return "";
}

/* Scans n elements once. "" or what is wrong. */
template <typename Op, typename Words = cuda_system_words<typename Op::value>,
          typename Rules = multi_reduce_rules>
std::string scan(Op op, devices<Op> &self, uint64_t n, const setting &how)
{
    using T = typename Op::value;
    const whole<Op> problem(op, n, how.inclusive);
    std::vector<slice<T>> slices;
    std::vector<work> reductions, scans;
    self.number++;
    uint64_t first = 0;
    for (unsigned p = 0; p < how.parts; p++) {
        const uint64_t length = scan_parts_length(n, scan_parts_slice(n, how.parts), how.parts, p);
        slices.emplace_back(problem.in, first, length, how);
        first += length;
    }
    for (unsigned p = 0; p < how.parts; p++) {
        if (p + 1 < how.parts && slices[p + 1].n > 0 && p != how.missing)
            reductions.push_back(reduction_of<Op, Words, Rules>(op, self, p, slices[p], how));
        if (slices[p].n > 0)
            scans.push_back(scan_of<Op, Words>(op, self, p, slices[p], how));
    }
    std::string wrong;
    if (how.in_turn || how.gathers || how.in_place) {
        wrong = launch(reductions, how);
        for (unsigned p = 0; p < how.parts; p++)
            for (unsigned q = 0; q < how.parts; q++)
                self.of[q].gathered[p] = self.of[p].sent;
        reductions.clear();
    }
    reductions.insert(reductions.end(), scans.begin(), scans.end());
    wrong = wrong.empty() ? launch(reductions, how) : wrong;
    wrong = wrong.empty() ? outcome_of(self) : wrong;
    for (unsigned p = 0; p < how.parts && wrong.empty(); p++)
        wrong = slices[p].compare(problem.expected);
    return wrong.empty() ? ""
                         : wrong + " of " + std::to_string(n) + " in " + std::to_string(how.parts) +
                               " parts, seed " + std::to_string(how.seed);
}

template <typename Op> std::string scan_fresh(Op op, uint64_t n, const setting &how)
{
    devices<Op> self(how.parts);
    return scan(op, self, n, how);
}

/* ---- right ------------------------------------------------------------------------------ */

/* 1 to 8 parts, every `step`-th number of them, from empty slices to several tiles of each. */
template <typename Op> std::string in_parts(Op op, bool looks_ahead, unsigned step = 3)
{
    const uint64_t piece = cuda_rows<Op, MULTI_ROWS>::elements;
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
    const uint64_t chunk = cuda_rows<Op, MULTI_ROWS>::elements * 4;
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

/* ---- as the plugin launches them ---------------------------------------------------------- */

/* Parts on one emulated device, each with its memory; launches take place at once. */
template <typename Op> std::string launch_parts(Op op, uint64_t n, const multi_settings &settings)
{
    using T = typename Op::value;
    constexpr unsigned parts = 3;
    const cuda_limits limits = {2, emulator::SHARED_BYTES, 4 * emulator::SHARED_BYTES};
    const whole<Op> problem(op, n, true);
    const setting how;
    std::vector<multi_part<Op>> part(parts);
    std::vector<slice<T>> slices;
    std::vector<std::vector<cuda_two_words>> memory(parts);
    uint64_t tiles = 0;
    unsigned totals = 0;
    uint64_t first = 0;
    emulator::the_device().wrong.clear();
    for (unsigned p = 0; p < parts; p++) {
        const uint64_t length = scan_parts_length(n, scan_parts_slice(n, parts), parts, p);
        cuda_reason reason;
        if (part[p].load(limits, length, settings, &reason) != SCAN_OK)
            return reason.text;
        if (part[p].looks_ahead != (settings.method == MULTI_LOOKAHEAD))
            return "the other method";
        tiles = std::max(tiles, part[p].most_tiles());
        totals = std::max(totals, part[p].totals());
        slices.emplace_back(problem.in, first, length, how);
        first += length;
    }
    const multi_layout at = multi_layout_of<T>(parts, tiles, totals);
    for (unsigned p = 0; p < parts; p++) {
        memory[p].resize(at.bytes / sizeof(cuda_two_words) + 1);
        memset(memory[p].data(), 0xa5, at.bytes);
        memset(memory[p].data(), 0, at.cleared);
        part[p].memory = reinterpret_cast<char *>(memory[p].data());
        if (cuda_words_create(&part[p].words) != cudaSuccess)
            return "no words";
        cuda_words_use(&part[p].words, part[p].memory + at.words, at.bytes - at.words);
    }
    for (unsigned p = 0; p < parts; p++)
        for (unsigned q = 0; q < parts; q++)
            part[p].template at_place<multi_word<T> *>(at.everyone)[q] =
                part[q].template at_place<multi_word<T>>(at.carries);
    std::string wrong;
    for (unsigned run = 1; run <= 2 && wrong.empty(); run++) {
        for (unsigned p = 0; p + 1 < parts; p++)
            (void)part[p].reduce(op, slices[p].in, at, {run, p, parts, false}, nullptr);
        for (unsigned p = 0; p < parts; p++) {
            const cuda_arrays<T> arrays = {slices[p].in, slices[p].out, slices[p].n, true};
            (void)part[p].advance(arrays, nullptr);
            (void)part[p].scan(op, arrays, at, {run, p, parts, false}, nullptr);
            if (cuda_words_failed_tile(&part[p].words) != CUDA_NO_TILE)
                wrong = "a tile gave up";
        }
        if (!emulator::the_device().wrong.empty())
            wrong = emulator::the_device().wrong;
        for (unsigned p = 0; p < parts && wrong.empty(); p++)
            wrong = slices[p].compare(problem.expected);
    }
    for (unsigned p = 0; p < parts; p++)
        cuda_words_destroy(&part[p].words);
    return wrong;
}

void launches_parts()
{
    const multi_settings ahead = {MULTI_LOOKAHEAD, {32, MULTI_ROWS, 3, 1, 0, false}, {}};
    const multi_settings back = {MULTI_LOOKBACK, {}, {64, MULTI_LOOKBACK_ROWS, 32}};
    report(launch_parts(cuda_sum<uint32_t>(), 50'001, ahead), "parts are launched with look-ahead");
    report(launch_parts(cuda_affine<uint32_t>(), 20'001, ahead), "in order too");
    report(launch_parts(cuda_affine<uint32_t>(), 20'001, back), "with look-back");
    emulator::the_device().version = 80;
    multi_settings either = ahead;
    either.back = back.back;
    report(launch_parts(cuda_sum<float>(), 9'001, back), "before compute capability 9.0");
    ok(launch_parts(cuda_sum<float>(), 9'001, either) == "the other method",
       "which has no look-ahead");
    emulator::the_device().version = 90;
}

/* ---- broken on purpose ------------------------------------------------------------------- */

struct without_fence : multi_reduce_rules {
    static void fence()
    {
    }
};

/* Takes the totals of earlier runs for those of this one. */
struct numberless_words : cuda_system_words<uint32_t> {
    static bool is_there(const word &from, unsigned)
    {
        return from >> 32 != 0;
    }
};

/* Waits for nothing. */
struct hasty_words : cuda_system_words<uint32_t> {
    static bool is_there(const word &, unsigned)
    {
        return true;
    }
};

/* Takes the first half's number for both. */
struct half_checked_words : cuda_system_words<uint64_t> {
    static bool is_there(const word &from, unsigned number)
    {
        return from.first >> 32 == number;
    }
};

constexpr uint64_t MOST_SEEDS = 8;

/* What goes wrong under some seed, in two runs; "" if nothing does. */
template <typename T, typename Words = cuda_system_words<T>, typename Rules = multi_reduce_rules>
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
    found(find_fault<uint32_t, cuda_system_words<uint32_t>, without_fence>(),
          "no fence before a block is counted");
    found(find_fault<uint32_t, numberless_words>(), "totals without the run's number");
    found(find_fault<uint32_t, hasty_words>(), "totals that are not awaited");
    found(find_fault<uint64_t, half_checked_words>(), "one number of two checked");
}

} // namespace

int main()
{
    tap_plan(14 + 3 + 3 + 2 + 1 + 5 + 5);
    scans_every_operator();
    reduces_chunks();
    takes_any_layout();
    runs_again_and_again();
    never_hangs();
    launches_parts();
    mutants_are_found();
    return tap_done();
}
