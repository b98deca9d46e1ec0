/*
 * add_carry.cl - the last step of a scan in tiles: combines the total of everything left of a tile
 * with each of its elements, after vectors.cl
 *
 * carries[t] is the scan of the totals of the tiles left of tile t. BLOCK work-items take the
 * elements of CARRY_TILES tiles, neighbours at a time, and IN_FLIGHT accesses of 16 bytes each, so
 * far as a tile is a whole number of them. Work-groups go from the end to the beginning: what
 * scan_tile wrote last is still in the cache.
 */
#define IN_FLIGHT 4

static inline vector add_to_vector(T carry, vector v)
{
#if defined(OP_affine)
    const T low = combine(carry, LOW(v)), high = combine(carry, HIGH(v));
    return VECTOR_OF(low, high);
#else
    return LANES_COMBINE((vector)carry, v);
#endif
}

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
add_carry(__global T *out, __global const T *carries, ulong n)
{
    const uint item = get_local_id(0);
    const ulong first = (get_num_groups(0) - 1 - get_group_id(0)) * CARRY_TILES;
    const ulong begin = first * TILE;
    const uint length = begin < n ? (uint)min(n - begin, (ulong)CARRY_TILES * TILE) : 0;
    const uint vectors = TILE % VECTOR_VALUES == 0 ? length / VECTOR_VALUES : 0;
    __global T *mine = out + begin;
    __global vector *wide = (__global vector *)mine;
    carries += first;

    for (uint start = item; start < vectors; start += BLOCK * IN_FLIGHT) {
        vector values[IN_FLIGHT];
#pragma unroll
        for (uint k = 0; k < IN_FLIGHT; k++) {
            const uint v = start + k * BLOCK;
            if (v < vectors)
                values[k] = wide[v];
        }
#pragma unroll
        for (uint k = 0; k < IN_FLIGHT; k++) {
            const uint v = start + k * BLOCK;
            if (v < vectors)
                wide[v] = add_to_vector(carries[v * VECTOR_VALUES / TILE], values[k]);
        }
    }
    for (uint i = vectors * VECTOR_VALUES + item; i < length; i += BLOCK)
        mine[i] = combine(carries[i / TILE], mine[i]);
}
