/*
 * scan_ops.cl - the element type T, its operator and its identity, before every
 * OpenCL scan kernel
 *
 * The host defines one DTYPE_<word> and one OP_<word>, the words of scan_plugin.h.
 *
 *     T, ELEMENT        the element, as a type and as its name
 *     ELEMENT_BYTES     its size
 *     STORED            its name in the output, and STORED_BYTES its size there: they differ for
 *                       floats of 16 bits, which are ushort in memory and T is float
 *     GIVEN             its name in the input: STORED, but where results are wider. Then the host
 *                       defines it and, of floats of 16 bits, FROM_<word>, and WIDE is 1
 *     element_of(x)     the element that is given as x
 *     stored_of(a)      the element as it is stored, rounded to nearest, ties to even
 *     IDENTITY          the operator's identity
 *     combine(a, b)     a (+) b, a being the left operand: affine does not commute
 *     ORDERED           1 if another order of elements changes bits of the result
 *     LANES_COMBINE     the same for vectors of elements, where T is a scalar
 *
 * Integer sums are made in unsigned elements: they wrap, and the bits are those of
 * the signed sum. Scalars of 8 and 16 bits are combined as int, and combine() converts back;
 * vectors of them stay what they are.
 */
#pragma OPENCL FP_CONTRACT OFF /* the same last bits on every device */

#if defined(DTYPE_f64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#if defined(DTYPE_u8) || (defined(DTYPE_i8) && defined(OP_sum))
#define ELEMENT uchar
#define ELEMENT_BYTES 1
#define LEAST 0
#define GREATEST UCHAR_MAX
#elif defined(DTYPE_i8)
#define ELEMENT char
#define ELEMENT_BYTES 1
#define LEAST SCHAR_MIN
#define GREATEST SCHAR_MAX
#elif defined(DTYPE_u16) || (defined(DTYPE_i16) && defined(OP_sum))
#define ELEMENT ushort
#define ELEMENT_BYTES 2
#define LEAST 0
#define GREATEST USHRT_MAX
#elif defined(DTYPE_i16)
#define ELEMENT short
#define ELEMENT_BYTES 2
#define LEAST SHRT_MIN
#define GREATEST SHRT_MAX
#elif defined(DTYPE_u32) || (defined(DTYPE_i32) && defined(OP_sum))
#define ELEMENT uint
#define ELEMENT_BYTES 4
#define LEAST 0u
#define GREATEST UINT_MAX
#elif defined(DTYPE_i32)
#define ELEMENT int
#define ELEMENT_BYTES 4
#define LEAST INT_MIN
#define GREATEST INT_MAX
#elif defined(DTYPE_u64) || (defined(DTYPE_i64) && defined(OP_sum))
#define ELEMENT ulong
#define ELEMENT_BYTES 8
#define LEAST 0ul
#define GREATEST ULONG_MAX
#elif defined(DTYPE_i64)
#define ELEMENT long
#define ELEMENT_BYTES 8
#define LEAST LONG_MIN
#define GREATEST LONG_MAX
#elif defined(DTYPE_f16) || defined(DTYPE_bf16)
#define STORED ushort
#define STORED_BYTES 2
#define ELEMENT float
#define ELEMENT_BYTES 4
#define LEAST (-INFINITY)
#define GREATEST INFINITY
#elif defined(DTYPE_f32)
#define ELEMENT float
#define ELEMENT_BYTES 4
#define LEAST (-INFINITY)
#define GREATEST INFINITY
#elif defined(DTYPE_f64)
#define ELEMENT double
#define ELEMENT_BYTES 8
#define LEAST ((double)-INFINITY)
#define GREATEST ((double)INFINITY)
#elif defined(DTYPE_u32x2)
#define ELEMENT uint2
#define ELEMENT_BYTES 8
#elif defined(DTYPE_f32x2)
#define ELEMENT float2
#define ELEMENT_BYTES 8
#else
#error "no DTYPE_<word> that this file knows"
#endif
typedef ELEMENT T;

#if !defined(STORED)
#define STORED ELEMENT
#define STORED_BYTES ELEMENT_BYTES
#endif
#if defined(GIVEN)
#define WIDE 1
#else
#define GIVEN STORED
#define WIDE 0
#endif

#if defined(DTYPE_bf16) || defined(FROM_bf16)
static inline T element_of(GIVEN x)
{
    return as_float((uint)x << 16);
}
#elif defined(DTYPE_f16) || defined(FROM_f16)
static inline T element_of(GIVEN x)
{
    return vload_half(0, (const half *)&x);
}
#elif WIDE
#define element_of(x) ((T)(x))
#else
#define element_of(x) (x)
#endif

#if defined(DTYPE_bf16)
static inline STORED stored_of(T a)
{
    const uint bits = as_uint(a);
    return (STORED)((isnan(a) ? bits | 0x400000u : bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
#elif defined(DTYPE_f16)
static inline STORED stored_of(T a)
{
    STORED x;
    vstore_half_rte(a, 0, (half *)&x);
    return x;
}
#else
#define stored_of(a) (a)
#endif

#if defined(OP_sum)
#define IDENTITY ((T)0)
#define LANES_COMBINE(a, b) ((a) + (b))
#elif defined(OP_max)
#define IDENTITY ((T)LEAST)
#define LANES_COMBINE(a, b) ((a) < (b) ? (b) : (a))
#elif defined(OP_min)
#define IDENTITY ((T)GREATEST)
#define LANES_COMBINE(a, b) ((b) < (a) ? (b) : (a))
#elif defined(OP_affine)
#define IDENTITY ((T)(1, 0))
#else
#error "no OP_<word> that this file knows"
#endif

#if defined(OP_affine) || (defined(OP_sum) && (defined(DTYPE_f32) || defined(DTYPE_f64)))
#define ORDERED 1
#else
#define ORDERED 0
#endif

static inline T combine(T a, T b)
{
#if defined(OP_affine)
    return (T)(a.x * b.x, a.y * b.x + b.y);
#else
    return (T)(LANES_COMBINE(a, b));
#endif
}
