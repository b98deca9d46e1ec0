/*
 * opencl_scan.h - what OpenCL scans share: element types and operators, and the
 * scan in tiles
 */
#ifndef OPENCL_SCAN_H
#define OPENCL_SCAN_H

#include "opencl_common.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { OPENCL_MAX_OPTIONS = 200 };

/* The text of scan_ops.cl, which precedes every kernel, and its options: -D DTYPE_<word> of the
 * results, -D OP_<word>, and of a narrower input -D GIVEN=<type> -D FROM_<word>; alone, or after
 * the version of OpenCL C that every runtime has. */
extern const char *const opencl_scan_ops;
/* The text of vectors.cl, for kernels that access 16 bytes at once. */
extern const char *const opencl_vectors;
/* The text of sub_groups.cl, for kernels whose work-items exchange values; -D BLOCK=... and
 * -D SUB_GROUPS=... come with it. */
extern const char *const opencl_sub_groups;
void opencl_scan_definitions(const scan_problem *problem, char definitions[OPENCL_MAX_OPTIONS]);
void opencl_scan_options(const scan_problem *problem, char options[OPENCL_MAX_OPTIONS]);

/* OpenCL C's name of a scalar type as it lies in memory: floats of 16 bits are ushort there. */
const char *opencl_type_name(uint32_t dtype);
/* Are the results of a wider type than the input? */
bool opencl_is_wide(const scan_problem *problem);

/* Bytes of a total or a carry: of floats of 16 bits those of f32, else of a result. */
uint64_t opencl_held_bytes(const scan_problem *problem);

/* Can the device compute with the problem's types, and does it keep subnormal numbers? SCAN_OK, or
 * SCAN_UNSUPPORTED and the reason. */
scan_status opencl_check_dtype(const opencl_context *context, const scan_problem *problem);
/* The same of work-groups of `block`. */
scan_status opencl_check_block(const opencl_context *context, uint64_t block);

/* SUB_GROUPS for work-groups of `block`: the width of the device's sub-groups, or 0 where
 * sub_groups.cl does without. The first call in a context builds a program to find out. */
uint32_t opencl_sub_group_width(opencl_context *context, uint64_t block);

/* A tunable that switches sub-groups off, for those who want to know what they save. */
#define OPENCL_SUB_GROUPS_TUNABLE                                                      \
    SCAN_TUNABLE_RANGE("groups",                                                       \
                       "1: sub-groups instead of whole work-groups, where the device " \
                       "has them; 0: never",                                           \
                       1, 0, 1)

/* ---- a scan in tiles --------------------------------------------------------- */

/* How a problem is cut into tiles. */
typedef struct opencl_tile_method {
    const char *options;     /* the kernel's own, static, or NULL */
    uint64_t block;          /* work-items per tile */
    uint64_t tile;           /* elements per tile */
    uint64_t local_elements; /* elements in local memory */
    bool sub_groups;         /* may the kernel use them, where the device has them? */
    bool strides;            /* can a work-group take every get_num_groups-th tile? */
} opencl_tile_method;

/*
 * A plugin that scans in tiles. `source` is the kernel with which one work-group scans one tile;
 * joining the tiles is common code. The kernel
 *
 *     scan_tile(__global const T *in, __global T *out, __global T *totals,
 *               ulong n, uint inclusive)
 *
 * scans in group g the elements g*TILE ... g*TILE + TILE-1 (those below n) and writes
 * their total to totals[g]; with `strides` it does so for tile g and every get_num_groups-th after
 * it, where STRIDES is 1. `in` and `out` may be the same. The kernel can use scan_ops.cl,
 * vectors.cl, sub_groups.cl and the options BLOCK and TILE.
 */
typedef struct opencl_tiles_plugin {
    scan_plugin plugin; /* first, because the slots get its address and find the rest */
    const char *source; /* static */
    /* SCAN_OK and *method_p, or SCAN_UNSUPPORTED and the reason. */
    scan_status (*choose)(const scan_host *host, const scan_plugin *plugin,
                          const scan_problem *problem, opencl_tile_method *method_p);
} opencl_tiles_plugin;

/* The slots of its `plugin`. */
#define OPENCL_TILES                                                                  \
    OPENCL_BACKEND, .supports = opencl_tiles_supports, .create = opencl_tiles_create, \
                    .run = opencl_tiles_run, .destroy = opencl_tiles_destroy
scan_status opencl_tiles_supports(const scan_host *host, const scan_plugin *plugin, void *context,
                                  const scan_problem *problem);
scan_status opencl_tiles_create(const scan_host *host, const scan_plugin *plugin, void *context,
                                const scan_problem *problem, void **self_p);
scan_status opencl_tiles_run(void *instance, scan_buffer in, scan_buffer out);
void opencl_tiles_destroy(void *instance);

#ifdef __cplusplus
}
#endif

#endif
