/*
 * packed_test.cpp - narrow elements in words against one after the other: every operator and type,
 * carries that must not reach the next element, signs, sums that are rounded once, NaN and
 * infinities, and rows that begin anywhere in a vector
 */
#include "cuda_packed.cuh"

#include "emulated_half.h"
#include "emulated_scan.h"
#include "tap.h"

#include <cstring>
#include <string>

namespace
{

uint32_t state = 1;

uint32_t next_bits()
{
    state = state * 1664525 + 1013904223;
    return state >> 8;
}

/* Mostly any element; often one at an end of the type's range, where sums carry and signs change.
 */
template <typename T> T draw()
{
    if constexpr (cuda_is_half<T>) {
        constexpr unsigned infinite = cuda_half<T>::INFINITE;
        constexpr unsigned nan = infinite | infinite >> 1;
        const unsigned ends[] = {infinite, infinite | 0x8000, nan, nan | 0x8000};
        const uint32_t bits = next_bits();
        return bits % 16 == 0 ? static_cast<T>(ends[bits / 16 % 4]) : emulated_scalar<T>(bits);
    } else {
        const T ends[] = {std::numeric_limits<T>::lowest(), std::numeric_limits<T>::max(),
                          static_cast<T>(-1), T(0), T(1)};
        const uint32_t bits = next_bits();
        return bits % 3 == 0 ? ends[bits / 3 % 5] : static_cast<T>(bits / 3);
    }
}

template <typename T> cuda_vector<T> draw_vector()
{
    cuda_vector<T> values = {};
    for (unsigned e = 0; e < cuda_vector<T>::count; e++)
        cuda_set_element(values, e, draw<T>());
    return values;
}

template <typename T> std::string shown(const cuda_vector<T> &values)
{
    std::string text;
    for (unsigned e = 0; e < cuda_vector<T>::count; e++)
        text += " " + std::to_string(cuda_widen(cuda_element(values, e)));
    return text;
}

/* Rows begin where bits of `begins` are set. Returns the total of the last. */
template <typename Op, typename T>
typename Op::total scan_serially(Op op, cuda_vector<T> &values, typename Op::total before,
                                 bool inclusive, unsigned begins)
{
    for (unsigned e = 0; e < cuda_vector<T>::count; e++) {
        if ((begins >> e & 1) != 0)
            before = op.identity();
        const auto next = op(before, op.widen(cuda_element(values, e)));
        cuda_set_element(values, e, op.narrow(inclusive ? next : before));
        before = next;
    }
    return before;
}

/* Which NaN it is says nothing. */
template <typename T> bool same(T left, T right)
{
    const auto a = cuda_widen(left), b = cuda_widen(right);
    return left == right || (a != a && b != b);
}

template <typename T> bool same(const cuda_vector<T> &left, const cuda_vector<T> &right)
{
    bool all = true;
    for (unsigned e = 0; e < cuda_vector<T>::count; e++)
        all = all && same(cuda_element(left, e), cuda_element(right, e));
    return all;
}

/* A carry is the total of a row so far: of a sum any 32 bits, of floats more than an element has,
 * of max and min that of an element. */
template <typename T> cuda_total<T> draw_total(cuda_sum<T>)
{
    if constexpr (cuda_is_half<T>)
        return static_cast<float>(static_cast<int>(next_bits() % 100001) - 50000);
    else
        return static_cast<cuda_total<T>>(next_bits() << 8 | next_bits());
}

template <typename T> cuda_total<T> draw_total(cuda_extremum<T> op)
{
    return op.widen(draw<T>());
}

/* "" or what differs. */
template <typename Op> std::string scans_words(Op op)
{
    using T = typename Op::value;
    constexpr unsigned firsts = sizeof(T) == 1 ? 0x1111 : 0x55;
    for (unsigned turn = 0; turn < 4000; turn++) {
        const cuda_vector<T> in = draw_vector<T>();
        const auto before = draw_total(op);
        const bool inclusive = turn % 2 == 0;
        const unsigned begins = turn % 8 < 4 ? 0 : next_bits() & firsts;
        cuda_vector<T> expected = in, found = in;
        scan_serially(op, expected, before, inclusive, begins);
        if (inclusive)
            cuda_packed_scan<true>(op, found, before, begins);
        else
            cuda_packed_scan<false>(op, found, before, begins);
        if (!same(expected, found))
            return "behind " + std::to_string(before) + ", rows " + std::to_string(begins) + ":" +
                   shown(in) + " become" + shown(found);
        cuda_vector<T> serial = in;
        const auto total = scan_serially(op, serial, op.identity(), true, begins);
        if (!same(op.narrow(total), op.narrow(cuda_packed_total(op, in, begins))))
            return "another total of" + shown(in);
    }
    return "";
}

template <typename Op> std::string scans_each(Op op)
{
    using T = typename Op::value;
    for (unsigned turn = 0; turn < 4000; turn++) {
        const cuda_vector<T> in = draw_vector<T>();
        const auto before = draw_total(op);
        const unsigned begins = next_bits() & (turn % 2 == 0 ? 0xffff : 1u << turn % 16);
        cuda_vector<T> expected = in, found = in;
        scan_serially(op, expected, before, turn % 4 < 2, begins);
        if (turn % 4 < 2)
            cuda_packed_scan_each<true>(op, found, before, begins);
        else
            cuda_packed_scan_each<false>(op, found, before, begins);
        if (!same(expected, found))
            return "rows " + std::to_string(begins) + ":" + shown(in) + " become" + shown(found);
    }
    return "";
}

template <typename Op> std::string clears(Op op)
{
    using T = typename Op::value;
    for (unsigned count = 0; count < 600; count++) {
        const cuda_vector<T> in = draw_vector<T>();
        cuda_vector<T> expected = in, found = in;
        for (unsigned e = 0; e < cuda_vector<T>::count && e < count; e++)
            cuda_set_element(expected, e, op.narrow(op.identity()));
        cuda_packed_clear(op, found, count);
        if (!same(expected, found))
            return std::to_string(count) + " of" + shown(in) + " leave" + shown(found);
    }
    return "";
}

void report(const std::string &wrong, const std::string &text)
{
    if (!ok(wrong.empty(), "%s", text.c_str()))
        printf("# %s\n", wrong.c_str());
}

template <typename Op> void packs(Op op, const char *name)
{
    report(scans_words(op), std::string(name) + ": words are scanned as their elements are");
    report(scans_each(op), std::string(name) + ": so are rows that begin anywhere");
    report(clears(op), std::string(name) + ": the first elements can be left out");
}

void found(const std::string &wrong, const char *text)
{
    ok(!wrong.empty(), "%s is found", text);
}

} // namespace

int main()
{
    tap_plan(16 * 3 + 4);
    packs(cuda_sum<uint8_t>(), "sum of 8-bit integers");
    packs(cuda_sum<uint16_t>(), "sum of 16-bit integers");
    packs(cuda_max<int8_t>(), "max of i8");
    packs(cuda_min<int8_t>(), "min of i8");
    packs(cuda_max<uint8_t>(), "max of u8");
    packs(cuda_min<uint8_t>(), "min of u8");
    packs(cuda_max<int16_t>(), "max of i16");
    packs(cuda_min<int16_t>(), "min of i16");
    packs(cuda_max<uint16_t>(), "max of u16");
    packs(cuda_min<uint16_t>(), "min of u16");
    packs(cuda_sum<cuda_f16>(), "sum of f16");
    packs(cuda_max<cuda_f16>(), "max of f16");
    packs(cuda_min<cuda_f16>(), "min of f16");
    packs(cuda_sum<cuda_bf16>(), "sum of bf16");
    packs(cuda_max<cuda_bf16>(), "max of bf16");
    packs(cuda_min<cuda_bf16>(), "min of bf16");
    found(scans_words(emulated_rounded_twice<cuda_f16>()), "f16 that is rounded twice");
    found(scans_words(emulated_rounded_twice<cuda_bf16>()), "bf16 that is rounded twice");
    found(scans_words(emulated_half_carries<cuda_f16>()), "f16 with carries of 16 bits");
    found(scans_words(emulated_half_carries<cuda_bf16>()), "bf16 with carries of 16 bits");
    return tap_done();
}
