/*
 * widen_ways_test.c - every way in every set of instructions that this CPU has: all elements
 * converted and no byte beside them written, at every length and place of the output in a line
 */
#include "../widen_ways.c" /* NOLINT(bugprone-suspicious-include): tests what is static too */

#include "tap.h"

#include <math.h>
#include <string.h>

enum { GUARD = 128, MOST = 2000, ROOM = MOST * 8 + 2 * GUARD + LINE_BYTES };

static _Alignas(64) unsigned char source[ROOM], target[ROOM];

/* One element of the input as it must be in the output: in the lowest bytes. */
static uint64_t expected_of(uint32_t dtype, const unsigned char *from)
{
    union {
        int8_t i8;
        uint8_t u8;
        int16_t i16;
        uint16_t u16;
        int32_t i32;
        uint32_t u32;
        float f32;
    } x;
    double real;
    uint64_t bits = 0;
    uint32_t low;
    memcpy(&x, from, sizeof x);
    switch (dtype) {
    case SCAN_DTYPE_I8:
        low = (uint32_t)x.i8;
        return low;
    case SCAN_DTYPE_U8:
        return x.u8;
    case SCAN_DTYPE_I16:
        low = (uint32_t)x.i16;
        return low;
    case SCAN_DTYPE_U16:
        return x.u16;
    case SCAN_DTYPE_I32:
        return (uint64_t)(int64_t)x.i32;
    case SCAN_DTYPE_U32:
        return x.u32;
    case SCAN_DTYPE_F16:
        return scan_f32_bits(scan_f16_to_f32(x.u16));
    case SCAN_DTYPE_BF16:
        return scan_f32_bits(scan_bf16_to_f32(x.u16));
    default:
        real = (double)x.f32;
        memcpy(&bits, &real, sizeof bits);
        return bits;
    }
}

typedef struct pair {
    uint32_t dtype;
    const char *name;
    size_t from, to; /* bytes */
} pair;

static bool widens(widen_loop *loop, const pair *p, copy_way way, size_t count, size_t at)
{
    unsigned char *begin = target + GUARD + at * p->to;
    unsigned char *end = begin + count * p->to;
    memset(target, 0xa5, (size_t)(end - target) + GUARD);
    loop(begin, source + GUARD, count, way);
    bool good = true;
    for (size_t i = 0; i < count; i++) {
        const uint64_t want = expected_of(p->dtype, source + GUARD + i * p->from);
        good = good && memcmp(begin + i * p->to, &want, p->to) == 0;
    }
    for (size_t i = 0; i < GUARD; i++)
        good = good && begin[-1 - (ptrdiff_t)i] == 0xa5 && end[i] == 0xa5;
    if (!good)
        printf("# %zu elements at place %zu\n", count, at);
    return good;
}

static bool every_length(widen_loop *loop, const pair *p, copy_way way)
{
    bool good = true;
    for (size_t at = 0; good && at < LINE_BYTES / p->to; at++)
        for (size_t count = 0; good && count < 200; count++)
            good = widens(loop, p, way, count, at) && widens(loop, p, way, 10 * count, at);
    return good;
}

int main(void)
{
    static const pair pairs[] = {{SCAN_DTYPE_I8, "i8", 1, 4},    {SCAN_DTYPE_U8, "u8", 1, 4},
                                 {SCAN_DTYPE_I16, "i16", 2, 4},  {SCAN_DTYPE_U16, "u16", 2, 4},
                                 {SCAN_DTYPE_I32, "i32", 4, 8},  {SCAN_DTYPE_U32, "u32", 4, 8},
                                 {SCAN_DTYPE_F32, "f32", 4, 8},  {SCAN_DTYPE_F16, "f16", 2, 4},
                                 {SCAN_DTYPE_BF16, "bf16", 2, 4}};
    enum { PAIRS = sizeof pairs / sizeof *pairs };
    tap_plan((int)widen_sets() * PAIRS);
    for (size_t set = 0; set < widen_sets(); set++)
        for (size_t k = 0; k < PAIRS; k++) {
            widen_loop *loop = widen_loop_in(set, pairs[k].dtype);
            for (size_t i = 0; i < ROOM; i++)
                source[i] = (unsigned char)(i * UINT64_C(2654435761) >> 11);
            for (size_t i = 0; pairs[k].from == 2 && i < ROOM; i += 2)
                source[i + 1] &= 0x3b; /* no NaN, which differ in what makes them quiet */
            for (size_t i = 0; pairs[k].dtype == SCAN_DTYPE_F32 && i < ROOM / sizeof(float); i++) {
                const float x = ldexpf((float)i - 1000, (int)(i % 200) - 150);
                memcpy(source + i * sizeof x, &x, sizeof x);
            }
            bool good = loop != NULL;
            for (copy_way way = 0; good && way < COPY_WAYS; way++)
                good = !widen_way_exists(way) || every_length(loop, &pairs[k], way);
            if (loop)
                ok(good, "%s is converted in every way, in set %zu", pairs[k].name, set);
            else
                tap_skip(1, "this CPU lacks the instructions");
        }
    return tap_done();
}
