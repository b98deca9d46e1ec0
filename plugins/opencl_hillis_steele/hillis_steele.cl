/*
 * hillis_steele.cl - one work-group scans one tile by shifting and combining
 *
 * In step d every element is combined with the one 2^d to its left, and then holds the total of the
 * 2^(d+1) elements that end with it. Each step reads one row of local memory and writes the other:
 * neighbours still need the value of the step before.
 *
 *     Hillis, Steele, Data parallel algorithms, CACM 29(12), 1986
 *
 * Work O(BLOCK log BLOCK), ceil(log2(BLOCK)) steps, one barrier each; each element
 * is read once and written once. A tile is BLOCK elements, one per work-item, and
 * BLOCK may be any number.
 */

/* Scans tile `tile`, of which this work-item has `own`. Returns the row in which the next tile can
 * begin: nobody reads it any more. */
static inline uint scan_one(T own, __global T *out, __global T *totals, ulong n, uint inclusive,
                            ulong tile, uint from, __local T (*rows)[BLOCK])
{
    const uint item = get_local_id(0);
    rows[from][item] = own;

#pragma unroll
    for (uint shift = 1; shift < BLOCK; shift *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
#if !STRIDES
        own = rows[from][item]; /* a CPU has no registers for each work-item */
#endif
        if (item >= shift)
            own = combine(rows[from][item - shift], own);
        from = 1 - from;
        rows[from][item] = own;
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    const ulong i = tile * BLOCK + item;
    if (item == BLOCK - 1)
        totals[tile] = rows[from][item];
    if (i < n) {
        if (inclusive)
            out[i] = rows[from][item];
        else
            out[i] = item > 0 ? rows[from][item - 1] : IDENTITY;
    }
    return 1 - from;
}

/* With STRIDES a work-group takes every get_num_groups-th tile, and loads the next one before it
 * scans this one, which hides the latency of the loads; else it takes one. Past the end the value
 * is the identity, and every work-item reaches every barrier. */
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
scan_tile(__global const T *in, __global T *out, __global T *totals, ulong n, uint inclusive)
{
    __local T rows[2][BLOCK];
    ulong i = (ulong)get_group_id(0) * BLOCK + get_local_id(0);
    T next = i < n ? in[i] : IDENTITY;
#if STRIDES
    const ulong ahead = (ulong)get_num_groups(0) * BLOCK;
    uint from = 0;
    for (ulong tile = get_group_id(0); tile * BLOCK < n; tile += get_num_groups(0)) {
        const T own = next;
        i += ahead;
        next = i < n ? in[i] : IDENTITY;
        from = scan_one(own, out, totals, n, inclusive, tile, from, rows);
    }
#else
    scan_one(next, out, totals, n, inclusive, get_group_id(0), 0, rows);
#endif
}
