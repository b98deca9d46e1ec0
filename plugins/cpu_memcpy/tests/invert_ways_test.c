/*
 * invert_ways_test.c - every way in every set of instructions that this CPU has: all bytes are
 * inverted and none beside them, at every length and alignment
 */
#include "../invert_ways.c" /* NOLINT(bugprone-suspicious-include): tests what is static too */
#include "tap.h"

enum { GUARD = 64, MOST = 9 * PAGE_BYTES + 1000, ROOM = MOST + 2 * GUARD + LINE_BYTES };

static _Alignas(64) unsigned char array[ROOM];

static unsigned char value_at(size_t i)
{
    return (unsigned char)(i * UINT64_C(2654435761) >> 11);
}

static bool inverts(const invert_instructions *set, invert_way way, size_t bytes, size_t skew)
{
    const size_t begin = GUARD + skew, end = begin + bytes;
    for (size_t i = 0; i < end + GUARD; i++)
        array[i] = value_at(i);
    invert_bytes(set, way, array + begin, bytes);
    size_t wrong = 0;
    for (size_t i = 0; i < end + GUARD; i++) {
        const bool inside = i >= begin && i < end;
        wrong += array[i] != (inside ? (unsigned char)~value_at(i) : value_at(i));
    }
    if (wrong > 0)
        printf("# %zu of %zu bytes at %zu are wrong\n", wrong, bytes, skew);
    return wrong == 0;
}

static bool all(const invert_instructions *set, invert_way way)
{
    static const size_t long_ones[] = {3072, (size_t)4 * PAGE_BYTES, (size_t)8 * PAGE_BYTES, MOST};
    bool good = true;
    for (size_t bytes = 0; good && bytes < 2 * GROUP_BYTES + LINE_BYTES; bytes++)
        for (size_t skew = 0; good && skew < LINE_BYTES; skew += skew < 9 ? 1 : 11)
            good = inverts(set, way, bytes, skew);
    for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++)
        for (size_t less = 0; good && less < 600; less += 37)
            good = inverts(set, way, long_ones[i] - less, less % LINE_BYTES);
    return good;
}

int main(void)
{
    tap_plan((int)invert_set_count * INVERT_WAYS);
    for (size_t s = 0; s < invert_set_count; s++)
        for (int way = 0; way < INVERT_WAYS; way++) {
            const bool there = invert_sets[s].available();
            ok(!there || all(&invert_sets[s], (invert_way)way), "%s, way %d%s", invert_sets[s].name,
               way, there ? "" : " # SKIP this CPU has no such instructions");
        }
    return tap_done();
}
