/*
 * status_words.cl - what work-groups of one launch say to each other, after scan_ops.cl
 *
 * For every tile there are status words that hold a flag and a value of type T, which must belong
 * together. The upper half of a word is a tag: the run's number and the flag. The lower half is a
 * piece of the value; a value of several pieces takes several words, each with its own tag. A
 * reader takes the value only if all tags agree. So nothing but each word itself must be seen in
 * time, whole: relaxed accesses suffice, no fence orders one word before another, and no word
 * wider than a piece and its tag is needed. The words of earlier runs carry other numbers and
 * count as empty; opencl_words.h numbers the runs.
 *
 * Within one run a word is first empty, then TOTAL, then PREFIX, and never goes back.
 *
 *     WORD_BITS   64 where the device has 64-bit atomics, else 32, which every device has
 *
 * How a word is read whole and anew, by the OpenCL C there is:
 *   - 2.0, and 3.0 with __opencl_c_atomic_scope_device: atomic_load_explicit, relaxed, by device.
 *   - NVIDIA's compiler declares atomics for work-groups only (its OpenCL 3.0 has neither device
 *     scope nor acquire and release), but turns a volatile load into ld.volatile, which its
 *     instruction set defines as a relaxed load that all threads of the system share.
 *   - elsewhere OpenCL 1.2 only promises that a read-modify-write is atomic: adding 0 loads.
 */
#if defined(__opencl_c_atomic_scope_device) || \
    (defined(__OPENCL_C_VERSION__) && __OPENCL_C_VERSION__ >= 200 && __OPENCL_C_VERSION__ < 300)
#define HAS_DEVICE_SCOPE 1
#else
#define HAS_DEVICE_SCOPE 0
#endif

#if !HAS_DEVICE_SCOPE && WORD_BITS == 64
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif

#if WORD_BITS == 64
typedef ulong word;
typedef uint word_piece;
#define ADD_TO_WORD atom_add
#define EXCHANGE_WORD atom_xchg
#define REPLACE_WORD atom_cmpxchg
#else
typedef uint word;
typedef ushort word_piece;
#define ADD_TO_WORD atomic_add
#define EXCHANGE_WORD atomic_xchg
#define REPLACE_WORD atomic_cmpxchg
#endif
#define PIECE_BITS (WORD_BITS / 2)
/* Words of one value, which may be smaller than a piece. */
#define PIECES ((sizeof(T) + sizeof(word_piece) - 1) / sizeof(word_piece))

#if HAS_DEVICE_SCOPE && WORD_BITS == 64
typedef atomic_ulong shared_word;
#elif HAS_DEVICE_SCOPE
typedef atomic_uint shared_word;
#else
typedef word shared_word;
#endif

/* 0 in memory that the host has cleared, as runs are numbered from 1. */
enum { EMPTY, TOTAL, PREFIX };

#define PASTE_NAMES(a, b) a##b
#define REINTERPRET_AS(type) PASTE_NAMES(as_, type)
#if ELEMENT_BYTES == 1
typedef uchar value_bits;
#define BITS_OF(value) as_uchar(value)
#elif ELEMENT_BYTES == 2
typedef ushort value_bits;
#define BITS_OF(value) as_ushort(value)
#elif ELEMENT_BYTES == 4
typedef uint value_bits;
#define BITS_OF(value) as_uint(value)
#else
typedef ulong value_bits;
#define BITS_OF(value) as_ulong(value)
#endif

/* Piece `i` of a value. */
static inline word_piece piece_of(T value, uint i)
{
    return (word_piece)(BITS_OF(value) >> i * PIECE_BITS);
}

static inline word load_word(volatile __global shared_word *at)
{
#if HAS_DEVICE_SCOPE
    return atomic_load_explicit(at, memory_order_relaxed, memory_scope_device);
#elif defined(__NV_CL_C_VERSION)
    return *at;
#else
    return ADD_TO_WORD(at, (word)0);
#endif
}

static inline void store_word(volatile __global shared_word *at, word value)
{
#if HAS_DEVICE_SCOPE
    atomic_store_explicit(at, value, memory_order_relaxed, memory_scope_device);
#elif defined(__NV_CL_C_VERSION)
    *at = value;
#else
    EXCHANGE_WORD(at, value);
#endif
}

/* Stores `value` unless the word has changed since `seen` was loaded. */
static inline void replace_word(volatile __global shared_word *at, word seen, word value)
{
#if HAS_DEVICE_SCOPE
    atomic_compare_exchange_strong_explicit(at, &seen, value, memory_order_relaxed,
                                            memory_order_relaxed, memory_scope_device);
#else
    REPLACE_WORD(at, seen, value);
#endif
}

static inline word make_word(uint run, uint flag, word_piece piece)
{
    return (word)(run << 2 | flag) << PIECE_BITS | piece;
}

static inline uint flag_of(word from, uint run)
{
    const uint tag = (uint)(from >> PIECE_BITS);
    return tag >> 2 == run ? tag & 3 : EMPTY;
}

/* What tile `tile` says in this run; EMPTY also while its words do not agree. */
static inline uint read_status(volatile __global shared_word *words, uint run, uint tile,
                               T *value_p)
{
    volatile __global shared_word *first = words + (ulong)tile * PIECES;
    value_bits bits = 0;
    uint flag = EMPTY;
    for (uint i = 0; i < PIECES; i++) {
        const word one = load_word(first + i);
        const uint its_flag = flag_of(one, run);
        if (i > 0 && its_flag != flag)
            return EMPTY;
        flag = its_flag;
        bits |= (value_bits)(word_piece)one << i * PIECE_BITS;
    }
    *value_p = REINTERPRET_AS(ELEMENT)(bits);
    return flag;
}

/* Says something about a tile that only the caller has taken. */
static inline void publish(volatile __global shared_word *words, uint run, uint tile, uint flag,
                           T value)
{
    for (uint i = 0; i < PIECES; i++)
        store_word(words + (ulong)tile * PIECES + i, make_word(run, flag, piece_of(value, i)));
}

/* Says the total of a tile that another work-group has taken, as far as that one has said nothing
 * yet. Both say the same bits, so it does not matter whose words a reader sees. */
static inline void publish_for_another(volatile __global shared_word *words, uint run, uint tile,
                                       T total)
{
    for (uint i = 0; i < PIECES; i++) {
        volatile __global shared_word *at = words + (ulong)tile * PIECES + i;
        const word seen = load_word(at);
        if (flag_of(seen, run) == EMPTY)
            replace_word(at, seen, make_word(run, TOTAL, piece_of(total, i)));
    }
}
