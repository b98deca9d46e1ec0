/*
 * copy.cl - a copy by all compute units, each byte read and written once
 *
 * CHUNKS  1: a work-item copies neighbouring vectors, which suits a CPU's prefetchers.
 *         0: neighbouring work-items copy neighbouring vectors, which suits a GPU's
 *         memory; the grid strides over the rest
 * AROUND  1: stores go around the caches, where the compiler can say so
 * INVERT  1: every bit is inverted; `in` and `out` are one buffer
 * FROM    with TO, the names of types: elements are converted on their way (widen)
 */
#if CHUNKS
typedef uint16 vector; /* a cache line */
#else
typedef uint4 vector;
#endif

#if defined(__has_builtin)
#if __has_builtin(__builtin_nontemporal_store)
#define CAN_STORE_AROUND 1
#endif
#endif

#if INVERT
#define MADE_OF(value) (~(value))
#else
#define MADE_OF(value) (value)
#endif

static inline void store(__global vector *to, vector value)
{
#if AROUND && defined(CAN_STORE_AROUND)
    __builtin_nontemporal_store(value, to);
#else
    *to = value;
#endif
}

/* A work-item that copies chunks copies `length` vectors. */
__kernel void copy(__global const vector *in, __global vector *out, ulong bytes, ulong length)
{
    const ulong vectors = bytes / sizeof(vector);
    const ulong item = get_global_id(0);
#if CHUNKS
    const ulong end = min(vectors, (item + 1) * length);
    for (ulong i = item * length; i < end; i++)
        store(out + i, MADE_OF(in[i]));
#else
    for (ulong i = item; i < vectors; i += get_global_size(0))
        store(out + i, MADE_OF(in[i]));
#endif
    if (item > 0)
        return;
    __global const uchar *from = (__global const uchar *)in;
    __global uchar *to = (__global uchar *)out;
    for (ulong i = vectors * sizeof(vector); i < bytes; i++)
        to[i] = MADE_OF(from[i]);
}

/* Behind scan_ops.cl, of a problem whose results are wider than its input: RESULTS at a time. */
#if WIDE
#define JOINED_(a, b) a##b
#define JOINED(a, b) JOINED_(a, b)
typedef JOINED(STORED, RESULTS) results;
#define LOAD_GIVEN(i, in) JOINED(vload, RESULTS)(i, in)
#if defined(FROM_bf16)
#define LOAD(i, in) \
    JOINED(as_, JOINED(STORED, RESULTS))(JOINED(convert_uint, RESULTS)(LOAD_GIVEN(i, in)) << 16)
#elif defined(FROM_f16)
#define LOAD(i, in) JOINED(vload_half, RESULTS)(i, (__global const half *)(in))
#else
#define LOAD(i, in) JOINED(convert_, JOINED(STORED, RESULTS))(LOAD_GIVEN(i, in))
#endif

static inline void store_results(__global STORED *to, results value)
{
#if AROUND && defined(CAN_STORE_AROUND)
    __builtin_nontemporal_store(value, (__global results *)to);
#else
    JOINED(vstore, RESULTS)(value, 0, to);
#endif
}

/* The same of `count` elements. The output is aligned for as many of its elements. */
__kernel void widen(__global const GIVEN *in, __global STORED *out, ulong count, ulong length)
{
    const ulong vectors = count / RESULTS;
    const ulong item = get_global_id(0);
#if CHUNKS
    const ulong end = min(vectors, (item + 1) * length);
    for (ulong i = item * length; i < end; i++)
        store_results(out + RESULTS * i, LOAD(i, in));
#else
    for (ulong i = item; i < vectors; i += get_global_size(0))
        store_results(out + RESULTS * i, LOAD(i, in));
#endif
    if (item > 0)
        return;
    for (ulong i = RESULTS * vectors; i < count; i++)
        out[i] = element_of(in[i]);
}
#endif
