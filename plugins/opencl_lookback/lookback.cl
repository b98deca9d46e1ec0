/*
 * lookback.cl - the chained scan with decoupled look-back and decoupled fallback, one tile per
 * work-group
 *
 *     a tile is loaded into local memory, once; its total is published at once;
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
 * Each work-item has ROWS vectors of 16 bytes that follow each other. They lie in local memory, so
 * that no registers hold them meanwhile, and so that neighbouring work-items can bring neighbouring
 * vectors there. The first sub-group looks back for all, each of its work-items at one word of a
 * window of WIDTH tiles. Where a sub-group is not the whole work-group (sub_groups.cl), the words
 * of WINDOWS windows are loaded together. BLOCK may be any number that sub_groups.cl allows.
 *
 * Work 2n combinations, and WIDTH log2(WIDTH) for a sub-group's totals and for a window; 4 ROWS +
 * log2(BLOCK) steps; 2n elements of traffic to memory.
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
 * access together are then in different banks. WIDTH is a multiple of ROWS. */
#define SLOT(index) ((index) + (index) / ROWS)

typedef struct {
    vector stage[SLOT(BLOCK * ROWS - 1) + 1];
    sub_groups groups;
    uint tile;
    T prefix; /* of the tile */
} shared;

/* More windows in flight hide the latency of words; a whole work-group has one that is as long. */
#if SUB_GROUPS
#define WINDOWS 4
#else
#define WINDOWS 1
#endif

/* ---- a vector --------------------------------------------------------------------- */

static inline T reduce_vector(vector v)
{
#if VECTOR_VALUES == 4
    return combine(combine(combine(v.x, v.y), v.z), v.w);
#elif VECTOR_VALUES > 4
    const vector_values values = {v};
    T total = element_of(values.each[0]);
#pragma unroll
    for (uint k = 1; k < VECTOR_VALUES; k++)
        total = combine(total, element_of(values.each[k]));
    return total;
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
#elif VECTOR_VALUES > 4
    vector_values values = {v};
    T sum = left;
#pragma unroll
    for (uint k = 0; k < VECTOR_VALUES; k++) {
        const T next = combine(sum, element_of(values.each[k]));
        values.each[k] = stored_of(inclusive ? next : sum);
        sum = next;
    }
    *before = sum;
    return values.all;
#else
    const T lo = combine(left, LOW(v)), hi = combine(lo, HIGH(v));
    *before = hi;
    const T low = inclusive ? lo : left, high = inclusive ? hi : lo;
    return VECTOR_OF(low, high);
#endif
}

static inline STORED load_value(const task *t, ulong i)
{
    return i < t->n ? ((__global const STORED *)t->in)[i] : stored_of(IDENTITY);
}

static inline void store_value(const task *t, ulong i, STORED value)
{
    if (i < t->n)
        ((__global STORED *)t->out)[i] = value;
}

/* Vector `at` of the input; past the end there are identities. */
static inline vector load_vector(const task *t, ulong at)
{
    const ulong i = at * VECTOR_VALUES;
    if (i + VECTOR_VALUES <= t->n)
        return t->in[at];
    vector_values values;
#pragma unroll
    for (uint k = 0; k < VECTOR_VALUES; k++)
        values.each[k] = load_value(t, i + k);
    return values.all;
}

static inline void store_vector(const task *t, ulong at, vector v)
{
    const ulong i = at * VECTOR_VALUES;
    if (i + VECTOR_VALUES <= t->n) {
        t->out[at] = v;
        return;
    }
    const vector_values values = {v};
#pragma unroll
    for (uint k = 0; k < VECTOR_VALUES; k++)
        store_value(t, i + k, values.each[k]);
}

/* ---- a tile in local memory --------------------------------------------------------- */

/* Where a sub-group's part of a tile begins, in vectors of the tile. */
static inline uint part_of_item(void)
{
    return (get_local_id(0) - get_local_id(0) % WIDTH) * ROWS;
}

/* Does the array have all of the part that begins with vector `first`? */
static inline bool is_whole(const task *t, ulong first)
{
    return (first + WIDTH * ROWS) * VECTOR_VALUES <= t->n;
}

/* The vectors of this work-item, which are neighbours. */
static inline __local vector *own_vectors(__local shared *s)
{
    return s->stage + SLOT(get_local_id(0) * ROWS);
}

/* Work-items of a sub-group bring its part of the tile to local memory together. Returns the total
 * of this one's vectors. */
static inline T load_tile(const task *t, uint tile, __local shared *s)
{
    const uint lane = get_local_id(0) % WIDTH, part = part_of_item();
    const ulong first = (ulong)tile * (BLOCK * ROWS) + part;
    __local vector *stage = s->stage + SLOT(part + lane), *own = own_vectors(s);
    if (is_whole(t, first)) {
        __global const vector *from = t->in + first + lane;
        vector rows[ROWS];
#pragma unroll
        for (uint r = 0; r < ROWS; r++)
            rows[r] = from[r * WIDTH];
#pragma unroll
        for (uint r = 0; r < ROWS; r++)
            stage[r * SLOT(WIDTH)] = rows[r];
    } else {
        for (uint r = 0; r < ROWS; r++)
            stage[r * SLOT(WIDTH)] = load_vector(t, first + r * WIDTH + lane);
    }
    barrier_sub_group();
    T total = reduce_vector(own[0]);
#pragma unroll
    for (uint r = 1; r < ROWS; r++)
        total = combine(total, reduce_vector(own[r]));
    return total;
}

/* `before` is what stands left of this work-item's vectors. Only this one has read them so far. */
static inline void store_tile(const task *t, uint tile, T before, uint inclusive, __local shared *s)
{
    const uint lane = get_local_id(0) % WIDTH, part = part_of_item();
    const ulong first = (ulong)tile * (BLOCK * ROWS) + part;
    __local vector *stage = s->stage + SLOT(part + lane), *own = own_vectors(s);
#pragma unroll
    for (uint r = 0; r < ROWS; r++)
        own[r] = scan_vector(own[r], &before, inclusive);
    barrier_sub_group();
    if (is_whole(t, first)) {
        __global vector *to = t->out + first + lane;
#pragma unroll
        for (uint r = 0; r < ROWS; r++)
            to[r * WIDTH] = stage[r * SLOT(WIDTH)];
    } else {
        for (uint r = 0; r < ROWS; r++)
            store_vector(t, first + r * WIDTH + lane, stage[r * SLOT(WIDTH)]);
    }
}

/* ---- looking back ------------------------------------------------------------------ */

/* What the work-items of a window saw, the same in all of them: 1 + the last that saw a prefix,
 * or 0, and the same for no word yet. */
typedef struct {
    uint prefixes, empties;
} sight;

static inline sight share_sight(uint flag, uint *turn_p, __local shared *s)
{
    const uint2 last = last_in_sub_group(flag == PREFIX, flag == EMPTY, turn_p, &s->groups);
    const sight seen = {last.x, last.y};
    return seen;
}

/* The total of a work-item's vectors, of which the first is `first`, in the order of load_tile. One
 * element after the other, because that takes few registers. */
static inline T reduce_slowly(const task *t, ulong first)
{
    ulong i = first * VECTOR_VALUES;
    T total = IDENTITY;
#pragma unroll 1
    for (uint r = 0; r < ROWS; r++) {
        T of_vector = element_of(load_value(t, i++));
        for (uint v = 1; v < VECTOR_VALUES; v++)
            of_vector = combine(of_vector, element_of(load_value(t, i++)));
        total = r > 0 ? combine(total, of_vector) : of_vector;
    }
    return total;
}

/* The total of the tile that blocks, which its own work-group has not published. The order of
 * operations is that work-group's, and so are the bits: the sub-group does what each of that one's
 * does, one after the other. The loads are slower, but rare. */
static inline T fall_back(const task *t, uint tile, __local shared *s)
{
    T total = IDENTITY;
    for (uint i = 0; i < SUB_GROUP_COUNT; i++) {
        const T own = reduce_slowly(t, ((ulong)tile * BLOCK + i * WIDTH + get_local_id(0)) * ROWS);
        T before;
        const T part = scan_sub_group(own, &before, &s->groups);
        total = i > 0 ? combine(total, part) : part;
    }
    if (get_local_id(0) == 0)
        publish_for_another(t->words, t->run, tile, total);
    return total;
}

/* The prefix of everything before the first tile is known. */
static inline uint look_at(const task *t, int tile, T *value_p)
{
    *value_p = IDENTITY;
    return tile >= 0 ? read_status(t->words, t->run, (uint)tile, value_p) : PREFIX;
}

typedef struct {
    uint looks;    /* in vain */
    uint turn;     /* of votes */
    uint prefixes; /* of the last window: 1 + the last work-item that saw a prefix, or 0 */
} search;

/* Looks at a window until no word is missing behind its last prefix. `tile` is the one that this
 * work-item looks at, flag and value are what it saw. false after PATIENCE looks in vain. */
static inline bool await_window(const task *t, int tile, uint *flag_p, T *value_p, search *state,
                                __local shared *s)
{
    sight seen = share_sight(*flag_p, &state->turn, s);
    while (seen.empties > seen.prefixes) {
        if (state->looks == PATIENCE)
            return false;
        state->looks++;
        if (*flag_p == EMPTY)
            *flag_p = look_at(t, tile, value_p);
        seen = share_sight(*flag_p, &state->turn, s);
    }
    state->prefixes = seen.prefixes;
    return true;
}

/* Looks at a window, and computes the totals for which no word is there. Returns the value of the
 * tile that this work-item looks at. Other windows are looked at anew afterwards: so no registers
 * hold them meanwhile, which would be the most that the kernel takes. */
static inline T compute_window(const task *t, int tile, search *state, __local shared *s)
{
    const uint item = get_local_id(0);
    T value;
    uint flag = look_at(t, tile, &value);
    sight seen = share_sight(flag, &state->turn, s);
    while (seen.empties > seen.prefixes) {
        const T total = fall_back(t, (uint)tile - item + (seen.empties - 1), s);
        if (item + 1 == seen.empties) {
            value = total;
            flag = TOTAL;
        }
        if (flag == EMPTY)
            flag = look_at(t, tile, &value);
        seen = share_sight(flag, &state->turn, s);
    }
    state->prefixes = seen.prefixes;
    return value;
}

/* The total of a window of tiles, without those before its last prefix. */
static inline T fold_window(T value, const search *state, __local shared *s)
{
    T before;
    return scan_sub_group(get_local_id(0) + 1 >= state->prefixes ? value : IDENTITY, &before,
                          &s->groups);
}

/* The total of all tiles before `tile` > 0, by the work-items of one sub-group. The last one looks
 * at the nearest tile. */
static inline T look_back(const task *t, uint tile, __local shared *s)
{
    int watched = (int)(tile + get_local_id(0)) - WIDTH;
    T prefix = IDENTITY;
    search state = {0, 0, 0};
    do {
        uint flags[WINDOWS];
        T values[WINDOWS];
        bool there = true;
#pragma unroll
        for (int w = 0; w < WINDOWS; w++)
            flags[w] = look_at(t, watched - w * WIDTH, &values[w]);
#pragma unroll
        for (int w = 0; w < WINDOWS; w++) {
            if (!there || state.prefixes > 0)
                continue;
            there = await_window(t, watched, &flags[w], &values[w], &state, s);
            if (!there)
                continue;
            prefix = combine(fold_window(values[w], &state, s), prefix);
            watched -= WIDTH;
        }
        if (!there) {
            const T value = compute_window(t, watched, &state, s);
            prefix = combine(fold_window(value, &state, s), prefix);
            watched -= WIDTH;
        }
    } while (state.prefixes == 0);
    return prefix;
}

/* The first sub-group looks back for all, and publishes the tile's prefix. */
static inline T find_prefix(const task *t, uint tile, T total, __local shared *s)
{
    const uint item = get_local_id(0);
    T prefix = IDENTITY;
    if (WIDTH == BLOCK || item < WIDTH)
        prefix = look_back(t, tile, s);
    if (item == 0 && speaks(tile))
        publish(t->words, t->run, tile, PREFIX, combine(prefix, total));
    if (WIDTH == BLOCK)
        return prefix;
    if (item == 0)
        s->prefix = prefix;
    barrier(CLK_LOCAL_MEM_FENCE);
    return s->prefix;
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
    begin_votes(&s.groups);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint tile = s.tile;

    T before;
    const T own = load_tile(&t, tile, &s);
    const T total = scan_work_group(own, &before, &s.groups);
    if (item == 0 && speaks(tile))
        publish(words, run, tile, tile > 0 ? TOTAL : PREFIX, total);
    if (tile > 0)
        before = combine(find_prefix(&t, tile, total, &s), before);
    store_tile(&t, tile, before, inclusive, &s);
}
