/*
 * cuda_tiles.cuh - a scan of any length from a kernel that scans one tile
 *
 * The kernel scans every tile by itself and keeps each tile's total; the totals are scanned by the
 * same kernel, recursively; each tile is then combined with the total of all tiles before it
 * (Harris, Sengupta and Owens, "Parallel Prefix Sum (Scan) with CUDA", GPU Gems 3, 39.2.4). The
 * totals are scanned inclusively, so that tile t takes carry t-1; tile 0 takes none, and the last
 * total is not needed. Totals that fit in a warp are not worth a launch, so each block of add_carry
 * scans them itself.
 *
 * Moves 4n elements: read and written once by scan_tile and once by add_carry.
 */
#ifndef CUDA_TILES_CUH
#define CUDA_TILES_CUH

#include "cuda_access.cuh"
#include "cuda_common.h"
#include "cuda_ops.cuh"

/*
 * Scans each tile of in[0 ... n-1] into out, which may be in, with a grid that walks over the
 * tiles; totals[t] becomes the total of tile t, except for the last tile.
 */
template <typename Op>
using cuda_tile_kernel = void (*)(Op op, const typename Op::value *in, typename Op::value *out,
                                  uint64_t n, typename Op::value *totals, bool inclusive);

enum {
    CUDA_CARRY_BLOCK = 256, /* threads of add_carry */
    CUDA_CARRY_VECTORS = 4, /* 16-byte accesses each of them has in flight */
    CUDA_MAX_LEVELS = 40    /* tiles of at least 2: more than any memory holds */
};

/* The tiles that a block of add_carry works on, and how it divides by their size. */
struct cuda_carry_shape {
    unsigned tile;    /* elements */
    unsigned tiles;   /* a block */
    unsigned inverse; /* 2^32 / tile, rounded up: exact for the few thousand it divides */
    bool vectors;     /* is a tile a whole number of vectors? */
};

inline cuda_carry_shape cuda_shape_carry(unsigned tile, unsigned element_bytes)
{
    const unsigned per_vector = 16 / element_bytes;
    const unsigned most = CUDA_CARRY_BLOCK * CUDA_CARRY_VECTORS * per_vector;
    return {tile, tile < most ? most / tile : 1,
            static_cast<unsigned>(((UINT64_C(1) << 32) + tile - 1) / tile), tile % per_vector == 0};
}

/*
 * out[i] = carries[t-1] (+) out[i] for i in tile t > 0. The blocks go from the end to the
 * beginning: what scan_tile wrote last is still in the cache. SCANNED: are the carries scanned? If
 * not, `carries` holds raw <= 32 totals of tiles.
 */
template <typename Op, bool SCANNED>
__global__ void __launch_bounds__(CUDA_CARRY_BLOCK)
    add_carry(Op op, typename Op::value *out, uint64_t n, const typename Op::value *carries,
              unsigned raw, cuda_carry_shape shape)
{
    using T = typename Op::value;
    using vector = cuda_vector<T>;
    cuda_wait_for_previous();
    if constexpr (!SCANNED) {
        __shared__ T scanned[CUDA_WARP];
        if (threadIdx.x < CUDA_WARP) {
            const T total = threadIdx.x < raw ? carries[threadIdx.x] : op.identity();
            scanned[threadIdx.x] = cuda_scan_warp(op, total, CUDA_WARP);
        }
        __syncthreads();
        carries = scanned;
    }
    const uint64_t first = static_cast<uint64_t>(gridDim.x - 1 - blockIdx.x) * shape.tiles;
    const uint64_t begin = first * shape.tile;
    const uint64_t left = n - begin;
    const unsigned whole = shape.tiles * shape.tile;
    const unsigned length = left < whole ? static_cast<unsigned>(left) : whole;
    const unsigned vectors = shape.vectors ? length / vector::count : 0;
    T *const mine = out + begin;
    vector *const wide = reinterpret_cast<vector *>(mine);

    for (unsigned start = threadIdx.x; start < vectors;
         start += CUDA_CARRY_BLOCK * CUDA_CARRY_VECTORS) {
        vector value[CUDA_CARRY_VECTORS];
        T carry[CUDA_CARRY_VECTORS];
#pragma unroll
        for (unsigned k = 0; k < CUDA_CARRY_VECTORS; k++) {
            const unsigned v = start + k * CUDA_CARRY_BLOCK;
            const uint64_t tile = first + __umulhi(v * vector::count, shape.inverse);
            if (v < vectors && tile > 0) {
                value[k] = cuda_load_once(&wide[v]);
                carry[k] = carries[tile - 1];
            }
        }
#pragma unroll
        for (unsigned k = 0; k < CUDA_CARRY_VECTORS; k++) {
            const unsigned v = start + k * CUDA_CARRY_BLOCK;
            const uint64_t tile = first + __umulhi(v * vector::count, shape.inverse);
            if (v < vectors && tile > 0) {
#pragma unroll
                for (unsigned e = 0; e < vector::count; e++)
                    value[k].element[e] = op(carry[k], value[k].element[e]);
                cuda_store_once(&wide[v], value[k]);
            }
        }
    }
    for (unsigned i = vectors * vector::count + threadIdx.x; i < length; i += CUDA_CARRY_BLOCK) {
        const uint64_t tile = first + __umulhi(i, shape.inverse);
        if (tile > 0)
            mine[i] = op(carries[tile - 1], mine[i]);
    }
}

/* One instance. size[0] = n, size[l+1] = the totals of level l that are needed; those of
 * the last level stay as they are. */
template <typename Op> struct cuda_tiles : cuda_instance {
    using T = typename Op::value;
    Op op;
    cuda_tile_kernel<Op> scan_tile;
    unsigned block;
    unsigned resident; /* blocks of scan_tile the device holds at once */
    uint64_t shared;
    bool overlaps; /* the launches of scan_tile */
    bool inclusive;
    cuda_carry_shape carry;
    unsigned levels; /* to scan */
    uint64_t size[CUDA_MAX_LEVELS + 1];
    T *totals[CUDA_MAX_LEVELS + 1]; /* totals[l]: the array of level l > 0, in `memory` */
};

template <typename Op>
scan_status cuda_tiles_scan(const cuda_tiles<Op> *self, unsigned level,
                            const typename Op::value *in, typename Op::value *out)
{
    const uint64_t n = self->size[level];
    const uint64_t tiles = (n + self->carry.tile - 1) / self->carry.tile;
    const uint64_t blocks = tiles < self->resident ? tiles : self->resident;
    return cuda_launch(self->cuda, "kernel:scan_tile",
                       {blocks, self->block, self->shared, self->overlaps}, self->scan_tile,
                       self->op, in, out, n, self->totals[level + 1], level > 0 || self->inclusive);
}

template <typename Op>
scan_status cuda_tiles_add(const cuda_tiles<Op> *self, unsigned level, typename Op::value *out)
{
    const uint64_t whole = static_cast<uint64_t>(self->carry.tiles) * self->carry.tile;
    const uint64_t blocks = (self->size[level] + whole - 1) / whole;
    const bool scanned = level + 1 < self->levels;
    return cuda_launch(self->cuda, "kernel:add_carry", {blocks, CUDA_CARRY_BLOCK, 0, true},
                       scanned ? add_carry<Op, true> : add_carry<Op, false>, self->op, out,
                       self->size[level], self->totals[level + 1],
                       static_cast<unsigned>(scanned ? 0 : self->size[level + 1]), self->carry);
}

template <typename Op>
scan_status cuda_tiles_run(cuda_instance *instance, scan_buffer from, scan_buffer to)
{
    using T = typename Op::value;
    const cuda_tiles<Op> *self = static_cast<const cuda_tiles<Op> *>(instance);
    const T *in = static_cast<const T *>(scan_host_pointer(from));
    T *out = static_cast<T *>(scan_host_pointer(to));
    scan_status status = SCAN_OK;
    cuda_begin(self->cuda);
    for (unsigned level = 0; level < self->levels && status == SCAN_OK; level++)
        status = level == 0
                     ? cuda_tiles_scan(self, 0, in, out)
                     : cuda_tiles_scan(self, level, self->totals[level], self->totals[level]);
    for (unsigned level = self->levels; level-- > 0 && status == SCAN_OK;)
        if (self->size[level + 1] > 0)
            status = cuda_tiles_add(self, level, level == 0 ? out : self->totals[level]);
    return status == SCAN_OK ? cuda_finish(self->cuda) : status;
}

/* Each level's array begins on a multiple of 256 bytes. */
template <typename Op> uint64_t cuda_tiles_bytes(const cuda_tiles<Op> *self, unsigned level)
{
    return (self->size[level] * sizeof(typename Op::value) + 255) / 256 * 256;
}

/* Counts the levels of n elements. Returns the bytes of all their totals. */
template <typename Op> uint64_t cuda_tiles_measure(cuda_tiles<Op> *self, uint64_t n)
{
    const uint64_t tile = self->carry.tile;
    uint64_t bytes = 0;
    self->size[0] = n;
    while (self->size[self->levels] > (self->levels == 0 ? 0u : CUDA_WARP)) {
        const unsigned next = ++self->levels;
        self->size[next] = (self->size[next - 1] + tile - 1) / tile - 1;
        bytes += cuda_tiles_bytes(self, next);
    }
    return bytes;
}

/* The parts that differ between plugins: the kernel, its tile, its shared memory. */
template <typename Op> struct cuda_tile_plan {
    cuda_tile_kernel<Op> kernel;
    unsigned block;
    unsigned tile;
    uint64_t shared;
    bool overlaps = false; /* does it begin with cuda_wait_for_previous? */
};

template <typename Op>
scan_status cuda_tiles_prepare(cuda_context *cuda, const cuda_tile_plan<Op> &plan,
                               unsigned *resident_p)
{
    scan_status status = cuda_prepare(cuda, reinterpret_cast<const void *>(add_carry<Op, true>),
                                      CUDA_CARRY_BLOCK, 0, resident_p);
    if (status == SCAN_OK)
        status = cuda_prepare(cuda, reinterpret_cast<const void *>(add_carry<Op, false>),
                              CUDA_CARRY_BLOCK, 0, resident_p);
    if (status != SCAN_OK)
        return status;
    return cuda_prepare(cuda, reinterpret_cast<const void *>(plan.kernel), plan.block, plan.shared,
                        resident_p);
}

template <typename Op>
scan_status cuda_tiles_build(cuda_context *cuda, const scan_problem *problem, Op op,
                             const cuda_tile_plan<Op> &plan, void **self_p)
{
    unsigned resident = 0;
    cuda_tiles<Op> *self = nullptr;
    scan_status status = cuda_tiles_prepare(cuda, plan, &resident);
    if (status != SCAN_OK || (status = cuda_instance_create(cuda, &self)) != SCAN_OK)
        return status;
    self->run = cuda_tiles_run<Op>;
    self->op = op;
    self->scan_tile = plan.kernel;
    self->block = plan.block;
    self->resident = resident;
    self->shared = plan.shared;
    self->overlaps = plan.overlaps;
    self->inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    self->carry = cuda_shape_carry(plan.tile, sizeof(typename Op::value));
    const uint64_t bytes = cuda_tiles_measure(self, problem->n);
    if (bytes > 0 && (status = cuda_allocate_scratch(cuda, bytes, &self->memory)) != SCAN_OK) {
        cuda_instance_destroy(self);
        return status;
    }
    char *place = static_cast<char *>(self->memory);
    for (unsigned level = 1; level <= self->levels; level++) {
        self->totals[level] = reinterpret_cast<typename Op::value *>(place);
        place += cuda_tiles_bytes(self, level);
    }
    *self_p = self;
    return SCAN_OK;
}

/*
 * A plugin provides a struct derived from this one with
 *
 *     template <typename Op> static cuda_tile_plan<Op> plan(const scan_problem *problem);
 *
 * and, if it cannot do all that its scan_plugin declares, its own `check`.
 */
struct cuda_tile_method {
    static scan_status check(const scan_host *, const scan_problem *)
    {
        return SCAN_OK;
    }
};

/* The slots. */
#define CUDA_TILES(Method)                                                                      \
    CUDA_BACKEND, .supports = cuda_tiles_supports<Method>, .create = cuda_tiles_create<Method>, \
                  .run = cuda_instance_run, .destroy = cuda_instance_destroy

template <typename Method>
scan_status cuda_tiles_supports(const scan_host *host, const scan_plugin *, void *context,
                                const scan_problem *problem)
{
    scan_status status = Method::check(host, problem);
    if (status != SCAN_OK)
        return status;
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        unsigned resident = 0;
        return cuda_tiles_prepare(static_cast<cuda_context *>(context),
                                  Method::template plan<decltype(op)>(problem), &resident);
    });
}

template <typename Method>
scan_status cuda_tiles_create(const scan_host *host, const scan_plugin *, void *context,
                              const scan_problem *problem, void **self_p)
{
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        return cuda_tiles_build(static_cast<cuda_context *>(context), problem, op,
                                Method::template plan<decltype(op)>(problem), self_p);
    });
}

#endif
