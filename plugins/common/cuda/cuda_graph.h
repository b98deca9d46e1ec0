/*
 * cuda_graph.h - the time of one scan among many that the device launches from one CUDA graph
 *
 * That is what a program sees whose scan is one step of a graph: no host between one scan and the
 * next. Runs of an instance are captured one after the other on one stream, and what they launch
 * becomes a graph, which is launched once. So it is the same as that many runs, also for kernels
 * that number their launches (cuda_turn.h); replayed, those would find the numbers of before.
 *
 * A run can be captured if all its work goes to the stream of cuda_begin, and it neither waits for
 * that nor allocates.
 */
#ifndef CUDA_GRAPH_H
#define CUDA_GRAPH_H

#include "cuda_common.h"

/* Of a graph: its runs, and how long they take together, if that leaves at least so many. */
static constexpr unsigned CUDA_GRAPH_LEAST = 4, CUDA_GRAPH_MOST = 64;
static constexpr double CUDA_GRAPH_NS = 3e5;

/* How many runs that take device_ns each; 0: not known. */
inline unsigned cuda_graph_runs(double device_ns)
{
    const double runs = device_ns > 0 ? CUDA_GRAPH_NS / device_ns : 0;
    return runs > CUDA_GRAPH_MOST    ? CUDA_GRAPH_MOST
           : runs < CUDA_GRAPH_LEAST ? CUDA_GRAPH_LEAST
                                     : static_cast<unsigned>(runs);
}

/*
 * Runs in a graph and records "graph". SCAN_OK; or SCAN_ERROR if the graph or one of its kernels
 * fails. Where runs cannot be captured, work in place or go to several parts, it runs once as ever
 * and records nothing. Ends with the last run of the graph, or that one, in `out`.
 */
scan_status cuda_graph_run(cuda_instance *instance, scan_buffer in, scan_buffer out);

/* What a run returns that is being captured and cannot be: SCAN_ERROR. */
scan_status cuda_graph_refuse(const cuda_context *cuda);

#endif
