/*
 * add_carry.cl - the last step of a scan in tiles: combines the total of everything left of a tile
 * with each of its elements
 *
 * carries[t] is the scan of the totals of the tiles left of tile t. A work-group takes CARRY_ROWS
 * rows of BLOCK vectors, however tiles lie in them; a work-item has as many accesses of 16 bytes on
 * their way at once.
 */
static inline T carried(__global T *out, __global const T *carries, ulong i)
{
    return combine(carries[i / TILE], out[i]);
}

static inline vector carried_vector(vector v, __global const T *carries, ulong i)
{
#if VECTOR_VALUES == 4
    const T a = carries[i / TILE], b = TILE % 4 == 0 ? a : carries[(i + 1) / TILE];
    const T c = TILE % 4 == 0 ? a : carries[(i + 2) / TILE];
    const T d = TILE % 4 == 0 ? a : carries[(i + 3) / TILE];
    return (vector)(combine(a, v.x), combine(b, v.y), combine(c, v.z), combine(d, v.w));
#else
    const T a = carries[i / TILE], b = TILE % 2 == 0 ? a : carries[(i + 1) / TILE];
    const T low = combine(a, LOW(v)), high = combine(b, HIGH(v));
    return VECTOR_OF(low, high);
#endif
}

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
add_carry(__global T *out, __global const T *carries, ulong n)
{
    __global vector *vectors = (__global vector *)out;
    const ulong first = (ulong)get_group_id(0) * (BLOCK * CARRY_ROWS) + get_local_id(0);
    if ((first + (CARRY_ROWS - 1) * BLOCK + 1) * VECTOR_VALUES <= n) {
        vector rows[CARRY_ROWS];
#pragma unroll
        for (uint r = 0; r < CARRY_ROWS; r++)
            rows[r] = vectors[first + r * BLOCK];
#pragma unroll
        for (uint r = 0; r < CARRY_ROWS; r++) {
            const ulong at = first + r * BLOCK;
            vectors[at] = carried_vector(rows[r], carries, at * VECTOR_VALUES);
        }
        return;
    }
    for (uint r = 0; r < CARRY_ROWS; r++) {
        const ulong i = (first + r * BLOCK) * VECTOR_VALUES;
        for (ulong k = i; k < i + VECTOR_VALUES && k < n; k++)
            out[k] = carried(out, carries, k);
    }
}
