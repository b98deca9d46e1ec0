/*
 * widen_ways.c - loads, converts and stores vectors: through the caches, or around them with two
 * ways to prefetch the input (see copy_ways.c)
 *
 * A line of the output is made of a half or a quarter of one of the input. The first elements are
 * converted one by one, until the output begins with a line.
 */
#include "widen_ways.h"

#include "scan_half.h"
#include "simd_set.h"

#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { LINE_BYTES = 64, GROUP_BYTES = 4 * LINE_BYTES };
enum { AHEAD_BYTES = 3072, NEAR_BYTES = 512 };

bool widen_way_exists(copy_way way)
{
    return way == COPY_MEMCPY || way == COPY_VECTORS || way == COPY_STREAM_AHEAD ||
           way == COPY_STREAM_NEAR;
}

/* How far ahead a way prefetches; 0: it stores through the caches and leaves that to the hardware.
 */
static size_t bytes_ahead(copy_way way)
{
    return way == COPY_STREAM_AHEAD ? AHEAD_BYTES : way == COPY_STREAM_NEAR ? NEAR_BYTES : 0;
}

/* `count` elements one by one, from y + i and x + i on; the compiler makes vectors of them. */
#define REST(one)          \
    for (; i < count; i++) \
    y[i] = one(x[i])

#if defined(__x86_64__)
/* One conversion: `convert` makes a vector of the output of the elements at an address, `one` a
 * single result. */
#define WIDEN(set, isa, vector, stream, store, name, from, to, one, convert)                \
    __attribute__((target(isa))) static void name##_##set(void *target, const void *source, \
                                                          size_t count, copy_way way)       \
    {                                                                                       \
        enum { EACH = sizeof(vector) / sizeof(to), GROUP = GROUP_BYTES / sizeof(to) };      \
        const size_t ahead = bytes_ahead(way);                                              \
        const from *x = source;                                                             \
        to *y = target;                                                                     \
        size_t i = 0;                                                                       \
        for (; i < count && (uintptr_t)(y + i) % LINE_BYTES != 0; i++)                      \
            y[i] = one(x[i]);                                                               \
        for (; ahead > 0 && i + GROUP <= count; i += GROUP) {                               \
            for (size_t k = 0; k < GROUP * sizeof(from); k += LINE_BYTES)                   \
                if (i + (ahead + k) / sizeof(from) < count)                                 \
                    __builtin_prefetch((const char *)(x + i) + ahead + k);                  \
            for (size_t k = i; k < i + GROUP; k += EACH)                                    \
                stream((void *)(y + k), convert((const void *)(x + k)));                    \
        }                                                                                   \
        for (; i + GROUP <= count; i += GROUP)                                              \
            for (size_t k = i; k < i + GROUP; k += EACH)                                    \
                store((void *)(y + k), convert((const void *)(x + k)));                     \
        REST(one);                                                                          \
        _mm_sfence();                                                                       \
    }

#define WIDEN_ALL(set, ...)                                                       \
    WIDEN(set, __VA_ARGS__, i8_i32, int8_t, int32_t, (int32_t), set##_I8)         \
    WIDEN(set, __VA_ARGS__, u8_u32, uint8_t, uint32_t, (uint32_t), set##_U8)      \
    WIDEN(set, __VA_ARGS__, i16_i32, int16_t, int32_t, (int32_t), set##_I16)      \
    WIDEN(set, __VA_ARGS__, u16_u32, uint16_t, uint32_t, (uint32_t), set##_U16)   \
    WIDEN(set, __VA_ARGS__, i32_i64, int32_t, int64_t, (int64_t), set##_I32)      \
    WIDEN(set, __VA_ARGS__, u32_u64, uint32_t, uint64_t, (uint64_t), set##_U32)   \
    WIDEN(set, __VA_ARGS__, f32_f64, float, double, (double), set##_F32)          \
    WIDEN(set, __VA_ARGS__, f16_f32, uint16_t, float, scan_f16_to_f32, set##_F16) \
    WIDEN(set, __VA_ARGS__, bf16_f32, uint16_t, float, scan_bf16_to_f32, set##_BF16)

#define avx512_I8(at) _mm512_cvtepi8_epi32(_mm_loadu_si128(at))
#define avx512_U8(at) _mm512_cvtepu8_epi32(_mm_loadu_si128(at))
#define avx512_I16(at) _mm512_cvtepi16_epi32(_mm256_loadu_si256(at))
#define avx512_U16(at) _mm512_cvtepu16_epi32(_mm256_loadu_si256(at))
#define avx512_I32(at) _mm512_cvtepi32_epi64(_mm256_loadu_si256(at))
#define avx512_U32(at) _mm512_cvtepu32_epi64(_mm256_loadu_si256(at))
#define avx512_F32(at) _mm512_castpd_si512(_mm512_cvtps_pd(_mm256_loadu_ps(at)))
#define avx512_F16(at) _mm512_castps_si512(_mm512_cvtph_ps(_mm256_loadu_si256(at)))
#define avx512_BF16(at) _mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256(at)), 16)
WIDEN_ALL(avx512, "avx512f", __m512i, _mm512_stream_si512, _mm512_storeu_si512)

#define avx2_I8(at) _mm256_cvtepi8_epi32(_mm_loadl_epi64(at))
#define avx2_U8(at) _mm256_cvtepu8_epi32(_mm_loadl_epi64(at))
#define avx2_I16(at) _mm256_cvtepi16_epi32(_mm_loadu_si128(at))
#define avx2_U16(at) _mm256_cvtepu16_epi32(_mm_loadu_si128(at))
#define avx2_I32(at) _mm256_cvtepi32_epi64(_mm_loadu_si128(at))
#define avx2_U32(at) _mm256_cvtepu32_epi64(_mm_loadu_si128(at))
#define avx2_F32(at) _mm256_castpd_si256(_mm256_cvtps_pd(_mm_loadu_ps(at)))
#define avx2_F16(at) _mm256_castps_si256(_mm256_cvtph_ps(_mm_loadu_si128(at)))
#define avx2_BF16(at) _mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128(at)), 16)
WIDEN_ALL(avx2, "avx2,f16c", __m256i, _mm256_stream_si256, _mm256_storeu_si256)

static bool has_avx512(void)
{
    return simd_has(SIMD_AVX512);
}

static bool has_avx2(void)
{
    return simd_has(SIMD_AVX2);
}
#endif

/* Plain C has no stores around the caches. */
#define PORTABLE(name, from, to, one)                                                         \
    static void name##_portable(void *target, const void *source, size_t count, copy_way way) \
    {                                                                                         \
        const from *x = source;                                                               \
        to *y = target;                                                                       \
        size_t i = 0;                                                                         \
        (void)way;                                                                            \
        REST(one);                                                                            \
    }
PORTABLE(i8_i32, int8_t, int32_t, (int32_t))
PORTABLE(u8_u32, uint8_t, uint32_t, (uint32_t))
PORTABLE(i16_i32, int16_t, int32_t, (int32_t))
PORTABLE(u16_u32, uint16_t, uint32_t, (uint32_t))
PORTABLE(i32_i64, int32_t, int64_t, (int64_t))
PORTABLE(u32_u64, uint32_t, uint64_t, (uint64_t))
PORTABLE(f32_f64, float, double, (double))
PORTABLE(f16_f32, uint16_t, float, scan_f16_to_f32)
PORTABLE(bf16_f32, uint16_t, float, scan_bf16_to_f32)

#define LOOPS_OF(set)                                                       \
    {                                                                       \
        [SCAN_DTYPE_I8] = i8_i32_##set, [SCAN_DTYPE_U8] = u8_u32_##set,     \
        [SCAN_DTYPE_I16] = i16_i32_##set, [SCAN_DTYPE_U16] = u16_u32_##set, \
        [SCAN_DTYPE_I32] = i32_i64_##set, [SCAN_DTYPE_U32] = u32_u64_##set, \
        [SCAN_DTYPE_F32] = f32_f64_##set, [SCAN_DTYPE_F16] = f16_f32_##set, \
        [SCAN_DTYPE_BF16] = bf16_f32_##set                                  \
    }

static bool always(void)
{
    return true;
}

static const struct {
    bool (*available)(void);
    widen_loop *loops[SCAN_DTYPE_COUNT];
} sets[] = {
#if defined(__x86_64__)
    {has_avx512, LOOPS_OF(avx512)},
    {has_avx2, LOOPS_OF(avx2)},
#endif
    {always, LOOPS_OF(portable)},
};

size_t widen_sets(void)
{
    return sizeof sets / sizeof *sets;
}

widen_loop *widen_loop_in(size_t set, uint32_t dtype)
{
    return sets[set].available() ? sets[set].loops[dtype] : NULL;
}

widen_loop *widen_loop_of(uint32_t dtype)
{
    size_t set = 0;
    while (!sets[set].available())
        set++;
    return widen_loop_in(set, dtype);
}
