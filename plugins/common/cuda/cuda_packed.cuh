/*
 * cuda_packed.cuh - narrow integers in the words of a vector, four or two of them at once
 *
 * A scan at the speed of a copy leaves an H200 about 8 additions and as many multiplications for
 * each byte that it reads. So elements of 8 and 16 bits are not taken apart: what is carried from
 * word to word is one total of 32 bits, or what stands for it in a word.
 *
 *     sums           each prefix within a word is a dot product with ones, which the multipliers
 *                    make (dp4a, dp2a). Bits beyond the element's do no harm: what is kept of a
 *                    prefix are its low ones, so nothing is carried into the next element
 *     max and min    lanes of 16 bits, of which bytes fill the upper half. What lies in the lower
 *                    half decides only between equal bytes
 *
 * Instructions for each element of the pipeline with look-ahead, in which a tile is added up before
 * it is scanned: 4.2 for sums of bytes, 6.4 for those of 16 bits, 6.2 for max and min of bytes. Of
 * elements of 32 bits a sum takes 11.
 */
#ifndef CUDA_PACKED_CUH
#define CUDA_PACKED_CUH

#include "cuda_access.cuh"
#include "cuda_ops.cuh"

#include <type_traits>

template <typename Op> struct cuda_packed;

/* Words that are the same whatever the operator. */
template <typename T> struct cuda_packed_words {
    static constexpr unsigned COUNT = 4 / sizeof(T); /* elements of a word */
    static constexpr unsigned BITS = 8 * sizeof(T);
    static constexpr unsigned ALL = 0x3210; /* selects the bytes of the first of two words */

    /* A word whose elements are all the same. */
    static constexpr unsigned repeat(T element)
    {
        return std::is_same_v<std::make_unsigned_t<T>, uint8_t>
                   ? static_cast<uint8_t>(element) * 0x01010101u
                   : static_cast<uint16_t>(element) * 0x00010001u;
    }
    /* The word with another element number e, which is known when this is compiled. */
    static __device__ unsigned put(unsigned word, unsigned e, unsigned element)
    {
        constexpr unsigned mine = sizeof(T) == 1 ? 0xf : 0xff, given = sizeof(T) == 1 ? 4 : 0x54;
        const unsigned at = e * 4 * sizeof(T);
        return __byte_perm(word, element, (ALL & ~(mine << at)) | given << at);
    }
};

template <typename T> struct cuda_packed<cuda_sum<T>> : cuda_packed_words<T> {
    static constexpr unsigned IDENTITIES = 0;
    /* Selects of a scanned word, and of the carry before it, the exclusive scan. */
    static constexpr unsigned EXCLUSIVE = sizeof(T) == 1 ? 0x2104 : 0x1054;

    /* An element as it is added, and back. */
    static __device__ unsigned flip(cuda_sum<T>, unsigned word)
    {
        return word;
    }
    static __device__ unsigned carry_of(uint32_t total)
    {
        return total;
    }
    /* The sum of elements with ones[i] = 1 in byte i. */
    static __device__ uint32_t dot(unsigned word, unsigned ones, uint32_t before)
    {
        if constexpr (sizeof(T) == 1)
            return __dp4a(word, ones, before);
        else
            return __dp2a_lo(word, ones, before);
    }
    static __device__ uint32_t add(unsigned word, unsigned e, uint32_t before)
    {
        return dot(word, 1u << 8 * e, before);
    }
    /* What stands for the total so far takes in a word; and the total. */
    static __device__ unsigned take(unsigned so_far, unsigned word)
    {
        return dot(word, 0x01010101, so_far);
    }
    static __device__ uint32_t total(unsigned so_far)
    {
        return so_far;
    }
    /* The inclusive scan of a word behind *carry_p, which becomes the one of the next word. */
    static __device__ unsigned scan(unsigned word, unsigned *carry_p)
    {
        const unsigned one = dot(word, 0x01, *carry_p), two = dot(word, 0x0101, *carry_p);
        if constexpr (sizeof(T) == 1) {
            const unsigned three = dot(word, 0x010101, *carry_p);
            *carry_p = dot(word, 0x01010101, *carry_p);
            return __byte_perm(__byte_perm(one, two, 0x0040), __byte_perm(three, *carry_p, 0x0040),
                               0x5410);
        } else {
            *carry_p = two;
            return __byte_perm(one, two, 0x5410);
        }
    }
};

template <typename T> struct cuda_packed<cuda_extremum<T>> : cuda_packed_words<T> {
    using total_type = cuda_total<T>;
    static constexpr unsigned IDENTITIES =
        cuda_packed_words<T>::repeat(std::numeric_limits<T>::lowest());
    static constexpr unsigned EXCLUSIVE = sizeof(T) == 1 ? 0x2105 : 0x1054;

    static __device__ unsigned flip(cuda_extremum<T> op, unsigned word)
    {
        return word ^ op.flip();
    }
    /* The same in both lanes. */
    static __device__ unsigned carry_of(total_type total)
    {
        return __byte_perm(static_cast<unsigned>(total), 0, sizeof(T) == 1 ? 0x0404 : 0x1010);
    }
    static __device__ unsigned greater(unsigned left, unsigned right)
    {
        return std::is_signed_v<T> ? __vmaxs2(left, right) : __vmaxu2(left, right);
    }
    static __device__ unsigned greatest(unsigned a, unsigned b, unsigned c)
    {
        return std::is_signed_v<T> ? __vimax3_s16x2(a, b, c) : __vimax3_u16x2(a, b, c);
    }
    static __device__ total_type element(unsigned word, unsigned e)
    {
        return static_cast<T>(word >> e * cuda_packed_words<T>::BITS);
    }
    static __device__ total_type add(unsigned word, unsigned e, total_type before)
    {
        const total_type mine = element(word, e);
        return before < mine ? mine : before;
    }
    static __device__ unsigned take(unsigned lanes, unsigned word)
    {
        return sizeof(T) == 1 ? greatest(lanes, word, word << 8) : greater(lanes, word);
    }
    static __device__ total_type total(unsigned lanes)
    {
        constexpr unsigned last = cuda_packed_words<T>::COUNT - 1;
        return add(lanes, last / 2, element(lanes, last));
    }
    static __device__ unsigned scan(unsigned word, unsigned *carry_p)
    {
        if constexpr (sizeof(T) == 1) {
            const unsigned low = word << 8, pair = greater(low, word);
            const unsigned before = greater(*carry_p, __byte_perm(*carry_p, pair, 0x5410));
            const unsigned odd = greater(before, pair);
            *carry_p = __byte_perm(odd, 0, 0x3232);
            return __byte_perm(greater(before, low), odd, 0x7351);
        } else {
            const unsigned before = greater(*carry_p, __byte_perm(*carry_p, word, 0x5410));
            const unsigned scanned = greater(before, word);
            *carry_p = __byte_perm(scanned, 0, 0x3232);
            return scanned;
        }
    }
};

/* The total of a vector, from the last beginning of a row on: where bit e of `begins` is set a row
 * begins with element e, the first of a word. */
template <typename Op, typename T>
__device__ inline cuda_total<T> cuda_packed_total(Op op, const cuda_vector<T> &values,
                                                  unsigned begins = 0)
{
    using packed = cuda_packed<Op>;
    unsigned so_far = packed::IDENTITIES;
#pragma unroll
    for (unsigned w = 0; w < 4; w++) {
        if (w > 0 && (begins >> w * packed::COUNT & 1) != 0)
            so_far = packed::IDENTITIES;
        so_far = packed::take(so_far, packed::flip(op, values.word[w]));
    }
    return packed::total(so_far);
}

/* Makes the first `count` elements the identity; all, if there are fewer. */
template <typename Op, typename T>
__device__ inline void cuda_packed_clear(Op op, cuda_vector<T> &values, unsigned count)
{
    const int bits = static_cast<int>(count * cuda_packed<Op>::BITS);
    const unsigned identities = cuda_packed<Op>::flip(op, cuda_packed<Op>::IDENTITIES);
#pragma unroll
    for (int w = 0; w < 4; w++) {
        const int here = bits - 32 * w;
        const unsigned kept = __funnelshift_lc(0, ~0u, static_cast<unsigned>(here > 0 ? here : 0));
        values.word[w] = (values.word[w] & kept) | (identities & ~kept);
    }
}

/* Scans a vector behind `before`. Rows begin as above. */
template <typename Op, typename T>
__device__ inline void cuda_packed_scan(Op op, cuda_vector<T> &values, cuda_total<T> before,
                                        bool inclusive, unsigned begins = 0)
{
    using packed = cuda_packed<Op>;
    const unsigned selector = inclusive ? packed::ALL : packed::EXCLUSIVE;
    unsigned carry = packed::carry_of(before);
#pragma unroll
    for (unsigned w = 0; w < 4; w++) {
        if ((begins >> w * packed::COUNT & 1) != 0)
            carry = packed::carry_of(op.identity());
        const unsigned left = carry;
        const unsigned scanned = packed::scan(packed::flip(op, values.word[w]), &carry);
        values.word[w] = packed::flip(op, __byte_perm(scanned, left, selector));
    }
}

/* The same where rows begin anywhere. */
template <bool INCLUSIVE, typename Op, typename T>
__device__ inline void cuda_packed_scan_each(Op op, cuda_vector<T> &values, cuda_total<T> before,
                                             unsigned begins)
{
    using packed = cuda_packed<Op>;
#pragma unroll
    for (unsigned w = 0; w < 4; w++) {
        const unsigned word = packed::flip(op, values.word[w]);
        unsigned scanned = 0;
#pragma unroll
        for (unsigned e = 0; e < packed::COUNT; e++) {
            if ((begins >> (w * packed::COUNT + e) & 1) != 0)
                before = op.identity();
            const cuda_total<T> next = packed::add(word, e, before);
            scanned = packed::put(scanned, e, static_cast<unsigned>(INCLUSIVE ? next : before));
            before = next;
        }
        values.word[w] = packed::flip(op, scanned);
    }
}

#endif
