/*
 * multi_carry.cuh - the scans of a part, which begin with the totals of the parts before it
 *
 * The look-ahead kernel loads tiles and publishes their totals meanwhile: only the warp that looks
 * ahead waits. In the look-back kernel the first tile waits. Both look a bounded number of times.
 */
#ifndef MULTI_CARRY_CUH
#define MULTI_CARRY_CUH

#include "cuda_common.h"
#include "lookahead_kernel.cuh"
#include "lookback_kernel.cuh"
#include "multi_scan.h"

template <typename Op, typename Words> struct multi_carry {
    using T = typename Op::value;

    /* The total of all parts before this one, in all lanes of a warp, which call together. The
     * identity after a failure, which is noted in *failed. */
    static __device__ T of(Op op, const multi_carries<T> &carries, unsigned patience,
                           unsigned *failed)
    {
        T total = op.identity();
        for (unsigned first = 0; first < carries.before; first += CUDA_WARP) {
            const unsigned part = first + threadIdx.x % CUDA_WARP;
            const T each = carries.gathered != nullptr ? gathered(op, carries, part)
                                                       : wait(op, carries, part, patience, failed);
            total = op(total, cuda_fold_lanes(op, each));
        }
        return total;
    }

  private:
    static __device__ T gathered(Op op, const multi_carries<T> &carries, unsigned part)
    {
        return part < carries.before ? carries.gathered[part] : op.identity();
    }

    static __device__ T wait(Op op, const multi_carries<T> &carries, unsigned part,
                             unsigned patience, unsigned *failed)
    {
        typename Words::word word = {};
        for (unsigned looks = 0;; looks++) {
            bool missing = part < carries.before && !Words::is_there(word, carries.number);
            if (missing)
                word = Words::load(carries.words + part);
            missing = missing && !Words::is_there(word, carries.number);
            if (!__any_sync(CUDA_ALL_LANES, missing))
                break;
            if (looks >= patience) {
                *failed = MULTI_NO_CARRY;
                return op.identity();
            }
        }
        return part < carries.before ? Words::value(word) : op.identity();
    }
};

template <typename Words> struct multi_lookahead_rules : lookahead_rules {
    template <typename Op, typename Control>
    static __device__ typename Op::value carry(Op op, const Control &base)
    {
        using control_type = multi_lookahead_control<typename Op::value>;
        const control_type &control = static_cast<const control_type &>(base);
        return multi_carry<Op, Words>::of(op, control.carries, control.patience,
                                          control.failed_tile);
    }
};

template <typename Words> struct multi_lookback_rules {
    template <typename Op, typename Control>
    static __device__ typename Op::value carry(Op op, const Control &control)
    {
        return multi_carry<Op, Words>::of(op, control.carries, control.patience,
                                          control.failed_tile);
    }
};

template <typename Op, unsigned LINES, typename T>
__global__ void __launch_bounds__(LOOKAHEAD_MOST_THREADS)
    multi_lookahead(Op op, cuda_arrays<T> arrays, multi_lookahead_control<T> control,
                    lookahead_shape shape)
{
    using rules = multi_lookahead_rules<multi_words<T>>;
    CUDA_SHARED_BYTES(shared, shape.stages * lookahead_stage_bytes<T>(shape.scanners, LINES));
    lookahead_cta<Op, LINES, lookahead_words<T>, rules>(op, arrays, control, shape, shared).run();
}

template <typename Op, unsigned LINES, typename T>
__global__ void __launch_bounds__(lookback_most_threads<T>(LINES))
    multi_lookback(Op op, cuda_arrays<T> arrays, multi_lookback_control<T> control)
{
    using rules = multi_lookback_rules<multi_words<T>>;
    CUDA_SHARED(lookback_shared<T>, shared);
    if (threadIdx.x == 0)
        shared.tile = atomicAdd(control.tickets, 1u) - control.first_ticket;
    __syncthreads();
    lookback_tile<Op, LINES, lookback_words<T>, rules>(op, arrays, control, shared.tile, shared);
}

#endif
