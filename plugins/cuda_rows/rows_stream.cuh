/*
 * rows_stream.cuh - scans along an axis that is not the last, of many columns, through shared
 * memory
 *
 * Each thread scans a column. A block has a strip of columns and streams along its positions: some
 * warps, the loaders, fetch the strip's piece of each position some stages ahead, by asynchronous
 * loads of the vectors that it touches, wherever it begins; others, the scanners, scan a stage in
 * place; and one more warp writes it, by bulk copies. So as many bytes are under way as the stages
 * hold, however few columns there are. Loads are no bulk copies: of pieces as short as these, a
 * bulk copy takes longer to begin than to move.
 *
 * Memory is slow where a sector of 32 bytes is not written at once. So where a strip begins within
 * a sector, its block writes all of the sector, and for that scans the columns of the strip before
 * it that may lie there, too; but not in place, where the neighbour may have overwritten them. The
 * few elements at the ends of a position that no bulk copy covers are written by the lanes of the
 * warp that writes: if scanners wrote them, all strips would wait for those that have some. Where
 * input and output do not begin alike within 16 bytes there are no bulk copies, and each scanner
 * writes its column.
 *
 * A block takes whole rows, several of short ones, so that they fill the stages. Moves 2n elements.
 * From compute capability 9.0 on.
 */
#ifndef ROWS_STREAM_CUH
#define ROWS_STREAM_CUH

#include "cuda_bulk.cuh"
#include "cuda_lines.cuh"
#include "cuda_ops.cuh"
#include "cuda_sync.cuh"
#include "rows_scan.h"

struct alignas(16) rows_stream_phases {
    cuda_phases loaded[ROWS_MOST_STREAM_STAGES];
    cuda_phases scanned[ROWS_MOST_STREAM_STAGES];
    cuda_phases written[ROWS_MOST_STREAM_STAGES];
};

/* Shared memory of a block. */
inline uint64_t rows_stream_bytes(const rows_stream &shape)
{
    return sizeof(rows_stream_phases) +
           static_cast<uint64_t>(shape.stages) * +ROWS_STREAM_POSITIONS * shape.pitch;
}

/* What blocks do, so that a test can break one rule at a time. */
struct rows_stream_rules {
    static __device__ unsigned before(const rows_stream &shape)
    {
        return shape.before;
    }
    static __device__ void arrive_loaded(cuda_phases *loaded)
    {
        cuda_async_arrive(loaded);
    }
    static __device__ void wait_written(cuda_phases *written, unsigned parity)
    {
        cuda_phases_wait(written, parity);
    }
    static __device__ void wait_read()
    {
        cuda_bulk_wait_read();
    }
    static __device__ void fence()
    {
        cuda_bulk_fence();
    }
};

template <typename Op, typename Rules> struct rows_stream_block {
    using T = typename Op::value;
    using total_type = typename Op::total;
    static constexpr unsigned POSITIONS = ROWS_STREAM_POSITIONS;
    static constexpr unsigned VECTOR = 16 / sizeof(T);

    const Op op;
    const cuda_arrays<T> &arrays;
    const rows_stream &shape;
    rows_stream_phases &phases;
    unsigned char *const memory; /* of the stages */
    const unsigned warp = threadIdx.x / CUDA_WARP;
    const unsigned lane = threadIdx.x % CUDA_WARP;
    const unsigned scanners = blockDim.x / CUDA_WARP - ROWS_STREAM_LOADERS - 1; /* warps */
    const unsigned strip = blockIdx.x % shape.strips;
    const bool is_first = strip == 0;
    const bool is_last = strip + 1 == shape.strips;
    const uint64_t first = blockIdx.x / shape.strips * shape.span;
    const uint64_t left = shape.positions - first;
    const uint64_t count = left < shape.span ? left : shape.span;
    const unsigned before = is_first ? 0 : Rules::before(shape);
    const uint64_t column = static_cast<uint64_t>(strip) * shape.width - before;
    const unsigned width =
        is_last ? static_cast<unsigned>(shape.inner - column) : shape.width + before;
    const T *const in = arrays.in + first * shape.inner + column;
    T *const out = arrays.out + (in - arrays.in);
    /* Do input and output begin alike within 16 bytes? If not, scanners write their columns. */
    const bool alike = cuda_skew(arrays.in) == cuda_skew(arrays.out);

    __device__ void run()
    {
        if (threadIdx.x == 0) {
            for (unsigned s = 0; s < shape.stages; s++) {
                cuda_phases_begin(&phases.loaded[s], ROWS_STREAM_LOADERS * +CUDA_WARP);
                cuda_phases_begin(&phases.scanned[s], scanners * CUDA_ARRIVALS);
                cuda_phases_begin(&phases.written[s], CUDA_ARRIVALS);
            }
            cuda_phases_show();
        }
        __syncthreads();
        if (warp < scanners)
            scan();
        else if (warp < scanners + ROWS_STREAM_LOADERS)
            load(warp - scanners);
        else
            write();
    }

  private:
    /* Where a position of a stage begins, which in memory begins at `begin`. */
    __device__ T *row_of(unsigned stage, unsigned row, const T *begin) const
    {
        return reinterpret_cast<T *>(memory + (stage * POSITIONS + row) * shape.pitch) +
               cuda_skew(begin);
    }

    __device__ void load(unsigned loader) const
    {
        cuda_place at;
        for (uint64_t done = 0; done < count; done += POSITIONS, at.advance(shape.stages)) {
            if (done >= static_cast<uint64_t>(shape.stages) * POSITIONS)
                Rules::wait_written(&phases.written[at.stage], at.parity ^ 1);
            for (unsigned r = loader; r < POSITIONS && done + r < count; r += ROWS_STREAM_LOADERS)
                fetch(at.stage, r, in + (done + r) * shape.inner);
            Rules::arrive_loaded(&phases.loaded[at.stage]);
        }
    }

    /* Begins to load all vectors that a position's piece touches; elements where the array does not
     * fill them. */
    __device__ void fetch(unsigned stage, unsigned row, const T *begin) const
    {
        const unsigned skew = cuda_skew(begin), elements = skew + width;
        const T *from = begin - skew;
        T *to = row_of(stage, row, begin) - skew;
        const unsigned whole = (elements + VECTOR - 1) / VECTOR * VECTOR;
        if (from >= arrays.in && whole <= static_cast<uint64_t>(arrays.in + arrays.n - from)) {
#pragma unroll
            for (unsigned k = 0; k < ROWS_MOST_STREAM_BYTES / 16 / CUDA_WARP + 1; k++) {
                const unsigned e = (k * CUDA_WARP + lane) * VECTOR;
                if (e < elements)
                    cuda_async_load(to + e, from + e);
            }
        } else {
            for (unsigned e = skew + lane; e < elements; e += CUDA_WARP)
                to[e] = from[e];
        }
    }

    /* Each lane writes the piece of its position of every stage. A stage may be filled again once
     * what it held has been read, for which there is as much time as the next one's scan takes. */
    __device__ void write() const
    {
        const bool leaves = alike && !is_covered();
        cuda_place at, earlier;
        for (uint64_t done = 0; done < count; done += POSITIONS, at.advance(shape.stages)) {
            cuda_phases_wait(&phases.scanned[at.stage], at.parity);
            if (done > 0) {
                Rules::wait_read();
                cuda_phases_arrive_warp(&phases.written[earlier.stage]);
            }
            if (alike && lane < POSITIONS && done + lane < count)
                put(at.stage, lane, out + (done + lane) * shape.inner);
            if (leaves)
                write_left_over(at.stage, done);
            earlier = at;
        }
        Rules::wait_read();
    }

    /* The last multiple of `bytes`, a power of two, up to `at`. */
    static __device__ T *floor_of(T *at, unsigned bytes)
    {
        return at -
               (static_cast<unsigned>(reinterpret_cast<uintptr_t>(at)) & (bytes - 1)) / sizeof(T);
    }

    /* Where bulk copies begin to write a position, and end. */
    __device__ T *lower_of(T *begin) const
    {
        return before > 0 ? floor_of(begin + before, ROWS_STREAM_SECTOR)
                          : floor_of(begin + VECTOR - 1, 16);
    }
    __device__ T *upper_of(T *begin) const
    {
        return floor_of(begin + width, is_last || shape.before == 0 ? 16 : +ROWS_STREAM_SECTOR);
    }

    __device__ void put(unsigned stage, unsigned row, T *begin) const
    {
        T *lower = lower_of(begin), *upper = upper_of(begin);
        if (lower < upper)
            cuda_bulk_store(lower, row_of(stage, row, begin) + (lower - begin),
                            static_cast<unsigned>((upper - lower) * sizeof(T)));
    }

    /* Do bulk copies write all of every position? */
    __device__ bool is_covered() const
    {
        const bool whole = shape.inner % VECTOR == 0 && width % VECTOR == 0 && cuda_skew(out) == 0;
        return whole || (before > 0 && shape.before > 0 && !is_last);
    }

    /* What bulk copies leave of the positions of a stage, at either end fewer elements than a
     * vector has. */
    __device__ void write_left_over(unsigned stage, uint64_t done) const
    {
        for (unsigned i = lane; i < 2 * POSITIONS * VECTOR; i += CUDA_WARP) {
            const unsigned row = i / VECTOR % POSITIONS, e = i % VECTOR;
            const bool is_tail = i >= POSITIONS * VECTOR;
            const unsigned at = is_tail ? width - 1 - e : e;
            if (done + row >= count || at >= width)
                continue;
            const T *const begin = in + (done + row) * shape.inner;
            const unsigned skew = cuda_skew(begin);
            if (is_tail ? (is_last || shape.before == 0) && e < (skew + width) % VECTOR
                        : before == 0 && e < (VECTOR - skew) % VECTOR)
                out[(done + row) * shape.inner + at] = row_of(stage, row, begin)[at];
        }
    }

    __device__ void scan() const
    {
        const bool writes = !alike && threadIdx.x >= before && threadIdx.x < width;
        total_type carry = op.identity();
        uint64_t ahead = shape.n; /* positions up to the next row */
        cuda_place at;
        for (uint64_t done = 0; done < count; done += POSITIONS, at.advance(shape.stages)) {
            const T *begin = in + done * shape.inner;
            cuda_phases_wait(&phases.loaded[at.stage], at.parity);
            if (threadIdx.x < width) {
                if (ahead > POSITIONS && count - done >= POSITIONS)
                    scan_stage<true>(at.stage, begin, POSITIONS, ahead, carry);
                else
                    scan_stage<false>(at.stage, begin, count - done, ahead, carry);
            }
            if (writes)
                write_column(at.stage, done);
            Rules::fence();
            cuda_phases_arrive_warp(&phases.scanned[at.stage]);
        }
    }

    /* SIMPLE: the stage is full, and no row ends in it. */
    template <bool SIMPLE>
    __device__ void scan_stage(unsigned stage, const T *begin, uint64_t positions, uint64_t &ahead,
                               total_type &carry) const
    {
        T value[POSITIONS];
        T *const row = row_of(stage, 0, begin) - cuda_skew(begin) + threadIdx.x;
        const auto step = static_cast<unsigned>(shape.inner % VECTOR);
        const unsigned skew = cuda_skew(begin), pitch = shape.pitch / sizeof(T);
#pragma unroll
        for (unsigned r = 0; r < POSITIONS; r++)
            value[r] = row[r * pitch + (skew + r * step) % VECTOR];
#pragma unroll
        for (unsigned r = 0; r < POSITIONS; r++) {
            const total_type up_to = op(carry, op.widen(value[r]));
            row[r * pitch + (skew + r * step) % VECTOR] =
                op.narrow(arrays.inclusive ? up_to : carry);
            carry = up_to;
            if (!SIMPLE && r < positions && --ahead == 0) {
                carry = op.identity();
                ahead = shape.n;
            }
        }
        if (SIMPLE)
            ahead -= POSITIONS;
    }

    /* Writes the thread's column, where no bulk copy can. */
    __device__ void write_column(unsigned stage, uint64_t done) const
    {
        const T *begin = in + done * shape.inner;
        T *to = out + done * shape.inner + threadIdx.x;
        const T *const row = row_of(stage, 0, begin) - cuda_skew(begin) + threadIdx.x;
        const auto step = static_cast<unsigned>(shape.inner % VECTOR);
        const unsigned pitch = shape.pitch / sizeof(T);
        unsigned skew = cuda_skew(begin);
#pragma unroll
        for (unsigned r = 0; r < POSITIONS; r++, to += shape.inner) {
            if (done + r < count)
                *to = row[r * pitch + skew];
            skew = (skew + step) % VECTOR;
        }
    }
};

/* Scans all columns of the tensor from arrays.in to arrays.out, which may be the same. */
template <typename Op, typename Rules, typename T>
__global__ void __launch_bounds__(ROWS_MOST_STREAM_WARPS *CUDA_WARP)
    rows_stream_scan(Op op, cuda_arrays<T> arrays, rows_stream shape)
{
    CUDA_SHARED_BYTES(shared, rows_stream_bytes(shape));
    rows_stream_block<Op, Rules>{op, arrays, shape, *reinterpret_cast<rows_stream_phases *>(shared),
                                 shared + sizeof(rows_stream_phases)}
        .run();
}

#endif
