/*
 * lookback.cl - the chained scan with decoupled look-back and decoupled fallback, one tile per
 * work-group
 *
 *     a tile is loaded into registers, once; its total is published at once;
 *     it looks back over the tiles before it: it adds up their totals until it finds a prefix, the
 *     total of everything up to there;
 *     its own prefix is published; the tile is scanned and stored, once.
 *
 * OpenCL does not promise that a work-group makes progress while another one waits for it. So no
 * work-group waits: one that has looked PATIENCE times in vain computes the total of the tile that
 * blocks it from that tile's elements, publishes it for others too, and goes on. The result is
 * right in whatever order work-groups run, also one after the other. They take tiles by ticket, in
 * the order in which they begin, so that on devices that do run them side by side the tiles before
 * a running one have begun as well and the fallback stays rare.
 *
 *     Merrill and Garland, Single-pass Parallel Prefix Scan with Decoupled Look-back, NVIDIA
 *     NVR-2016-002
 *     Smith, Levien and Owens, Decoupled Fallback: A Portable Single-Pass GPU Scan, SPAA 2025
 *
 * Each work-item has neighbours: ROWS vectors of 16 bytes, which come and go through local
 * memory so that neighbours access neighbouring vectors of global memory. All work-items look back
 * together, each at one word, so a look covers BLOCK tiles. BLOCK may be any number.
 *
 * Work 2n combinations and BLOCK log2(BLOCK) for a tile and for a look, which needs no operations
 * on sub-groups; 4 ROWS + log2(BLOCK) steps; 2n elements of traffic to memory.
 */
/* A test gives tiles in other orders, and keeps work-groups silent as if they made no progress. */
#if !defined(TEST_SCHEDULE)
static inline uint tile_of_ticket(uint ticket)
{
    return ticket;
}

static inline bool speaks(uint tile)
{
    return true;
}
#endif

typedef struct {
    __global const vector *in;
    __global vector *out;
    ulong n;
    volatile __global shared_word *words;
    uint run;
} task;

/* A work-item's vectors lie behind each other, with a free one after them: those that work-items
 * access together are then in different banks. */
#define SLOT(index) ((index) + (index) / ROWS)

typedef struct {
    vector stage[SLOT(BLOCK * ROWS - 1) + 1];
    T items[2][BLOCK];
    uint tile;
    uint prefixes; /* 1 + the last of a look's work-items that saw a prefix, or 0 */
    uint empties;  /* the same for no word yet */
} shared;

/* ---- a vector --------------------------------------------------------------------- */

static inline T reduce_vector(vector v)
{
#if VECTOR_VALUES == 4
    return combine(combine(combine(v.x, v.y), v.z), v.w);
#else
    return combine(LOW(v), HIGH(v));
#endif
}

/* `before` is what stands left of the vector, and then of the next one. */
static inline vector scan_vector(vector v, T *before, uint inclusive)
{
    const T left = *before;
#if VECTOR_VALUES == 4
    const T x = combine(left, v.x), y = combine(x, v.y), z = combine(y, v.z), w = combine(z, v.w);
    *before = w;
    return (vector)(inclusive ? x : left, inclusive ? y : x, inclusive ? z : y, inclusive ? w : z);
#else
    const T lo = combine(left, LOW(v)), hi = combine(lo, HIGH(v));
    *before = hi;
    const T low = inclusive ? lo : left, high = inclusive ? hi : lo;
    return VECTOR_OF(low, high);
#endif
}

static inline T load_value(const task *t, ulong i)
{
    return i < t->n ? ((__global const T *)t->in)[i] : IDENTITY;
}

static inline void store_value(const task *t, ulong i, T value)
{
    if (i < t->n)
        ((__global T *)t->out)[i] = value;
}

/* Vector `at` of the input; past the end there are identities. */
static inline vector load_vector(const task *t, ulong at)
{
    const ulong i = at * VECTOR_VALUES;
    if (i + VECTOR_VALUES <= t->n)
        return t->in[at];
#if VECTOR_VALUES == 4
    return (vector)(load_value(t, i), load_value(t, i + 1), load_value(t, i + 2),
                    load_value(t, i + 3));
#else
    const T low = load_value(t, i), high = load_value(t, i + 1);
    return VECTOR_OF(low, high);
#endif
}

static inline void store_vector(const task *t, ulong at, vector v)
{
    const ulong i = at * VECTOR_VALUES;
    if (i + VECTOR_VALUES <= t->n) {
        t->out[at] = v;
        return;
    }
#if VECTOR_VALUES == 4
    store_value(t, i, v.x);
    store_value(t, i + 1, v.y);
    store_value(t, i + 2, v.z);
    store_value(t, i + 3, v.w);
#else
    store_value(t, i, LOW(v));
    store_value(t, i + 1, HIGH(v));
#endif
}

/* ---- a tile in registers ------------------------------------------------------------ */

/* All work-items load a tile together; each gets its own neighbours. */
static inline void load_tile(const task *t, uint tile, vector *rows, __local shared *s)
{
    const uint item = get_local_id(0);
    const ulong first = (ulong)tile * (BLOCK * ROWS);
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
        rows[r] = load_vector(t, first + r * BLOCK + item);
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
        s->stage[SLOT(r * BLOCK + item)] = rows[r];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
        rows[r] = s->stage[SLOT(item * ROWS + r)];
    barrier(CLK_LOCAL_MEM_FENCE);
}

static inline void store_tile(const task *t, uint tile, const vector *rows, __local shared *s)
{
    const uint item = get_local_id(0);
    const ulong first = (ulong)tile * (BLOCK * ROWS);
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
        s->stage[SLOT(item * ROWS + r)] = rows[r];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
        store_vector(t, first + r * BLOCK + item, s->stage[SLOT(r * BLOCK + item)]);
}

/* ---- a scan over the work-items --------------------------------------------------- */

/* Hillis and Steele's scan of one value per work-item: returns the total of all, and in *before_p
 * that of the work-items before this one. */
static inline T scan_items(T own, T *before_p, __local shared *s)
{
    const uint item = get_local_id(0);
    uint from = 0;
    s->items[from][item] = own;
    for (uint shift = 1; shift < BLOCK; shift *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        own = s->items[from][item];
        if (item >= shift)
            own = combine(s->items[from][item - shift], own);
        from = 1 - from;
        s->items[from][item] = own;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *before_p = item > 0 ? s->items[from][item - 1] : IDENTITY;
    const T total = s->items[from][BLOCK - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
}

/* ---- looking back ------------------------------------------------------------------ */

/* What the work-items of a look saw, the same in all of them. */
typedef struct {
    uint prefixes, empties; /* as in `shared` */
} sight;

static inline sight share_sight(uint flag, __local shared *s)
{
    const uint item = get_local_id(0);
    if (item == 0) {
        s->prefixes = 0;
        s->empties = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (flag == PREFIX)
        atomic_max(&s->prefixes, item + 1);
    if (flag == EMPTY)
        atomic_max(&s->empties, item + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    const sight seen = {s->prefixes, s->empties};
    barrier(CLK_LOCAL_MEM_FENCE);
    return seen;
}

/* The total of the tile that blocks, which its own work-group has not published. The order of
 * operations is that work-group's, and so are the bits. The loads are slower, but rare. */
static inline T fall_back(const task *t, uint tile, __local shared *s)
{
    const ulong first = ((ulong)tile * BLOCK + get_local_id(0)) * ROWS;
    T own = reduce_vector(load_vector(t, first));
    for (uint r = 1; r < ROWS; r++)
        own = combine(own, reduce_vector(load_vector(t, first + r)));
    T before;
    const T total = scan_items(own, &before, s);
    if (get_local_id(0) == 0)
        publish_for_another(t->words, t->run, tile, total);
    return total;
}

/* The total of all tiles before `tile` > 0. The last work-item looks at the nearest tile. */
static inline T look_back(const task *t, uint tile, __local shared *s)
{
    const uint item = get_local_id(0);
    uint looks = 0;
    T prefix = IDENTITY;
    sight seen;
    uint end = tile;
    do {
        const bool there = item + end >= BLOCK;
        const uint watched = item + end - BLOCK;
        uint flag = there ? EMPTY : PREFIX; /* of nothing, before the first tile */
        T value = IDENTITY;
        do {
            if (flag == EMPTY)
                flag = read_status(t->words, t->run, watched, &value);
            seen = share_sight(flag, s);
            if (seen.empties > seen.prefixes && ++looks > PATIENCE) {
                const T total = fall_back(t, seen.empties - 1 + end - BLOCK, s);
                if (item + 1 == seen.empties) {
                    value = total;
                    flag = TOTAL;
                }
            }
        } while (seen.empties > seen.prefixes);
        T before;
        prefix =
            combine(scan_items(item + 1 >= seen.prefixes ? value : IDENTITY, &before, s), prefix);
        end -= BLOCK;
    } while (seen.prefixes == 0);
    return prefix;
}

/* `first_ticket` tickets were taken by earlier runs, and each work-group takes one. */
__kernel __attribute__((reqd_work_group_size(BLOCK, 1, 1))) void
lookback(__global const vector *in, __global vector *out, ulong n, uint inclusive,
         volatile __global shared_word *words, volatile __global uint *tickets, uint run,
         uint first_ticket)
{
    __local shared s;
    const task t = {in, out, n, words, run};
    const uint item = get_local_id(0);
    if (item == 0)
        s.tile = tile_of_ticket(atomic_inc(tickets) - first_ticket);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint tile = s.tile;

    vector rows[ROWS];
    T before;
    load_tile(&t, tile, rows, &s);
    T own = reduce_vector(rows[0]);
#pragma unroll
    for (uint r = 1; r < ROWS; r++)
        own = combine(own, reduce_vector(rows[r]));
    const T total = scan_items(own, &before, &s);
    if (item == 0 && speaks(tile))
        publish(words, run, tile, tile > 0 ? TOTAL : PREFIX, total);
    if (tile > 0) {
        const T prefix = look_back(&t, tile, &s);
        if (item == 0 && speaks(tile))
            publish(words, run, tile, PREFIX, combine(prefix, total));
        before = combine(prefix, before);
    }
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
        rows[r] = scan_vector(rows[r], &before, inclusive);
    store_tile(&t, tile, rows, &s);
}
