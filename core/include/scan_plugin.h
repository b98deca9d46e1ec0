/*
 * scan_plugin.h - the scanbench plugin contract, version 1.2
 *
 * A plugin file is a shared object that exports one data symbol, `scan_entry`, and
 * holds one or more prefix-scan algorithms, each described by a scan_plugin. This
 * header is all it needs; it is plain C11 and also compiles as C++17.
 *
 *     exclusive  y[0] = identity, y[i] = x[0] (+) x[1] (+) ... (+) x[i-1]
 *     inclusive                   y[i] = x[0] (+) x[1] (+) ... (+) x[i]
 *
 * or the same in each of many rows, along one axis of a tensor (scan_problem).
 *
 * The life of a plugin, every step in a worker process of its own:
 *
 *     dlopen -> scan_entry is checked as data, before any function is called
 *     probe            which device is index 0, 1, ...? if it is missing, why?
 *       memory.open    one device context per worker      (device plugins only)
 *         supports     can it scan this problem? if not, why?
 *         create       everything but the scan: scratch, streams, kernel builds
 *           run        the scan, any number of times; returns when it is complete
 *         destroy
 *       memory.close
 *     the process ends; there is no dlclose
 *
 * Rules that hold everywhere
 *   - All calls come from one thread, one call at a time.
 *   - The comment of a slot ends with the states in which it may be called, as
 *     [created].
 *   - Outputs are written only on SCAN_OK. Pointers named `_p` are outputs.
 *   - A status other than SCAN_OK is explained through `host->fail`, which records
 *     the message and returns the status:
 *         return host->fail(host, SCAN_UNSUPPORTED, "block %d is odd", block);
 *   - `plugin` is the address of the scan_plugin that the call is for, as the file
 *     exported it: one function can serve several plugins of a file.
 *   - Strings and tables that a plugin hands out live as long as the process.
 *   - A plugin writes nothing to stdout and leaves the process as it found it:
 *     signal handlers, affinity, floating-point mode, environment, limits, working
 *     directory, standard streams, and no child process.
 *
 * How the contract grows. A plugin built for version 1.0 runs on every host of version
 * 1.x. Each struct that crosses the border begins with its size and only grows at its
 * end; neither side reads past the size that the other one wrote, and a missing field
 * counts as 0. So 0 always means "as in 1.0", and a plugin is asked only for what it
 * declares:
 *   - Rows and axes, since 1.1: scan_problem has `rows` and `inner`, SCAN_FLAG_ROWS and
 *     SCAN_FLAG_INNER say that a plugin takes them.
 *   - Types are lines of SCAN_DTYPE_MAP. The masks below name their version, so they
 *     never include a type that did not exist when a plugin was written. Integers of 8
 *     and 16 bits and floats of 16 bits came with 1.1.
 *   - Results wider than the input, since 1.1: scan_problem ends with the type of the
 *     results, and scan_plugin with a table of the pairs, input -> result, that it takes.
 *   - Runs in a graph, since 1.2: scan_memory ends with flags, of which SCAN_MEMORY_GRAPHS says
 *     that a run can be asked for SCAN_RECORD_GRAPH.
 *   - Problems in several parts (GPUs, ranks), and segments of their own lengths, are
 *     extensions, asked for by name through get_extension, with functions of their own.
 *     `run` stays a scan of one buffer.
 *
 * The smallest complete plugin is plugins/common/cpu/template/algorithm/template_cpu.c.
 */
#ifndef SCAN_PLUGIN_H
#define SCAN_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SCAN_ABI_MAGIC 0x4e414353u /* "SCAN", little-endian */
#define SCAN_ABI_MAJOR 1u          /* must match */
#define SCAN_ABI_MINOR 2u          /* a plugin may be older than its host */

#if defined(__GNUC__)
#define SCAN_EXPORT __attribute__((visibility("default")))
#define SCAN_PRINTF(text, args) __attribute__((format(printf, text, args)))
#else
#define SCAN_EXPORT
#define SCAN_PRINTF(text, args)
#endif

/* ---- words ------------------------------------------------------------- */

/* X(name, value, text) */
#define SCAN_STATUS_MAP(X)                             \
    X(OK, 0, "ok")                                     \
    X(UNAVAILABLE, 1, "no such device or driver")      \
    X(UNSUPPORTED, 2, "this problem is not supported") \
    X(NO_MEMORY, 3, "not enough memory")               \
    X(ERROR, 4, "a call failed")                       \
    X(INVALID, 5, "an argument or a file is not valid")

/* X(name, value, word, bytes per element). The pairs are for SCAN_OP_AFFINE; 8 and 16 bits
 * since 1.1. */
#define SCAN_DTYPE_MAP(X)   \
    X(I32, 0, "i32", 4)     \
    X(U32, 1, "u32", 4)     \
    X(I64, 2, "i64", 8)     \
    X(U64, 3, "u64", 8)     \
    X(F32, 4, "f32", 4)     \
    X(F64, 5, "f64", 8)     \
    X(U32X2, 6, "u32x2", 8) \
    X(F32X2, 7, "f32x2", 8) \
    X(I8, 8, "i8", 1)       \
    X(U8, 9, "u8", 1)       \
    X(I16, 10, "i16", 2)    \
    X(U16, 11, "u16", 2)    \
    X(F16, 12, "f16", 2)    \
    X(BF16, 13, "bf16", 2)

/*
 * X(name, value, word)
 *   sum     integers wrap modulo 2^bits: add as unsigned, never overflow signed
 *   max     identity: the type's least value, -infinity for floats
 *   min     identity: the type's greatest value, +infinity for floats
 *   affine  on pairs, (a, b) (+) (c, d) = (a*c, b*c + d), identity (1, 0): the
 *           linear recurrence x[t] = a[t]*x[t-1] + b[t]. It does not commute, so
 *           it shows every algorithm that swaps its operands.
 * Floats are those of IEEE 754: sums and comparisons keep subnormal numbers. On a
 * device that flushes those to 0, `supports` refuses the float types.
 * f16 is binary16 of IEEE 754, with 11 bits of significand and numbers up to 65504; bf16 is
 * the upper half of an f32, with 8 bits of significand. An element of either is a uint16_t
 * word, which scan_half.h converts. There are no pairs of them.
 *   sum     each output MUST be the sum of its operands, made in f32 or a wider type and
 *           rounded once: to nearest, ties to even, beyond the greatest number to infinity.
 *           No accumulator, total or carry is rounded to 16 bits on its way, so outputs
 *           behind an infinite one of f16 may be finite again
 *   max     gives one of its operands; so does min
 * A NaN among the inputs is no error: run MUST return as usual, and every output of
 * which it is no operand MUST be what it is without one. Of the others
 *   sum     MUST be NaN; so must b of affine, behind a NaN in b
 *   max     MUST be NaN, or at most the greatest of the numbers so far; it SHOULD be the
 *           latter, as of C's fmax. It may be less, or NaN, because max(l, r) is often
 *           written l < r ? r : l, which keeps the left operand where one is NaN: then the
 *           result depends on how the scan associates. min likewise.
 * Which NaN it is, and its sign, says nothing.
 */
#define SCAN_OP_MAP(X) \
    X(SUM, 0, "sum")   \
    X(MAX, 1, "max")   \
    X(MIN, 2, "min")   \
    X(AFFINE, 3, "affine")

/* X(name, value, word) */
#define SCAN_KIND_MAP(X)         \
    X(EXCLUSIVE, 0, "exclusive") \
    X(INCLUSIVE, 1, "inclusive")

/* X(name, value, word): what the plugin's rows are for */
#define SCAN_ROLE_MAP(X)                                                      \
    X(ALGORITHM, 0, "algorithm")                                              \
    X(BASELINE, 1, "baseline") /* what speedup is counted against */          \
    X(PEER, 2, "peer")         /* somebody else's library */                  \
    X(CEILING, 3, "ceiling")   /* copies its input, or inverts it in place */ \
    X(MOCK, 4, "mock")         /* tests only */

#define SCAN_ENUMERATOR(name, value, ...) SCAN_##name = value,
typedef enum scan_status { SCAN_STATUS_MAP(SCAN_ENUMERATOR) } scan_status;
#undef SCAN_ENUMERATOR
#define SCAN_ENUMERATOR(name, value, ...) SCAN_DTYPE_##name = value,
typedef enum scan_dtype { SCAN_DTYPE_MAP(SCAN_ENUMERATOR) } scan_dtype;
#undef SCAN_ENUMERATOR
#define SCAN_ENUMERATOR(name, value, ...) SCAN_OP_##name = value,
typedef enum scan_op { SCAN_OP_MAP(SCAN_ENUMERATOR) } scan_op;
#undef SCAN_ENUMERATOR
#define SCAN_ENUMERATOR(name, value, ...) SCAN_KIND_##name = value,
typedef enum scan_kind { SCAN_KIND_MAP(SCAN_ENUMERATOR) } scan_kind;
#undef SCAN_ENUMERATOR
#define SCAN_ENUMERATOR(name, value, ...) SCAN_ROLE_##name = value,
typedef enum scan_role { SCAN_ROLE_MAP(SCAN_ENUMERATOR) } scan_role;
#undef SCAN_ENUMERATOR

/* How many values this version of the header has: sizes for tables indexed by
 * value. */
#define SCAN_PLUS_ONE(...) +1
enum {
    SCAN_STATUS_COUNT = 0 SCAN_STATUS_MAP(SCAN_PLUS_ONE),
    SCAN_DTYPE_COUNT = 0 SCAN_DTYPE_MAP(SCAN_PLUS_ONE),
    SCAN_OP_COUNT = 0 SCAN_OP_MAP(SCAN_PLUS_ONE),
    SCAN_KIND_COUNT = 0 SCAN_KIND_MAP(SCAN_PLUS_ONE),
    SCAN_ROLE_COUNT = 0 SCAN_ROLE_MAP(SCAN_PLUS_ONE)
};
#undef SCAN_PLUS_ONE

/* Sets of kinds and dtypes. Those with a version are of what it brought and never change. */
#define SCAN_BIT(value) (UINT64_C(1) << (value))
#define SCAN_KINDS_BOTH 3u
#define SCAN_SCALARS_1_0 UINT64_C(0x3f) /* i32 u32 i64 u64 f32 f64 */
#define SCAN_PAIRS_1_0 UINT64_C(0xc0)   /* u32x2 f32x2 */
#define SCAN_NARROW_1_1 UINT64_C(0xf00) /* i8 u8 i16 u16 */
#define SCAN_HALF_1_1 UINT64_C(0x3000)  /* f16 bf16 */

/*
 * A buffer: opaque to the host. For a plugin without a memory vtable it is a host
 * address (scan_host_pointer); otherwise `memory` decides what it is.
 */
typedef uint64_t scan_buffer;

static inline void *scan_host_pointer(scan_buffer buffer)
{
    return (void *)(uintptr_t)buffer;
}

/* ---- what the host gives ------------------------------------------------ */

#define SCAN_RECORD_DEVICE UINT32_C(1)  /* "device" alone, at the least cost */
#define SCAN_RECORD_KERNELS UINT32_C(2) /* "device" and each "kernel:<name>" */
/* Since 1.2: "graph", and nothing else; only of a plugin whose memory has SCAN_MEMORY_GRAPHS. */
#define SCAN_RECORD_GRAPH UINT32_C(3)

/*
 * The host's side, valid from the call that receives it until the process ends,
 * so a plugin may keep the pointer.
 */
typedef struct scan_host {
    uint32_t struct_size;
    /* Which phases of this `run` are wanted: SCAN_RECORD_*. If 0, measure nothing
     * and skip the events or profiling commands that measuring needs. */
    uint32_t recording;
    /* Threads a multi-threaded CPU plugin may use: places 0 ... places-1. 1 for one without a
     * tunable that has SCAN_TUNABLE_THREADS. */
    uint32_t places;
    uint32_t reserved;

    /* Records the reason as text and returns `status`. The text becomes the row's
     * `reason`: name what was tried and what was found. [any state] */
    scan_status (*fail)(const struct scan_host *host, scan_status status, const char *format, ...)
        SCAN_PRINTF(3, 4);

    /* A message for people, shown on stderr with -v. [any state] */
    void (*message)(const struct scan_host *host, const char *format, ...) SCAN_PRINTF(2, 3);

    /* A time the plugin measured itself, in ns. "device": what `run` did on the
     * device, from the start of the first kernel to the end of the last, as if the
     * host had queued all of it before; where measuring itself widens the gaps
     * between kernels, the sum of their times.
     * "kernel:<name>": one kernel. Times recorded under one name during one run add
     * up; times that are not wanted are ignored.
     * "graph", since 1.2: the time of one scan among many that the device launches from
     * one graph, with no host between them: that of the graph over their number. Each
     * scans `in` into `out`, and the last one's output is the run's, which is compared.
     * Where that cannot be, run scans as ever and records nothing. Such a run may
     * allocate, and its instance is asked for no other sort of run before destroy.
     * [inside run, while recording] */
    void (*record)(const struct scan_host *host, const char *phase, double ns);

    /* Host memory for scratch, on the NUMA node the worker is bound to. alignment
     * is a power of two; NULL when there is none, which the plugin reports as
     * SCAN_NO_MEMORY. Freed with release; release(NULL) does nothing. [any state
     * but inside run] */
    void *(*allocate)(const struct scan_host *host, size_t bytes, size_t alignment);
    void (*release)(const struct scan_host *host, void *memory);

    /* Binds the calling thread to place `place` < places. For threads the plugin
     * started itself, in create; never for the thread that calls the plugin.
     * SCAN_OK, or SCAN_ERROR where the system refuses. [the plugin's threads] */
    scan_status (*pin_thread)(const struct scan_host *host, uint32_t place);

    /* An extension by name and version, "name/1", or NULL. [any state] */
    const void *(*get_extension)(const struct scan_host *host, const char *name);
} scan_host;

/*
 * An extension of the host: memory through which it copies whatever it does not time, such as
 * outputs that it compares. A plugin whose device copies faster from and to pinned memory may pin
 * it while its memory context is open. Timed copies never use it.
 */
#define SCAN_STAGING "staging/1"
typedef struct scan_staging {
    uint32_t struct_size;
    uint32_t reserved;
    void *memory; /* `bytes` long, until the process ends */
    uint64_t bytes;
    uint32_t *pinned_p; /* the plugin sets it to 1 while the memory is pinned, else to 0 */
} scan_staging;

/* ---- what the host asks ------------------------------------------------- */

/*
 * One problem. Read only; valid during the call that receives it.
 *
 * It is a dense tensor rows x n x inner in row-major order, scanned along its middle
 * axis: for each o < rows and j < inner a scan of its own, of n elements, of which
 * element i lies at index (o * n + i) * inner + j of `in` and of `out`. With one row
 * and inner = 1 that is an array of n elements.
 *
 * Results may be of a wider type than the input (scan_result): then `in` holds elements of
 * dtype and `out` as many of the result, each aligned for its own type. Every element is
 * converted to the result's type first, which keeps its value, and scanned there: sums wrap
 * in the type of the result, floats are rounded in it, and the identity is its own. `in` and
 * `out` are then never one buffer, and the problem is never divided into parts (scan_parts.h).
 */
typedef struct scan_problem {
    uint32_t struct_size;
    uint32_t kind;  /* scan_kind */
    uint32_t op;    /* scan_op */
    uint32_t dtype; /* scan_dtype */
    uint64_t n;     /* elements of one scan; may be 0 and may exceed 2^32 */
    /* One value per declared tunable, in the order of the plugin's table. Each
     * is within what the tunable declares. */
    const int64_t *tunables;
    uint32_t tunable_count;
    uint32_t element_bytes; /* of dtype: `in` has scan_elements * element_bytes bytes */
    /* Since 1.1, and read with scan_rows and scan_inner: more than 1 only for plugins with
     * SCAN_FLAG_ROWS and SCAN_FLAG_INNER; 0 means 1. */
    uint64_t rows;
    uint64_t inner;
    /* Since 1.1, and read with scan_result and scan_result_bytes: 0 means as dtype, and t + 1
     * the scan_dtype t, a wider one, only for plugins that declare the pair in `results`. */
    uint32_t result;
    uint32_t result_bytes; /* of an element of the result; 0 means element_bytes */
} scan_problem;

/* How many rows; 1 on a host of version 1.0, too. */
static inline uint64_t scan_rows(const scan_problem *problem)
{
    if (problem->struct_size < offsetof(scan_problem, inner) || problem->rows == 0) {
        return 1;
    }
    return problem->rows;
}

/* How many scans lie side by side, element by element; 1 on a host of version 1.0, too. */
static inline uint64_t scan_inner(const scan_problem *problem)
{
    if (problem->struct_size < offsetof(scan_problem, result) || problem->inner == 0) {
        return 1;
    }
    return problem->inner;
}

/* The type of the results, a scan_dtype; that of the input on a host of version 1.0, too. */
static inline uint32_t scan_result(const scan_problem *problem)
{
    if (problem->struct_size < sizeof(scan_problem) || problem->result == 0) {
        return problem->dtype;
    }
    return problem->result - 1;
}

/* Bytes of an element of the results: `out` has scan_elements times as many. */
static inline uint32_t scan_result_bytes(const scan_problem *problem)
{
    return scan_result(problem) == problem->dtype ? problem->element_bytes : problem->result_bytes;
}

/* How many elements a buffer holds: rows * n * inner, which the host keeps below 2^64 bytes. */
static inline uint64_t scan_elements(const scan_problem *problem)
{
    return scan_rows(problem) * problem->n * scan_inner(problem);
}

/* ---- what the plugin declares ------------------------------------------- */

/* The value counts threads; 0 means host->places. The row is compared with the
 * fastest copy that uses at most as many threads.
 * A CPU plugin gets cores for its threads only through such a tunable: its process may
 * then run on all cores of a NUMA node. Without one it is bound to a single core, which
 * all threads share that the plugin or its library starts; rows where they do are
 * flagged `threads`. */
#define SCAN_TUNABLE_THREADS UINT32_C(1)

/* The name of a tunable that is a promise: at 0 sums of floats are rounded as it comes; at 1 each
 * output of a sum lies within one unit in the last place of the exact sum, where terms do not
 * cancel, up to 1e8 elements of a scan at least, and has the same bits in every run: made, for
 * instance, in a wider type and rounded once. Whatever is exact at 0, such as integers, max and
 * min, is the same at 1. `supports` refuses 1 where that is not kept. The host checks it. */
#define SCAN_ACCURATE_TUNABLE "accurate"

/*
 * A parameter of the algorithm. Fixed names: "block" (threads per block,
 * work-items per work-group), "vt" (values per thread), "threads" (CPU threads),
 * "accurate" (above); --block-sizes sets "block" and --set NAME=LIST any of them; what neither sets
 * has its default, but a ceiling is measured with every entry of `values`, and the fastest counts:
 * declare the ways to copy as such a list.
 */
typedef struct scan_tunable {
    uint32_t struct_size;
    uint32_t flags;
    const char *name;    /* [a-z][a-z0-9_]*, at most 23 characters */
    const char *summary; /* one line */
    int64_t default_value;
    /* Allowed: the value_count entries of `values`, at most 4096, or all of min ...
     * max if values is NULL. `supports` refuses what a device or a problem forbids
     * beyond that. */
    int64_t min;
    int64_t max;
    const int64_t *values;
    uint32_t value_count;
    uint32_t reserved;
} scan_tunable;

/* One entry of a plugin's table of tunables: all of min ... max, or the values of an
 * array of int64_t.
 *     static const int64_t pads[] = {0, 1};
 *     static const scan_tunable tunables[] = {
 *         SCAN_TUNABLE_RANGE("block", "threads per block", 256, 32, 1024),
 *         SCAN_TUNABLE_LIST("pad", "1: padded against bank conflicts", 1, pads),
 *     }; */
#define SCAN_TUNABLE_RANGE(name, summary, default_value, min, max)                  \
    {                                                                               \
        sizeof(scan_tunable), 0, name, summary, default_value, min, max, NULL, 0, 0 \
    }
#define SCAN_TUNABLE_LIST(name, summary, default_value, values)              \
    {                                                                        \
        sizeof(scan_tunable), 0, name, summary, default_value, 0, 0, values, \
            sizeof(values) / sizeof((values)[0]), 0                          \
    }

/* The device's memory is the host's: a buffer costs the worker's own memory. */
#define SCAN_DEVICE_SHARES_HOST_MEMORY UINT32_C(1)

/* What probe found. The host zeroes it and sets struct_size. */
typedef struct scan_device {
    uint32_t struct_size;
    uint32_t flags;
    char name[128];        /* "NVIDIA H200" */
    char driver[128];      /* driver and version, as the driver says it */
    uint64_t memory_bytes; /* total, 0 if unknown */
    uint32_t max_block;    /* largest block the device takes, 0 if unknown */
    uint32_t clock_mhz;    /* nominal; 0 if unknown */
    char pci[32];          /* PCI address, "0000:3b:00.0"; "" if it has none */
} scan_device;

struct scan_plugin; /* one algorithm; below */

#define SCAN_MEMORY_GRAPHS UINT64_C(1) /* since 1.2: run knows SCAN_RECORD_GRAPH */

/*
 * Device memory. The host calls the copies, so copy time and scan time are
 * separated by the call boundary. All offsets and sizes are in bytes, sizes may be
 * 0, and each call returns when its work is complete. `context` comes from open. On
 * failure: SCAN_NO_MEMORY or SCAN_ERROR, with the reason through host->fail.
 */
typedef struct scan_memory {
    uint32_t struct_size;
    uint32_t reserved;

    /* One context (device, queue or stream, program cache) on device `index` for
     * the worker's life. Released with close. [probed] */
    scan_status (*open)(const scan_host *host, const struct scan_plugin *plugin, uint32_t index,
                        void **context_p);
    void (*close)(void *context); /* [open, nothing created, no buffer left] */

    /* A buffer of `bytes` > 0, uninitialised, aligned for any dtype. */
    scan_status (*allocate)(void *context, uint64_t bytes, scan_buffer *buffer_p); /* [open] */
    /* Frees a buffer or a view; views go before their buffer. */
    void (*release)(void *context, scan_buffer buffer); /* [open] */

    /* A part of `buffer`, `bytes` long from `offset`, as a buffer of its own. The
     * host uses it to put guard words around what a plugin sees. `offset` is always
     * a multiple of 4096. Released like a buffer. */
    scan_status (*view)(void *context, scan_buffer buffer, uint64_t offset, uint64_t bytes,
                        scan_buffer *view_p); /* [open] */

    scan_status (*copy_in)(void *context, scan_buffer to, uint64_t offset, const void *from,
                           uint64_t bytes); /* [open] */
    scan_status (*copy_out)(void *context, void *to, scan_buffer from, uint64_t offset,
                            uint64_t bytes); /* [open] */
    /* Sets every byte to `value`. */
    scan_status (*fill)(void *context, scan_buffer to, uint64_t offset, uint64_t bytes,
                        uint8_t value); /* [open] */

    /* Bytes of the device's memory that no process uses now. May be NULL if the
     * driver does not say. [open] */
    scan_status (*available)(void *context, uint64_t *bytes_p);

    /* Since 1.2: SCAN_MEMORY_*. What plugins with this memory can be asked for. */
    uint64_t flags;
} scan_memory;

/* `in` and `out` of run may be the same buffer. */
#define SCAN_FLAG_IN_PLACE UINT32_C(1)
/* `in` and `out` of run are always the same buffer. The host puts the input back
 * before each run, outside the timing. */
#define SCAN_FLAG_IN_PLACE_ONLY UINT32_C(2)
/* Two runs may differ in the last bits of float results. */
#define SCAN_FLAG_NONDETERMINISTIC UINT32_C(4)
/* run allocates memory, as some libraries do in each call. It may then return
 * SCAN_NO_MEMORY, and its rows are marked. */
#define SCAN_FLAG_ALLOCATES_IN_RUN UINT32_C(8)
/* Since 1.1: takes problems of many rows; their number and length may be any that `supports` does
 * not refuse. */
#define SCAN_FLAG_ROWS UINT32_C(16)
/* Since 1.1: takes problems with inner > 1; many rows of such only with SCAN_FLAG_ROWS, too. */
#define SCAN_FLAG_INNER UINT32_C(32)

/* What a plugin does with one operator: every listed dtype in every listed kind. An
 * operator may have several entries, for instance sum for i32 in both kinds and for
 * f64 in one. */
typedef struct scan_op_entry {
    uint32_t op;     /* scan_op */
    uint32_t kinds;  /* bits of scan_kind */
    uint64_t dtypes; /* bits of scan_dtype on which the operator is defined; where kinds and
                        dtypes are both 0 the entry is unused */
} scan_op_entry;

enum { SCAN_MAX_OP_ENTRIES = 32 };

/* Entries for all that version 1.0 knows: .ops = {SCAN_OPS_1_0} */
#define SCAN_COMMUTATIVE_OPS_1_0                          \
    {SCAN_OP_SUM, SCAN_KINDS_BOTH, SCAN_SCALARS_1_0},     \
        {SCAN_OP_MAX, SCAN_KINDS_BOTH, SCAN_SCALARS_1_0}, \
    {                                                     \
        SCAN_OP_MIN, SCAN_KINDS_BOTH, SCAN_SCALARS_1_0    \
    }
#define SCAN_OPS_1_0                                    \
    SCAN_COMMUTATIVE_OPS_1_0,                           \
    {                                                   \
        SCAN_OP_AFFINE, SCAN_KINDS_BOTH, SCAN_PAIRS_1_0 \
    }

/* Entries for the integers of 8 and 16 bits: .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1} */
#define SCAN_NARROW_OPS_1_1                              \
    {SCAN_OP_SUM, SCAN_KINDS_BOTH, SCAN_NARROW_1_1},     \
        {SCAN_OP_MAX, SCAN_KINDS_BOTH, SCAN_NARROW_1_1}, \
    {                                                    \
        SCAN_OP_MIN, SCAN_KINDS_BOTH, SCAN_NARROW_1_1    \
    }

/* Entries for the floats of 16 bits: .ops = {SCAN_OPS_1_0, SCAN_HALF_OPS_1_1} */
#define SCAN_HALF_OPS_1_1                                                                         \
    {SCAN_OP_SUM, SCAN_KINDS_BOTH, SCAN_HALF_1_1}, {SCAN_OP_MAX, SCAN_KINDS_BOTH, SCAN_HALF_1_1}, \
    {                                                                                             \
        SCAN_OP_MIN, SCAN_KINDS_BOTH, SCAN_HALF_1_1                                               \
    }

/* Since 1.1: results wider than the input. With every operator and kind that a plugin declares for
 * one of the `dtypes`, results may be of each type in `results`. Those are of the same sort as all
 * of the `dtypes` (signed, unsigned or float), and have more bits. `supports` may refuse some. */
typedef struct scan_result_entry {
    uint64_t dtypes;  /* bits of scan_dtype; where both are 0 the entry is unused */
    uint64_t results; /* bits of scan_dtype */
} scan_result_entry;

enum { SCAN_MAX_RESULT_ENTRIES = 16 };

/* Entries for integers of 8 and 16 bits to 32, and for 32 bits to 64: .results = {SCAN_WIDE_1_1} */
#define SCAN_WIDE_1_1                                                                   \
    {SCAN_BIT(SCAN_DTYPE_I8) | SCAN_BIT(SCAN_DTYPE_I16), SCAN_BIT(SCAN_DTYPE_I32)},     \
        {SCAN_BIT(SCAN_DTYPE_U8) | SCAN_BIT(SCAN_DTYPE_U16), SCAN_BIT(SCAN_DTYPE_U32)}, \
        {SCAN_BIT(SCAN_DTYPE_I32), SCAN_BIT(SCAN_DTYPE_I64)},                           \
        {SCAN_BIT(SCAN_DTYPE_U32), SCAN_BIT(SCAN_DTYPE_U64)},                           \
    {                                                                                   \
        SCAN_BIT(SCAN_DTYPE_F32), SCAN_BIT(SCAN_DTYPE_F64)                              \
    }

/* Entries for f16 and bf16 to f32: .results = {SCAN_WIDE_1_1, SCAN_WIDE_HALF_1_1} */
#define SCAN_WIDE_HALF_1_1                      \
    {                                           \
        SCAN_HALF_1_1, SCAN_BIT(SCAN_DTYPE_F32) \
    }

/* One algorithm on one backend. */
typedef struct scan_plugin {
    uint32_t struct_size;
    uint32_t role; /* scan_role */

    const char *id;        /* unique, [a-z][a-z0-9_]*, at most 63 characters */
    const char *name;      /* for people */
    const char *version;   /* of this algorithm's code */
    const char *summary;   /* one line */
    const char *reference; /* paper or source of the algorithm, or "" */

    uint32_t flags; /* SCAN_FLAG_* */
    uint32_t reserved;
    uint64_t max_n; /* of all rows together; 0: no limit but memory */
    /* The size of the algorithm's tile, in elements. The proof tries sizes around
     * its edges. 0: the product of the tunables block and vt, if it has them. */
    uint64_t tile;

    /* What it scans; entries not used stay 0. A ceiling has none and copies n *
     * element_bytes bytes of any dtype; it sees all rows as one array. For a pair of its `results`
     * it converts the elements instead. With SCAN_FLAG_IN_PLACE_ONLY it bounds scans that are in
     * place only, and inverts every bit of those bytes: so each is read and stored, and the host
     * sees that it was. */
    scan_op_entry ops[SCAN_MAX_OP_ENTRIES];

    const scan_tunable *tunables; /* tunable_count of them, at most 64; SCAN_TUNABLES */
    uint64_t tunable_count;

    const char *backend;       /* "cpu", "cuda", "opencl", ...: rows of one backend and device
                                  share a ceiling */
    const scan_memory *memory; /* NULL: buffers are host memory */

    /*
     * Is there a device `index`? Which device and driver is it? Devices count from
     * 0. SCAN_OK and *device filled in, or SCAN_UNAVAILABLE and the reason: for
     * index 0 why there is no device, in the driver's own words; past the last
     * index how many devices there are. NULL: the host's CPU, index 0. [loaded]
     */
    scan_status (*probe)(const scan_host *host, const struct scan_plugin *plugin, uint32_t index,
                         scan_device *device);

    /*
     * Can this problem be solved on the open device? SCAN_OK, after which create
     * and run may fail only for lack of memory, or SCAN_UNSUPPORTED and the reason:
     * a skip, never a failure. Only declared operators, dtypes, kinds and tunable
     * values are asked for. context is NULL without a memory vtable. If supports is
     * NULL, all that is declared is supported. [open]
     */
    scan_status (*supports)(const scan_host *host, const struct scan_plugin *plugin, void *context,
                            const scan_problem *problem);

    /*
     * Does everything that is not the scan: scratch, streams, kernel builds,
     * threads. n may be 0. SCAN_OK and *self_p, released with destroy, or
     * SCAN_NO_MEMORY or SCAN_ERROR and nothing left behind. Several instances may
     * live at once. [open, supported]
     */
    scan_status (*create)(const scan_host *host, const struct scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p);

    /*
     * Scans `in` into `out` and returns when `out` is complete. Both hold
     * scan_elements(problem) elements, `in` of dtype and `out` of the result's; `flags` says
     * whether they may be, or always are, one buffer.
     * Does not write `in` unless it is `out`, and allocates nothing unless
     * SCAN_FLAG_ALLOCATES_IN_RUN is declared. Called any number of times, also with
     * other buffers. SCAN_OK or SCAN_ERROR; if it allocates, also SCAN_NO_MEMORY.
     * [created]
     */
    scan_status (*run)(void *self, scan_buffer in, scan_buffer out);

    void (*destroy)(void *self); /* [created] */

    /* An extension by name and version, "name/1", or NULL. May be NULL. [loaded] */
    const void *(*get_extension)(const struct scan_plugin *plugin, const char *name);

    /* Since 1.1: results wider than the input; SCAN_WIDE_1_1. Entries not used stay 0. */
    scan_result_entry results[SCAN_MAX_RESULT_ENTRIES];
} scan_plugin;

/* Sets both fields for a table of tunables: SCAN_TUNABLES(tunables), */
#define SCAN_TUNABLES(table) \
    .tunables = (table), .tunable_count = sizeof(table) / sizeof((table)[0])

/* ---- the one exported symbol -------------------------------------------- */

typedef struct scan_entry_table {
    uint32_t magic;       /* SCAN_ABI_MAGIC */
    uint16_t abi_major;   /* SCAN_ABI_MAJOR */
    uint16_t abi_minor;   /* SCAN_ABI_MINOR */
    uint32_t struct_size; /* sizeof(scan_entry_table) */
    uint32_t reserved;
    const scan_plugin *const *plugins; /* ends with NULL */
} scan_entry_table;

extern SCAN_EXPORT const scan_entry_table scan_entry;

/* Defines scan_entry: SCAN_EXPORT_PLUGINS(&my_scan) or (&one, &other). */
#define SCAN_EXPORT_PLUGINS(...)                                                           \
    static const scan_plugin *const scan_exported_plugins[] = {__VA_ARGS__, NULL};         \
    const scan_entry_table scan_entry = {                                                  \
        SCAN_ABI_MAGIC,       SCAN_ABI_MAJOR, SCAN_ABI_MINOR, sizeof(scan_entry_table), 0, \
        scan_exported_plugins}

#ifdef __cplusplus
}
#endif

#endif
