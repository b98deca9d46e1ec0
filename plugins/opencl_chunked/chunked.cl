/*
 * chunked.cl - a chained scan for processors with few, fast cores: each work-group is a single
 * work-item on a core of its own and takes chunks that stay in the core's caches
 *
 * The work-groups take chunks in order. While one scans a chunk out of the caches, it reduces the
 * one that it will scan after the next, which comes from memory: memory is read once and written
 * once, without a pause between reading and writing. A chunk's total is published as soon as it is
 * known, a whole chunk before its work-group needs the carry for it (status_words.cl), and every
 * work-group adds up the totals for itself, in order.
 *
 * OpenCL does not promise that work-groups make progress side by side, so none may wait for
 * another one. A total that has not come after PATIENCE looks is computed by the work-group that
 * needs it, from the chunk itself: decoupled fallback (Smith, Levien and Owens, SPAA 2025).
 *
 * The last chunk needs no total. All others are whole rows of vectors; these
 * are scanned by windows that double, as cpu_simd does it: y[i] = y[i - LANES] (+) W[i], where W[i]
 * combines the LANES elements up to i, in log2(LANES) steps. 2n elements of traffic to memory.
 *
 * The bits of a float sum depend on the input, n and the length of a chunk, not on timing: whoever
 * computes a total does it in the same order.
 */
#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)

#if defined(OP_affine)
#define LANES 1
#elif ELEMENT_BYTES == 8
#define LANES 8
#else
#define LANES 16
#endif

/* A row is what a loop handles in one turn: at least a line of a cache. */
#define ROW_VECTORS 4
#define ROW (ROW_VECTORS * LANES)

#if LANES == 1
typedef T lanes;
#define COMBINE combine
#define FIRST_OF(v) (v)
#define LAST_OF(v) (v)
#elif LANES == 8
typedef JOIN(ELEMENT, 8) lanes;
#define COMBINE LANES_COMBINE
#define FIRST_OF(v) (v).s0
#define LAST_OF(v) (v).s7
#else
typedef JOIN(ELEMENT, 16) lanes;
#define COMBINE LANES_COMBINE
#define FIRST_OF(v) (v).s0
#define LAST_OF(v) (v).sf
#endif

/* Lanes in memory: in the input and in the output. */
#if LANES == 1
typedef GIVEN given_lanes;
typedef STORED stored_lanes;
#else
typedef JOIN(GIVEN, LANES) given_lanes;
typedef JOIN(STORED, LANES) stored_lanes;
#endif

#if defined(DTYPE_bf16) || defined(FROM_bf16)
static inline lanes lanes_of(given_lanes x)
{
    return as_float16(convert_uint16(x) << 16);
}
#elif defined(DTYPE_f16) || defined(FROM_f16)
static inline lanes lanes_of(given_lanes x)
{
    return vload_half16(0, (const half *)&x);
}
#elif WIDE
#define lanes_of(x) JOIN(convert_, JOIN(ELEMENT, LANES))(x)
#else
#define lanes_of(x) (x)
#endif

#if defined(DTYPE_bf16)
static inline stored_lanes stored_lanes_of(lanes a)
{
    const uint16 bits = as_uint16(a);
    const uint16 rounded = bits + 0x7fffu + (bits >> 16 & 1u);
    return convert_ushort16(select(rounded, bits | 0x400000u, isnan(a)) >> 16);
}
#elif defined(DTYPE_f16)
static inline stored_lanes stored_lanes_of(lanes a)
{
    stored_lanes x;
    vstore_half16_rte(a, 0, (half *)&x);
    return x;
}
#else
#define stored_lanes_of(a) (a)
#endif

/* The lanes one, two, four or eight places before those of `v`; `before` is the vector before. */
#if LANES == 8
static inline lanes back1(lanes before, lanes v)
{
    return (lanes)(before.s7, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6);
}

static inline lanes back2(lanes before, lanes v)
{
    return (lanes)(before.s6, before.s7, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5);
}

static inline lanes back4(lanes before, lanes v)
{
    return (lanes)(before.s4, before.s5, before.s6, before.s7, v.s0, v.s1, v.s2, v.s3);
}

/* The lanes of two vectors with an even and with an odd number. */
static inline lanes evens(lanes a, lanes b)
{
    return (lanes)(a.s0, a.s2, a.s4, a.s6, b.s0, b.s2, b.s4, b.s6);
}

static inline lanes odds(lanes a, lanes b)
{
    return (lanes)(a.s1, a.s3, a.s5, a.s7, b.s1, b.s3, b.s5, b.s7);
}
#elif LANES == 16
static inline lanes back1(lanes before, lanes v)
{
    return (lanes)(before.sf, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa,
                   v.sb, v.sc, v.sd, v.se);
}

static inline lanes back2(lanes before, lanes v)
{
    return (lanes)(before.se, before.sf, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9,
                   v.sa, v.sb, v.sc, v.sd);
}

static inline lanes back4(lanes before, lanes v)
{
    return (lanes)(before.sc, before.sd, before.se, before.sf, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5,
                   v.s6, v.s7, v.s8, v.s9, v.sa, v.sb);
}

static inline lanes back8(lanes before, lanes v)
{
    return (lanes)(before.s8, before.s9, before.sa, before.sb, before.sc, before.sd, before.se,
                   before.sf, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7);
}

/* The lanes of two vectors with an even and with an odd number. */
static inline lanes evens(lanes a, lanes b)
{
    return (lanes)(a.s0, a.s2, a.s4, a.s6, a.s8, a.sa, a.sc, a.se, b.s0, b.s2, b.s4, b.s6, b.s8,
                   b.sa, b.sc, b.se);
}

static inline lanes odds(lanes a, lanes b)
{
    return (lanes)(a.s1, a.s3, a.s5, a.s7, a.s9, a.sb, a.sd, a.sf, b.s1, b.s3, b.s5, b.s7, b.s9,
                   b.sb, b.sd, b.sf);
}
#endif

/* All lanes of a vector combined in order, as a balanced tree. */
static inline T fold_lanes(lanes v)
{
#if LANES > 1
    v = COMBINE(back1(v, v), v);
    v = COMBINE(back2(v, v), v);
    v = COMBINE(back4(v, v), v);
#endif
#if LANES == 16
    v = COMBINE(back8(v, v), v);
#endif
    return LAST_OF(v);
}

/* ---- what compilers for CPUs can say ------------------------------------------ */

#if defined(__has_builtin) && (defined(__x86_64__) || defined(__aarch64__))
#if __has_builtin(__builtin_nontemporal_store)
#define CAN_STORE_AROUND 1
#endif
#if __has_builtin(__builtin_prefetch)
#define CAN_PREFETCH 1
#endif
#endif

/* Stores around the caches: the line is not read first. AROUND is 0 where the output fits them. */
static inline void store(__global stored_lanes *to, stored_lanes value)
{
#if AROUND && defined(CAN_STORE_AROUND) && LANES > 1
    __builtin_nontemporal_store(value, to);
#else
    *to = value;
#endif
}

/* The hardware's prefetchers stop at the end of a page; asking for a line somewhat ahead carries
 * them over it. */
#ifndef AHEAD_BYTES
#define AHEAD_BYTES 3072
#endif
static inline void prefetch_ahead(__global const given_lanes *at)
{
#if defined(CAN_PREFETCH)
    const uchar *line = (const uchar *)(ulong)at + AHEAD_BYTES;
#pragma unroll
    for (uint i = 0; i < ROW_VECTORS * sizeof(given_lanes); i += 64)
        __builtin_prefetch(line + i);
#endif
}

/* ---- chunks ------------------------------------------------------------------- */

typedef struct {
    __global const given_lanes *in;
    __global stored_lanes *out;
    ulong n;
    ulong length; /* elements per chunk, a multiple of ROW; the last chunk may have fewer */
    uint chunks;
    volatile __global shared_word *words;
    uint run;
} task;

/* If the order of elements does not change the last bit, a total is computed lane by lane and
 * folded once. Otherwise neighbours are combined: sums of floats are then as large as the scan's
 * own values, while sums of every sixteenth element may be far larger. */
static inline lanes reduce_row(lanes sums, __global const given_lanes *row)
{
    const lanes a = lanes_of(row[0]), b = lanes_of(row[1]);
    const lanes c = lanes_of(row[2]), d = lanes_of(row[3]);
#if !ORDERED
    return COMBINE(sums, COMBINE(COMBINE(a, b), COMBINE(c, d)));
#elif LANES == 1
    return COMBINE(sums, COMBINE(COMBINE(a, b), COMBINE(c, d)));
#else
    /* A tree over the elements of the row, whose levels halve the vectors. */
    const lanes ab = COMBINE(evens(a, b), odds(a, b));
    const lanes cd = COMBINE(evens(c, d), odds(c, d));
    const lanes row_sums = COMBINE(evens(ab, cd), odds(ab, cd));
    return COMBINE(sums, (lanes)(fold_lanes(row_sums)));
#endif
}

static inline T fold(lanes sums)
{
    return ORDERED ? FIRST_OF(sums) : fold_lanes(sums);
}

/* A scan on its way: the vector before, its windows, and the scan's result there. Before a chunk
 * there are identities, and the result is the carry. */
typedef struct {
    lanes x; /* the input */
    lanes one, two, four, eight;
    lanes sum;
} running;

static inline running begin_at(T carry)
{
    const lanes none = (lanes)(IDENTITY);
    const running r = {none, none, none, none, none, (lanes)(carry)};
    return r;
}

/* Scans a vector by windows that double. An exclusive scan is the inclusive one of the elements one
 * place before. The next vector waits for a single combination. */
static inline lanes scan_vector(lanes x, running *r)
{
#if LANES == 1
    const lanes last_window = INCLUSIVE ? x : r->x;
#else
    const lanes one = INCLUSIVE ? x : back1(r->x, x);
    const lanes two = COMBINE(back1(r->one, one), one);
    const lanes four = COMBINE(back2(r->two, two), two);
    lanes last_window = COMBINE(back4(r->four, four), four);
    r->one = one;
    r->two = two;
    r->four = four;
#endif
#if LANES == 16
    const lanes eight = last_window;
    last_window = COMBINE(back8(r->eight, eight), eight);
    r->eight = eight;
#endif
    r->x = x;
    r->sum = COMBINE(r->sum, last_window);
    return r->sum;
}

/* What stands left of the next vector. */
static inline T carry_of(const running *r)
{
    return INCLUSIVE ? LAST_OF(r->sum) : combine(LAST_OF(r->sum), LAST_OF(r->x));
}

static inline void scan_row(__global const given_lanes *in, __global stored_lanes *out, running *r)
{
#pragma unroll
    for (uint i = 0; i < ROW_VECTORS; i++)
        store(out + i, stored_lanes_of(scan_vector(lanes_of(in[i]), r)));
}

/* The vectors and elements behind the last whole row. */
static inline void scan_rest(const task *t, ulong begin, ulong end, T left)
{
    __global const GIVEN *in = (__global const GIVEN *)t->in;
    __global STORED *out = (__global STORED *)t->out;
    for (ulong i = begin; i < end; i++) {
        const T next = combine(left, element_of(in[i]));
        out[i] = stored_of(INCLUSIVE ? next : left);
        left = next;
    }
}

/* Scans chunk `now`, which `carry` stands left of, and returns the total of chunk `later`. Chunks
 * that are not there are left out, and so is the total of the last one. */
static T scan_and_reduce(const task *t, uint now, T carry, uint later)
{
    const ulong begin = now < t->chunks ? now * t->length : t->n;
    const ulong end = min(t->n, begin + t->length);
    ulong scan_rows = (end - begin) / ROW;
    ulong reduce_rows = later + 1 < t->chunks ? t->length / ROW : 0;
    __global const given_lanes *in = t->in + begin / LANES;
    __global stored_lanes *out = t->out + begin / LANES;
    __global const given_lanes *next = t->in + (reduce_rows > 0 ? later * t->length / LANES : 0);
    running r = begin_at(carry);
    lanes sums = (lanes)(IDENTITY);
    for (; scan_rows > 0 && reduce_rows > 0; scan_rows--, reduce_rows--) {
        prefetch_ahead(next);
        sums = reduce_row(sums, next);
        scan_row(in, out, &r);
        next += ROW_VECTORS;
        in += ROW_VECTORS;
        out += ROW_VECTORS;
    }
    for (; scan_rows > 0; scan_rows--) {
        prefetch_ahead(in);
        scan_row(in, out, &r);
        in += ROW_VECTORS;
        out += ROW_VECTORS;
    }
    for (; reduce_rows > 0; reduce_rows--) {
        prefetch_ahead(next);
        sums = reduce_row(sums, next);
        next += ROW_VECTORS;
    }
    scan_rest(t, end - (end - begin) % ROW, end, carry_of(&r));
    return fold(sums);
}

/* ---- carries ------------------------------------------------------------------- */

/* A work-group's own sum of totals: those of the chunks before `next`. */
typedef struct {
    uint next;
    T carry;
} prefix;

static inline T total_of(const task *t, uint chunk)
{
    T total = IDENTITY;
    for (uint look = 0; look < PATIENCE; look++)
        if (read_status(t->words, t->run, chunk, &total) != EMPTY)
            return total;
    return scan_and_reduce(t, t->chunks, IDENTITY, chunk);
}

/* `first_ticket` tickets were taken by earlier runs. Every work-group takes two more than it finds
 * chunks. */
__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
chunked(__global const given_lanes *in, __global stored_lanes *out, ulong n, ulong length,
        uint chunks, volatile __global shared_word *words, volatile __global uint *tickets,
        uint run, uint first_ticket)
{
    const task t = {in, out, n, length, chunks, words, run};
    prefix before = {0, IDENTITY};
    uint now = chunks;  /* is scanned, if there is such a chunk */
    uint soon = chunks; /* has been reduced */
    for (uint turn = 0; turn < 2 || now < chunks; turn++) {
        const uint later = atomic_inc(tickets) - first_ticket;
        for (; now < chunks && before.next < now; before.next++)
            before.carry = combine(before.carry, total_of(&t, before.next));
        const T total = scan_and_reduce(&t, now, before.carry, later);
        if (later + 1 < chunks)
            publish(words, run, later, TOTAL, total);
        now = soon;
        soon = later;
    }
}
