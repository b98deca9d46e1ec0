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
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
scan_tile(__global const T *in, __global T *out, __global T *totals, ulong n, uint inclusive)
{
    __local T rows[2][BLOCK];
    const uint item = get_local_id(0);
    const ulong i = (ulong)get_group_id(0) * BLOCK + item;

    /* Past the end the value is the identity, and every work-item reaches every barrier. */
    uint from = 0;
    rows[from][item] = i < n ? in[i] : IDENTITY;

    for (uint shift = 1; shift < BLOCK; shift *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const T own = rows[from][item];
        rows[1 - from][item] = item >= shift ? combine(rows[from][item - shift], own) : own;
        from = 1 - from;
    }

    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == BLOCK - 1)
        totals[get_group_id(0)] = rows[from][item];
    if (i < n) {
        if (inclusive)
            out[i] = rows[from][item];
        else
            out[i] = item > 0 ? rows[from][item - 1] : IDENTITY;
    }
}
