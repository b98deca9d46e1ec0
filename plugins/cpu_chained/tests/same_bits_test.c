/*
 * same_bits_test.c - a part of a sum of bf16, and the total of another one, have the same bits
 * wherever they lie: pairs begin at even elements, also at an address that is odd in words
 */
#include "chained_part.h"
#include "scan_half.h"
#include "tap.h"

enum { MOST_N = 8003, BYTES = 2, PAIR_BYTES = 2 * BYTES, ROOM = MOST_N * BYTES + SIMD_LINE_BYTES };

static _Alignas(SIMD_LINE_BYTES) unsigned char source[ROOM], target[ROOM], first[ROOM], next[ROOM];

static float fraction(size_t i)
{
    const uint32_t mixed = ((uint32_t)i * UINT32_C(2654435761) >> 15) * UINT32_C(2654435761);
    return (float)(mixed >> 16) * 0x1p-16F;
}

/* Small sums of small elements and of great ones that cancel, so that what is lost on the way shows
 * in results. */
static void make_input(size_t n, unsigned char *to)
{
    for (size_t i = 0; i < n; i++, to += BYTES) {
        const float great = i % 7 == 2 ? 1e6F : i % 7 == 5 ? -1e6F : 0;
        const uint16_t half = scan_bf16_from_f32(great + fraction(i) - fraction(i + 1));
        memcpy(to, &half, sizeof half);
    }
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the part's output */
static simd_value fuse(chained_fused *fused, size_t n, size_t at, unsigned char *out, bool around)
{
    make_input(n, source + at);
    make_input(n, next + at);
    const simd_part part = {.in = source + at,
                            .out = out,
                            .n = n,
                            .carry = {.f32 = 3.14159F},
                            .path = &simd_ahead,
                            .around = around && (uintptr_t)out % PAIR_BYTES == 0};
    return fused(&part, next + at, n);
}

static bool same_everywhere(chained_fused *fused, size_t n)
{
    const simd_value total = fuse(fused, n, 0, first, false);
    for (size_t at = 0; at < SIMD_LINE_BYTES; at += BYTES)
        for (size_t to = 0; to < SIMD_LINE_BYTES; to += BYTES)
            for (int way = 0; way < 3; way++) {
                unsigned char *out = way == 2 ? source + at : target + to;
                const simd_value again = fuse(fused, n, at, out, way == 1);
                if (memcmp(out, first, n * BYTES) != 0 ||
                    memcmp(&again, &total, sizeof(float)) != 0) {
                    printf("# %zu elements, bytes %zu and %zu of a line, way %d\n", n, at, to, way);
                    return false;
                }
            }
    return true;
}

int main(void)
{
    static const chained_loops *const loops[SIMD_SETS] = {
        [SIMD_ANY] = &chained_half_any,
#if defined(__x86_64__)
        [SIMD_AVX2] = &chained_half_avx2,
        [SIMD_AVX512] = &chained_half_avx512,
#endif
    };
    tap_plan(SIMD_SETS - SIMD_ANY);
    for (simd_set set = SIMD_ANY; set < SIMD_SETS; set++) {
        if (!simd_has(set)) {
            tap_skip(1, "this CPU lacks the instructions");
            continue;
        }
        bool good = true;
        for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++)
            for (size_t n = MOST_N - 1; n <= MOST_N; n++)
                good = good && same_everywhere(loops[set]->fused[SIMD_SUM_BF16_PAIRS][kind], n);
        ok(good, "sums of bf16 have the same bits everywhere, isa=%d", (int)set);
    }
    return tap_done();
}
