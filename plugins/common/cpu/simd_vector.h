/*
 * simd_vector.h - vectors of SIMD_BYTES bytes and the contract's operators on them
 *
 * Written in the vector extensions of GCC and Clang, so the same text gives AVX-512, AVX2, SSE2 and
 * NEON. A source file that includes this is compiled for one set of instructions: it first defines
 * SIMD_BYTES as 64, 32 or 16, which stand for AVX-512, AVX2 and what every CPU of the architecture
 * has. All functions here are inlined, so no code for one set can be called with another one.
 *
 * It is compiled for elements of 4 and 8 bytes or, with SIMD_NARROW defined, for integers of 1 and
 * 2, or with SIMD_HALF for floats of 2: the compiler copies a function with all its operators to
 * wherever it is inlined, so a source with fewer operators compiles faster.
 *
 * A vector is an array of 32-bit words whatever the type of its elements. An operator knows its
 * type and casts, which costs no instruction. `op` is a constant wherever these functions are
 * called: no switch is left in the code.
 */
#ifndef SIMD_VECTOR_H
#define SIMD_VECTOR_H

#include "simd_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* For each function that is compiled for the set. */
#if !defined(SIMD_BYTES)
#error "define SIMD_BYTES as 64, 32 or 16 before including simd_vector.h"
#elif SIMD_BYTES == 64
#define SIMD_TARGET __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#elif SIMD_BYTES == 32
#define SIMD_TARGET __attribute__((target("avx2,f16c")))
#elif SIMD_BYTES == 16
#define SIMD_TARGET
#else
#error "SIMD_BYTES is 64, 32 or 16"
#endif
#if defined(SIMD_NARROW)
#define SIMD_LEAST_BYTES 1 /* of an element */
#else
#define SIMD_LEAST_BYTES 4
#endif

#define SIMD_INLINE static inline __attribute__((always_inline)) SIMD_TARGET

#define SIMD_VECTOR __attribute__((vector_size(SIMD_BYTES)))

typedef uint32_t words SIMD_VECTOR;
typedef uint8_t u8s SIMD_VECTOR;
typedef int8_t i8s SIMD_VECTOR;
typedef uint16_t u16s SIMD_VECTOR;
typedef int16_t i16s SIMD_VECTOR;
typedef int32_t i32s SIMD_VECTOR;
typedef uint64_t u64s SIMD_VECTOR;
typedef int64_t i64s SIMD_VECTOR;
typedef float f32s SIMD_VECTOR;
typedef double f64s SIMD_VECTOR;

enum { WORD_BYTES = 4, VECTOR_WORDS = SIMD_BYTES / WORD_BYTES };

/* ---- elements ------------------------------------------------------------- */

/* Bytes of an element, or a pair of them, in a register. */
SIMD_INLINE unsigned simd_bytes(const simd_op op)
{
    return op < SIMD_FIRST_ON_HALF_WORDS  ? 1
           : op < SIMD_FIRST_ON_ONE_WORD  ? WORD_BYTES / 2
           : op < SIMD_FIRST_ON_TWO_WORDS ? WORD_BYTES
                                          : 2 * WORD_BYTES;
}

/* Elements of a vector. */
SIMD_INLINE size_t simd_lanes(const simd_op op)
{
    return SIMD_BYTES / simd_bytes(op) * simd_group(op);
}

/* Bytes of an element of the input and of the output in memory, and of as many as a vector has. */
SIMD_INLINE size_t simd_in_bytes(const simd_op op)
{
    switch (op) {
    case SIMD_SUM_I8_I32:
    case SIMD_SUM_U8_U32:
        return 1;
    case SIMD_SUM_I16_I32:
    case SIMD_SUM_U16_U32:
        return WORD_BYTES / 2;
    case SIMD_SUM_WIDE_F32:
    case SIMD_SUM_I32_I64:
    case SIMD_SUM_U32_U64:
    case SIMD_SUM_F32_F64:
        return WORD_BYTES;
    default:
        return simd_is_half(op) ? simd_bytes(op) / 2 : simd_bytes(op);
    }
}

SIMD_INLINE size_t simd_out_bytes(const simd_op op)
{
    return op == SIMD_SUM_WIDE_F32 || simd_is_half(op) ? simd_bytes(op) / 2 : simd_bytes(op);
}

SIMD_INLINE size_t simd_in_step(const simd_op op)
{
    return simd_lanes(op) * simd_in_bytes(op);
}

SIMD_INLINE size_t simd_out_step(const simd_op op)
{
    return simd_lanes(op) * simd_out_bytes(op);
}

/* Are elements of the input, or of the output, wider in a register than in memory? Where only the
 * input is, they are added, and the identity is all zeros. */
SIMD_INLINE bool simd_widens(const simd_op op)
{
    return simd_in_step(op) < SIMD_BYTES;
}

SIMD_INLINE bool simd_narrows(const simd_op op)
{
    return simd_out_step(op) < SIMD_BYTES;
}

/* ---- moving --------------------------------------------------------------- */

SIMD_INLINE words simd_load(const unsigned char *from)
{
    words vector;
    memcpy(&vector, from, sizeof vector);
    return vector;
}

SIMD_INLINE void simd_store(unsigned char *to, words vector)
{
    memcpy(to, &vector, sizeof vector);
}

/* Half a vector in memory, whose elements fill one in a register: as f32 and, of floats of 16 bits,
 * as their words. */
typedef float f32_half __attribute__((vector_size(SIMD_BYTES / 2)));
typedef uint16_t u16_half __attribute__((vector_size(SIMD_BYTES / 2)));

#if defined(SIMD_HALF)
#include "simd_half.h"

SIMD_INLINE words simd_load_widened(const simd_op op, const unsigned char *from)
{
    f32_half half;
    memcpy(&half, from, sizeof half);
    return simd_widened(op, half);
}
#else
/* Elements in memory that fill a vector in a register, as one of that type. One instruction each,
 * where __builtin_convertvector of GCC 12 takes several. */
#if defined(__x86_64__) && SIMD_BYTES == 64
#define SIMD_WIDENED(name, from, to, load, instruction) \
    case SIMD_##name:                                   \
        return (words)_mm512_##instruction(load);
#define SIMD_LOAD_HALF _mm256_loadu_si256((const void *)from)
#define SIMD_LOAD_QUARTER _mm_loadu_si128((const void *)from)
#define SIMD_LOAD_FLOATS _mm256_loadu_ps((const void *)from)
#elif defined(__x86_64__) && SIMD_BYTES == 32
#define SIMD_WIDENED(name, from, to, load, instruction) \
    case SIMD_##name:                                   \
        return (words)_mm256_##instruction(load);
#define SIMD_LOAD_HALF _mm_loadu_si128((const void *)from)
#define SIMD_LOAD_QUARTER _mm_loadl_epi64((const void *)from)
#define SIMD_LOAD_FLOATS _mm_loadu_ps((const void *)from)
#else
#define SIMD_WIDENED(name, element, to, load, instruction)                           \
    case SIMD_##name: {                                                              \
        typedef element narrow                                                       \
            __attribute__((vector_size(sizeof(element) * SIMD_BYTES / sizeof(to)))); \
        typedef to wide SIMD_VECTOR;                                                 \
        narrow elements;                                                             \
        memcpy(&elements, from, sizeof elements);                                    \
        return (words) __builtin_convertvector(elements, wide);                      \
    }
#endif
SIMD_INLINE words simd_load_widened(const simd_op op, const unsigned char *from)
{
    switch (op) {
        SIMD_WIDENED(SUM_I8_I32, int8_t, int32_t, SIMD_LOAD_QUARTER, cvtepi8_epi32)
        SIMD_WIDENED(SUM_U8_U32, uint8_t, uint32_t, SIMD_LOAD_QUARTER, cvtepu8_epi32)
        SIMD_WIDENED(SUM_I16_I32, int16_t, int32_t, SIMD_LOAD_HALF, cvtepi16_epi32)
        SIMD_WIDENED(SUM_U16_U32, uint16_t, uint32_t, SIMD_LOAD_HALF, cvtepu16_epi32)
        SIMD_WIDENED(SUM_I32_I64, int32_t, int64_t, SIMD_LOAD_HALF, cvtepi32_epi64)
        SIMD_WIDENED(SUM_U32_U64, uint32_t, uint64_t, SIMD_LOAD_HALF, cvtepu32_epi64)
    case SIMD_SUM_WIDE_F32:
        SIMD_WIDENED(SUM_F32_F64, float, double, SIMD_LOAD_FLOATS, cvtps_pd)
    default:
        __builtin_unreachable();
    }
}

SIMD_INLINE f32_half simd_narrowed(const simd_op op, words vector)
{
    (void)op;
#if defined(__x86_64__) && SIMD_BYTES == 64
    return (f32_half)_mm512_cvtpd_ps((__m512d)vector);
#elif defined(__x86_64__) && SIMD_BYTES == 32
    return (f32_half)_mm256_cvtpd_ps((__m256d)vector);
#else
    return __builtin_convertvector((f64s)vector, f32_half);
#endif
}
#endif

/* The elements of a vector from memory and to it. */
SIMD_INLINE words simd_load_elements(const simd_op op, const unsigned char *from)
{
    return simd_widens(op) ? simd_load_widened(op, from) : simd_load(from);
}

SIMD_INLINE void simd_store_elements(const simd_op op, unsigned char *to, words vector)
{
    if (simd_narrows(op)) {
        const f32_half half = simd_narrowed(op, vector);
        memcpy(to, &half, sizeof half);
    } else {
        simd_store(to, vector);
    }
}

/* Stores half a vector around the caches; `to` is a multiple of its bytes. */
SIMD_INLINE void simd_store_half_around(unsigned char *to, f32_half half)
{
#if defined(__x86_64__) && SIMD_BYTES == 64
    _mm256_stream_ps((void *)to, (__m256)half);
#elif defined(__x86_64__) && SIMD_BYTES == 32
    _mm_stream_ps((void *)to, (__m128)half);
#elif defined(__x86_64__)
    long long bits;
    memcpy(&bits, &half, sizeof bits);
    _mm_stream_si64((void *)to, bits);
#else
    memcpy(to, &half, sizeof half);
#endif
}

/* Stores around the caches. `to` is a multiple of SIMD_BYTES; whole lines are to be stored at once,
 * or the write buffers send them in pieces. */
SIMD_INLINE void simd_store_around(unsigned char *to, words vector)
{
#if defined(__x86_64__) && SIMD_BYTES == 64
    _mm512_stream_si512((void *)to, (__m512i)vector);
#elif defined(__x86_64__) && SIMD_BYTES == 32
    _mm256_stream_si256((void *)to, (__m256i)vector);
#elif defined(__x86_64__)
    _mm_stream_si128((void *)to, (__m128i)vector);
#else
    simd_store(to, vector);
#endif
}

SIMD_INLINE void simd_store_elements_around(const simd_op op, unsigned char *to, words vector)
{
    if (simd_narrows(op))
        simd_store_half_around(to, simd_narrowed(op, vector));
    else
        simd_store_around(to, vector);
}

/* Makes stores around the caches visible to other threads, in the order of the program. */
SIMD_INLINE void simd_fence(void)
{
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

#if defined(__x86_64__) && SIMD_BYTES == 64
/* The first words, or bytes where those are wider than elements, of `count` elements as they are
 * in memory. */
SIMD_INLINE __mmask16 simd_first_words(const simd_op op, size_t count)
{
    return (__mmask16)((1U << count * simd_out_bytes(op) / WORD_BYTES) - 1);
}

SIMD_INLINE __mmask64 simd_first_bytes(const simd_op op, size_t count)
{
    const size_t bytes = count * simd_out_bytes(op);
    return bytes < SIMD_BYTES ? ((__mmask64)1 << bytes) - 1 : ~(__mmask64)0;
}
#endif

/* Its first `count` elements from memory, the others from `rest`. */
SIMD_INLINE words simd_load_first(const simd_op op, const unsigned char *from, size_t count,
                                  words rest)
{
    if (simd_widens(op)) {
        unsigned char elements[SIMD_BYTES] = {0}; /* the identity of a sum */
        if (simd_narrows(op))
            simd_store_elements(op, elements, rest);
        memcpy(elements, from, count * simd_in_bytes(op));
        return simd_load_widened(op, elements);
    }
#if defined(__x86_64__) && SIMD_BYTES == 64
    if (simd_out_bytes(op) < WORD_BYTES)
        return (words)_mm512_mask_loadu_epi8((__m512i)rest, simd_first_bytes(op, count), from);
    return (words)_mm512_mask_loadu_epi32((__m512i)rest, simd_first_words(op, count), from);
#else
    memcpy(&rest, from, count * simd_out_bytes(op));
    return rest;
#endif
}

/* Elements `first` ... of an array of `n`, and those of `rest` where that has none. `first` may be
 * negative. */
SIMD_INLINE words simd_load_within(const simd_op op, const unsigned char *array, ptrdiff_t first,
                                   size_t n, words rest)
{
    const ptrdiff_t lanes = (ptrdiff_t)simd_lanes(op), bytes = (ptrdiff_t)simd_in_bytes(op);
    const ptrdiff_t begin = first < 0 ? -first : 0;
    const ptrdiff_t left = (ptrdiff_t)n - first, end = left < lanes ? left : lanes;
    if (begin == 0 && end == lanes)
        return simd_load_elements(op, array + first * bytes);
    unsigned char elements[SIMD_BYTES] = {0}; /* the identity of a sum */
    if (!simd_widens(op) || simd_narrows(op))
        simd_store_elements(op, elements, rest);
    if (begin < end)
        memcpy(elements + begin * bytes, array + (first + begin) * bytes,
               (size_t)((end - begin) * bytes));
    return simd_load_elements(op, elements);
}

SIMD_INLINE void simd_store_first(const simd_op op, unsigned char *to, size_t count, words vector)
{
    if (simd_narrows(op)) {
        const f32_half half = simd_narrowed(op, vector);
        memcpy(to, &half, count * simd_out_bytes(op));
        return;
    }
#if defined(__x86_64__) && SIMD_BYTES == 64
    if (simd_out_bytes(op) < WORD_BYTES)
        _mm512_mask_storeu_epi8(to, simd_first_bytes(op, count), (__m512i)vector);
    else
        _mm512_mask_storeu_epi32(to, simd_first_words(op, count), (__m512i)vector);
#else
    memcpy(to, &vector, count * simd_out_bytes(op));
#endif
}

SIMD_INLINE void simd_store_last(const simd_op op, unsigned char *to, size_t count, words vector)
{
    const size_t bytes = count * simd_out_bytes(op);
    unsigned char elements[SIMD_BYTES];
    simd_store_elements(op, elements, vector);
    memcpy(to, elements + simd_out_step(op) - bytes, bytes);
}

SIMD_INLINE words simd_all(const simd_op op, simd_value value)
{
    switch (simd_bytes(op)) {
    case 1:
        return (words)((u8s){0} + value.u8);
    case 2:
        return (words)((u16s){0} + value.u16);
    case WORD_BYTES:
        return (words){0} + value.u32;
    default:
        return (words)((u64s){0} + value.u64);
    }
}

SIMD_INLINE simd_value simd_last(const simd_op op, words vector)
{
    const size_t bytes = simd_bytes(op);
    simd_value value = {.u64 = 0};
    memcpy(&value, (const unsigned char *)&vector + sizeof vector - bytes, bytes);
    return value;
}

/* Indices of __builtin_shufflevector: as many as a vector has words, one after the other, and as
 * many as it has elements of one or two words, every second one. */
#define SIMD_RUN_2(a) a, (a) + 1
#define SIMD_RUN_4(a) SIMD_RUN_2(a), SIMD_RUN_2((a) + 2)
#define SIMD_RUN_8(a) SIMD_RUN_4(a), SIMD_RUN_4((a) + 4)
#define SIMD_RUN_16(a) SIMD_RUN_8(a), SIMD_RUN_8((a) + 8)
#define SIMD_SECOND_2(a) a, (a) + 2
#define SIMD_SECOND_4(a) SIMD_SECOND_2(a), SIMD_SECOND_2((a) + 4)
#define SIMD_SECOND_8(a) SIMD_SECOND_4(a), SIMD_SECOND_4((a) + 8)
#define SIMD_SECOND_16(a) SIMD_SECOND_8(a), SIMD_SECOND_8((a) + 16)
#if SIMD_BYTES == 64
#define SIMD_RUN SIMD_RUN_16
#define SIMD_SECOND_WORDS SIMD_SECOND_16
#define SIMD_SECOND_PAIRS SIMD_SECOND_8
#elif SIMD_BYTES == 32
#define SIMD_RUN SIMD_RUN_8
#define SIMD_SECOND_WORDS SIMD_SECOND_8
#define SIMD_SECOND_PAIRS SIMD_SECOND_4
#else
#define SIMD_RUN SIMD_RUN_4
#define SIMD_SECOND_WORDS SIMD_SECOND_4
#define SIMD_SECOND_PAIRS SIMD_SECOND_2
#endif

/* simd_back by whole words. */
#if defined(__x86_64__) && SIMD_BYTES == 64
/* One instruction either way, but GCC 12 takes one that overwrites an operand, and copies that. */
#define SIMD_BACK_WORDS(earlier, later, count) \
    (words) _mm512_alignr_epi32((__m512i)(later), (__m512i)(earlier), VECTOR_WORDS - (count))
#else
#define SIMD_BACK_WORDS(earlier, later, count) \
    __builtin_shufflevector(earlier, later, SIMD_RUN(VECTOR_WORDS - (count)))
#endif

/* What lies 16 bytes before `later`. */
#define SIMD_LANE_BEFORE(earlier, later) SIMD_BACK_WORDS(earlier, later, 4)

#if defined(SIMD_NARROW)
/* simd_back by fewer bytes than a word. Wide vectors are shifted in lanes of 16 bytes: each goes on
 * with the end of what lies a lane before. */
#if defined(__x86_64__) && SIMD_BYTES == 64
#define SIMD_BACK_BYTES(earlier, later, count)                                              \
    (words) _mm512_alignr_epi8((__m512i)(later), (__m512i)SIMD_LANE_BEFORE(earlier, later), \
                               16 - (count))
#elif defined(__x86_64__) && SIMD_BYTES == 32
#define SIMD_BACK_BYTES(earlier, later, count)                                              \
    (words) _mm256_alignr_epi8((__m256i)(later), (__m256i)SIMD_LANE_BEFORE(earlier, later), \
                               16 - (count))
#elif defined(__x86_64__)
#define SIMD_BACK_BYTES(earlier, later, count)                             \
    (words) _mm_or_si128(_mm_srli_si128((__m128i)(earlier), 16 - (count)), \
                         _mm_slli_si128((__m128i)(later), count))
#else
#define SIMD_BACK_BYTES(earlier, later, count) \
    (words) __builtin_shufflevector((u8s)(earlier), (u8s)(later), SIMD_RUN_16(16 - (count)))
#endif
#endif

/* The vector that begins `bytes` bytes before `later` does, of two vectors that lie side by side:
 * the last `bytes` bytes of `earlier`, then the first of `later`. */
SIMD_INLINE words simd_back(words earlier, words later, const unsigned bytes)
{
    switch (bytes) {
#if defined(SIMD_NARROW)
    case 1:
        return SIMD_BACK_BYTES(earlier, later, 1);
    case 2:
        return SIMD_BACK_BYTES(earlier, later, 2);
#endif
    case 4:
        return SIMD_BACK_WORDS(earlier, later, 1);
    case 8:
        return SIMD_BACK_WORDS(earlier, later, 2);
#if SIMD_BYTES > 16
    case 16:
        return SIMD_BACK_WORDS(earlier, later, 4);
#endif
#if SIMD_BYTES > 32
    case 32:
        return SIMD_BACK_WORDS(earlier, later, 8);
#endif
    default:
        __builtin_unreachable();
    }
}

/* Every second element, of a word or two, of two vectors that lie side by side, from element
 * `first`, 0 or 1, on. */
SIMD_INLINE words simd_every_second(const simd_op op, words left, words right, const unsigned first)
{
    if (simd_bytes(op) == WORD_BYTES)
        return first == 0 ? __builtin_shufflevector(left, right, SIMD_SECOND_WORDS(0))
                          : __builtin_shufflevector(left, right, SIMD_SECOND_WORDS(1));
    const u64s l = (u64s)left, r = (u64s)right;
    return (words)(first == 0 ? __builtin_shufflevector(l, r, SIMD_SECOND_PAIRS(0))
                              : __builtin_shufflevector(l, r, SIMD_SECOND_PAIRS(1)));
}

/* ---- operators ------------------------------------------------------------ */

SIMD_INLINE words simd_choose(words mask, words yes, words no)
{
    return (yes & mask) | (no & ~mask);
}

/* The greater or the smaller of each two: by one instruction where the set has it, or else by
 * comparing and choosing. Equal ones are the same bits but for zeros and NaNs of floats. */
#define SIMD_CALL(op, instruction, type) \
    case SIMD_##op:                      \
        return (words)instruction((type)right, (type)left);
#define SIMD_CHOOSE(op, type, relation) \
    case SIMD_##op:                     \
        return simd_choose((words)((type)left relation(type) right), right, left);

/* simd_is_sum and simd_combine, and the operators they take, for a single row and in rows. */
#if defined(SIMD_NARROW)
#define SIMD_OPS_HERE SIMD_NARROW_OPS
#define SIMD_OPS_IN_ROWS SIMD_NARROW_OPS
#include "simd_narrow_ops.h"
#elif defined(SIMD_HALF)
#define SIMD_OPS_HERE SIMD_HALF_OPS
#define SIMD_OPS_IN_ROWS SIMD_HALF_OPS_IN_ROWS
#include "simd_half_ops.h"
#else
#define SIMD_OPS_HERE SIMD_WORD_OPS
#define SIMD_OPS_IN_ROWS SIMD_WORD_OPS
#include "simd_word_ops.h"
#endif
#include "simd_pairs.h"

#endif
