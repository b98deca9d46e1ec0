/*
 * chunked.cl - a scan for processors with few, fast cores: one work-item per long chunk of
 * neighbouring elements, no barriers, no local memory
 *
 *     reduce   each chunk but the last is combined into one total
 *     spine    one work-item scans the totals: what stands left of each chunk
 *     scan     each chunk is scanned, starting from what stands left of it
 *
 * This is reduce-then-scan with a core for a thread block (Blelloch 1990, section
 * 1.3, where processors take n/p elements each). Work 2n combinations, n/chunks
 * steps; the input is read twice and the output written once.
 *
 * Scalars are taken LANES at a time, as CPU cores have vectors; inside a vector the scan is Hillis
 * and Steele's, log2(LANES) shifts. With LANES of 16 and no branch in the loops, it runs at the
 * speed of memory.
 */
#define PASTE(a, b) a##b
#define JOIN(a, b) PASTE(a, b)

#if !defined(OP_affine)
#define LANES 16
typedef JOIN(ELEMENT, 16) lanes;

/* Shifts the lanes up by one, two, four or eight places, and fills with `in`. */
static inline lanes up1(lanes v, T in)
{
    return (lanes)(in, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa, v.sb, v.sc,
                   v.sd, v.se);
}

static inline lanes up2(lanes v, T in)
{
    return (lanes)(in, in, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa, v.sb,
                   v.sc, v.sd);
}

static inline lanes up4(lanes v, T in)
{
    return (lanes)(in, in, in, in, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7, v.s8, v.s9, v.sa,
                   v.sb);
}

static inline lanes up8(lanes v, T in)
{
    return (lanes)(in, in, in, in, in, in, in, in, v.s0, v.s1, v.s2, v.s3, v.s4, v.s5, v.s6, v.s7);
}

static inline lanes scan_lanes(lanes v)
{
    v = LANES_COMBINE(up1(v, IDENTITY), v);
    v = LANES_COMBINE(up2(v, IDENTITY), v);
    v = LANES_COMBINE(up4(v, IDENTITY), v);
    return LANES_COMBINE(up8(v, IDENTITY), v);
}
#endif

/* If the order of elements does not change the last bit, a total is computed lane by lane and
 * folded once. Sums of floats combine only neighbours: their partial sums are then as large as the
 * scan's own values, while sums of every sixteenth element may be far larger. */
#if defined(OP_sum) && (defined(DTYPE_f32) || defined(DTYPE_f64))
#define FOLD_EACH 1
#else
#define FOLD_EACH 0
#endif

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
reduce(__global const T *in, __global T *totals, ulong n, ulong length)
{
    const ulong chunk = get_group_id(0);
    const ulong end = min(n, (chunk + 1) * length);
    ulong i = chunk * length;
    T total = IDENTITY;
#if defined(LANES)
    lanes sums = (lanes)(IDENTITY);
    for (; i + LANES <= end; i += LANES) {
        const lanes v = vload16(0, in + i);
        if (FOLD_EACH)
            total = combine(total, scan_lanes(v).sf);
        else
            sums = LANES_COMBINE(sums, v);
    }
    total = combine(total, scan_lanes(sums).sf);
#endif
    for (; i < end; i++)
        total = combine(total, in[i]);
    totals[chunk] = total;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void spine(__global T *totals, uint chunks)
{
    T left = totals[0];
    for (uint chunk = 1; chunk + 1 < chunks; chunk++) {
        const T total = totals[chunk];
        totals[chunk] = left;
        left = combine(left, total);
    }
    totals[chunks - 1] = left;
}

__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void
scan(__global const T *in, __global T *out, __global const T *totals, ulong n, ulong length)
{
    const ulong chunk = get_group_id(0);
    const ulong end = min(n, (chunk + 1) * length);
    ulong i = chunk * length;
    T left = IDENTITY;
    if (chunk > 0)
        left = totals[chunk];
#if defined(LANES)
    /* The next vector waits for only one addition, not for this vector's result. */
    lanes before = (lanes)(left);
    for (; i + LANES <= end; i += LANES) {
        const lanes scanned = scan_lanes(vload16(0, in + i));
        const lanes result = LANES_COMBINE(before, scanned);
        vstore16(INCLUSIVE ? result : up1(result, before.s0), 0, out + i);
        const lanes total = (lanes)(scanned.sf);
        before = LANES_COMBINE(before, total);
    }
    left = before.s0;
#endif
    for (; i < end; i++) {
        const T next = combine(left, in[i]);
        out[i] = INCLUSIVE ? next : left;
        left = next;
    }
}
