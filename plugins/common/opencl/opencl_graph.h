/*
 * opencl_graph.h - the time of one scan among many in one command buffer
 *
 * OpenCL's counterpart of a CUDA graph is the command buffer of cl_khr_command_buffer: commands
 * that are recorded once and enqueued together, with no host between them. Several runs of an
 * instance are recorded one after the other, with the arguments of each, and enqueued once. So it
 * is the same as that many runs, also for kernels that number their runs (opencl_words.h);
 * replayed, those would find the numbers of before.
 */
#ifndef OPENCL_GRAPH_H
#define OPENCL_GRAPH_H

#include "opencl_common.h"

/*
 * Runs once; then, where the runtime has command buffers, 4 to 64 times in one, as often as take
 * 0.3 ms, and records "graph", the time of one. What `commands` enqueue is right after either.
 * Where runs cannot be recorded or work in place, a message says why and nothing is recorded.
 * SCAN_OK, or the status of what failed to run.
 */
scan_status opencl_graph_run(opencl_context *context, const opencl_commands *commands, cl_mem in,
                             cl_mem out);

/* What opencl_run_kernel and opencl_run_copy do in a graph. SCAN_ERROR if it cannot be recorded. */
scan_status opencl_graph_kernel(opencl_graph *graph, const opencl_launch *launch);
scan_status opencl_graph_copy(opencl_graph *graph, cl_mem from, cl_mem to, uint64_t bytes);

/* Says why a run cannot be recorded, static, and returns SCAN_ERROR. */
scan_status opencl_graph_refuse(opencl_graph *graph, const char *why);

/* opencl_run_begin of commands that hold `runs` runs: the time between its first and its last is
 * recorded as "graph", over their number. */
void opencl_run_begin_graph(opencl_run *run, opencl_context *context, uint32_t runs);

#endif
