/*
 * vt_scan.h - the kernels of the three phases, found by operator
 *
 * The number of values per thread (VT) is a compile-time constant, so that a thread's values stay
 * in registers: one down-sweep kernel for each VT. The kernels are compiled in several files, each
 * for some operators, because there are many.
 */
#ifndef VT_SCAN_H
#define VT_SCAN_H

#include "cuda_ops.cuh"

#include <cstdint>

enum : unsigned {
    VT_MAX = 32,
    VT_SPINE_BLOCK = 1024,  /* threads of the spine kernel at most */
    VT_SPINE_BYTES = 64,    /* totals that each of them takes at a time */
    VT_SPINE_RAW = 32,      /* totals that are not worth a launch of their own */
    VT_SPINE_LENGTH = 65536 /* totals; beyond, the three phases scan the spine too */
};

/* of[t-1] goes before tile t; where raw > 0 it is the total of of[0 ... t-1], of which there
 * are raw <= 32. */
template <typename T> struct vt_carries {
    const T *of;
    unsigned raw;
};

template <typename Op, typename T = typename Op::value> struct vt_kernels {
    /* totals[t] = total of tile t, for gridDim.x whole tiles of blockDim.x*vt elements. */
    void (*upsweep)(Op op, const T *in, T *totals, unsigned vt);
    /* Scans totals[0 ... n-1] in place, inclusively, with one block. */
    void (*spine)(Op op, T *totals, uint64_t n);
    /* Scans in[0 ... n-1] into out, which may be in. */
    void (*downsweep[VT_MAX + 1])(Op op, const T *in, T *out, uint64_t n, vt_carries<T> carries,
                                  bool inclusive);
    /* Bytes of shared memory that a warp of downsweep[vt] needs. */
    unsigned shared[VT_MAX + 1];
};

/* The kernels for elements of type Op::value. */
template <typename Op> const vt_kernels<Op> &vt_kernels_of();

#endif
