/*
 * sub_groups.cl - scans and votes of work-items, with few barriers, after scan_ops.cl
 *
 * A sub-group is WIDTH work-items that wait for each other without the rest of their work-group.
 *
 *     SUB_GROUPS 32   NVIDIA's warps. Its OpenCL has no functions for them, but its compiler takes
 *                     instructions in text: values go from register to register, and no barrier of
 *                     the work-group is needed. BLOCK is a multiple of 32.
 *     SUB_GROUPS 0    everywhere else: the whole work-group is one sub-group, and values go through
 *                     local memory. BLOCK is any number.
 *
 *     WIDTH                 work-items of a sub-group, those with neighbouring numbers
 *     SUB_GROUP_COUNT       sub-groups of a work-group
 *     barrier_sub_group     makes the sub-group's writes to local memory visible to it
 *     scan_sub_group        one value of each work-item
 *     last_in_sub_group     a vote; begin_votes and a barrier of the work-group come first
 *     scan_work_group       as scan_sub_group, by all sub-groups of the work-group together
 *
 * All work-items of the sub-group, or of the work-group, must call them together.
 */
#if SUB_GROUPS
#define WIDTH SUB_GROUPS
#else
#define WIDTH BLOCK
#endif
#define SUB_GROUP_COUNT (BLOCK / WIDTH)

/* A work-group's local memory for these functions. */
typedef struct {
#if SUB_GROUPS
    T totals[SUB_GROUP_COUNT];
#else
    T items[2][BLOCK];
    uint last[3][2];
#endif
} sub_groups;

#if SUB_GROUPS

/* A value in registers of 32 bits, which may be larger than it is. */
#define REGISTERS ((sizeof(T) + 3) / 4)

static inline void barrier_sub_group(void)
{
    __asm__ volatile("bar.warp.sync 0xffffffff;" ::: "memory");
}

/* The value of the work-item `distance` before; the first `distance` get their own. */
static inline T shuffle_up(T value, uint distance)
{
    union {
        T value;
        uint pieces[REGISTERS];
    } moved = {value};
#pragma unroll
    for (uint i = 0; i < REGISTERS; i++)
        __asm__ volatile("shfl.sync.up.b32 %0, %1, %2, 0, 0xffffffff;"
                         : "=r"(moved.pieces[i])
                         : "r"(moved.pieces[i]), "r"(distance));
    return moved.value;
}

/* The value of the last work-item. */
static inline T shuffle_last(T value)
{
    union {
        T value;
        uint pieces[REGISTERS];
    } moved = {value};
#pragma unroll
    for (uint i = 0; i < REGISTERS; i++)
        __asm__ volatile("shfl.sync.idx.b32 %0, %1, 31, 31, 0xffffffff;"
                         : "=r"(moved.pieces[i])
                         : "r"(moved.pieces[i]));
    return moved.value;
}

/* A bit of each work-item. */
static inline uint ballot(bool holds)
{
    uint bits;
    __asm__ volatile(
        "{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
        : "=r"(bits)
        : "r"((uint)holds));
    return bits;
}

/* Returns the total of all, and in *before_p that of the work-items before this one. */
static inline T scan_sub_group(T own, T *before_p, __local sub_groups *s)
{
    const uint lane = get_local_id(0) % WIDTH;
#pragma unroll
    for (uint shift = 1; shift < WIDTH; shift *= 2) {
        const T left = shuffle_up(own, shift);
        own = lane >= shift ? combine(left, own) : own;
    }
    const T before = shuffle_up(own, 1);
    *before_p = lane > 0 ? before : IDENTITY;
    return shuffle_last(own);
}

static inline void begin_votes(__local sub_groups *s)
{
}

/* For two conditions: 1 + the last work-item for which it holds, or 0. `*turn_p` is 0 before the
 * first vote. */
static inline uint2 last_in_sub_group(bool x, bool y, uint *turn_p, __local sub_groups *s)
{
    return (uint2)(WIDTH - clz(ballot(x)), WIDTH - clz(ballot(y)));
}

#else

static inline void barrier_sub_group(void)
{
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Hillis and Steele's scan. */
static inline T scan_sub_group(T own, T *before_p, __local sub_groups *s)
{
    const uint item = get_local_id(0);
    uint from = 0;
    s->items[from][item] = own;
    for (uint shift = 1; shift < BLOCK; shift *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        own = s->items[from][item];
        if (item >= shift)
            own = combine(s->items[from][item - shift], own);
        from = 1 - from;
        s->items[from][item] = own;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    *before_p = item > 0 ? s->items[from][item - 1] : IDENTITY;
    const T total = s->items[from][BLOCK - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    return total;
}

static inline void begin_votes(__local sub_groups *s)
{
    if (get_local_id(0) == 0)
        s->last[0][0] = s->last[0][1] = 0;
}

/* As above. Three places take turns, so that one barrier is enough: while this one is in use, some
 * work-items may still read the one before, and the next one is cleared. */
static inline uint2 last_in_sub_group(bool x, bool y, uint *turn_p, __local sub_groups *s)
{
    const uint item = get_local_id(0), turn = *turn_p, next = (turn + 1) % 3;
    if (item == 0)
        s->last[next][0] = s->last[next][1] = 0;
    if (x)
        atomic_max(&s->last[turn][0], item + 1);
    if (y)
        atomic_max(&s->last[turn][1], item + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    *turn_p = next;
    return (uint2)(s->last[turn][0], s->last[turn][1]);
}

#endif

/* Only once: nothing keeps a second call from overwriting what is still read. The order of
 * operations is that of scan_sub_group, and from the first sub-group to the last. */
static inline T scan_work_group(T own, T *before_p, __local sub_groups *s)
{
    T total = scan_sub_group(own, before_p, s);
#if SUB_GROUPS
    const uint mine = get_local_id(0) / WIDTH;
    if (get_local_id(0) % WIDTH == 0)
        s->totals[mine] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    T left = IDENTITY;
    total = s->totals[0];
#pragma unroll
    for (uint i = 1; i < SUB_GROUP_COUNT; i++) {
        left = i == mine ? total : left;
        total = combine(total, s->totals[i]);
    }
    *before_p = combine(left, *before_p);
#endif
    return total;
}
