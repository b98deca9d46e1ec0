/*
 * lookahead_tunables.h - what can be set of the pipeline with look-ahead, for the plugins that run
 * it: cuda_lookahead and cuda_cyclic
 */
#ifndef LOOKAHEAD_TUNABLES_H
#define LOOKAHEAD_TUNABLES_H

#include "lookahead_shape.h"
#include "scan_plugin.h"

static const int64_t lookahead_row_counts[] = {1, 2, 4, 8};
static const int64_t lookahead_reducer_counts[] = {0, 1, 2, 3, 4};
static const int64_t lookahead_stage_counts[] = {0, 2, 3, 4, 5, 6, 7, 8, 12, 16};
static const int64_t lookahead_cta_counts[] = {0, 1, 2, 3, 4};
static const int64_t lookahead_evictions[] = {LOOKAHEAD_EVICTS_BY_SIZE, LOOKAHEAD_EVICTS_NO_INPUT,
                                              LOOKAHEAD_EVICTS_INPUT};

/* The first tunables of such a plugin; LOOKAHEAD_TUNABLE_COUNT is the number of its next one. */
#define LOOKAHEAD_TUNABLES(most_block)                                                             \
    SCAN_TUNABLE_RANGE("block", "threads per block that scan, a multiple of 32; others help", 256, \
                       32, most_block),                                                            \
        SCAN_TUNABLE_LIST("rows",                                                                  \
                          "accesses of 16 bytes per thread; a tile is block x rows of them", 8,    \
                          lookahead_row_counts),                                                   \
        SCAN_TUNABLE_LIST("stages", "tiles that a block holds; 0: as many as fit, at most 16", 0,  \
                          lookahead_stage_counts),                                                 \
        SCAN_TUNABLE_LIST("reducers", "warps that find totals of tiles; 0: by the operator", 0,    \
                          lookahead_reducer_counts),                                               \
        SCAN_TUNABLE_LIST("ctas",                                                                  \
                          "blocks per multiprocessor, which share its memory; 0: all that fit", 0, \
                          lookahead_cta_counts),                                                   \
        SCAN_TUNABLE_LIST("evict",                                                                 \
                          "whether the input leaves the L2 cache first; 1: no, 2: yes, "           \
                          "0: where an array fills half to two thirds of it",                      \
                          LOOKAHEAD_EVICTS_BY_SIZE, lookahead_evictions)
enum { LOOKAHEAD_TUNABLE_COUNT = 6 };

/* Tiles of one size. */
inline lookahead_settings lookahead_settings_of(const scan_problem *problem)
{
    const int64_t *set = problem->tunables;
    return {static_cast<unsigned>(set[0]),          static_cast<unsigned>(set[1]),
            static_cast<unsigned>(set[2]),          static_cast<unsigned>(set[3]),
            static_cast<unsigned>(set[4]),          false,
            static_cast<lookahead_eviction>(set[5])};
}

#endif
