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

/* The levels of at most WIDTH inner nodes, whose children are SOLO or more apart, are the first
 * sub-group's: the rest of the work-group waits only once. */
#define SOLO (TILE / 2 > WIDTH ? TILE / 2 / WIDTH : 1)

/* Does what one level needs to a work-item's inner node, the children of which are `stride` apart.
 * The slots between them are as many as before element `stride`, whatever the node. */
static inline void sum_children(__local T *tree, uint item, uint stride)
{
    if (item < TILE / 2 / stride) {
        const uint left = stride * (2 * item + 1) - 1;
        __local T *const at = tree + SLOT(left);
        at[SLOT(stride)] = combine(*at, at[SLOT(stride)]);
    }
}

static inline void pass_down(__local T *tree, uint item, uint stride)
{
    if (item < TILE / 2 / stride) {
        const uint left = stride * (2 * item + 1) - 1;
        __local T *const at = tree + SLOT(left);
        const T left_sum = *at;
        const T before = at[SLOT(stride)];
        *at = before;
        at[SLOT(stride)] = combine(before, left_sum);
    }
}

/* Up to the root and down again. */
static inline void sweep_alone(__local T *tree, uint item, __global T *total)
{
#pragma unroll
    for (uint stride = SOLO; stride < TILE; stride *= 2) {
        sum_children(tree, item, stride);
        barrier_sub_group();
    }
    if (item == 0) {
        *total = tree[SLOT(TILE - 1)];
        tree[SLOT(TILE - 1)] = IDENTITY;
    }
#pragma unroll
    for (uint stride = TILE / 2; stride >= SOLO; stride /= 2) {
        barrier_sub_group();
        pass_down(tree, item, stride);
    }
}

/* Replaces the tile in `tree` by its exclusive scan. */
static inline void sweep(__local T *tree, uint item, __global T *total)
{
#pragma unroll
    for (uint stride = 1; stride < SOLO; stride *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sum_children(tree, item, stride);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (WIDTH == BLOCK || item < WIDTH)
        sweep_alone(tree, item, total);
#pragma unroll
    for (uint stride = SOLO / 2; stride > 0; stride /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        pass_down(tree, item, stride);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Neighbours read neighbours. Past the end the value is the identity, so that every work-item takes
 * part in every step and reaches every barrier. */
static inline void load_own(__global const T *in, ulong n, ulong first, T *own)
{
#pragma unroll
    for (uint k = 0; k < PER_ITEM; k++) {
        const ulong i = first + k * BLOCK;
        own[k] = i < n ? in[i] : IDENTITY;
    }
}

/* A work-group takes every get_num_groups-th tile, and loads the next one before it scans this one,
 * which hides the latency of the loads. */
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
scan_tile(__global const T *in, __global T *out, __global T *totals, ulong n, uint inclusive)
{
    __local T tree[SLOT(TILE - 1) + 1];
    const uint item = get_local_id(0);
    T next[PER_ITEM];
    load_own(in, n, (ulong)get_group_id(0) * TILE + item, next);
    for (ulong tile = get_group_id(0); tile * TILE < n; tile += get_num_groups(0)) {
        /* A work-item puts these where only it has read, so no barrier is needed. */
        T own[PER_ITEM];
#pragma unroll
        for (uint k = 0; k < PER_ITEM; k++) {
            own[k] = next[k];
            tree[SLOT(item + k * BLOCK)] = own[k];
        }
        load_own(in, n, (tile + get_num_groups(0)) * TILE + item, next);
        sweep(tree, item, totals + tile);
#pragma unroll
        for (uint k = 0; k < PER_ITEM; k++) {
            const ulong i = tile * TILE + item + k * BLOCK;
            const T before = tree[SLOT(item + k * BLOCK)];
            if (i < n)
                out[i] = inclusive ? combine(before, own[k]) : before;
        }
    }
}
