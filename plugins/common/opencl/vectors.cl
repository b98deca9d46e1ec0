/*
 * vectors.cl - accesses of 16 bytes, after scan_ops.cl
 *
 *     vector                 16 bytes of elements
 *     VECTOR_VALUES          how many: four, or two of 8 bytes, LOW(v) and HIGH(v)
 *     VECTOR_OF(low, high)   a vector of two
 */
#define PASTE_TWO(a, b) a##b
#define JOIN_TWO(a, b) PASTE_TWO(a, b)

#if defined(DTYPE_u32x2)
typedef uint4 vector;
#elif defined(DTYPE_f32x2)
typedef float4 vector;
#elif defined(DTYPE_i64) || defined(DTYPE_u64) || defined(DTYPE_f64)
typedef JOIN_TWO(ELEMENT, 2) vector;
#else
typedef JOIN_TWO(ELEMENT, 4) vector;
#define VECTOR_VALUES 4
#endif
#if defined(OP_affine)
#define LOW(v) (T)((v).x, (v).y)
#define HIGH(v) (T)((v).z, (v).w)
#define VECTOR_OF(low, high) (vector)((low).x, (low).y, (high).x, (high).y)
#else
#define LOW(v) (v).x
#define HIGH(v) (v).y
#define VECTOR_OF(low, high) (vector)(low, high)
#endif
#if !defined(VECTOR_VALUES)
#define VECTOR_VALUES 2
#endif
