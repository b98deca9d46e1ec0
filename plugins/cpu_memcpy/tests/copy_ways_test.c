/*
 * copy_ways_test.c - every way in every set of instructions that this CPU has: all bytes
 * copied and none beside them, at every length and alignment
 */
#include "../copy_ways.c" /* NOLINT(bugprone-suspicious-include): tests what is static too */
#include "tap.h"

enum { GUARD = 128, MOST = 3 * BLOCK_BYTES + 1000, ROOM = MOST + 2 * GUARD + LINE_BYTES };

static unsigned char source[ROOM];
static _Alignas(64) unsigned char target[ROOM];

/* Of `bytes` to an address `to` past a line, from one `from` past it. */
static bool copies(const copy_instructions *set, copy_way way, size_t bytes, size_t to, size_t from)
{
    const size_t begin = GUARD + to;
    const size_t end = begin + bytes;
    memset(target, 0xa5, end + GUARD);
    copy_bytes(set, way, target + begin, source + from, bytes);
    bool good = memcmp(target + begin, source + from, bytes) == 0;
    for (size_t i = 0; i < GUARD; i++)
        good = good && target[begin - 1 - i] == 0xa5 && target[end + i] == 0xa5;
    if (!good)
        printf("# %zu bytes to %zu from %zu\n", bytes, to, from);
    return good;
}

static bool every_length(const copy_instructions *set, copy_way way)
{
    bool good = true;
    for (size_t bytes = 0; good && bytes < 2 * GROUP_BYTES + 2 * LINE_BYTES; bytes++)
        for (size_t at = 0; good && at < LINE_BYTES; at++)
            good = copies(set, way, bytes, at, 3) && copies(set, way, bytes, 5, at);
    return good;
}

/* Where prefetches begin and end. */
static bool edges(const copy_instructions *set, copy_way way)
{
    static const size_t edge[] = {8 * LINE_BYTES,          3 * KIB,
                                  3 * KIB + GROUP_BYTES,   BLOCK_BYTES,
                                  (size_t)2 * BLOCK_BYTES, (size_t)3 * BLOCK_BYTES};
    bool good = true;
    for (size_t e = 0; e < sizeof edge / sizeof *edge; e++)
        for (size_t off = 0; good && off <= 600; off += off % 64 == 63 ? 1 : off % 64 == 1 ? 62 : 1)
            good = copies(set, way, edge[e] + off - 200, 0, 0) &&
                   copies(set, way, edge[e] + off - 200, 4, 60);
    return good;
}

int main(void)
{
    for (size_t i = 0; i < sizeof source; i++)
        source[i] = (unsigned char)(i * UINT64_C(2654435761) >> 11);
    tap_plan((int)copy_set_count * COPY_WAYS);
    for (size_t s = 0; s < copy_set_count; s++)
        for (int way = 0; way < COPY_WAYS; way++) {
            const copy_instructions *set = &copy_sets[s];
            if (!copy_way_exists((copy_way)way))
                tap_skip(1, "this architecture lacks the way");
            else if (!set->available())
                tap_skip(1, "this CPU lacks the instructions");
            else
                ok(every_length(set, (copy_way)way) && edges(set, (copy_way)way),
                   "way %d in %s copies every length at every alignment, and nothing else", way,
                   set->name);
        }
    return tap_done();
}
