/*
 * emulated_scan.h - arrays for tests that scan under the emulator, and what the scan must be
 *
 * The elements have any bits, so that one that is lost, doubled or swapped shows. Floats are small
 * integers, whose sums are exact in every order; of 16 bits as many bits as they have, so that most
 * sums have to be rounded, but only once.
 */
#ifndef EMULATED_SCAN_H
#define EMULATED_SCAN_H

#include "cuda_access.cuh"
#include "cuda_ops.cuh"
#include "cuda_wide.cuh"

#include <string>
#include <vector>

inline uint32_t emulated_bits(uint64_t i)
{
    auto x = static_cast<uint32_t>(i * 2654435761u + 12345);
    x = (x ^ x >> 16) * 0x85ebca6bu;
    return x ^ x >> 13;
}

template <typename T> T emulated_scalar(uint64_t i)
{
    const uint32_t bits = emulated_bits(i);
    if constexpr (std::is_same_v<T, cuda_f16>)
        return cuda_narrow<T>(static_cast<float>(static_cast<int>(bits % 4097) - 2048));
    else if constexpr (std::is_same_v<T, cuda_bf16>)
        return cuda_narrow<T>(static_cast<float>(static_cast<int>(bits % 513) - 256));
    else if constexpr (std::numeric_limits<T>::is_integer)
        return static_cast<T>(sizeof(T) == 8 ? bits * UINT64_C(0x100000001) : bits);
    else
        return static_cast<T>(static_cast<int>(bits % 17) - 8);
}

template <typename T> void emulated_element(uint64_t i, T *element)
{
    *element = emulated_scalar<T>(i);
}

/* As many bits as an f32 has: sums are exact in f64, but have to be rounded, once. */
inline void emulated_element(uint64_t i, cuda_accurate_f32 *element)
{
    element->value = static_cast<float>(static_cast<int>(emulated_bits(i) >> 8) - (1 << 22));
}

/* Products of floats stay 1 or -1. */
template <typename T> void emulated_element(uint64_t i, cuda_pair<T> *element)
{
    const T sign = emulated_bits(i) % 2 == 0 ? T(1) : static_cast<T>(-1);
    element->a = std::numeric_limits<T>::is_integer ? static_cast<T>(emulated_bits(i) | 1) : sign;
    element->b = emulated_scalar<T>(i + 1);
}

/* A sum that counts its additions. */
struct emulated_counted_sum : cuda_sum<uint32_t> {
    uint64_t *count;

    explicit emulated_counted_sum(uint64_t *where) : count(where)
    {
    }
    uint32_t operator()(uint32_t left, uint32_t right) const
    {
        ++*count;
        return left + right;
    }
};

struct emulated_layout {
    unsigned skew_in = 0; /* elements from a multiple of 16 bytes to the array */
    unsigned skew_out = 0;
    bool inclusive = false;
    bool in_place = false;
    /* The array is a tensor of such rows, scanned along their positions. */
    uint64_t length = 0; /* positions of a row; 0: all are one */
    uint64_t inner = 1;  /* elements of a position */
};

/* An element whose results are wider: of floats with as many bits as they have. */
template <typename T> void emulated_narrow_element(uint64_t i, T *element)
{
    if constexpr (std::is_same_v<T, float>)
        *element = static_cast<float>(emulated_bits(i) >> 8);
    else
        emulated_element(i, element);
}

/* An input of n elements, which depends on n, and an output between guards. */
template <typename Op, typename From = typename Op::value> class emulated_arrays
{
  public:
    using T = typename Op::value;
    From *in;
    T *out;

    emulated_arrays(Op op, uint64_t n, const emulated_layout &layout)
        : room_in_((n + layout.skew_in) * sizeof(From) / 16 + 1),
          room_out_((n + layout.skew_out + 2 * GUARD) * sizeof(T) / 16 + 1), n_(n)
    {
        in = reinterpret_cast<From *>(room_in_.data()) + layout.skew_in;
        out = reinterpret_cast<T *>(room_out_.data()) + layout.skew_out + GUARD;
        if constexpr (!is_wide)
            out = layout.in_place ? in : out;
        std::vector<typename Op::total> running(layout.inner, op.identity());
        for (uint64_t i = 0; i < n; i++) {
            auto &mine = running[i % layout.inner];
            if (layout.length > 0 && i / layout.inner % layout.length == 0)
                mine = op.identity();
            const auto next = op(mine, op.widen(make(n + i, in + i)));
            expected_.push_back(op.narrow(layout.inclusive ? next : mine));
            mine = next;
        }
        for (uint64_t i = 0; i < n + 2 * GUARD && !layout.in_place; i++) {
            emulated_element(~i, out - GUARD + i);
            poison_.push_back(*(out - GUARD + i));
        }
    }

    /* "" or what is wrong with the output. */
    std::string compare() const
    {
        const std::string of = " of " + std::to_string(n_);
        for (uint64_t i = 0; i < n_; i++)
            if (!same(out[i], expected_[i]))
                return "element " + std::to_string(i) + of + " is wrong";
        for (uint64_t i = 0; i < GUARD && !poison_.empty(); i++)
            if (!same(*(out - GUARD + i), poison_[i]) ||
                !same(out[n_ + i], poison_[n_ + GUARD + i]))
                return "wrote outside of the output" + of;
        return "";
    }

  private:
    static constexpr unsigned GUARD = 16; /* a multiple of 16 bytes */
    static constexpr bool is_wide = !std::is_same_v<T, From>;

    /* Makes an element; returns it as it is scanned. */
    static T make(uint64_t i, From *element)
    {
        if constexpr (is_wide) {
            emulated_narrow_element(i, element);
            return cuda_convert<T>(*element);
        } else {
            emulated_element(i, element);
            return *element;
        }
    }

    static bool same(const T &left, const T &right)
    {
        return memcmp(&left, &right, sizeof left) == 0;
    }

    std::vector<cuda_vector<From>> room_in_;
    std::vector<cuda_vector<T>> room_out_;
    std::vector<T> expected_;
    std::vector<T> poison_;
    uint64_t n_;
};

#endif
