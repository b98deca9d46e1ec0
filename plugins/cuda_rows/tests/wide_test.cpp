/*
 * wide_test.cpp - rows and columns of sums wider than their elements, under the emulator: every
 * pair of types, every kernel, any alignment; and mistakes that must be found
 */
#include "emulated_rows.h"

namespace
{

using setting = emulated_rows_setting;

/* Rows shorter than a vector, as long as a part of a tile, and longer than tiles; columns. */
struct shape {
    uint64_t rows, length, inner;
};
constexpr shape ROWS[] = {{2000, 1, 1}, {700, 3, 1},  {300, 7, 1},  {100, 31, 1}, {40, 64, 1},
                          {17, 129, 1}, {7, 257, 1},  {5, 509, 1},  {4, 512, 1},  {3, 1021, 1},
                          {2, 1500, 1}, {1, 5000, 1}, {65, 1000, 1}};
constexpr shape COLUMNS[] = {{3, 7, 3},    {2, 65, 17},  {4, 63, 32}, {1, 700, 40}, {3, 65, 2},
                             {1, 2000, 5}, {2, 33, 133}, {5, 1, 67},  {1, 3000, 1}};

/* From and its results begin anywhere. */
template <typename Op, typename From> setting setting_of(const shape &of, unsigned turn)
{
    setting how;
    how.rows = of.rows;
    how.length = of.length;
    how.inner = of.inner;
    how.seed = turn + 1;
    how.layout.inclusive = turn % 2 == 0;
    how.layout.skew_in = turn * 5 % (16 / sizeof(From));
    how.layout.skew_out = turn * 3 % (16 / sizeof(typename Op::value));
    how.resident = turn % 3 == 2 ? 2 : ~0u;
    how.warps = 1 + turn % 4;
    how.ctas = 1 + turn % 5;
    how.fill = turn % 2 == 0 ? 2 : 9;
    return how;
}

template <typename Op, typename From, typename Shapes>
std::string scan_all(emulated_kernel kernel, const Shapes &shapes)
{
    constexpr unsigned of_part = ROWS_PART_BYTES / sizeof(typename Op::value);
    constexpr unsigned of_vector = 16 / sizeof(typename Op::value);
    std::string wrong;
    unsigned turn = sizeof(From) + sizeof(typename Op::value);
    for (const shape &of : shapes) {
        setting how = setting_of<Op, From>(of, turn++);
        const auto needed = static_cast<unsigned>((of.length + of_vector - 1) / of_part + 1);
        if (kernel == EMULATED_WHOLE && how.warps < needed)
            how.warps = needed;
        const bool takes = kernel == EMULATED_WHOLE
                               ? needed <= ROWS_MOST_WARPS
                               : of.length >= emulated_least_row<typename Op::value>(kernel);
        if (wrong.empty() && takes)
            wrong = emulated_rows_scan<Op, emulated_parts_of_rows<Op>, From>({}, kernel, how);
    }
    return wrong;
}

template <typename Op, typename From> void scans(const char *name)
{
    const std::string of = std::string(" ") + name + " are right";
    report(scan_all<Op, From>(EMULATED_WHOLE, ROWS), ("whole rows:" + of).c_str());
    report(scan_all<Op, From>(EMULATED_LINKED, ROWS), ("linked tiles:" + of).c_str());
    report(scan_all<Op, From>(EMULATED_LONG, ROWS), ("the pipeline:" + of).c_str());
    report(scan_all<Op, From>(EMULATED_COLUMNS, COLUMNS), ("columns:" + of).c_str());
    report(scan_all<Op, From>(EMULATED_ALONE, COLUMNS), ("a column in a thread:" + of).c_str());
}

void scans_every_pair()
{
    scans<cuda_sum<uint32_t>, int8_t>("sums of i8 in i32");
    scans<cuda_sum<uint32_t>, uint8_t>("sums of u8 in u32");
    scans<cuda_sum<uint32_t>, int16_t>("sums of i16 in i32");
    scans<cuda_sum<uint32_t>, uint16_t>("sums of u16 in u32");
    scans<cuda_sum<uint64_t>, int32_t>("sums of i32 in i64");
    scans<cuda_sum<uint64_t>, uint32_t>("sums of u32 in u64");
    scans<cuda_sum<double>, float>("sums of f32 in f64");
    scans<cuda_sum<float>, cuda_f16>("sums of f16 in f32");
    scans<cuda_sum<float>, cuda_bf16>("sums of bf16 in f32");
}

/* ---- broken on purpose ------------------------------------------------------------------- */

/* Totals that are as narrow as the elements. */
template <typename T, typename Narrow> struct narrow_words : rows_link_words<T> {
    static void store(typename rows_link_words<T>::word *to, unsigned launch, T total)
    {
        rows_link_words<T>::store(to, launch, static_cast<T>(static_cast<Narrow>(total)));
    }
};

template <typename Op, typename Narrow> struct narrow_totals : emulated_parts_of_rows<Op> {
    using words = narrow_words<typename Op::value, Narrow>;
};

/* An operator whose results are no wider than the elements. */
template <typename T, typename Narrow> struct narrow_sum : cuda_sum<T> {
    T operator()(T left, T right) const
    {
        return static_cast<Narrow>(left + right);
    }
};

template <typename Op, typename Parts, typename From, typename Read = From>
std::string find_fault(emulated_kernel kernel)
{
    setting how;
    how.rows = 2;
    how.length = 6000;
    how.inner = kernel == EMULATED_COLUMNS || kernel == EMULATED_ALONE ? 3 : 1;
    how.warps = kernel == EMULATED_WHOLE ? 17 : 1;
    how.fill = 9;
    how.patience = 500'000;
    std::string wrong;
    for (how.seed = 1; how.seed <= 6 && wrong.empty(); how.seed++)
        wrong = emulated_rows_scan<Op, Parts, From, Read>({}, kernel, how);
    return wrong;
}

/* The output, by other sums than those that the test expects. */
template <typename Broken, typename Op, typename From>
std::string find_narrow_sum(emulated_kernel kernel)
{
    setting how;
    how.rows = 3;
    how.length = 700;
    how.layout.length = how.length;
    how.warps = 4;
    emulated_arrays<Op, From> data({}, how.elements(), how.layout);
    emulated_rows<Broken, emulated_parts_of_rows<Broken>, From> rows(
        {}, how, {data.in, data.out, how.elements(), false});
    const std::string wrong = rows.launch(kernel);
    return wrong.empty() ? data.compare() : wrong;
}

void mutants_are_found()
{
    using in_32 = cuda_sum<uint32_t>;
    using in_64 = cuda_sum<uint64_t>;
    using in_f32 = cuda_sum<float>;
    using in_f64 = cuda_sum<double>;
    for (const emulated_kernel kernel : {EMULATED_WHOLE, EMULATED_LINKED, EMULATED_LONG}) {
        report(find_fault<in_32, emulated_parts_of_rows<in_32>, int8_t>(kernel),
               "nothing is found as it is");
        found(find_fault<in_32, emulated_parts_of_rows<in_32>, int8_t, uint8_t>(kernel),
              "signs that are lost");
        found(find_fault<in_f32, emulated_parts_of_rows<in_f32>, cuda_bf16, cuda_f16>(kernel),
              "bf16 read as f16");
        found(find_narrow_sum<narrow_sum<uint32_t, int8_t>, in_32, int8_t>(kernel),
              "an accumulator as narrow as the input");
        found(find_narrow_sum<narrow_sum<double, float>, in_f64, float>(kernel), "sums in f32");
    }
    for (const emulated_kernel kernel : {EMULATED_LINKED, EMULATED_LONG, EMULATED_COLUMNS}) {
        report(find_fault<in_64, emulated_parts_of_rows<in_64>, uint32_t>(kernel),
               "nothing is found in totals of 64 bits");
        found(find_fault<in_64, narrow_totals<in_64, uint32_t>, uint32_t>(kernel),
              "totals in 32 bits");
        found(find_fault<in_f64, narrow_totals<in_f64, float>, float>(kernel), "totals in f32");
    }
    for (const emulated_kernel kernel : {EMULATED_COLUMNS, EMULATED_ALONE})
        found(find_fault<in_32, emulated_parts_of_rows<in_32>, int16_t, uint16_t>(kernel),
              "signs that are lost in columns");
}

} // namespace

int main()
{
    tap_plan(9 * 5 + 3 * 5 + 3 * 3 + 2);
    scans_every_pair();
    mutants_are_found();
    return tap_done();
}
