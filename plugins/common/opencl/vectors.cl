/*
 * vectors.cl - accesses of 16 bytes, after scan_ops.cl
 *
 *     vector                 16 bytes of elements as they are stored (STORED)
 *     VECTOR_VALUES          how many: 16, eight, four, or two of 8 bytes, LOW(v) and HIGH(v)
 *     VECTOR_OF(low, high)   a vector of two
 *     vector_values          a vector as an array of its elements
 */
#define PASTE_TWO(a, b) a##b
#define JOIN_TWO(a, b) PASTE_TWO(a, b)

#if STORED_BYTES == 1
#define VECTOR_VALUES 16
#elif STORED_BYTES == 2
#define VECTOR_VALUES 8
#elif STORED_BYTES == 4
#define VECTOR_VALUES 4
#else
#define VECTOR_VALUES 2
#endif
#if defined(DTYPE_u32x2)
typedef uint4 vector;
#elif defined(DTYPE_f32x2)
typedef float4 vector;
#else
typedef JOIN_TWO(STORED, VECTOR_VALUES) vector;
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

typedef union {
    vector all;
    STORED each[VECTOR_VALUES];
} vector_values;
