/*
 * slot_test.c - counts how many of 32 work-items side by side access one bank of local memory at
 * each level of the tree, with the kernel's own SLOT
 *
 * The kernel is text to this program, so SLOT is repeated here, and the test fails unless the
 * kernel's text is the same.
 */
#include "blelloch.cl.h"

#include "tap.h"

#define SLOT_PADDED(i) ((i) + (i) / 32)
#define SLOT_PLAIN(i) (i)

enum { BANKS = 32, ITEMS = 32 };

static unsigned slot(unsigned i, int padded)
{
    return padded ? SLOT_PADDED(i) : SLOT_PLAIN(i);
}

/* The worst bank in one access of 32 items to their left or right children. */
static unsigned access_degree(unsigned first, unsigned nodes, unsigned stride, int right,
                              int padded)
{
    unsigned met[BANKS] = {0};
    unsigned worst = 0;
    for (unsigned item = first; item < nodes && item < first + ITEMS; item++) {
        unsigned left = stride * (2 * item + 1) - 1;
        unsigned bank = slot(right ? left + stride : left, padded) % BANKS;
        if (++met[bank] > worst)
            worst = met[bank];
    }
    return worst;
}

/* The maximum over all levels and all items. */
static unsigned degree(unsigned block, int padded)
{
    unsigned worst = 0;
    unsigned stride = 1;
    for (unsigned nodes = block; nodes > 0; nodes /= 2, stride *= 2)
        for (unsigned first = 0; first < nodes; first += ITEMS)
            for (int right = 0; right < 2; right++) {
                unsigned here = access_degree(first, nodes, stride, right, padded);
                if (here > worst)
                    worst = here;
            }
    return worst;
}

int main(void)
{
    static const unsigned blocks[] = {32, 64, 128, 256, 512, 1024};
    static const unsigned plain[] = {2, 4, 8, 16, 32, 32};
    static const unsigned padded[] = {1, 1, 1, 1, 1, 2};
    tap_plan(15);
    ok(strstr(blelloch_cl, "#define SLOT(i) ((i) + (i) / 32)\n#else\n#define SLOT(i) (i)\n"),
       "the kernel's SLOT is the one counted here");
    ok(strstr(blelloch_cl, "const uint left = stride * (2 * item + 1) - 1;"),
       "the kernel's left child is the one counted here");
    for (size_t i = 0; i < 6; i++) {
        ok(degree(blocks[i], 0) == plain[i], "block %u, plain: degree %u", blocks[i],
           degree(blocks[i], 0));
        ok(degree(blocks[i], 1) == padded[i], "block %u, padded: degree %u", blocks[i],
           degree(blocks[i], 1));
    }
    ok(slot(2047, 1) == 2047 + 63, "the padding after 2048 elements");
    return tap_done();
}
