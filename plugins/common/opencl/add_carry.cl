/*
 * add_carry.cl - the last step of a scan in tiles: combines the total of everything left of a tile
 * with each of its elements
 *
 * carries[t] is the scan of the totals of the tiles left of tile t. BLOCK work-items
 * take the TILE elements of a tile, neighbours at a time.
 */
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
add_carry(__global T *out, __global const T *carries, ulong n)
{
    const T carry = carries[get_group_id(0)];
    const ulong first = (ulong)get_group_id(0) * TILE;
    for (uint i = get_local_id(0); i < TILE; i += BLOCK) {
        if (first + i < n)
            out[first + i] = combine(carry, out[first + i]);
    }
}
