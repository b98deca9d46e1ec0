/*
 * scan_cuda_test.cpp - the library of scan_cuda.h on the emulated device: which method it chooses,
 * what each of them scans, and what becomes of memory that others have used
 *
 * The library is the source that nvcc compiles, and so are the kernels. The table is one of small
 * tiles, so that few elements are enough for each method.
 */
#include "scan_cuda.cu"

#include "lookahead_instances.cuh"
#include "lookback_instances.cuh"
#include "rows_instances.cuh"
#include "single_instances.cuh"
#include "wave_instances.cuh"

#include "emulated_scan.h"
#include "emulated_words.h"

namespace
{

/* ---- a table of small tiles ----------------------------------------------------------- */

const single_shape few_threads = {32, 0, 0};
const lookback_settings one_warp_back = {32, 0, 64};
const lookahead_settings one_warp_ahead = {32, 1, 3, 0, 0, false};
const rows_settings few_linked = {ROWS_BY_SHAPE, {32, 0, 3, 0, 0, false}, 50'000};

const wave_settings one_wave = {1024, 0, 1, false};

scan_choice choice_of(uint64_t most_bytes, scan_cuda_method method)
{
    return {most_bytes, method, few_threads, one_warp_back, one_warp_ahead, few_linked, one_wave};
}

scan_choice wave_together(uint64_t most_bytes)
{
    scan_choice choice = choice_of(most_bytes, SCAN_CUDA_WAVE);
    choice.wave.together = true;
    return choice;
}

const scan_choice all_methods[] = {choice_of(1000, SCAN_CUDA_SINGLE), wave_together(4000),
                                   choice_of(7000, SCAN_CUDA_LOOKBACK),
                                   choice_of(SCAN_ANY_BYTES, SCAN_CUDA_LOOKAHEAD)};
const scan_choice in_order[] = {choice_of(1000, SCAN_CUDA_SINGLE), choice_of(5000, SCAN_CUDA_WAVE),
                                choice_of(SCAN_ANY_BYTES, SCAN_CUDA_LOOKAHEAD)};
const scan_choice older[] = {choice_of(1000, SCAN_CUDA_SINGLE),
                             choice_of(SCAN_ANY_BYTES, SCAN_CUDA_LOOKBACK)};
const scan_choice asked[] = {
    choice_of(SCAN_ANY_BYTES, SCAN_CUDA_SINGLE), choice_of(SCAN_ANY_BYTES, SCAN_CUDA_LOOKBACK),
    choice_of(SCAN_ANY_BYTES, SCAN_CUDA_LOOKAHEAD), choice_of(SCAN_ANY_BYTES, SCAN_CUDA_ROWS),
    choice_of(SCAN_ANY_BYTES, SCAN_CUDA_WAVE)};
const scan_table small_table = {{all_methods, 4}, {in_order, 3}, {older, 2}, {older, 1}, asked};

constexpr uint64_t MOST_N = 3000;
constexpr unsigned PATIENCE = 100'000; /* so that a broken library fails soon */

/* A plan, and memory for it that is full of rubbish: words of a launch that is yet to come. */
struct planned {
    scan_cuda_plan *plan = nullptr;
    std::vector<cuda_two_words> memory;
    std::string wrong;

    explicit planned(const scan_cuda_problem &problem)
    {
        cuda_reason reason;
        if (scan_plan_make(small_table, problem, &plan, &reason) != SCAN_OK) {
            wrong = reason.text;
            return;
        }
        plan->words.patience = PATIENCE;
        memory.resize(scan_cuda_plan_bytes(plan) / sizeof(cuda_two_words) + 1);
        fill_with_rubbish();
    }
    ~planned()
    {
        scan_cuda_plan_destroy(plan);
    }
    planned(const planned &) = delete;
    planned &operator=(const planned &) = delete;

    size_t bytes() const
    {
        return memory.size() * sizeof(cuda_two_words);
    }
    void fill_with_rubbish()
    {
        constexpr uint64_t first_launch =
            static_cast<uint64_t>(1u << 2 | LOOKBACK_PREFIX) << 32 | 99;
        for (size_t i = 0; i < memory.size(); i++)
            memory[i] = {i % 3 == 0 ? ~UINT64_C(0) : first_launch, first_launch + i % 2};
        use();
    }
    void use()
    {
        scan_cuda_error error;
        if (scan_cuda_plan_use(plan, memory.data(), bytes(), &error) != SCAN_CUDA_OK)
            wrong = error.text;
    }
};

scan_cuda_problem problem_of(scan_cuda_type type, scan_cuda_op op, uint64_t most_n = MOST_N)
{
    return {type, op, SCAN_CUDA_EXCLUSIVE, SCAN_CUDA_BY_TABLE, 0, most_n, 0, 0};
}

/* Scans n elements, of each row and column, once. "" or what is wrong. */
template <typename Op, typename From = typename Op::value>
std::string scan(scan_cuda_plan *plan, Op op, uint64_t n, emulated_layout layout)
{
    layout.inclusive = plan->problem.kind == SCAN_CUDA_INCLUSIVE;
    layout.length = n;
    layout.inner = plan->problem.inner;
    emulated_arrays<Op, From> data(op, n * plan->problem.rows * plan->problem.inner, layout);
    scan_cuda_error error;
    emulator::the_device().wrong.clear();
    if (scan_cuda_plan_run(plan, data.in, data.out, n, nullptr, &error) != SCAN_CUDA_OK)
        return error.text;
    if (!emulator::the_device().wrong.empty())
        return emulator::the_device().wrong;
    if (scan_cuda_plan_check(plan, &error) != SCAN_CUDA_OK)
        return error.text;
    return data.compare();
}

bool is_invalid(scan_cuda_plan *plan, const void *in, void *out, uint64_t n, const char *text)
{
    scan_cuda_error error = {};
    const scan_cuda_status status = scan_cuda_plan_run(plan, in, out, n, nullptr, &error);
    if (status == SCAN_CUDA_INVALID && strstr(error.text, text) != nullptr)
        return true;
    printf("# status %d: %s\n", +status, error.text);
    return false;
}

scan_cuda_status create(const scan_cuda_problem &problem)
{
    cuda_reason reason;
    scan_cuda_plan *plan = nullptr;
    const scan_status status = scan_plan_make(small_table, problem, &plan, &reason);
    if (status == SCAN_OK)
        scan_cuda_plan_destroy(plan);
    return static_cast<scan_cuda_status>(+status);
}

/* ---- which method ---------------------------------------------------------------------- */

/* With the table that programs get. */
bool chooses(const scan_cuda_problem &problem, uint64_t n, scan_cuda_method expected)
{
    scan_cuda_plan *plan = nullptr;
    scan_cuda_error error;
    if (scan_cuda_plan_create(&problem, &plan, &error) != SCAN_CUDA_OK) {
        printf("# %s\n", error.text);
        return expected == SCAN_CUDA_METHODS;
    }
    const scan_cuda_method found = scan_cuda_plan_method(plan, n);
    scan_cuda_plan_destroy(plan);
    if (found != expected)
        printf("# n = %llu: method %d\n", static_cast<unsigned long long>(n), +found);
    return found == expected;
}

/* Every choice is for more bytes than the one before. */
bool ascends(const scan_choices &choices, bool to_the_end)
{
    for (unsigned i = 1; i < choices.count; i++)
        if (choices.at[i].most_bytes <= choices.at[i - 1].most_bytes)
            return false;
    const bool ends = choices.at[choices.count - 1].most_bytes == SCAN_ANY_BYTES;
    return choices.count <= SCAN_MOST_CHOICES && ends == to_the_end;
}

void tables_are_sound()
{
    const scan_table &table = scan_table_measured;
    ok(ascends(table.with_bulk_copies, true) && ascends(table.with_bulk_copies_in_order, true) &&
           ascends(table.without, true) && ascends(table.without_in_order, false),
       "the choices of the table ascend, and reach to any n where a method does");
    bool sound = true;
    for (unsigned method = SCAN_CUDA_SINGLE; method < SCAN_CUDA_METHODS; method++)
        sound = sound && table.asked[method - SCAN_CUDA_SINGLE].method == +method;
    for (const scan_choices &one : {table.with_bulk_copies_in_order, table.without_in_order})
        for (unsigned i = 0; i < one.count; i++)
            sound = sound && one.at[i].method != SCAN_CUDA_LOOKBACK;
    ok(sound, "the methods are those that were asked for, and in order there is no look-back");
}

void chooses_by_table()
{
    constexpr uint64_t most = 1'000'000'000;
    const scan_cuda_problem sums = problem_of(SCAN_CUDA_I32, SCAN_CUDA_SUM, most);
    const scan_cuda_problem longs = problem_of(SCAN_CUDA_I64, SCAN_CUDA_MAX, most);
    scan_cuda_problem floats = problem_of(SCAN_CUDA_F32, SCAN_CUDA_SUM, most);
    emulator::the_device().shared = 227 * 1024;
    emulator::the_device().processors = 132;
    const uint64_t single = scan_table_measured.with_bulk_copies.at[0].most_bytes;
    const uint64_t wave = scan_table_measured.with_bulk_copies.at[2].most_bytes;
    ok(chooses(sums, 0, SCAN_CUDA_SINGLE) && chooses(sums, single / 4, SCAN_CUDA_SINGLE) &&
           chooses(sums, single / 4 + 1, SCAN_CUDA_WAVE) &&
           chooses(sums, wave / 4, SCAN_CUDA_WAVE) &&
           chooses(sums, wave / 4 + 1, SCAN_CUDA_LOOKAHEAD) &&
           chooses(sums, most, SCAN_CUDA_LOOKAHEAD),
       "a cluster, one wave and look-ahead follow each other");
    ok(chooses(longs, single / 8, SCAN_CUDA_SINGLE) &&
           chooses(longs, single / 8 + 1, SCAN_CUDA_WAVE),
       "types of 8 bytes change over at half the n");
    emulator::the_device().processors = 20;
    constexpr uint64_t held = 20 * 8 * 1024 * 16 / 4 - 4;
    ok(chooses(sums, held, SCAN_CUDA_WAVE) && chooses(sums, held + 1, SCAN_CUDA_LOOKAHEAD),
       "a smaller device has a shorter wave");
    emulator::the_device().processors = 132;
    ok(chooses(floats, single / 4, SCAN_CUDA_SINGLE) && chooses(floats, 1000000, SCAN_CUDA_WAVE) &&
           chooses(problem_of(SCAN_CUDA_F64, SCAN_CUDA_SUM, most), 1000000, SCAN_CUDA_WAVE) &&
           chooses(problem_of(SCAN_CUDA_BF16, SCAN_CUDA_MAX, most), 1000000, SCAN_CUDA_WAVE) &&
           chooses(problem_of(SCAN_CUDA_F32X2, SCAN_CUDA_AFFINE, most), 1000000, SCAN_CUDA_WAVE),
       "floats and pairs, too");
    emulator::the_device().version = 80;
    ok(chooses(sums, 4096, SCAN_CUDA_SINGLE) && chooses(sums, 4097, SCAN_CUDA_LOOKBACK) &&
           chooses(sums, most, SCAN_CUDA_LOOKBACK) &&
           chooses(problem_of(SCAN_CUDA_BF16, SCAN_CUDA_MAX, most), 1000000, SCAN_CUDA_LOOKBACK),
       "older devices have one block and look-back");
    floats.most_n = 4'000'000;
    ok(chooses(floats, floats.most_n, SCAN_CUDA_WAVE), "but what rounds is not looked back for");
    floats.most_n = most;
    ok(chooses(floats, most, SCAN_CUDA_METHODS), "long float sums have no fixed order there");
    floats.flags = SCAN_CUDA_ANY_ORDER;
    ok(chooses(floats, most, SCAN_CUDA_LOOKBACK), "unless any order is allowed");
    emulator::the_device() = {};
}

/* ---- right ------------------------------------------------------------------------------ */

constexpr uint64_t ODD_SIZES[] = {1, 2, 31, 249, 250, 251, 1023, 1749, 1751, 2049, MOST_N};

/* All methods in turn on one plan and one memory, and each by itself. */
std::string scans(scan_cuda_type type, scan_cuda_op given)
{
    std::string wrong;
    const auto count = static_cast<unsigned>(std::size(ODD_SIZES));
    const auto scan_all = [&](auto op) {
        for (unsigned method = 0; method < SCAN_CUDA_METHODS && wrong.empty(); method++) {
            scan_cuda_problem problem = problem_of(type, given);
            problem.method = static_cast<scan_cuda_method>(method);
            problem.kind = (method + type) % 2 == 0 ? SCAN_CUDA_EXCLUSIVE : SCAN_CUDA_INCLUSIVE;
            problem.flags = SCAN_CUDA_ANY_ORDER;
            planned with(problem);
            wrong = with.wrong;
            for (unsigned i = 0; i < (method == 0 ? 2 : 1) * count && wrong.empty(); i++) {
                emulated_layout layout;
                layout.skew_in = i % (16 / sizeof(typename decltype(op)::value));
                layout.skew_out = i % 3 == 0 ? 1 : layout.skew_in;
                layout.in_place = i % 5 == 4;
                emulator::the_device().resident = i % 4 == 3 ? 2 : ~0u; /* it says 2 */
                wrong = scan(with.plan, op, ODD_SIZES[i * 7 % count], layout);
                if (!wrong.empty())
                    wrong += ", method " + std::to_string(method);
            }
        }
    };
    if (!cuda_find_operator(given, type, scan_all) && !cuda_find_narrow(given, type, scan_all) &&
        !cuda_find_half(given, type, scan_all))
        wrong = "there is no such operator";
    return wrong;
}

void scans_everything()
{
    const char *const types[] = {"i32",   "u32", "i64", "u64", "f32", "f64", "u32x2",
                                 "f32x2", "i8",  "u8",  "i16", "u16", "f16", "bf16"};
    const char *const ops[] = {"sum", "max", "min", "affine"};
    for (unsigned type = SCAN_CUDA_I32; type <= SCAN_CUDA_BF16; type++) {
        const bool pairs = type == SCAN_CUDA_U32X2 || type == SCAN_CUDA_F32X2;
        for (unsigned op = pairs ? 3 : 0; op < (pairs ? 4u : 3u); op++) {
            const std::string text = std::string(ops[op]) + " of " + types[type] + " is right";
            report(scans(static_cast<scan_cuda_type>(type), static_cast<scan_cuda_op>(op)),
                   text.c_str());
        }
    }
    emulator::the_device() = {};
}

/* Tensors of up to 40,000 elements along each axis, by plans for the longest of several n. */
template <typename Op, typename From = typename Op::value>
std::string scans_tensors(scan_cuda_type type, scan_cuda_op given, Op op)
{
    constexpr bool is_wide = !std::is_same_v<From, typename Op::value>;
    const uint64_t shapes[][3] = {{7, 1000, 1}, {1, 20'000, 1}, {2, 20'000, 1}, {300, 33, 1},
                                  {3, 50, 40},  {1, 3000, 3},   {40, 7, 20},    {65, 1, 2},
                                  {2, 9000, 2}, {30, 40, 2}};
    std::string wrong;
    unsigned turn = 0;
    for (const auto &shape : shapes) {
        for (const scan_cuda_method method : {SCAN_CUDA_BY_TABLE, SCAN_CUDA_ROWS}) {
            scan_cuda_problem problem = problem_of(type, given, shape[1]);
            problem.rows = shape[0];
            problem.inner = shape[2];
            problem.method = method;
            problem.flags = /* any order: of older devices for one long row */
                is_wide ? SCAN_CUDA_WIDE : SCAN_CUDA_ANY_ORDER;
            problem.kind = turn % 2 == 0 ? SCAN_CUDA_EXCLUSIVE : SCAN_CUDA_INCLUSIVE;
            planned with(problem);
            wrong += with.wrong;
            for (const uint64_t n : {shape[1], shape[1] / 2 + 1, shape[1]}) {
                emulated_layout layout;
                layout.skew_in = turn % (16 / sizeof(From));
                layout.skew_out = is_wide ? turn % 2 : 0;
                layout.in_place = turn++ % 5 == 4 && !is_wide;
                emulator::the_device().resident = turn % 4 == 3 ? 2 : ~0u;
                if (wrong.empty())
                    wrong = scan<Op, From>(with.plan, op, n, layout);
            }
            if (!wrong.empty())
                return wrong + ", " + std::to_string(shape[0]) + " x " + std::to_string(shape[1]) +
                       " x " + std::to_string(shape[2]);
        }
    }
    return "";
}

/* Of a type, by the table and by look-ahead. */
std::string scans_wide(scan_cuda_type type)
{
    std::string wrong;
    const bool is_there = cuda_find_wider(type, [&](uint32_t, auto pair) {
        using from = typename decltype(pair)::from;
        using op = cuda_sum<cuda_summed<typename decltype(pair)::to>>;
        scan_cuda_problem problem = problem_of(type, SCAN_CUDA_SUM);
        problem.flags = SCAN_CUDA_WIDE;
        problem.kind = type % 2 == 0 ? SCAN_CUDA_EXCLUSIVE : SCAN_CUDA_INCLUSIVE;
        problem.method = type % 3 == 0 ? SCAN_CUDA_LOOKAHEAD : SCAN_CUDA_BY_TABLE;
        planned with(problem);
        wrong = with.wrong;
        unsigned turn = 0;
        for (const uint64_t n : ODD_SIZES) {
            emulated_layout layout;
            layout.skew_in = turn % (16 / sizeof(from));
            layout.skew_out = turn++ % 2;
            if (wrong.empty())
                wrong = scan<op, from>(with.plan, op(), n, layout);
        }
    });
    return is_there ? wrong : "there is no such pair";
}

void scans_wide_results()
{
    const scan_cuda_type types[] = {SCAN_CUDA_I8,  SCAN_CUDA_U8,   SCAN_CUDA_I16,
                                    SCAN_CUDA_U16, SCAN_CUDA_I32,  SCAN_CUDA_U32,
                                    SCAN_CUDA_F16, SCAN_CUDA_BF16, SCAN_CUDA_F32};
    std::string wrong;
    for (const scan_cuda_type type : types)
        if (wrong.empty())
            wrong = scans_wide(type);
    report(wrong, "sums wider than their elements are right");
    scan_cuda_problem problem = problem_of(SCAN_CUDA_U16, SCAN_CUDA_SUM);
    problem.flags = SCAN_CUDA_WIDE;
    planned with(problem);
    std::vector<unsigned> array(8);
    auto *const odd = reinterpret_cast<unsigned char *>(array.data()) + 2;
    ok(is_invalid(with.plan, array.data() + 4, odd, 3, "not aligned") &&
           scan_cuda_plan_run(with.plan, odd, array.data() + 4, 3, nullptr, nullptr) ==
               SCAN_CUDA_OK,
       "elements and results are each aligned as they are");
    problem.op = SCAN_CUDA_MAX;
    bool refused = create(problem) == SCAN_CUDA_INVALID;
    problem.op = SCAN_CUDA_SUM;
    problem.type = SCAN_CUDA_F64;
    refused = refused && create(problem) == SCAN_CUDA_INVALID;
    problem.type = SCAN_CUDA_I8;
    problem.method = SCAN_CUDA_LOOKBACK;
    refused = refused && create(problem) == SCAN_CUDA_UNSUPPORTED;
    problem.method = SCAN_CUDA_LOOKAHEAD;
    problem.rows = 2;
    ok(refused && create(problem) == SCAN_CUDA_UNSUPPORTED,
       "other operators, types and methods have none, nor rows by look-ahead");
}

/* The library's accurate sums of f32 are right to the last bit; what is exact takes the flag, too,
 * and what it cannot keep is refused. */
void scans_accurately()
{
    using op = cuda_sum<cuda_accurate_f32>;
    std::string wrong;
    for (const scan_cuda_method method : {SCAN_CUDA_BY_TABLE, SCAN_CUDA_LOOKAHEAD}) {
        scan_cuda_problem problem = problem_of(SCAN_CUDA_F32, SCAN_CUDA_SUM);
        problem.flags = SCAN_CUDA_ACCURATE;
        problem.method = method;
        problem.kind = method == SCAN_CUDA_BY_TABLE ? SCAN_CUDA_EXCLUSIVE : SCAN_CUDA_INCLUSIVE;
        planned with(problem);
        wrong += with.wrong;
        emulated_layout layout;
        for (const uint64_t n : ODD_SIZES) {
            layout.in_place = n % 3 == 0;
            layout.skew_in = n % 4;
            if (wrong.empty())
                wrong = scan(with.plan, op(), n, layout);
        }
    }
    report(wrong, "accurate sums of f32 are rounded once");
    scan_cuda_problem problem = problem_of(SCAN_CUDA_U16, SCAN_CUDA_MIN);
    problem.flags = SCAN_CUDA_ACCURATE;
    planned exact(problem);
    report(exact.wrong + scan(exact.plan, cuda_min<uint16_t>(), MOST_N, {}),
           "minima are as they are");
    bool refused = true;
    const scan_cuda_type types[] = {SCAN_CUDA_F64, SCAN_CUDA_F16, SCAN_CUDA_BF16};
    for (const scan_cuda_type type : types) {
        problem.type = type;
        problem.op = SCAN_CUDA_SUM;
        refused = refused && create(problem) == SCAN_CUDA_UNSUPPORTED;
        problem.op = SCAN_CUDA_MAX;
        refused = refused && create(problem) == SCAN_CUDA_OK;
    }
    problem.type = SCAN_CUDA_F32X2;
    problem.op = SCAN_CUDA_AFFINE;
    refused = refused && create(problem) == SCAN_CUDA_UNSUPPORTED;
    problem.type = SCAN_CUDA_F32;
    problem.op = SCAN_CUDA_SUM;
    problem.rows = 2;
    refused = refused && create(problem) == SCAN_CUDA_UNSUPPORTED;
    problem.rows = 1;
    problem.method = SCAN_CUDA_SINGLE;
    refused = refused && create(problem) == SCAN_CUDA_UNSUPPORTED;
    problem.method = SCAN_CUDA_BY_TABLE;
    problem.flags |= SCAN_CUDA_WIDE;
    refused = refused && create(problem) == SCAN_CUDA_UNSUPPORTED;
    problem.type = SCAN_CUDA_I32;
    ok(refused && create(problem) == SCAN_CUDA_OK,
       "other float results, rows and methods are refused, exact results are not");
}

/* Of a plan for such a tensor. */
size_t bytes_of(uint64_t rows, uint64_t n, uint64_t inner)
{
    scan_cuda_problem problem = problem_of(SCAN_CUDA_F32, SCAN_CUDA_SUM, n);
    problem.rows = rows;
    problem.inner = inner;
    return planned(problem).bytes() / sizeof(cuda_two_words) - 1;
}

void scans_rows()
{
    emulator::the_device().processors = 8; /* so few columns are divided */
    report(scans_tensors(SCAN_CUDA_U32, SCAN_CUDA_SUM, cuda_sum<uint32_t>()),
           "rows and axes of u32 are summed");
    report(scans_tensors(SCAN_CUDA_F64, SCAN_CUDA_SUM, cuda_sum<double>()), "those of f64, too");
    report(scans_tensors(SCAN_CUDA_I32, SCAN_CUDA_MIN, cuda_min<int32_t>()),
           "and minima of i32 found");
    report(scans_tensors(SCAN_CUDA_U8, SCAN_CUDA_SUM, cuda_sum<uint8_t>()), "and those of u8");
    report(scans_tensors(SCAN_CUDA_BF16, SCAN_CUDA_SUM, cuda_sum<cuda_bf16>()),
           "and those of bf16");
    report(scans_tensors<cuda_sum<uint32_t>, int8_t>(SCAN_CUDA_I8, SCAN_CUDA_SUM, {}),
           "and those of i8 in i32");
    report(scans_tensors<cuda_sum<double>, float>(SCAN_CUDA_F32, SCAN_CUDA_SUM, {}),
           "and those of f32 in f64");
    emulator::the_device().version = 80;
    report(scans_tensors<cuda_sum<uint64_t>, uint32_t>(SCAN_CUDA_U32, SCAN_CUDA_SUM, {}),
           "and those of u32 in u64, where there are no bulk copies");
    report(scans_tensors(SCAN_CUDA_F32X2, SCAN_CUDA_AFFINE, cuda_affine<float>()),
           "and pairs in order");
    emulator::the_device() = {};
    emulator::the_device().processors = 8;
    ok(bytes_of(1000, 9000, 1) == 0 && bytes_of(1, 5, 4000) == 0 && bytes_of(2, 10'000, 1) > 0 &&
           bytes_of(1, 5000, 3) > 0 && bytes_of(1, 5000, 3) == bytes_of(1, 50'000, 3),
       "rows that a block holds need no memory, nor do many columns");
    ok(bytes_of(1, 1'000'000, 2) > bytes_of(1, 1'000'000, 3),
       "two columns need that of a long row of pairs");
    scan_cuda_problem problem = problem_of(SCAN_CUDA_U32, SCAN_CUDA_SUM, 1000);
    problem.rows = 3;
    planned with(problem);
    emulator::the_device().capturing = true;
    report(scan(with.plan, cuda_sum<uint32_t>(), 1000, {}), "and can be captured");
    emulator::the_device() = {};
}

/* A run is one launch, and the first one clears. */
void launches_once()
{
    planned with(problem_of(SCAN_CUDA_I32, SCAN_CUDA_SUM));
    emulator::device &device = emulator::the_device();
    device.launches = 0;
    device.memsets = 0;
    std::string wrong = with.wrong;
    for (const uint64_t n : {UINT64_C(0), UINT64_C(10), UINT64_C(1000), MOST_N, UINT64_C(1200)})
        if (wrong.empty())
            wrong = scan(with.plan, cuda_sum<uint32_t>(), n, {});
    ok(wrong.empty() && device.launches == 4 && device.memsets == 1 && device.allocations == 1,
       "four runs are four launches and one memset: %u, %u %s", device.launches, device.memsets,
       wrong.c_str());
}

/* Memory that the plan has used before, or that another plan uses in between. */
template <typename T> std::string changes_hands(scan_cuda_type type)
{
    planned one(problem_of(type, SCAN_CUDA_SUM));
    planned other(problem_of(type, SCAN_CUDA_SUM));
    std::string wrong = one.wrong + other.wrong;
    for (unsigned i = 0; i < 12 && wrong.empty(); i++) {
        const uint64_t n = 300 + (i * 1237) % 2700;
        wrong = scan(one.plan, cuda_sum<T>(), n, {});
        if (i % 3 == 1)
            one.fill_with_rubbish();
        if (i % 3 != 2 || !wrong.empty())
            continue;
        other.memory.swap(one.memory);
        other.use();
        wrong = scan(other.plan, cuda_sum<T>(), n + 1, {});
        other.memory.swap(one.memory);
        one.use();
    }
    return wrong;
}

/* The words of look-back number 1 bear the numbers 5 and 6, beside others. A look-ahead with one of
 * these numbers of its own follows, when nobody else has written to the words since. */
std::string tells_methods_apart(unsigned look_backs)
{
    std::string wrong;
    for (unsigned i = 0; i < 8 && wrong.empty(); i++) {
        planned with(problem_of(SCAN_CUDA_U32, SCAN_CUDA_SUM));
        wrong = scan(with.plan, cuda_sum<uint32_t>(), 1749, {});
        for (unsigned k = 1; k < look_backs && wrong.empty(); k++)
            wrong = scan(with.plan, cuda_sum<uint32_t>(), 251, {});
        if (wrong.empty())
            wrong = scan(with.plan, cuda_sum<uint32_t>(), MOST_N, {});
    }
    return wrong;
}

void minds_no_stale_words()
{
    report(tells_methods_apart(4) + tells_methods_apart(5),
           "words of a look-back are not taken for those of a look-ahead");
    report(changes_hands<uint32_t>(SCAN_CUDA_U32), "memory with words of others does not disturb");
    report(changes_hands<double>(SCAN_CUDA_F64), "nor with words of two halves");
    planned with(problem_of(SCAN_CUDA_U64, SCAN_CUDA_SUM));
    std::string wrong = scan(with.plan, cuda_sum<uint64_t>(), 2000, {});
    with.plan->words.turn.launch = CUDA_MOST_LAUNCHES - 2;
    for (unsigned i = 0; i < 6 && wrong.empty(); i++)
        wrong = scan(with.plan, cuda_sum<uint64_t>(), i % 2 == 0 ? 800 : 2500, {});
    report(wrong, "the numbers of launches begin again, whichever method is next");
}

/* A captured run is replayed: with the same numbers, whatever has run in between. */
std::string replays(scan_cuda_method method, uint64_t n)
{
    scan_cuda_problem problem = problem_of(SCAN_CUDA_U32, SCAN_CUDA_SUM);
    problem.method = method;
    planned with(problem);
    emulated_arrays<cuda_sum<uint32_t>> data({}, n, {});
    std::string wrong = scan(with.plan, cuda_sum<uint32_t>(), n, {});
    cudaStream_t graph = nullptr;
    scan_cuda_error error;
    (void)cudaStreamCreateWithFlags(&graph, cudaStreamNonBlocking);
    emulator::the_device().capturing = true;
    if (scan_cuda_plan_run(with.plan, data.in, data.out, n, graph, &error) != SCAN_CUDA_OK)
        wrong = error.text;
    emulator::the_device().capturing = false;
    const auto captured = graph->things;
    for (unsigned i = 0; i < 4 && wrong.empty(); i++) {
        std::fill(data.out, data.out + n, i);
        graph->things = captured;
        if (cudaStreamSynchronize(graph) != cudaSuccess)
            wrong = "the graph does not end";
        if (wrong.empty())
            wrong = emulator::the_device().wrong + data.compare();
        if (wrong.empty() && i % 2 == 0)
            wrong = scan(with.plan, cuda_sum<uint32_t>(), n - i, {});
        if (wrong.empty() && scan_cuda_plan_check(with.plan, &error) != SCAN_CUDA_OK)
            wrong = error.text;
    }
    (void)cudaStreamDestroy(graph);
    emulator::the_device() = {};
    return wrong;
}

void replays_graphs()
{
    report(replays(SCAN_CUDA_SINGLE, MOST_N), "a captured cluster can be replayed");
    report(replays(SCAN_CUDA_LOOKBACK, MOST_N), "and a look-back");
    report(replays(SCAN_CUDA_LOOKAHEAD, MOST_N), "and a look-ahead");
    report(replays(SCAN_CUDA_WAVE, MOST_N), "and one wave");
}

/* Sums that rounding makes: the same bits whatever the schedule, and whatever was run before. */
void rounds_always_alike()
{
    std::vector<float> in(MOST_N), first(MOST_N), again(MOST_N);
    for (uint64_t i = 0; i < MOST_N; i++)
        in[i] = 1.0f / static_cast<float>(1 + emulated_bits(i) % 1000);
    planned with(problem_of(SCAN_CUDA_F32, SCAN_CUDA_SUM));
    std::string wrong = with.wrong;
    for (const uint64_t n : {UINT64_C(200), UINT64_C(1234), MOST_N}) {
        for (unsigned i = 0; i < 5 && wrong.empty(); i++) {
            emulator::the_device().resident = i == 0 ? ~0u : i;
            scan_cuda_error error;
            if (scan_cuda_plan_run(with.plan, in.data(), i == 0 ? first.data() : again.data(), n,
                                   nullptr, &error) != SCAN_CUDA_OK)
                wrong = error.text;
            if (i > 0 && memcmp(first.data(), again.data(), n * sizeof(float)) != 0)
                wrong = "other bits in run " + std::to_string(i) + " of " + std::to_string(n);
        }
    }
    report(wrong, "float sums have the same bits in every run");
    emulator::the_device() = {};
}

/* ---- what is refused ---------------------------------------------------------------------- */

/* Somebody writes to the tickets: nobody takes the first tiles. */
void gives_up()
{
    scan_cuda_problem problem = problem_of(SCAN_CUDA_U32, SCAN_CUDA_SUM);
    for (const scan_cuda_method method :
         {SCAN_CUDA_LOOKBACK, SCAN_CUDA_LOOKAHEAD, SCAN_CUDA_ROWS, SCAN_CUDA_WAVE}) {
        if (method == SCAN_CUDA_ROWS)
            emulator::the_device().processors = 8;
        problem.method = method;
        problem.inner = method == SCAN_CUDA_ROWS ? 3 : 1; /* of columns, long rows are divided */
        planned with(problem);
        std::vector<unsigned> array(MOST_N * problem.inner);
        std::string wrong = scan(with.plan, cuda_sum<uint32_t>(), MOST_N, {});
        with.plan->words.patience = 200;
        ++*cuda_words_tickets(&with.plan->words);
        scan_cuda_error error = {};
        const bool launched = scan_cuda_plan_run(with.plan, array.data(), array.data(), MOST_N,
                                                 nullptr, &error) == SCAN_CUDA_OK;
        const bool refused = scan_cuda_plan_run(with.plan, array.data(), array.data(), MOST_N,
                                                nullptr, &error) == SCAN_CUDA_GAVE_UP;
        const bool told_once = scan_cuda_plan_check(with.plan, &error) == SCAN_CUDA_GAVE_UP &&
                               scan_cuda_plan_check(with.plan, &error) == SCAN_CUDA_OK;
        with.plan->words.patience = PATIENCE;
        if (wrong.empty())
            wrong = scan(with.plan, cuda_sum<uint32_t>(), MOST_N, {});
        ok(launched && refused && told_once && wrong.empty(), "method %d gives up once: %s %s",
           +method, error.text, wrong.c_str());
    }
    emulator::the_device() = {};
}

void refuses_runs()
{
    emulator::device &device = emulator::the_device();
    std::vector<unsigned> array(MOST_N);
    unsigned *const in = array.data();
    unsigned char *const odd = reinterpret_cast<unsigned char *>(in) + 2;
    planned with(problem_of(SCAN_CUDA_U32, SCAN_CUDA_SUM));
    device.launches = 0;
    ok(is_invalid(with.plan, in, in, MOST_N + 1, "larger than the plan's") &&
           is_invalid(with.plan, nullptr, in, 9, "NULL") &&
           is_invalid(with.plan, in, odd, 9, "not aligned"),
       "arrays that are too long, missing or misaligned are refused");
    device.index = 1;
    ok(is_invalid(with.plan, in, in, 9, "another device"), "so is another device");
    device.index = 0;
    cuda_words_use(&with.plan->words, nullptr, 0);
    ok(is_invalid(with.plan, in, in, MOST_N, "no memory yet"), "so is a plan without memory");
    scan_cuda_error error;
    ok(scan_cuda_plan_use(with.plan, with.memory.data(), scan_cuda_plan_bytes(with.plan) - 1,
                          &error) == SCAN_CUDA_INVALID &&
           scan_cuda_plan_use(with.plan, &with.memory[0].second, with.bytes(), &error) ==
               SCAN_CUDA_INVALID &&
           scan_cuda_plan_use(with.plan, nullptr, with.bytes(), nullptr) == SCAN_CUDA_INVALID,
       "memory that is too small, misaligned or missing is refused");
}

void refuses_problems()
{
    scan_cuda_problem problem = problem_of(SCAN_CUDA_U32, SCAN_CUDA_AFFINE);
    bool refused = create(problem) == SCAN_CUDA_INVALID;
    problem = problem_of(SCAN_CUDA_F32X2, SCAN_CUDA_SUM);
    refused = refused && create(problem) == SCAN_CUDA_INVALID;
    problem = problem_of(SCAN_CUDA_F32, SCAN_CUDA_SUM, UINT64_MAX);
    refused = refused && create(problem) == SCAN_CUDA_INVALID;
    problem = problem_of(SCAN_CUDA_F32, SCAN_CUDA_SUM);
    problem.flags = 16;
    refused = refused && create(problem) == SCAN_CUDA_INVALID;
    problem = problem_of(SCAN_CUDA_F32, SCAN_CUDA_SUM);
    problem.rows = problem.inner = UINT64_C(1) << 33;
    refused = refused && create(problem) == SCAN_CUDA_INVALID;
    ok(refused, "problems that there are not are refused");
    problem.rows = 2;
    problem.inner = 0;
    problem.method = SCAN_CUDA_SINGLE;
    ok(create(problem) == SCAN_CUDA_UNSUPPORTED, "rows are not scanned by other methods");
    problem = problem_of(SCAN_CUDA_F32, SCAN_CUDA_SUM);
    problem.method = SCAN_CUDA_LOOKBACK;
    ok(create(problem) == SCAN_CUDA_UNSUPPORTED, "float sums are not looked back for in order");
    problem.method = SCAN_CUDA_LOOKAHEAD;
    emulator::the_device().version = 80;
    ok(create(problem) == SCAN_CUDA_UNSUPPORTED, "older devices cannot look ahead");
    emulator::the_device() = {};
    emulator::the_device().full = true;
    ok(create(problem) == SCAN_CUDA_NO_MEMORY && emulator::the_device().allocations == 0,
       "without memory there is no plan");
    emulator::the_device() = {};
}

} // namespace

int main()
{
    tap_plan(2 + 8 + 38 + 12 + 3 + 3 + 1 + 4 + 4 + 1 + 4 + 4 + 5 + 1);
    tables_are_sound();
    chooses_by_table();
    scans_everything();
    scans_rows();
    scans_wide_results();
    scans_accurately();
    launches_once();
    minds_no_stale_words();
    replays_graphs();
    rounds_always_alike();
    gives_up();
    refuses_runs();
    refuses_problems();
    ok(emulator::the_device().allocations == 0, "nothing is left behind");
    return tap_done();
}
