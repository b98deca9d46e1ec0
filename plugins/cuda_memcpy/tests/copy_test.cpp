/*
 * copy_test.cpp - the copies under the emulator: every pair of types, any n, few blocks and many,
 * and what a test must find
 */
#include "copy_kernel.cuh"

#include "emulated_scan.h"
#include "emulated_words.h"

namespace
{

constexpr unsigned GUARD = 16; /* elements behind the output that stay as they are */

template <typename T> bool same(const T &left, const T &right)
{
    return memcmp(&left, &right, sizeof left) == 0;
}

/* Copies n elements by `blocks` blocks. "" or what is wrong, for what Expected makes of them. */
template <typename Pass, typename Expected, unsigned VECTORS>
std::string copy(uint64_t n, unsigned blocks)
{
    using from = typename Pass::from;
    using to = typename Pass::to;
    std::vector<cuda_vector<from>> in(n * sizeof(from) / 16 + 1);
    std::vector<cuda_vector<to>> out((n + GUARD) * sizeof(to) / 16 + 1);
    auto *source = reinterpret_cast<from *>(in.data());
    auto *target = reinterpret_cast<to *>(out.data());
    for (uint64_t i = 0; i < n; i++)
        emulated_element(i, source + i);
    for (uint64_t i = 0; i < n + GUARD; i++)
        emulated_element(~i, target + i);
    const std::vector<to> before(target, target + n + GUARD);
    const std::string wrong = emulator::run({.blocks = blocks, .threads = COPY_BLOCK}, [&] {
        copy_vectors<Pass, VECTORS, VECTORS == 1>(source, target, n);
    });
    if (!wrong.empty())
        return wrong;
    for (uint64_t i = 0; i < n + GUARD; i++)
        if (!same(target[i], i < n ? Expected::element(source[i]) : before[i]))
            return "element " + std::to_string(i) + " of " + std::to_string(n) + " is wrong";
    return "";
}

template <typename Pass, typename Expected = Pass> std::string copies()
{
    constexpr uint64_t tile = COPY_BLOCK * 16 / sizeof(typename Pass::to);
    std::string wrong;
    for (const uint64_t n : {UINT64_C(0), UINT64_C(1), UINT64_C(15), tile - 1, 4 * tile + 3}) {
        for (const unsigned blocks : {1u, 2u, 5u}) {
            if (wrong.empty())
                wrong = copy<Pass, Expected, 1>(n, blocks);
            if (wrong.empty())
                wrong = copy<Pass, Expected, 4>(n, blocks);
        }
    }
    return wrong;
}

template <typename From, typename To> void widens(const char *what)
{
    report(copies<copy_widened<From, To>>(), what);
}

/* Every pair that is declared, and no other. */
bool finds_pairs()
{
    const scan_result_entry declared[] = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1};
    bool right = true;
    for (uint32_t from = 0; from < SCAN_DTYPE_COUNT; from++) {
        for (uint32_t to = 0; to < SCAN_DTYPE_COUNT; to++) {
            bool is_pair = false;
            for (const scan_result_entry &entry : declared)
                is_pair =
                    is_pair || ((entry.dtypes >> from & 1) != 0 && (entry.results >> to & 1) != 0);
            right = right && cuda_find_wide(from, to, [](auto) {}) == is_pair;
        }
    }
    return right;
}

/* ---- broken on purpose ------------------------------------------------------------------- */

/* Signed elements that are filled up with zeros. */
struct zero_extended : copy_widened<int8_t, int32_t> {
    static uint4 vector(const loaded &piece)
    {
        cuda_vector<int32_t> made;
        for (unsigned e = 0; e < loaded::count; e++)
            made.element[e] = static_cast<uint8_t>(piece.element(e));
        return cuda_same_bits<uint4>(made);
    }
};

/* bf16 that is read as f16. */
struct misread : copy_widened<cuda_bf16, float> {
    static float element(cuda_bf16 one)
    {
        return cuda_convert<float>(static_cast<cuda_f16>(one));
    }
};

} // namespace

int main()
{
    tap_plan(2 + 9 + 1 + 2);
    report(copies<copy_same>(), "bytes are copied");
    report(copies<copy_inverted>(), "bytes are inverted");
    widens<int8_t, int32_t>("i8 becomes i32");
    widens<uint8_t, uint32_t>("u8 becomes u32");
    widens<int16_t, int32_t>("i16 becomes i32");
    widens<uint16_t, uint32_t>("u16 becomes u32");
    widens<int32_t, int64_t>("i32 becomes i64");
    widens<uint32_t, uint64_t>("u32 becomes u64");
    widens<float, double>("f32 becomes f64");
    widens<cuda_f16, float>("f16 becomes f32");
    widens<cuda_bf16, float>("bf16 becomes f32");
    ok(finds_pairs(), "the pairs are those that are declared");
    found(copies<zero_extended, copy_widened<int8_t, int32_t>>(), "a sign that is lost");
    found(copies<misread, copy_widened<cuda_bf16, float>>(), "bf16 that is read as f16");
    return tap_done();
}
