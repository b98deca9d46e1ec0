/*
 * rows.cl - scans of many rows: a work-group takes a share of them, which is several short rows,
 * one row, or a piece of a long one
 *
 * A share is a range of elements, scanned from its begin to its end; where a row begins the scan
 * begins anew. Pieces need what stands left of them: reduce_pieces leaves their totals, and
 * scan_rows itself scans these, as rows of one total for each piece. 2n elements of traffic for
 * whole rows, 3n for pieces.
 *
 * ALONE 1: a work-group is a single work-item, for a core with vectors and caches. Vectors are
 *          scanned by Sklansky's network: in each step the last element of every left half is
 *          combined with all of its right half. In short rows all vectors lie in lines of the
 *          output, and a lane takes only what is in its row; in long rows the elements before the
 *          first line and behind the last one are scanned one by one.
 * ALONE 0: BLOCK work-items scan tiles of BLOCK * VT elements in local memory, for GPUs. Each
 *          scans VT neighbours; their totals are scanned by Hillis and Steele's steps, in which a
 *          total that holds the begin of a row takes nothing from its left (a segmented scan).
 *
 *     Sklansky, Conditional-sum addition logic, 1960
 *     Hillis and Steele, Data parallel algorithms, 1986
 *     Sengupta, Harris, Zhang, Owens, Scan primitives for GPU computing, 2007 (segments)
 *
 * The order of operations depends on the problem and the device, never on timing.
 */

/* The elements of work-group g's share. */
typedef struct {
    ulong begin, end;
} share;

/* Shares are `length` elements of all, or of each row if it has several `pieces`. */
static inline share share_of(ulong elements, ulong n, ulong length, ulong pieces)
{
    const ulong g = get_group_id(0);
    if (pieces == 1) {
        const share s = {g * length, min(elements, (g + 1) * length)};
        return s;
    }
    const ulong row = g / pieces * n, piece = g % pieces;
    const share s = {row + piece * length, row + min(n, (piece + 1) * length)};
    return s;
}

#if ALONE

#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)

/* Elements of a vector: 16, or as many as a line of 64 bytes has. Oclgrind is given 8, because it
 * loses sight of the lanes of longer ones. */
#if defined(OP_affine)
#undef LANES
#define LANES 1
#elif !defined(LANES) && ELEMENT_BYTES == 8
#define LANES 8
#elif !defined(LANES)
#define LANES 16
#endif

/* A lane's place in its row, below LONG_ROW, and distances between lanes, in as many bits as an
 * element has, for comparisons that choose between elements. */
#if LANES > 1
#if ELEMENT_BYTES == 8
#define LANE_NUMBER ulong
#define DISTANCE ulong
#define NONE ULONG_MAX
#elif ELEMENT_BYTES == 4
#define LANE_NUMBER uint
#define DISTANCE uint
#define NONE UINT_MAX
#elif ELEMENT_BYTES == 2
#define LANE_NUMBER ushort
#define DISTANCE ushort
#define NONE USHRT_MAX
#else
#define LANE_NUMBER ushort
#define DISTANCE uchar
#define NONE UCHAR_MAX
#endif
typedef JOIN(ELEMENT, LANES) lanes;
typedef LANE_NUMBER lane_number;
typedef JOIN(LANE_NUMBER, LANES) lane_numbers;
typedef JOIN(DISTANCE, LANES) distances;
#define LOAD_LANES(from) JOIN(vload, LANES)(0, from)
#endif

/* Stores around the caches: the line is not read first. AROUND is 0 where the output fits them. */
#if AROUND && defined(__has_builtin) && (defined(__x86_64__) || defined(__aarch64__))
#if __has_builtin(__builtin_nontemporal_store)
#define CAN_STORE_AROUND 1
#endif
#endif
#if defined(CAN_STORE_AROUND) && LANES > 1
#define STORE(value, to) __builtin_nontemporal_store(value, to)
#else
#define STORE(value, to) (*(to) = (value))
#endif

/* Shorter rows are scanned by vectors that may hold parts of several: one by one, a row loses up to
 * two vectors at its ends, which a longer one does not feel. */
#define LONG_ROW 4096

/* The hardware's prefetchers stop at the end of a page; asking for a line somewhat ahead carries
 * them over it. */
#if defined(__has_builtin) && (defined(__x86_64__) || defined(__aarch64__))
#if __has_builtin(__builtin_prefetch)
#define PREFETCH(at) __builtin_prefetch((const uchar *)(ulong)(at) + 3072)
#endif
#endif
#if !defined(PREFETCH)
#define PREFETCH(at)
#endif

/* Scans elements i ... end-1 one by one, the first of them at `position` of its row. Returns what
 * stands left of the next one. */
static inline T scan_some(__global const T *in, __global T *out, ulong i, ulong end, ulong position,
                          ulong n, T left, const uint inclusive)
{
    for (; i < end; i++) {
        left = position == 0 ? IDENTITY : left;
        position = position + 1 < n ? position + 1 : 0;
        const T next = combine(left, in[i]);
        STORE(inclusive ? next : left, out + i);
        left = next;
    }
    return left;
}

#if LANES > 1
/* Places as distances, exact as far as there are lanes on the left. */
#if ELEMENT_BYTES == 1
#define NEAR(positions) JOIN(convert_uchar, LANES)(min(positions, (lane_numbers)(LANES)))
#else
#define NEAR(positions) (positions)
#endif

/* Of each lane, how far left is the one it takes in each step; more than any for those that take
 * none. */
#if LANES == 8
#define DISTANCES_1 (distances)(NONE, 1, NONE, 1, NONE, 1, NONE, 1)
#define DISTANCES_2 (distances)(NONE, NONE, 1, 2, NONE, NONE, 1, 2)
#define DISTANCES_4 (distances)(NONE, NONE, NONE, NONE, 1, 2, 3, 4)
#define FROM_ONE (1, 2, 3, 4, 5, 6, 7, 8)
#define LAST(v) (v).s7
#else
#define DISTANCES_1 \
    (distances)(NONE, 1, NONE, 1, NONE, 1, NONE, 1, NONE, 1, NONE, 1, NONE, 1, NONE, 1)
#define DISTANCES_2 \
    (distances)(NONE, NONE, 1, 2, NONE, NONE, 1, 2, NONE, NONE, 1, 2, NONE, NONE, 1, 2)
#define DISTANCES_4 \
    (distances)(NONE, NONE, NONE, NONE, 1, 2, 3, 4, NONE, NONE, NONE, NONE, 1, 2, 3, 4)
#define DISTANCES_8 \
    (distances)(NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 1, 2, 3, 4, 5, 6, 7, 8)
#define FROM_ONE (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)
#define LAST(v) (v).sf
#endif
#define DISTANCES_ALL (distances) FROM_ONE

/* Combines lanes with others on their left, where these are in the same row. */
#define STEP(v, others, least, near) v = (near) >= (least) ? LANES_COMBINE((v).others, v) : (v)

/* Scans the lanes of a vector; `near` are their places in their rows. */
static inline lanes scan_lanes(lanes v, distances near)
{
#if LANES == 8
    STEP(v, s00224466, DISTANCES_1, near);
    STEP(v, s01114555, DISTANCES_2, near);
    STEP(v, s01233333, DISTANCES_4, near);
#else
    STEP(v, s0022446688aaccee, DISTANCES_1, near);
    STEP(v, s011145558999cddd, DISTANCES_2, near);
    STEP(v, s0123333389abbbbb, DISTANCES_4, near);
    STEP(v, s0123456777777777, DISTANCES_8, near);
#endif
    return v;
}

/* The lanes one place before; `first` is the one before all. */
static inline lanes moved_on(T first, lanes v)
{
#if LANES == 8
    return (lanes)(first, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6);
#else
    return (lanes)(first, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa, v.sb,
                   v.sc, v.sd, v.se);
#endif
}

/* Whole vectors of a single row. The next one waits for one combination with a vector's total. */
static inline T scan_vectors(__global const T *in, __global T *out, ulong i, ulong end, T left,
                             const uint inclusive)
{
    for (; i + LANES <= end; i += LANES) {
        PREFETCH(in + i);
        const lanes v = scan_lanes(LOAD_LANES(in + i), (distances)(LANES));
        const lanes own = inclusive ? v : moved_on(IDENTITY, v);
        STORE(LANES_COMBINE((lanes)(left), own), (__global lanes *)(out + i));
        left = combine(left, LAST(v));
    }
    return left;
}

/* Whole vectors of rows of n elements, which may be short; the first vector begins with a row.
 * Returns what is left of the next one, if that does not begin a row. */
static inline T scan_rows_in_vectors(__global const T *in, __global T *out, ulong i, ulong end,
                                     lane_number n, const uint inclusive)
{
    lane_numbers positions = ((lane_numbers)FROM_ONE - (lane_number)1) % n;
    T left = IDENTITY;
    for (; i < end; i += LANES) {
        PREFETCH(in + i);
        const distances near = NEAR(positions);
        const lanes own = scan_lanes(LOAD_LANES(in + i), near);
        const lanes all = near >= DISTANCES_ALL ? LANES_COMBINE((lanes)(left), own) : own;
        const lanes before = near >= (distances)(1) ? moved_on(left, all) : (lanes)(IDENTITY);
        STORE(inclusive ? all : before, (__global lanes *)(out + i));
        left = LAST(all);
        positions += (lane_number)(LANES % n);
        positions = positions >= n ? positions - n : positions;
    }
    return left;
}
#endif

/* A row, or a piece of one. */
static inline void scan_range(__global const T *in, __global T *out, ulong begin, ulong end, T left,
                              const uint inclusive)
{
#if LANES > 1
    const ulong first = min(end, (begin + LANES - 1) / LANES * LANES);
    const ulong last = max(first, end / LANES * LANES);
    left = scan_some(in, out, begin, first, 1, ULONG_MAX, left, inclusive);
    left = scan_vectors(in, out, first, last, left, inclusive);
    begin = last;
#endif
    scan_some(in, out, begin, end, 1, ULONG_MAX, left, inclusive);
}

/* Rows from one that begins a vector on. */
static inline void scan_short_rows(__global const T *in, __global T *out, ulong begin, ulong end,
                                   uint n, const uint inclusive)
{
#if LANES > 1
    const ulong last = begin + (end - begin) / LANES * LANES;
    const T left = scan_rows_in_vectors(in, out, begin, last, n, inclusive);
    scan_some(in, out, last, end, (last - begin) % n, n, left, inclusive);
#else
    scan_some(in, out, begin, end, 0, n, IDENTITY, inclusive);
#endif
}

static inline void scan_share(__global const T *in, __global T *out, __global const T *carries,
                              ulong elements, ulong n, ulong length, ulong pieces,
                              const uint inclusive)
{
    const share s = share_of(elements, n, length, pieces);
    if (pieces > 1)
        scan_range(in, out, s.begin, s.end, carries[get_group_id(0)], inclusive);
    else if (n < LONG_ROW && s.begin % LANES == 0)
        scan_short_rows(in, out, s.begin, s.end, (uint)n, inclusive);
    else
        for (ulong row = s.begin; row < s.end; row += n)
            scan_range(in, out, row, row + n, IDENTITY, inclusive);
}

/* Leaves the total of each piece. */
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
reduce_pieces(__global const T *in, __global T *totals, ulong elements, ulong n, ulong length,
              ulong pieces)
{
    const share s = share_of(elements, n, length, pieces);
    T total = IDENTITY;
    ulong i = s.begin;
#if ORDERED && LANES > 1
    for (; i + LANES <= s.end; i += LANES) {
        PREFETCH(in + i);
        total = combine(total, LAST(scan_lanes(LOAD_LANES(in + i), (distances)(LANES))));
    }
#elif LANES > 1
    if (i + LANES <= s.end) {
        lanes sums = LOAD_LANES(in + i);
        for (i += LANES; i + LANES <= s.end; i += LANES) {
            PREFETCH(in + i);
            sums = LANES_COMBINE(sums, LOAD_LANES(in + i));
        }
        total = LAST(scan_lanes(sums, (distances)(LANES)));
    }
#endif
    for (; i < s.end; i++)
        total = combine(total, in[i]);
    totals[get_group_id(0)] = total;
}

#else

#define TILE (BLOCK * VT)
/* One slot after every 32 is free, against bank conflicts. */
#define SLOT(i) ((i) + (i) / 32)

typedef struct {
    T elements[SLOT(TILE - 1) + 1];
    T totals[2][BLOCK];
    uint begins[2][BLOCK];
} tile_memory;

/* The total of some elements from the last begin of a row on, and whether there is one. */
typedef struct {
    T total;
    uint begins;
} segment;

static inline segment join(segment left, segment right)
{
    const segment joined = {right.begins ? right.total : combine(left.total, right.total),
                            left.begins | right.begins};
    return joined;
}

/* Neighbours read neighbours; past the end there are identities. */
static inline void load_tile(__global const T *in, ulong first, ulong end, __local tile_memory *m)
{
    for (uint i = get_local_id(0); i < TILE; i += BLOCK)
        m->elements[SLOT(i)] = first + i < end ? in[first + i] : IDENTITY;
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* What a work-item's own elements are together; the first is at `position` of its row. */
static inline segment own_segment(ulong position, ulong n, __local const tile_memory *m)
{
    segment own = {IDENTITY, 0};
    for (uint k = 0; k < VT; k++) {
        if (position == 0) {
            own.total = IDENTITY;
            own.begins = 1;
        }
        own.total = combine(own.total, m->elements[SLOT(get_local_id(0) * VT + k)]);
        position = position + 1 < n ? position + 1 : 0;
    }
    return own;
}

/* Returns what all work-items' segments are together, and in *before_p those of the ones before
 * this one. */
static inline segment scan_segments(segment own, segment *before_p, __local tile_memory *m)
{
    const uint item = get_local_id(0);
    uint now = 0;
    m->totals[now][item] = own.total;
    m->begins[now][item] = own.begins;
    for (uint shift = 1; shift < BLOCK; shift *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item >= shift) {
            const segment left = {m->totals[now][item - shift], m->begins[now][item - shift]};
            own = join(left, own);
        }
        now = 1 - now;
        m->totals[now][item] = own.total;
        m->begins[now][item] = own.begins;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const segment none = {IDENTITY, 0};
    const segment left = {m->totals[now][item > 0 ? item - 1 : 0],
                          m->begins[now][item > 0 ? item - 1 : 0]};
    const segment all = {m->totals[now][BLOCK - 1], m->begins[now][BLOCK - 1]};
    *before_p = item > 0 ? left : none;
    return all;
}

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
reduce_pieces(__global const T *in, __global T *totals, ulong elements, ulong n, ulong length,
              ulong pieces)
{
    __local tile_memory m;
    const share s = share_of(elements, n, length, pieces);
    segment sum = {IDENTITY, 0}, before;
    for (ulong tile = s.begin; tile < s.end; tile += TILE) {
        load_tile(in, tile, s.end, &m);
        sum = join(sum, scan_segments(own_segment(1, ULONG_MAX, &m), &before, &m));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_local_id(0) == 0)
        totals[get_group_id(0)] = sum.total;
}

static inline void scan_share(__global const T *in, __global T *out, __global const T *carries,
                              ulong elements, ulong n, ulong length, ulong pieces,
                              const uint inclusive, __local tile_memory *m)
{
    const share s = share_of(elements, n, length, pieces);
    const uint item = get_local_id(0);
    segment left = {pieces > 1 ? carries[get_group_id(0)] : IDENTITY, 0};
    for (ulong tile = s.begin; tile < s.end; tile += TILE) {
        ulong position = (tile + item * VT) % n;
        segment before;
        load_tile(in, tile, s.end, m);
        const segment all = scan_segments(own_segment(position, n, m), &before, m);
        T sum = join(left, before).total;
        left = join(left, all);
        for (uint k = 0; k < VT; k++) {
            __local T *const at = m->elements + SLOT(item * VT + k);
            sum = position == 0 ? IDENTITY : sum;
            const T next = combine(sum, *at);
            *at = inclusive ? next : sum;
            sum = next;
            position = position + 1 < n ? position + 1 : 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = item; i < TILE && tile + i < s.end; i += BLOCK)
            out[tile + i] = m->elements[SLOT(i)];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

#endif

#if ALONE
#define SCAN_SHARE scan_share
#else
#define SCAN_SHARE(in, out, carries, elements, n, length, pieces, inclusive) \
    __local tile_memory m;                                                   \
    scan_share(in, out, carries, elements, n, length, pieces, inclusive, &m)
#endif

__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
scan_rows(__global const T *in, __global T *out, __global const T *carries, ulong elements, ulong n,
          ulong length, ulong pieces)
{
    SCAN_SHARE(in, out, carries, elements, n, length, pieces, INCLUSIVE);
}

/* Totals become what stands left of them: rows of one total for each piece. */
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
scan_totals(__global T *totals, ulong elements, ulong pieces)
{
    SCAN_SHARE(totals, totals, totals, elements, pieces, pieces, 1, 0);
}
