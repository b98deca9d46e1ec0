/*
 * modern_gpu_vt.cu - Sean Baxter's three-phase scan with VT values per thread
 *
 * Up-sweep, spine, down-sweep (vt_kernels.cuh) over tiles of block*vt elements. More values per
 * thread mean more serial work, which is the cheapest, and fewer threads to synchronise; but also
 * more registers, so fewer threads at a time. A spine that is too long for one block is scanned by
 * the same three phases, so any length will do; if it fits in a warp, each down-sweep block scans
 * it itself. The spine's scan is inclusive and read one entry to the left: tile 0 needs no carry,
 * and the last tile's total is not needed.
 *
 * Baxter, Modern GPU, "Scan" (moderngpu.github.io/scan.html), 2013.
 *
 * Work 3n, and what lanes exchange: 3.8n with 16 values per thread, 20n with one. Steps O(vt +
 * log(block) + log(n)). Moves 3n elements: the up-sweep reads, the down-sweep reads and writes.
 */
#include "cuda_common.h"
#include "vt_scan.h"

enum { VT_MAX_LEVELS = 16 };

/* size[0] = n; size[l+1]: the totals of level l, except the last tile's. */
template <typename Op> struct vt_scan : cuda_instance {
    using T = typename Op::value;
    Op op;
    const vt_kernels<Op> *kernels;
    unsigned block;
    unsigned vt;
    uint64_t tile;
    uint64_t shared;
    bool inclusive;
    unsigned levels; /* whose totals the next one scans */
    uint64_t size[VT_MAX_LEVELS + 1];
    T *totals[VT_MAX_LEVELS + 1]; /* totals[l]: the array of level l > 0, in `memory` */
};

template <typename Op> static scan_status launch_spine(const vt_scan<Op> *self)
{
    constexpr unsigned vt = VT_SPINE_BYTES / sizeof(typename Op::value);
    const uint64_t n = self->size[self->levels];
    const uint64_t threads = (n + vt - 1) / vt;
    const unsigned block =
        threads < VT_SPINE_BLOCK ? static_cast<unsigned>(threads + 31) / 32 * 32 : VT_SPINE_BLOCK;
    return cuda_launch(self->cuda, "kernel:spine", {1, block, 0, true}, self->kernels->spine,
                       self->op, self->totals[self->levels], n);
}

template <typename Op>
static scan_status run(cuda_instance *instance, scan_buffer from, scan_buffer to)
{
    using T = typename Op::value;
    const vt_scan<Op> *self = static_cast<const vt_scan<Op> *>(instance);
    const T *in = static_cast<const T *>(scan_host_pointer(from));
    T *out = static_cast<T *>(scan_host_pointer(to));
    scan_status status = SCAN_OK;
    cuda_begin(self->cuda);
    if (self->size[0] == 0)
        return SCAN_OK;
    for (unsigned l = 0; l < self->levels && status == SCAN_OK; l++)
        status =
            cuda_launch(self->cuda, "kernel:upsweep", {self->size[l + 1], self->block, 0, true},
                        self->kernels->upsweep, self->op, l == 0 ? in : self->totals[l],
                        self->totals[l + 1], self->vt);
    const bool spine = self->levels > 0 && self->size[self->levels] > VT_SPINE_RAW;
    if (status == SCAN_OK && spine)
        status = launch_spine(self);
    for (unsigned l = self->levels > 0 ? self->levels : 1; l-- > 0 && status == SCAN_OK;) {
        const bool scanned = spine || l + 1 < self->levels;
        status = cuda_launch(
            self->cuda, "kernel:downsweep",
            {self->size[l + 1] + 1, self->block, self->shared, true},
            self->kernels->downsweep[self->vt], self->op, l == 0 ? in : self->totals[l],
            l == 0 ? out : self->totals[l], self->size[l],
            {self->totals[l + 1], static_cast<unsigned>(scanned ? 0 : self->size[l + 1])},
            l > 0 || self->inclusive);
    }
    return status == SCAN_OK ? cuda_finish(self->cuda) : status;
}

/* Each level's array begins on a multiple of 256 bytes. */
template <typename Op> static uint64_t level_bytes(const vt_scan<Op> *self, unsigned level)
{
    return (self->size[level] * sizeof(typename Op::value) + 255) / 256 * 256;
}

template <typename Op> static scan_status place_levels(vt_scan<Op> *self, uint64_t n)
{
    uint64_t bytes = 0;
    self->size[0] = n;
    while (self->levels == 0 ? n > self->tile : self->size[self->levels] > VT_SPINE_LENGTH) {
        const unsigned next = ++self->levels;
        self->size[next] = (self->size[next - 1] + self->tile - 1) / self->tile - 1;
        bytes += level_bytes(self, next);
    }
    if (bytes == 0)
        return SCAN_OK;
    scan_status status = cuda_allocate_scratch(self->cuda, bytes, &self->memory);
    if (status != SCAN_OK)
        return status;
    char *place = static_cast<char *>(self->memory);
    for (unsigned level = 1; level <= self->levels; level++) {
        self->totals[level] = reinterpret_cast<typename Op::value *>(place);
        place += level_bytes(self, level);
    }
    return SCAN_OK;
}

/* Loads the kernels; SCAN_UNSUPPORTED if one does not run at this block and vt. */
template <typename Op>
static scan_status prepare(cuda_context *cuda, const vt_kernels<Op> &kernels, unsigned block,
                           unsigned vt)
{
    unsigned resident = 0;
    scan_status status =
        cuda_prepare(cuda, reinterpret_cast<const void *>(kernels.upsweep), block, 0, &resident);
    if (status == SCAN_OK)
        status = cuda_prepare(cuda, reinterpret_cast<const void *>(kernels.spine), VT_SPINE_BLOCK,
                              0, &resident);
    if (status == SCAN_OK)
        status = cuda_prepare(cuda, reinterpret_cast<const void *>(kernels.downsweep[vt]), block,
                              static_cast<uint64_t>(block / 32) * kernels.shared[vt], &resident);
    return status;
}

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)plugin;
    const unsigned block = static_cast<unsigned>(problem->tunables[0]);
    const unsigned vt = static_cast<unsigned>(problem->tunables[1]);
    if (block % 32 != 0)
        return host->fail(host, SCAN_UNSUPPORTED, "block %u: whole warps of 32 threads only",
                          block);
    const uint64_t tile = static_cast<uint64_t>(block) * vt;
    if (problem->n > tile * 0x7fffffffu)
        return host->fail(host, SCAN_UNSUPPORTED, "n needs more than 2^31-1 tiles of %llu",
                          static_cast<unsigned long long>(tile));
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        return prepare(static_cast<cuda_context *>(context), vt_kernels_of<decltype(op)>(), block,
                       vt);
    });
}

template <typename Op>
static scan_status create_scan(cuda_context *cuda, const scan_problem *problem, Op op,
                               void **self_p)
{
    const unsigned block = static_cast<unsigned>(problem->tunables[0]);
    const unsigned vt = static_cast<unsigned>(problem->tunables[1]);
    vt_scan<Op> *self = nullptr;
    scan_status status = prepare(cuda, vt_kernels_of<Op>(), block, vt);
    if (status != SCAN_OK || (status = cuda_instance_create(cuda, &self)) != SCAN_OK)
        return status;
    self->run = run<Op>;
    self->op = op;
    self->kernels = &vt_kernels_of<Op>();
    self->block = block;
    self->vt = vt;
    self->tile = static_cast<uint64_t>(block) * vt;
    self->shared = static_cast<uint64_t>(block / 32) * self->kernels->shared[vt];
    self->inclusive = problem->kind == SCAN_KIND_INCLUSIVE;
    if ((status = place_levels(self, problem->n)) != SCAN_OK) {
        cuda_instance_destroy(self);
        return status;
    }
    *self_p = self;
    return SCAN_OK;
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)plugin;
    return cuda_visit_operator(host, problem->op, problem->dtype, [&](auto op) {
        return create_scan(static_cast<cuda_context *>(context), problem, op, self_p);
    });
}

static const scan_tunable tunables[] = {
    SCAN_TUNABLE_RANGE("block", "threads per block, a multiple of 32", 256, 32, 1024),
    SCAN_TUNABLE_RANGE("vt", "values per thread", 16, 1, VT_MAX),
};

static const scan_plugin plugin = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_ALGORITHM,
    .id = "modern_gpu_vt",
    .name = "Baxter, values per thread",
    .version = "1.0",
    .summary = "up-sweep, spine, down-sweep with vt values per thread in registers",
    .reference = "Baxter, Modern GPU: Scan, 2013",
    .ops = {SCAN_OPS_1_0},
    SCAN_TUNABLES(tunables),
    CUDA_BACKEND,
    .supports = supports,
    .create = create,
    .run = cuda_instance_run,
    .destroy = cuda_instance_destroy,
};

SCAN_EXPORT_PLUGINS(&plugin);
