/*
 * scan_ops.cl - the element type T, its operator and its identity, before every
 * OpenCL scan kernel
 *
 * The host defines one DTYPE_<word> and one OP_<word>, the words of scan_plugin.h.
 *
 *     T                 the element
 *     IDENTITY          the operator's identity
 *     combine(a, b)     a (+) b, a being the left operand: affine does not commute
 *     LANES_COMBINE     the same for vectors of elements, where T is a scalar
 *
 * Integer sums are made in unsigned elements: they wrap, and the bits are those of
 * the signed sum.
 */
#pragma OPENCL FP_CONTRACT OFF /* the same last bits on every device */

#if defined(DTYPE_f64)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

#if defined(DTYPE_u32) || (defined(DTYPE_i32) && defined(OP_sum))
typedef uint T;
#define LEAST 0u
#define GREATEST UINT_MAX
#elif defined(DTYPE_i32)
typedef int T;
#define LEAST INT_MIN
#define GREATEST INT_MAX
#elif defined(DTYPE_u64) || (defined(DTYPE_i64) && defined(OP_sum))
typedef ulong T;
#define LEAST 0ul
#define GREATEST ULONG_MAX
#elif defined(DTYPE_i64)
typedef long T;
#define LEAST LONG_MIN
#define GREATEST LONG_MAX
#elif defined(DTYPE_f32)
typedef float T;
#define LEAST (-INFINITY)
#define GREATEST INFINITY
#elif defined(DTYPE_f64)
typedef double T;
#define LEAST ((double)-INFINITY)
#define GREATEST ((double)INFINITY)
#elif defined(DTYPE_u32x2)
typedef uint2 T;
#elif defined(DTYPE_f32x2)
typedef float2 T;
#else
#error "no DTYPE_<word> that this file knows"
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

static inline T combine(T a, T b)
{
#if defined(OP_affine)
    return (T)(a.x * b.x, a.y * b.x + b.y);
#else
    return LANES_COMBINE(a, b);
#endif
}
