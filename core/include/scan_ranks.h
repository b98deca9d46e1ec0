/*
 * scan_ranks.h - parts in processes of their own: the extension "scan.ranks/1", which adds to
 * scan_parts.h
 *
 * A launcher such as mpirun starts the same worker several times, as ranks 0, 1, ... Each
 * loads the plugin file and calls join. Rank 0 then works as every worker does, and part p
 * of a problem lies in rank p's memory. The other ranks call serve, which returns when
 * rank 0 has left.
 *
 * The plugin has no memory vtable. The host makes the buffers of each part in the process
 * of its rank, and in[p] and out[p] of scan_parts.run are addresses there. To fill, guard and
 * compare a part where it lies, the host asks its rank: the plugin carries the question to
 * that process and the answer back, and knows neither.
 *
 * supports refuses more parts than there are ranks. Without a launcher there is one rank,
 * and join and serve are not called.
 */
#ifndef SCAN_RANKS_H
#define SCAN_RANKS_H

#include "scan_parts.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SCAN_RANKS "scan.ranks/1"

/* The host's answer to a question; both as long as they were asked for. SCAN_OK or
 * SCAN_ERROR. [inside serve] */
typedef scan_status (*scan_answer)(void *context, const void *question, uint64_t question_bytes,
                                   void *answer, uint64_t answer_bytes);

typedef struct scan_ranks {
    uint32_t struct_size;
    uint32_t reserved;

    /* Meets the other ranks. SCAN_OK and both outputs, or SCAN_ERROR and the reason.
     * [loaded] */
    scan_status (*join)(const scan_host *host, const scan_plugin *plugin, uint32_t *rank_p,
                        uint32_t *count_p);
    /* Creates, runs and destroys instances as rank 0 does, and hands questions to `answer`
     * with its context, until rank 0 leaves. [joined, rank > 0] */
    scan_status (*serve)(const scan_host *host, const scan_plugin *plugin, scan_answer answer,
                         void *context);
    /* Has rank `rank` > 0 answer a question. [joined, rank 0, outside run] */
    scan_status (*ask)(const scan_plugin *plugin, uint32_t rank, const void *question,
                       uint64_t question_bytes, void *answer, uint64_t answer_bytes);
    /* Ends what join began. [joined, rank 0, nothing created] */
    void (*leave)(const scan_plugin *plugin);
} scan_ranks;

#ifdef __cplusplus
}
#endif

#endif
