/*
 * scan_cuda.h - prefix scans of arrays, and along an axis of tensors, in the memory of an NVIDIA
 * GPU
 *
 *     exclusive  y[0] = identity, y[i] = x[0] (+) x[1] (+) ... (+) x[i-1]
 *     inclusive                   y[i] = x[0] (+) x[1] (+) ... (+) x[i]
 *
 * A tensor rows x n x inner in row-major order is scanned along its middle axis, each row and each
 * of its inner columns by itself: element i of a scan lies at (row * n + i) * inner + column. Of an
 * axis of any tensor, `rows` is the product of the sizes before it, and `inner` of those behind it.
 * An array has one row, and inner is 1.
 *
 * A plan is made once for scans of up to most_n elements, and run any number of times:
 *
 *     scan_cuda_plan_create     chooses and loads kernels for the current device
 *     scan_cuda_plan_bytes      how much memory of the device the plan needs
 *     scan_cuda_plan_use        gives it that memory, whatever is in it
 *       scan_cuda_plan_run      launches a scan on a stream and returns
 *       scan_cuda_plan_check    after the stream has been waited for: did all of them complete?
 *     scan_cuda_plan_destroy
 *
 * A run is one launch of one kernel. It allocates nothing and waits for nothing; the first run
 * after scan_cuda_plan_use clears the memory before it, on the same stream. Which kernel that is
 * depends on n, the type, the operator and the device, by a table that was measured (scan_table.h).
 * Of rows and tensors the shape decides (rows_choice.h in the plugin cuda_rows).
 *
 * Rules
 *   - Arrays are aligned to their elements, no more (pairs to 8 bytes). `out` may be `in` if both
 *     are of one type; otherwise they do not overlap.
 *   - The memory belongs to the plan from scan_cuda_plan_use to scan_cuda_plan_destroy or the next
 *     scan_cuda_plan_use: nobody else may write to it, also between runs. It keeps the numbers by
 *     which a launch tells its own words from those of earlier launches. To use it for something
 *     else in between, give it to the plan again afterwards; all runs must have ended by then.
 *   - The runs of one plan follow each other: on one stream, or on several that are ordered by
 *     events. For scans at the same time make several plans, each with memory of its own.
 *   - One thread at a time calls the functions of one plan. Different plans do not share anything.
 *   - While scan_cuda_plan_run is called, the device is current on which the plan was made.
 *   - Runs can be captured into a CUDA graph, whose replays are runs of the plan like all others:
 *     the plan and its memory stay, and nothing runs at the same time. A launch that exchanges
 *     words is captured with a memset of them, about a microsecond, and from then on every run of
 *     the plan has one. Launches of SCAN_CUDA_SINGLE have no words, nor do those of SCAN_CUDA_ROWS
 *     if the plan needs no memory (scan_cuda_plan_bytes is 0), as for rows of up to 35 KiB.
 *
 * Float results. Sums of floats and affine on f32x2 round, so their last bits depend on the order
 * of additions. That order is fixed: on one device, arrays of the same n, at addresses that are the
 * same modulo 16, give the same bits in every run. Only a look-back, whose order depends on timing,
 * does not; so it is not chosen for them unless SCAN_CUDA_ANY_ORDER allows it. Devices before
 * compute capability 9.0 have nothing else for long arrays: there scan_cuda_plan_create asks for
 * that flag. Integers, max and min give the same bits in any order.
 *
 * No wait is without end. A kernel that has waited for another block for seconds gives up, and
 * scan_cuda_plan_check says so; that happens only if something is wrong, as when somebody has
 * written to the plan's memory.
 */
#ifndef SCAN_CUDA_H
#define SCAN_CUDA_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scan_cuda_status {
    SCAN_CUDA_OK = 0,
    SCAN_CUDA_UNSUPPORTED = 2, /* this device cannot do this problem */
    SCAN_CUDA_NO_MEMORY = 3,
    SCAN_CUDA_ERROR = 4,   /* a CUDA call failed */
    SCAN_CUDA_INVALID = 5, /* an argument is not valid */
    SCAN_CUDA_GAVE_UP = 6  /* a kernel waited in vain; results are lost */
} scan_cuda_status;

typedef enum scan_cuda_type {
    SCAN_CUDA_I32 = 0,
    SCAN_CUDA_U32 = 1,
    SCAN_CUDA_I64 = 2,
    SCAN_CUDA_U64 = 3,
    SCAN_CUDA_F32 = 4,
    SCAN_CUDA_F64 = 5,
    SCAN_CUDA_U32X2 = 6, /* pairs, for SCAN_CUDA_AFFINE */
    SCAN_CUDA_F32X2 = 7,
    SCAN_CUDA_I8 = 8,
    SCAN_CUDA_U8 = 9,
    SCAN_CUDA_I16 = 10,
    SCAN_CUDA_U16 = 11,
    SCAN_CUDA_F16 = 12, /* __half, of 2 bytes */
    SCAN_CUDA_BF16 = 13 /* __nv_bfloat16, the upper half of an f32 */
} scan_cuda_type;

/* Integers wrap in their type. Sums of f16 and bf16 are made in f32, and each result is rounded
 * once, to nearest, ties to even. The identity of max is the type's least value, that of min its
 * greatest; of floats the infinities. affine is (a, b) (+) (c, d) = (a*c, b*c + d), identity (1,
 * 0): the recurrence x[t] = a[t]*x[t-1] + b[t]. */
typedef enum scan_cuda_op {
    SCAN_CUDA_SUM = 0,
    SCAN_CUDA_MAX = 1,
    SCAN_CUDA_MIN = 2,
    SCAN_CUDA_AFFINE = 3
} scan_cuda_op;

typedef enum scan_cuda_kind { SCAN_CUDA_EXCLUSIVE = 0, SCAN_CUDA_INCLUSIVE = 1 } scan_cuda_kind;

/* How an array is scanned. All but SCAN_CUDA_WAVE are right for any n where the device has them.
 * Tensors take SCAN_CUDA_BY_TABLE or SCAN_CUDA_ROWS, which are the same for them; the others
 * refuse. */
typedef enum scan_cuda_method {
    SCAN_CUDA_BY_TABLE = 0,
    SCAN_CUDA_SINGLE = 1,    /* by one block or one cluster */
    SCAN_CUDA_LOOKBACK = 2,  /* chained scan with decoupled look-back */
    SCAN_CUDA_LOOKAHEAD = 3, /* pipeline with look-ahead, from compute capability 9.0 on */
    SCAN_CUDA_ROWS = 4,      /* of rows and tensors, by shape */
    SCAN_CUDA_WAVE = 5,      /* one wave of blocks, up to what the device's registers hold */
    SCAN_CUDA_METHODS = 6    /* how many there are */
} scan_cuda_method;

/* The order of additions may depend on timing, and so the last bits of float results. */
#define SCAN_CUDA_ANY_ORDER 1u
/* Sums wider than their elements, each of which is converted first: of i8 and i16 in i32, u8 and
 * u16 in u32, i32 in i64, u32 in u64, f16 and bf16 in f32, f32 in f64. `out` is another array than
 * `in`. Of one array by SCAN_CUDA_LOOKAHEAD, before compute capability 9.0 by SCAN_CUDA_ROWS; of
 * rows and tensors by the latter. */
#define SCAN_CUDA_WIDE 2u
/* Sums of f32 are made in f64, and each result is rounded once: within one unit in the last place
 * where terms do not cancel, with the same bits in every run. For one array, by
 * SCAN_CUDA_LOOKAHEAD. Integers, max and min are as without the flag; for affine of floats and sums
 * of or to other floats there is nothing more accurate: scan_cuda_plan_create says UNSUPPORTED. */
#define SCAN_CUDA_ACCURATE 4u
/* A launch may begin while the kernel before it on the stream ends (programmatic dependent launch),
 * which saves a microsecond. It waits for that kernel before it reads or writes an array. Today
 * SCAN_CUDA_WAVE does, from compute capability 9.0 on. */
#define SCAN_CUDA_OVERLAP 8u

typedef struct scan_cuda_problem {
    scan_cuda_type type;
    scan_cuda_op op; /* affine on pairs, the others on the other types */
    scan_cuda_kind kind;
    scan_cuda_method method; /* SCAN_CUDA_BY_TABLE, or another to compare it */
    unsigned flags;  /* SCAN_CUDA_ANY_ORDER, _WIDE, _ACCURATE, _OVERLAP, some of them or 0 */
    uint64_t most_n; /* elements of the longest scan */
    uint64_t rows;   /* scans one behind the other; 0 means 1 */
    uint64_t inner;  /* scans side by side; 0 means 1 */
} scan_cuda_problem;

/* Why a call failed. */
typedef struct scan_cuda_error {
    char text[256];
} scan_cuda_error;

typedef struct scan_cuda_plan scan_cuda_plan;

/* In all functions `error` may be NULL; its text is set if the call fails, and only then. */

/* A plan for the current device, for scan_cuda_plan_destroy. It takes a little host memory, four
 * bytes of it pinned. May wait for the device. SCAN_CUDA_OK, or why not: INVALID, UNSUPPORTED,
 * NO_MEMORY, ERROR. */
scan_cuda_status scan_cuda_plan_create(const scan_cuda_problem *problem, scan_cuda_plan **plan_p,
                                       scan_cuda_error *error);

/* Bytes of device memory that the plan needs, which may be 0: about 16 per 32 KiB of array; for
 * rows and tensors up to about 1 MiB more. */
size_t scan_cuda_plan_bytes(const scan_cuda_plan *plan);

/* How scans of n elements are made. */
scan_cuda_method scan_cuda_plan_method(const scan_cuda_plan *plan, uint64_t n);

/* From now on the plan uses `memory`, of at least scan_cuda_plan_bytes bytes, which begins at a
 * multiple of 16 bytes. All runs of the plan have ended. SCAN_CUDA_OK or SCAN_CUDA_INVALID. */
scan_cuda_status scan_cuda_plan_use(scan_cuda_plan *plan, void *memory, size_t bytes,
                                    scan_cuda_error *error);

/* Launches the scan of in[0 ... n-1] into out[0 ... n-1] on the stream, or of tensors of the plan's
 * rows and inner and this n; n <= most_n, and 0 launches nothing. SCAN_CUDA_OK, INVALID, or ERROR;
 * GAVE_UP if an earlier run has, which scan_cuda_plan_check settles. */
scan_cuda_status scan_cuda_plan_run(scan_cuda_plan *plan, const void *in, void *out, uint64_t n,
                                    cudaStream_t stream, scan_cuda_error *error);

/* Once the caller has waited for the plan's runs: SCAN_CUDA_OK, or SCAN_CUDA_GAVE_UP if one of them
 * gave up since the last check. Afterwards the plan can be run again. It only reads host memory. */
scan_cuda_status scan_cuda_plan_check(scan_cuda_plan *plan, scan_cuda_error *error);

/* All runs of the plan have ended. Does not release the memory that was given to it. Accepts
 * NULL. */
void scan_cuda_plan_destroy(scan_cuda_plan *plan);

#ifdef __cplusplus
}
#endif

#endif
