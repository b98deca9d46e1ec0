/*
 * blelloch.cl - one work-group scans one tile with a balanced tree in local memory
 *
 * The tile's elements are the leaves of a binary tree that is kept in place. The up-sweep, from the
 * leaves to the root, leaves in each inner node the combination of its subtree. Then the root
 * becomes the identity, and the down-sweep, from the root to the leaves, gives each node the total
 * of everything left of its subtree: the left child takes its parent's value, the right child its
 * parent's combined with what the up-sweep left in the left child. The leaves then hold the
 * exclusive scan.
 *
 *     Blelloch, Prefix sums and their applications, CMU-CS-90-190, 1990
 *     Harris, Sengupta, Owens, Parallel prefix sum (scan) with CUDA, GPU Gems 3,
 *     chapter 39, 2007: two elements per thread, and padding against bank conflicts
 *
 * Work 2*(TILE-1) combinations, 2*log2(TILE) steps; each element is read once and
 * written once. TILE is a power of two: BLOCK work-items with PER_ITEM elements.
 *
 * Nodes a power of two apart fall into the same bank of local memory, more of them
 * with every step up; PAD leaves one slot free after every 32 and so spreads them.
 */
#define PER_ITEM (TILE / BLOCK)

#if PAD
#define SLOT(i) ((i) + (i) / 32)
#else
#define SLOT(i) (i)
#endif

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
scan_tile(__global const T *in, __global T *out, __global T *totals, ulong n, uint inclusive)
{
    __local T tree[SLOT(TILE - 1) + 1];
    const uint item = get_local_id(0);
    const ulong first = (ulong)get_group_id(0) * TILE;

    /* Neighbours read neighbours. Past the end the value is the identity, so that every work-item
     * takes part in every step and reaches every barrier. */
    T own[PER_ITEM];
    for (uint k = 0; k < PER_ITEM; k++) {
        const uint i = item + k * BLOCK;
        own[k] = first + i < n ? in[first + i] : IDENTITY;
        tree[SLOT(i)] = own[k];
    }

    /* Up-sweep: `nodes` inner nodes on this level, the children `stride` apart. */
    uint stride = 1;
    for (uint nodes = TILE / 2; nodes > 0; nodes /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < nodes) {
            const uint left = stride * (2 * item + 1) - 1;
            const uint right = left + stride;
            tree[SLOT(right)] = combine(tree[SLOT(left)], tree[SLOT(right)]);
        }
        stride *= 2;
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) {
        totals[get_group_id(0)] = tree[SLOT(TILE - 1)];
        tree[SLOT(TILE - 1)] = IDENTITY;
    }

    /* Down-sweep. */
    for (uint nodes = 1; nodes < TILE; nodes *= 2) {
        stride /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < nodes) {
            const uint left = stride * (2 * item + 1) - 1;
            const uint right = left + stride;
            const T left_sum = tree[SLOT(left)];
            const T before = tree[SLOT(right)];
            tree[SLOT(left)] = before;
            tree[SLOT(right)] = combine(before, left_sum);
        }
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < PER_ITEM; k++) {
        const uint i = item + k * BLOCK;
        const T before = tree[SLOT(i)];
        if (first + i < n)
            out[first + i] = inclusive ? combine(before, own[k]) : before;
    }
}
