/*
 * rows_test.cpp - the kernels of cuda_rows under the emulator
 *
 * The kernels are the source that nvcc compiles. They scan tensors of odd shapes under random
 * schedules. Whether the emulator would notice what is wrong is the matter of mutants_test.cpp.
 */
#include "emulated_rows.h"
#include "rows_beside.cuh"
#include "rows_places.h"

namespace
{

using setting = emulated_rows_setting;
using sum = cuda_sum<uint32_t>;

/* ---- right ------------------------------------------------------------------------------ */

/* Rows shorter than a vector, than a line, as long as a part of a tile, and longer than tiles. */
constexpr uint64_t LENGTHS[] = {1,   2,   3,   4,   5,   7,   8,   31,   63,   64,   127,
                                128, 129, 255, 256, 257, 509, 512, 1021, 1024, 1500, 2049};

setting odd_setting(uint64_t length, unsigned turn, unsigned element_bytes)
{
    setting how;
    const unsigned of_vector = 16 / element_bytes;
    how.length = length;
    how.rows = 1 + 1700 * (element_bytes < 4 ? 4 / element_bytes : 1) / length + turn % 3;
    how.seed = turn + length;
    how.layout.inclusive = turn % 2 == 0;
    how.layout.skew_in = turn % of_vector;
    how.layout.skew_out = turn % 5 == 0 ? 1 : how.layout.skew_in;
    how.layout.in_place = turn % 4 == 3;
    how.resident = turn % 3 == 2 ? 2 : ~0u;
    how.warps = 1 + turn % 4;
    how.ctas = 1 + turn % 5;
    return how;
}

/* Tiles of whole rows, linked tiles, and the pipeline. */
template <typename Op> std::string rows_of_any_length(Op op, emulated_kernel kernel)
{
    using T = typename Op::value;
    unsigned turn = 0;
    for (const uint64_t length : LENGTHS) {
        if (length < emulated_least_row<T>(kernel))
            continue;
        for (unsigned again = 0; again < (sizeof(T) <= 4 ? 2 : 1); again++, turn++) {
            setting how = odd_setting(length, turn, sizeof(T));
            const auto needed = static_cast<unsigned>(
                (length + 16 / sizeof(T) - 1) / (ROWS_PART_BYTES / sizeof(T)) + 1);
            if (kernel == EMULATED_WHOLE && how.warps < needed)
                how.warps = needed;
            const std::string wrong = emulated_rows_scan(op, kernel, how);
            if (!wrong.empty())
                return wrong;
        }
    }
    return "";
}

/* Strips of one column, of some, of a warp, of two widths; few positions, many, divided rows. */
template <typename Op> std::string columns_of_any_width(Op op, emulated_kernel kernel)
{
    unsigned turn = 0;
    const bool all = std::is_same_v<Op, cuda_sum<uint32_t>>;
    for (const uint64_t inner : {3, 17, 32, 40, 1, 2, 5, 16, 31, 33, 67, 133}) {
        if (inner == 1 && !all)
            break;
        for (const uint64_t length : {1, 7, 63, 65, 700}) {
            setting how = odd_setting(length, turn++, sizeof(typename Op::value));
            how.inner = inner;
            how.rows = 1 + turn % 4;
            how.fill = turn % 2 == 0 ? 2 : 9;
            const std::string wrong = emulated_rows_scan(op, kernel, how);
            if (!wrong.empty())
                return wrong;
        }
    }
    return "";
}

template <typename Op> void scans(Op op, const char *name)
{
    const std::string of = std::string(" ") + name + " is right";
    report(rows_of_any_length(op, EMULATED_WHOLE), ("whole rows:" + of).c_str());
    report(rows_of_any_length(op, EMULATED_LINKED), ("linked tiles:" + of).c_str());
    report(rows_of_any_length(op, EMULATED_LONG), ("the pipeline:" + of).c_str());
    report(columns_of_any_width(op, EMULATED_COLUMNS), ("columns:" + of).c_str());
    report(columns_of_any_width(op, EMULATED_ALONE), ("a column in a thread:" + of).c_str());
    report(columns_of_any_width(op, EMULATED_STREAM), ("columns that stream:" + of).c_str());
}

void scans_every_operator()
{
    scans(cuda_sum<uint32_t>(), "sum of 32-bit integers");
    scans(cuda_sum<uint64_t>(), "sum of 64-bit integers");
    scans(cuda_sum<float>(), "sum of floats");
    scans(cuda_sum<double>(), "sum of doubles");
    scans(cuda_max<int32_t>(), "max of i32");
    scans(cuda_min<uint32_t>(), "min of u32");
    scans(cuda_min<int64_t>(), "min of i64");
    scans(cuda_max<uint64_t>(), "max of u64");
    scans(cuda_min<float>(), "min of f32");
    scans(cuda_max<double>(), "max of f64");
    scans(cuda_affine<uint32_t>(), "affine on u32x2");
    scans(cuda_affine<float>(), "affine on f32x2");
    scans(cuda_sum<uint8_t>(), "sum of 8-bit integers");
    scans(cuda_sum<uint16_t>(), "sum of 16-bit integers");
    scans(cuda_max<int8_t>(), "max of i8");
    scans(cuda_min<int8_t>(), "min of i8");
    scans(cuda_max<uint8_t>(), "max of u8");
    scans(cuda_min<uint8_t>(), "min of u8");
    scans(cuda_max<int16_t>(), "max of i16");
    scans(cuda_min<int16_t>(), "min of i16");
    scans(cuda_max<uint16_t>(), "max of u16");
    scans(cuda_min<uint16_t>(), "min of u16");
    scans(cuda_sum<cuda_f16>(), "sum of f16");
    scans(cuda_max<cuda_f16>(), "max of f16");
    scans(cuda_sum<cuda_bf16>(), "sum of bf16");
    scans(cuda_min<cuda_bf16>(), "min of bf16");
}

/* Pairs of columns, which rows scan. */
template <typename Op> void scans_beside(Op op, const char *name)
{
    const rows_beside<Op> both = {op};
    const std::string of = std::string(" pairs, each side a ") + name;
    report(rows_of_any_length(both, EMULATED_WHOLE), ("whole rows of" + of).c_str());
    report(rows_of_any_length(both, EMULATED_LINKED), ("linked tiles of" + of).c_str());
    report(rows_of_any_length(both, EMULATED_LONG), ("the pipeline of" + of).c_str());
}

void scans_pairs_of_columns()
{
    scans_beside(cuda_sum<uint32_t>(), "sum of 32-bit integers");
    scans_beside(cuda_sum<float>(), "sum of floats");
    scans_beside(cuda_max<int32_t>(), "max of i32");
    scans_beside(cuda_min<uint32_t>(), "min of u32");
    scans_beside(cuda_min<float>(), "min of f32");
}

/* More rows than a grid's other dimensions have blocks. */
void scans_many_rows()
{
    setting how;
    how.rows = 65'600;
    how.length = 1;
    how.warps = 8;
    report(emulated_rows_scan(cuda_sum<uint32_t>(), EMULATED_WHOLE, how), "65,600 rows of one");
    how.length = 3;
    report(emulated_rows_scan(cuda_sum<uint32_t>(), EMULATED_LINKED, how), "of three, linked");
    how.length = 1;
    how.inner = 2;
    report(emulated_rows_scan(cuda_sum<uint32_t>(), EMULATED_COLUMNS, how), "of one pair");
}

/* A row of many tiles, whose totals fill several groups. */
void links_long_rows()
{
    setting how;
    how.rows = 2;
    how.length = 40'000;
    how.warps = 1;
    report(emulated_rows_scan(cuda_affine<uint32_t>(), EMULATED_LINKED, how),
           "a row of hundreds of linked tiles is right");
    how.length = 20'000;
    how.shape = {2, 1, 3};
    how.ctas = 12;
    report(emulated_rows_scan(cuda_affine<uint32_t>(), EMULATED_LONG, how),
           "a row of hundreds of tiles of the pipeline is right");
}

/* Sums that rounding makes depend on the order of additions. */
template <typename T> std::string bits_differ(emulated_kernel kernel, setting how)
{
    constexpr unsigned count = cuda_vector<T>::count;
    const uint64_t n = how.elements();
    std::vector<cuda_vector<T>> in(n / count + 1), out(n / count + 1), first;
    for (uint64_t i = 0; i < n; i++) {
        const float value = 1.0f / static_cast<float>(1 + emulated_bits(i) % 1000);
        cuda_set_element(in[i / count], i % count, cuda_narrow<T>(value));
    }
    for (how.seed = 1; how.seed <= 6; how.seed++) {
        how.resident = how.seed % 2 == 0 ? 2 : ~0u;
        how.ctas = static_cast<unsigned>(1 + how.seed % 4);
        emulated_rows<cuda_sum<T>> rows(
            {}, how,
            {reinterpret_cast<const T *>(in.data()), reinterpret_cast<T *>(out.data()), n, true});
        const std::string wrong = rows.launch(kernel);
        if (!wrong.empty())
            return wrong;
        if (how.seed == 1)
            first = out;
        if (memcmp(first.data(), out.data(), n * sizeof(T)) != 0)
            return "other bits with seed " + std::to_string(how.seed);
    }
    return "";
}

void rounds_always_alike()
{
    setting how;
    how.rows = 2;
    how.length = 4001;
    report(bits_differ<float>(EMULATED_LINKED, how),
           "float sums of linked tiles always have the same bits");
    report(bits_differ<float>(EMULATED_LONG, how), "so have those of the pipeline");
    report(bits_differ<cuda_bf16>(EMULATED_LONG, how), "also of bf16");
    how.inner = 5;
    how.fill = 9;
    report(bits_differ<float>(EMULATED_COLUMNS, how), "and those of divided columns");
}

/* ---- far away ----------------------------------------------------------------------------- */

/* Linked tiles from element 2^33 on, as if those before had been scanned. */
std::string far_tiles(uint64_t length, unsigned first)
{
    constexpr unsigned tile = ROWS_PART_BYTES / sizeof(uint32_t), tiles = 20;
    emulated_layout layout;
    layout.length = length;
    const cuda_sum<uint32_t> op;
    emulated_arrays<cuda_sum<uint32_t>> data(op, tile * tiles, layout);
    emulated_words<rows_link_words<uint32_t>> words(tiles);
    words.advance(tiles);
    const uint64_t before = static_cast<uint64_t>(first) * tile;
    const auto moved = [](const void *pointer, uint64_t bytes) {
        return reinterpret_cast<uintptr_t>(pointer) - bytes;
    };
    const cuda_arrays<uint32_t> arrays = {
        reinterpret_cast<uint32_t *>(moved(data.in, before * sizeof(uint32_t))),
        reinterpret_cast<uint32_t *>(moved(data.out, before * sizeof(uint32_t))),
        before + tile * tiles, false};
    const lookahead_control<uint64_t> control = {
        reinterpret_cast<uint64_t *>(moved(words.words.data(), first * sizeof(uint64_t))),
        &words.tickets,
        &words.failed_tile,
        first + tiles,
        words.turn.first_ticket - first,
        words.turn.launch,
        1000};
    const rows_matrix matrix = rows_matrix_of(length, 128);
    const std::string wrong = emulator::run({.blocks = tiles, .threads = 32}, [&] {
        rows_tile_scan<cuda_sum<uint32_t>, true, rows_link_words<uint32_t>, rows_rules>(
            op, arrays, matrix, 0, control);
    });
    return wrong.empty() ? data.compare() : wrong;
}

void reaches_far()
{
    report(finds_places<rows_matrix>(), "positions are those of 64-bit arithmetic, however far");
    report(far_tiles(1021, 1021 * 16'500), "rows beyond 2^33 elements are right");
    report(far_tiles(16'777'259, 16'777'259), "so is one that begins there");
}

/* ---- how a problem is divided ------------------------------------------------------------- */

bool holds(uint64_t length, bool aligned, unsigned warps, uint64_t rows)
{
    const rows_whole found = rows_whole_for(length, 4, aligned);
    if (found.warps == warps && found.elements == rows * length)
        return true;
    printf("# rows of %llu: %u warps, %llu elements\n", static_cast<unsigned long long>(length),
           found.warps, static_cast<unsigned long long>(found.elements));
    return false;
}

void divides_rows()
{
    ok(holds(8, true, 1, 64) && holds(1000, true, 2, 1) && holds(4096, true, 8, 1) &&
           holds(5000, true, 10, 1) && holds(9216, true, 18, 1) && holds(7, true, 1, 72),
       "a tile is of as many whole rows as fill the lanes of few warps");
    ok(holds(512, false, 7, 6) && holds(9216, false, 0, 0) && holds(9213, false, 18, 1),
       "where rows begin anywhere a vector is left over");
}

/* Every position of every column is in one span, and the words that are needed are there. */
std::string divides_columns(uint64_t rows, uint64_t n, uint64_t inner, unsigned resident)
{
    const rows_columns of = rows_columns_for(rows, n, inner, resident);
    const rows_strips &s = of.strips;
    const bool parted = s.parts > 1;
    const uint64_t spans = of.blocks / s.strips;
    const uint64_t together = static_cast<uint64_t>(of.warps) * ROWS_COLUMN_LINES * s.depth;
    const bool covers = parted ? spans == rows * s.parts && s.parts * s.span >= n &&
                                     (s.parts - 1) * s.span < n && s.span % together == 0
                               : spans * s.span >= rows * n && (spans - 1) * s.span < rows * n &&
                                     s.span % n == 0 && (s.span == n || s.span <= together);
    const bool fits = s.width * s.depth <= 32 && s.width * s.strips >= inner &&
                      s.width * (s.strips - 1) < inner && of.warps <= ROWS_MOST_COLUMN_WARPS &&
                      (s.span <= n || of.warps == 1);
    if (covers && fits && (!parted || of.blocks * s.width <= rows_column_words(resident)))
        return "";
    return std::to_string(rows) + " x " + std::to_string(n) + " x " + std::to_string(inner) +
           " on " + std::to_string(resident);
}

void divides_all_columns()
{
    std::string wrong;
    for (uint64_t i = 0; i < 20'000 && wrong.empty(); i++) {
        const auto some = [&](uint64_t which, unsigned most_bits) {
            const uint64_t bits = emulated_bits(4 * i + which);
            return 1 + (bits >> 5) % (UINT64_C(1) << bits % 32 % most_bits);
        };
        wrong = divides_columns(some(0, 12), some(1, 22), some(2, 12),
                                static_cast<unsigned>(some(3, 12)));
    }
    report(wrong, "columns of any shape are divided into spans");
}

/* A tile that nobody takes: whoever needs its total gives up, and all blocks end. */
void never_hangs()
{
    setting how;
    how.rows = 1;
    how.length = 9000;
    how.warps = 1;
    how.patience = 100;
    for (const emulated_kernel kernel : {EMULATED_LINKED, EMULATED_COLUMNS}) {
        how.inner = kernel == EMULATED_COLUMNS ? 2 : 1;
        how.fill = 9;
        emulated_arrays<sum> data({}, how.elements(), {});
        emulated_rows<sum> rows({}, how, {data.in, data.out, how.elements(), false});
        rows.words.turn = {1, 0, 0};
        rows.words.tickets = 1;
        const std::string wrong = rows.launch(kernel);
        ok(wrong.find("gave up") != std::string::npos, "who waits in vain gives up: %s",
           wrong.c_str());
    }
}

} // namespace

int main()
{
    tap_plan(26 * 6 + 5 * 3 + 3 + 2 + 4 + 3 + 3 + 2);
    scans_every_operator();
    scans_pairs_of_columns();
    scans_many_rows();
    links_long_rows();
    rounds_always_alike();
    reaches_far();
    divides_rows();
    divides_all_columns();
    never_hangs();
    return tap_done();
}
