/*
 * scan_parts.h - problems in several parts: the extension "scan.parts/1" of scan_plugin.h
 *
 * A plugin that scans one problem on several devices, each of which holds a part of it,
 *   - declares a tunable SCAN_PARTS_TUNABLE: how many parts; its least and its default
 *     value are 1,
 *   - returns a scan_parts from get_extension for the name SCAN_PARTS.
 * Everything else stays: supports and create see the number of parts among the tunables,
 * and with one part the host calls `run` of the scan_plugin, as ever. From two on it calls
 * scan_parts.run, with one buffer for each part in place of one for all. So the plugin also
 * works on a host that does not know this extension.
 *
 * Every layout deals out tiles of T elements in turn, as ScaLAPACK's block-cyclic one does:
 *
 *     element i lies in part (i / T) % parts, behind (i / T) / parts whole tiles of it
 *
 *   contiguous  T = n / parts, rounded up: one tile a part, the last ones shorter or empty
 *   cyclic      T is what the plugin says; the last tile of the problem may be shorter
 *
 * The host makes, guards, fills and compares each part where it lies. A buffer of a part is
 * used with the plugin's memory vtable like any other: a handle that `allocate` gives out
 * must say which device it is for. Without a memory vtable the parts are host memory.
 */
#ifndef SCAN_PARTS_H
#define SCAN_PARTS_H

#include "scan_plugin.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SCAN_PARTS "scan.parts/1"
#define SCAN_PARTS_TUNABLE "parts"

enum { SCAN_PARTS_MOST = 64 }; /* the greatest value of the tunable */

/* X(name, value, word) */
#define SCAN_LAYOUT_MAP(X)         \
    X(CONTIGUOUS, 0, "contiguous") \
    X(CYCLIC, 1, "cyclic")

#define SCAN_ENUMERATOR(name, value, ...) SCAN_LAYOUT_##name = value,
typedef enum scan_layout { SCAN_LAYOUT_MAP(SCAN_ENUMERATOR) } scan_layout;
#undef SCAN_ENUMERATOR
#define SCAN_PLUS_ONE(...) +1
enum { SCAN_LAYOUT_COUNT = 0 SCAN_LAYOUT_MAP(SCAN_PLUS_ONE) };
#undef SCAN_PLUS_ONE

typedef struct scan_parts {
    uint32_t struct_size;
    uint32_t layout; /* scan_layout */

    /* Cyclic: T, the elements of a tile of this problem, at least 1; the same answer
     * whenever it is asked. Contiguous: NULL. [supported] */
    uint64_t (*tile)(const scan_plugin *plugin, const scan_problem *problem);

    /* A buffer as from allocate of the memory vtable, in the memory of part `part`.
     * NULL without a memory vtable. [open] */
    scan_status (*allocate)(void *context, uint32_t part, uint64_t bytes, scan_buffer *buffer_p);

    /* As run of the scan_plugin, for two or more parts: in[p] and out[p] are the buffers of
     * part p, and scan_parts_length elements long, which may be 0. Whether in[p] and out[p]
     * may be one buffer, or always are, is said by the plugin's flags. The arrays are valid
     * during the call. [created] */
    scan_status (*run)(void *self, const scan_buffer *in, const scan_buffer *out);
} scan_parts;

/* T of a contiguous layout, at least 1. */
static inline uint64_t scan_parts_slice(uint64_t n, uint32_t parts)
{
    const uint64_t slice = n / parts + (n % parts != 0);
    return slice ? slice : 1;
}

/* How many of n elements lie in a part, in tiles of T. */
static inline uint64_t scan_parts_length(uint64_t n, uint64_t tile, uint32_t parts, uint32_t part)
{
    const uint64_t tiles = n / tile, rest = n % tile; /* whole tiles, and the tail behind them */
    const uint64_t whole = tiles / parts + (part < tiles % parts);
    return whole * tile + (part == tiles % parts ? rest : 0);
}

#ifdef __cplusplus
}
#endif

#endif
