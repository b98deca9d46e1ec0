/*
 * cuda_packed.cuh - narrow elements in the words of a vector, four or two of them at once
 *
 * A scan at the speed of a copy leaves an H200 about 8 additions, and as many multiplications, for
 * each byte that it reads. So elements of 8 and 16 bits are not taken apart: a word is scanned in
 * two lanes of 16 bits, and what is carried from word to word is one total, in both of them.
 *
 *     sums           bytes have lanes with room for what they carry, and only their low bits are
 *                    kept; of 16 bits one lane is added at a time. So nothing is carried into the
 *                    next element. A vector's total is a dot product with ones (dp4a, dp2a)
 *     max and min    bytes fill the upper half of a lane. What lies in the lower half decides only
 *                    between equal bytes
 *
 * Sums of floats of 16 bits are made in f32: the two of a word are converted, added, and together
 * rounded. So nothing is rounded but what leaves; the total is an f32, too. Their max and min,
 * which do not round, have packed instructions.
 *
 * Instructions for each element of the pipeline with look-ahead, in which a tile is added up before
 * it is scanned: 4.1 for sums of bytes, 6.0 for those of 16 bits, 5.5 for max and min of bytes. Of
 * elements of 32 bits a sum takes 8.
 */
#ifndef CUDA_PACKED_CUH
#define CUDA_PACKED_CUH

#include "cuda_access.cuh"
#include "cuda_ops.cuh"

#include <type_traits>

template <typename Op> struct cuda_packed;

/* Is nothing changed by a total that is taken in twice? */
template <typename Op> inline constexpr bool cuda_is_idempotent = false;
template <typename T>
inline constexpr bool cuda_is_idempotent<cuda_extremum<T>> = cuda_extremum<T>::is_narrow;

/* Words that are the same whatever the operator. */
template <typename T> struct cuda_packed_words {
    static constexpr unsigned COUNT = 4 / sizeof(T); /* elements of a word */
    static constexpr unsigned BITS = 8 * sizeof(T);

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
        return __byte_perm(word, element, (0x3210u & ~(mine << at)) | given << at);
    }
};

template <typename T> struct cuda_packed<cuda_sum<T>> : cuda_packed_words<T> {
    static constexpr unsigned IDENTITIES = 0;

    /* An element as it is added, and back. */
    static __device__ unsigned flip(cuda_sum<T>, unsigned word)
    {
        return word;
    }
    /* In both lanes of 16 bits. */
    static __device__ unsigned carry_of(uint32_t total)
    {
        return __byte_perm(total, 0, sizeof(T) == 1 ? 0x4040 : 0x1010);
    }
    /* A total as an element, in the lower bits. */
    static __device__ unsigned bits_of(uint32_t total)
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
    /* What stands for the total so far, at first of nothing, takes in a word; and the total. */
    static __device__ uint32_t nothing()
    {
        return 0;
    }
    static __device__ uint32_t take(uint32_t so_far, unsigned word)
    {
        return dot(word, 0x01010101, so_far);
    }
    static __device__ uint32_t total(uint32_t so_far)
    {
        return so_far;
    }
    /* Scans a word behind *carry_p, which becomes that of the next word. */
    template <bool INCLUSIVE> static __device__ unsigned scan(unsigned word, unsigned *carry_p)
    {
        if constexpr (sizeof(T) == 1) {
            const unsigned even = word & 0x00ff00ff, pairs = even + __byte_perm(word, 0, 0x4341);
            const unsigned before = *carry_p + (pairs << 16); /* each pair */
            const unsigned first = before + even, second = before + pairs;
            *carry_p = __byte_perm(second, 0, 0x4242);
            return INCLUSIVE ? __byte_perm(first, second, 0x6240)
                             : __byte_perm(before, first, 0x6240);
        } else {
            const unsigned before = *carry_p + (word << 16);
            const unsigned first = *carry_p + word, second = (before & 0xffff0000) + word;
            *carry_p = __byte_perm(second, 0, 0x3232);
            return INCLUSIVE ? __byte_perm(first, second, 0x7610) : before;
        }
    }
};

template <typename T> struct cuda_packed_half_sum : cuda_packed_words<T> {
    using half = cuda_half<T>;
    static constexpr unsigned IDENTITIES = 0;

    static __device__ unsigned flip(cuda_sum<T>, unsigned word)
    {
        return word;
    }
    static __device__ float carry_of(float total)
    {
        return total;
    }
    static __device__ unsigned bits_of(float total)
    {
        return static_cast<unsigned>(half::from_f32(total));
    }
    static __device__ float add(unsigned word, unsigned e, float before)
    {
        return before + (e == 0 ? half::low(word) : half::high(word));
    }
    static __device__ float nothing()
    {
        return 0;
    }
    static __device__ float take(float so_far, unsigned word)
    {
        return so_far + (half::low(word) + half::high(word));
    }
    static __device__ float total(float so_far)
    {
        return so_far;
    }
    template <bool INCLUSIVE> static __device__ unsigned scan(unsigned word, float *carry_p)
    {
        const float before = *carry_p, first = before + half::low(word);
        *carry_p = first + half::high(word);
        return INCLUSIVE ? half::pair(first, *carry_p) : half::pair(before, first);
    }
};

template <> struct cuda_packed<cuda_sum<cuda_f16>> : cuda_packed_half_sum<cuda_f16> {
};
template <> struct cuda_packed<cuda_sum<cuda_bf16>> : cuda_packed_half_sum<cuda_bf16> {
};

template <typename T> struct cuda_packed<cuda_extremum<T>> : cuda_packed_words<T> {
    using total_type = cuda_total<T>;
    static constexpr unsigned IDENTITIES = cuda_packed_words<T>::repeat(cuda_least<T>());

    static __device__ unsigned flip(cuda_extremum<T> op, unsigned word)
    {
        return word ^ op.flip();
    }
    /* The same in both lanes. */
    static __device__ unsigned carry_of(total_type total)
    {
        if constexpr (cuda_is_half<T>)
            return cuda_half<T>::pair(total, total);
        else
            return __byte_perm(bits_of(total), 0, sizeof(T) == 1 ? 0x0404 : 0x1010);
    }
    static __device__ unsigned bits_of(total_type total)
    {
        if constexpr (cuda_is_half<T>)
            return static_cast<unsigned>(cuda_narrow<T>(total));
        else
            return static_cast<unsigned>(total);
    }
    static __device__ unsigned greater(unsigned left, unsigned right)
    {
        if constexpr (cuda_is_half<T>)
            return cuda_half<T>::greater(left, right);
        else
            return std::is_signed_v<T> ? __vmaxs2(left, right) : __vmaxu2(left, right);
    }
    static __device__ unsigned greatest(unsigned a, unsigned b, unsigned c)
    {
        return std::is_signed_v<T> ? __vimax3_s16x2(a, b, c) : __vimax3_u16x2(a, b, c);
    }
    static __device__ total_type element(unsigned word, unsigned e)
    {
        return cuda_widen(static_cast<T>(word >> e * cuda_packed_words<T>::BITS));
    }
    static __device__ total_type add(unsigned word, unsigned e, total_type before)
    {
        const total_type mine = element(word, e);
        if constexpr (cuda_is_half<T>)
            return fmaxf(before, mine);
        else
            return before < mine ? mine : before;
    }
    static __device__ unsigned nothing()
    {
        return IDENTITIES;
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
    template <bool INCLUSIVE> static __device__ unsigned scan(unsigned word, unsigned *carry_p)
    {
        if constexpr (sizeof(T) == 1) {
            const unsigned low = word << 8, pairs = greater(low, word);
            const unsigned before = greater(*carry_p, __byte_perm(*carry_p, pairs, 0x5410));
            const unsigned first = greater(before, low), second = greater(before, pairs);
            *carry_p = __byte_perm(second, 0, 0x3232);
            return INCLUSIVE ? __byte_perm(first, second, 0x7351)
                             : __byte_perm(before, first, 0x7351);
        } else {
            const unsigned before = greater(*carry_p, __byte_perm(*carry_p, word, 0x5410));
            const unsigned scanned = greater(before, word);
            *carry_p = __byte_perm(scanned, 0, 0x3232);
            return INCLUSIVE ? scanned : before;
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
    auto so_far = packed::nothing();
#pragma unroll
    for (unsigned w = 0; w < 4; w++) {
        if (w > 0 && (begins >> w * packed::COUNT & 1) != 0)
            so_far = packed::nothing();
        so_far = packed::take(so_far, packed::flip(op, values.word[w]));
    }
    return packed::total(so_far);
}

/* The first `count` elements of `left`, all if there are fewer, and what follows of `right`. */
template <typename T>
__device__ inline cuda_vector<T> cuda_packed_join(const cuda_vector<T> &left,
                                                  const cuda_vector<T> &right, unsigned count)
{
    const int bits = static_cast<int>(count * cuda_packed_words<T>::BITS);
    cuda_vector<T> joined;
#pragma unroll
    for (int w = 0; w < 4; w++) {
        const int here = bits - 32 * w;
        const unsigned of_right =
            __funnelshift_lc(0, ~0u, static_cast<unsigned>(here > 0 ? here : 0));
        joined.word[w] = (right.word[w] & of_right) | (left.word[w] & ~of_right);
    }
    return joined;
}

/* A vector of identities. */
template <typename Op, typename T = typename Op::value>
__device__ inline cuda_vector<T> cuda_packed_nothing(Op op)
{
    const unsigned word = cuda_packed<Op>::flip(op, cuda_packed<Op>::IDENTITIES);
    return {{word, word, word, word}};
}

/* Makes the first `count` elements the identity; all, if there are fewer. */
template <typename Op, typename T>
__device__ inline void cuda_packed_clear(Op op, cuda_vector<T> &values, unsigned count)
{
    values = cuda_packed_join(cuda_packed_nothing(op), values, count);
}

/* Scans a vector behind `before`. Rows begin as above. */
template <bool INCLUSIVE, typename Op, typename T>
__device__ inline void cuda_packed_scan(Op op, cuda_vector<T> &values, cuda_total<T> before,
                                        unsigned begins = 0)
{
    using packed = cuda_packed<Op>;
    auto carry = packed::carry_of(before);
#pragma unroll
    for (unsigned w = 0; w < 4; w++) {
        if ((begins >> w * packed::COUNT & 1) != 0)
            carry = packed::carry_of(op.identity());
        const unsigned word = packed::flip(op, values.word[w]);
        values.word[w] = packed::flip(op, packed::template scan<INCLUSIVE>(word, &carry));
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
            scanned = packed::put(scanned, e, packed::bits_of(INCLUSIVE ? next : before));
            before = next;
        }
        values.word[w] = packed::flip(op, scanned);
    }
}

#endif
