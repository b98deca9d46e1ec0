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

/* The text of scan_ops.cl, to stand before every kernel, and its options:
 * -D DTYPE_<word> -D OP_<word>. */
extern const char *const opencl_scan_ops;
void opencl_scan_options(const scan_problem *problem, char options[OPENCL_MAX_OPTIONS]);

/* Bytes per element, 0 for an unknown dtype. */
uint32_t opencl_element_bytes(uint32_t dtype);

/* Does the device compute with elements of this dtype? SCAN_UNSUPPORTED and why
 * not. */
scan_status opencl_check_dtype(const opencl_context *context, const scan_problem *problem);

/* ---- a scan in tiles --------------------------------------------------------- */

/*
 * How one work-group scans one tile; the joining of tiles is common. `source` is
 * a kernel
 *
 *     scan_tile(__global const T *in, __global T *out, __global T *totals,
 *               ulong n, uint inclusive)
 *
 * whose group g scans elements g*TILE ... g*TILE + TILE-1 (those below n) and puts
 * their total into totals[g]. `in` and `out` may be the same. It sees scan_ops.cl
 * and the options BLOCK and TILE.
 */
typedef struct opencl_tile_method {
    const char *source;      /* static */
    const char *options;     /* the kernel's own, or "" */
    uint64_t block;          /* work-items per tile */
    uint64_t tile;           /* elements per tile */
    uint64_t local_elements; /* elements in local memory */
} opencl_tile_method;

/* The slots of a plugin that scans in tiles. */
scan_status opencl_tiles_supports(opencl_context *context, const scan_problem *problem,
                                  const opencl_tile_method *method);
scan_status opencl_tiles_create(opencl_context *context, const scan_problem *problem,
                                const opencl_tile_method *method, void **self_p);
scan_status opencl_tiles_run(void *instance, scan_buffer in, scan_buffer out);
void opencl_tiles_destroy(void *instance);

#ifdef __cplusplus
}
#endif

#endif
