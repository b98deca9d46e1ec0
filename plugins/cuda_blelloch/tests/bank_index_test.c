/*
 * bank_index_test.c - counts how many lanes of a warp access one bank of shared memory at each
 * level of the tree, with the index function of the kernels
 */
#include "../bank_index.h"

#include "tap.h"

enum { BANKS = 32, LANES = 32 };

/* The largest number of different words in one bank among the first words of `lanes` elements: the
 * number of accesses into which one access of a warp is split. Elements of 8 bytes go 16 lanes at a
 * time. */
static unsigned degree(const unsigned *places, unsigned lanes, unsigned element_bytes)
{
    unsigned at_once = element_bytes == 8 ? LANES / 2 : LANES;
    unsigned words = element_bytes / 4;
    unsigned worst = 0;
    for (unsigned first = 0; first < lanes; first += at_once) {
        unsigned met[BANKS] = {0};
        for (unsigned lane = first; lane < lanes && lane < first + at_once; lane++)
            for (unsigned w = 0; w < words; w++)
                met[(places[lane] * words + w) % BANKS]++;
        for (unsigned bank = 0; bank < BANKS; bank++)
            if (met[bank] > worst)
                worst = met[bank];
    }
    return worst;
}

/* The maximum over all warps that work at a level, for the left or the right child. */
static unsigned level_degree(unsigned block, unsigned level, unsigned padded,
                             unsigned element_bytes)
{
    unsigned nodes = block >> level;
    unsigned worst = 0;
    for (unsigned first = 0; first < nodes; first += LANES)
        for (unsigned right = 0; right < 2; right++) {
            unsigned places[LANES];
            unsigned lanes = 0;
            for (unsigned t = first; t < nodes && t < first + LANES; t++)
                places[lanes++] = bank_left(t, level, padded, element_bytes) +
                                  (right ? bank_apart(level, padded, element_bytes) : 0);
            unsigned here = degree(places, lanes, element_bytes);
            if (here > worst)
                worst = here;
        }
    return worst;
}

/* The worst level. The text gets the degrees of all levels from the leaves on, as " 1 2 4". */
static unsigned tree_degree(unsigned block, unsigned padded, unsigned element_bytes, char *text,
                            size_t size)
{
    unsigned worst = 0;
    size_t used = 0;
    for (unsigned level = 0; block >> level; level++) {
        unsigned here = level_degree(block, level, padded, element_bytes);
        used += (size_t)snprintf(text + used, size - used, " %u", here);
        if (here > worst)
            worst = here;
    }
    return worst;
}

/* Does padding give each element its own place, in order? */
static int places_ascend(unsigned padded, unsigned element_bytes)
{
    for (unsigned i = 1; i < 2048; i++)
        if (bank_index(i, padded, element_bytes) <= bank_index(i - 1, padded, element_bytes))
            return 0;
    return 1;
}

int main(void)
{
    static const unsigned blocks[] = {32, 64, 128, 256, 512, 1024};
    static const unsigned plain[] = {2, 4, 8, 16, 32, 32};
    static const unsigned padded[] = {1, 1, 1, 1, 1, 2};
    static const unsigned padded_8[] = {1, 1, 1, 1, 1, 1};
    tap_plan(22);
    for (size_t i = 0; i < 6; i++) {
        char levels[128];
        unsigned found = tree_degree(blocks[i], 0, 4, levels, sizeof levels);
        ok(found == plain[i], "block %u, plain: degree %u, by level%s", blocks[i], found, levels);
        found = tree_degree(blocks[i], 1, 4, levels, sizeof levels);
        ok(found == padded[i], "block %u, padded: degree %u, by level%s", blocks[i], found, levels);
        found = tree_degree(blocks[i], 1, 8, levels, sizeof levels);
        ok(found == padded_8[i], "block %u, padded, 8 bytes: degree %u, by level%s", blocks[i],
           found, levels);
    }
    ok(places_ascend(0, 4) && places_ascend(1, 4) && places_ascend(1, 8),
       "each element has a place of its own");
    ok(level_degree(1024, 5, 0, 4) == 32, "level 5 of 1024 is where all lanes meet");
    unsigned same[LANES] = {0};
    ok(degree(same, LANES, 4) == LANES, "the count sees a conflict of all lanes");
    for (unsigned i = 0; i < LANES; i++)
        same[i] = i;
    ok(degree(same, LANES, 4) == 1, "the count sees that neighbours do not meet");
    return tap_done();
}
