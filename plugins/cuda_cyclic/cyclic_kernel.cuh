/*
 * cyclic_kernel.cuh - the pipeline with look-ahead (lookahead_kernel.cuh) over several devices
 *
 * Tile i of the problem lies on part i mod k. Each part scans its tiles as cuda_lookahead does, but
 * a tile's total is published to all parts, and the prefix of a tile is made of the totals of all
 * tiles before it, on whichever part they lie. Nothing else passes between the parts.
 *
 * Why it ends: as on one device (lookahead_kernel.cuh), if CTAs of every part run. Among the tiles
 * that are not finished, the lowest of all parts has its stage, or gets it when its CTA's earlier
 * tiles, which are lower, are finished; then its prefix needs nothing but totals that are
 * published. CTAs of every part do run: parts on the same device are in one launch, which has no
 * more CTAs than the device holds at once, and CTA b works for the part b mod count of them. If a
 * device does not run its launch, the waits of the others are bounded (lookahead_totals.cuh).
 */
#ifndef CYCLIC_KERNEL_CUH
#define CYCLIC_KERNEL_CUH

#include "cyclic_scan.h"
#include "cyclic_words.cuh"
#include "lookahead_kernel.cuh"

/* Scans the parts of one device. The grid is a multiple of their number. */
template <typename Op, unsigned LINES, typename Words, typename Rules, typename T>
__global__ void __launch_bounds__(CYCLIC_MOST_THREADS)
    cyclic_scan(Op op, const __grid_constant__ cyclic_launch<T, typename Words::word> launch,
                lookahead_shape shape)
{
    CUDA_SHARED_BYTES(shared, shape.stages * lookahead_stage_bytes<T>(shape.scanners, LINES));
    const cyclic_part<T> &mine = launch.here[blockIdx.x % launch.count];
    const cuda_arrays<T> arrays = {mine.in, mine.out, mine.n, launch.inclusive};
    const typename Words::control control = {
        launch.copy[mine.part], mine.tickets,  launch.failed_tile, mine.tiles,
        mine.first_ticket,      launch.launch, launch.patience,    mine.part,
        launch.parts,           launch.copy};
    lookahead_cta<Op, LINES, Words, Rules>(op, arrays, control, shape, shared).run();
}

#endif
