/*
 * lookahead_tile.cuh - where the tiles of the pipeline with look-ahead lie, in the array and in a
 * CTA's stages, and what warps do with their parts of them
 *
 * Elements, From, may be narrower than the results. Then the stages hold elements alone, which are
 * converted when a warp takes them out. The results of tiles have two rooms in front of the stages.
 *
 * The array is one row. Where it is a matrix of rows, whose sums begin anew with each, another tile
 * takes this one's place (rows_long.cuh of cuda_rows): it has its own versions of the functions
 * from `place` on.
 */
#ifndef LOOKAHEAD_TILE_CUH
#define LOOKAHEAD_TILE_CUH

#include "cuda_fold.cuh"
#include "cuda_lines.cuh"
#include "cuda_ops.cuh"
#include "cuda_wide.cuh"
#include "lookahead_scan.h"

template <typename Op, unsigned LINES, typename From = typename Op::value> struct lookahead_tile {
    using T = typename Op::value;
    using arrays_type = cuda_arrays<T, From>;
    using total_type = typename Op::total;
    using vector = cuda_vector<T>;
    using lines_type = cuda_lines<Op, LINES>;
    static constexpr unsigned part_elements = lines_type::elements;
    static constexpr unsigned part_vectors = LINES * CUDA_WARP;
    static constexpr unsigned places = 1; /* arrivals, beside its bytes, until a tile is loaded */
    static constexpr bool is_wide = !std::is_same_v<T, From>;
    static constexpr unsigned of_vector = 16 / sizeof(From); /* elements of 16 loaded bytes */

    const Op op;
    const arrays_type &arrays;
    const lookahead_shape &shape;
    vector *const stages;

    static __device__ unsigned lane()
    {
        return threadIdx.x % CUDA_WARP;
    }

    __device__ unsigned tile_elements() const
    {
        return shape.scanners * part_elements;
    }

    /* The index of the tile's first element, which is 16-byte aligned in the input; that of tile 0
     * may lie before the array, where it has wrapped around below 0. */
    __device__ uint64_t first_of(unsigned tile) const
    {
        return static_cast<uint64_t>(tile) * tile_elements() - cuda_skew(arrays.in);
    }

    /* Does the array fill the tile? */
    __device__ bool is_whole(unsigned tile) const
    {
        const uint64_t first = first_of(tile);
        return first < arrays.n && arrays.n - first >= tile_elements();
    }

    /* Where the results of a tile lie: where its elements were, or in one of two rooms in turn. */
    __device__ unsigned room_of(const cuda_place &at) const
    {
        return is_wide ? (at.stage ^ (at.parity & shape.stages)) & 1 : at.stage;
    }

    __device__ vector *part_of(unsigned room, unsigned part) const
    {
        return stages + (room * shape.scanners + part) * part_vectors;
    }

    /* The elements of a part as they are loaded. */
    __device__ From *loaded_of(unsigned stage, unsigned part) const
    {
        const unsigned number = stage * shape.scanners + part;
        vector *const first = is_wide ? part_of(2, 0) : stages;
        return reinterpret_cast<From *>(first) + number * part_elements;
    }

    /* What lies behind the stages. */
    __device__ void *end_of_stages() const
    {
        return loaded_of(shape.stages, 0);
    }

    /* This lane's elements of a line. */
    __device__ vector get_vector(unsigned stage, unsigned part, unsigned line) const
    {
        const unsigned number = line * CUDA_WARP + lane();
        if constexpr (is_wide) {
            using piece = cuda_piece<From, T>;
            const piece mine = reinterpret_cast<const piece *>(loaded_of(stage, part))[number];
            return mine.results();
        } else {
            return part_of(stage, part)[number];
        }
    }

    __device__ T get_element(uint64_t i) const
    {
        if (i >= arrays.n)
            return op.narrow(op.identity());
        return cuda_convert<T>(arrays.in[i]);
    }

    /* A part of a loaded tile that is whole. */
    __device__ void get_lines(lines_type &lines, unsigned stage, unsigned part) const
    {
#pragma unroll
        for (unsigned r = 0; r < LINES; r++)
            lines.line[r] = get_vector(stage, part, r);
    }

    /* A part of a tile that the array does not fill. */
    __device__ void get_edge(lines_type &lines, unsigned tile, unsigned stage, unsigned part) const
    {
        const uint64_t first = first_of(tile) + part * part_elements + lane() * vector::count;
#pragma unroll
        for (unsigned r = 0; r < LINES; r++) {
            const uint64_t i = first + r * lines_type::per_line;
            const uint64_t together = i - lane() * vector::count % of_vector;
            if (together < arrays.n && arrays.n - together >= of_vector) {
                lines.line[r] = get_vector(stage, part, r);
                continue;
            }
            if constexpr (lines_type::is_narrow)
                lines.line[r] = {};
#pragma unroll
            for (unsigned e = 0; e < vector::count; e++)
                cuda_set_element(lines.line[r], e, get_element(i + e));
        }
    }

    __device__ bool is_stored_in_bulk(unsigned tile) const
    {
        if constexpr (is_wide)
            return is_whole(tile) && cuda_skew(arrays.out + first_of(tile)) == 0;
        else
            return is_whole(tile) && cuda_skew(arrays.out) == cuda_skew(arrays.in);
    }

    __device__ void store_elements(unsigned tile, unsigned room, unsigned part) const
    {
        const T *const from = reinterpret_cast<const T *>(part_of(room, part));
        const uint64_t first = first_of(tile) + part * part_elements;
        if constexpr (lines_type::is_narrow) {
            store_words(from, first);
        } else {
#pragma unroll 8
            for (unsigned i = lane(); i < part_elements; i += CUDA_WARP)
                if (first + i < arrays.n)
                    arrays.out[first + i] = from[i];
        }
    }

    /* Narrow elements, in words that are aligned in the output; only what is left over at the two
     * ends of the part is stored one by one. */
    __device__ void store_words(const T *from, uint64_t first) const
    {
        constexpr unsigned count = 4 / sizeof(T); /* of a word */
        constexpr unsigned bytes = sizeof(T);
        const bool is_from_before = static_cast<int64_t>(first) < 0;
        if (!is_from_before && first >= arrays.n)
            return;
        const unsigned begin = is_from_before ? static_cast<unsigned>(0 - first) : 0;
        const uint64_t left = arrays.n - first; /* counted from where the part begins */
        const unsigned end = left < part_elements ? static_cast<unsigned>(left) : part_elements;
        T *const to = arrays.out + first;
        const auto past = static_cast<unsigned>(reinterpret_cast<uintptr_t>(to + begin) % 4);
        const unsigned head = begin + (4 - past) % 4 / bytes;
        const unsigned words = head < end ? (end - head) / count : 0;
        const unsigned tail = words > 0 ? head + words * count : begin;
        const unsigned shift = head * bytes % 4 * 8;
        const unsigned *const source = reinterpret_cast<const unsigned *>(from) + head / count;
#pragma unroll 4
        for (unsigned w = lane(); w < words; w += CUDA_WARP)
            reinterpret_cast<unsigned *>(to + head)[w] =
                __funnelshift_r(source[w], source[w + (shift > 0 ? 1 : 0)], shift);
        if (words > 0 && begin + lane() < head)
            to[begin + lane()] = from[begin + lane()];
        if (tail + lane() < end)
            to[tail + lane()] = from[tail + lane()];
    }

    /* The total of part p, in lane p. */
    template <bool WHOLE> __device__ total_type total_of_parts(unsigned tile, unsigned stage) const
    {
        total_type mine = op.identity();
#pragma unroll 2
        for (unsigned part = 0; part < shape.scanners; part++) {
            lines_type lines;
            if constexpr (WHOLE)
                get_lines(lines, stage, part);
            else
                get_edge(lines, tile, stage, part);
            const total_type total = cuda_fold(op, lines);
            if (lane() == part)
                mine = total;
        }
        return mine;
    }

    /* ---- of one row ----------------------------------------------------------------------- */

    /* By the thread that loads, after the copy has begun. */
    __device__ void place(lookahead_slot<T> &, unsigned) const
    {
    }

    /* The total of all before a tile, which is number `number` among those of `totals`. */
    template <typename Totals>
    __device__ total_type prefix_of(const lookahead_slot<T> &, Totals &totals,
                                    unsigned number) const
    {
        return totals.up_to(op, number);
    }

    /* The total of the tile's parts up to part p, in lane p, by a whole warp. */
    __device__ total_type up_to_parts(lookahead_slot<T> &, unsigned tile, unsigned stage) const
    {
        const total_type mine =
            is_whole(tile) ? total_of_parts<true>(tile, stage) : total_of_parts<false>(tile, stage);
        return cuda_scan_warp(op, mine, CUDA_WARP);
    }

    /* The last element of a part with which a row begins; -1: none. */
    __device__ int last_of(const lookahead_slot<T> &, unsigned) const
    {
        return -1;
    }

    /* How often a part with such a `last` is scanned; the last turn is number 0. */
    __device__ unsigned turns_of(int) const
    {
        return 1;
    }

    /* Scans a part as if nothing stood before it; `finish` puts what does before it, and `put`
     * stores the results in shared memory. */
    __device__ void scan(lines_type &lines, int, unsigned) const
    {
        (void)lines.scan(op, arrays.inclusive);
    }

    __device__ void finish(lines_type &lines, const lookahead_slot<T> &slot, unsigned part, int,
                           unsigned) const
    {
        lines.put_before(op, op(slot.prefix, slot.part[part]));
    }

    __device__ void put(const lines_type &lines, vector *to, int, unsigned) const
    {
#pragma unroll
        for (unsigned r = 0; r < LINES; r++)
            to[r * CUDA_WARP + lane()] = lines.line[r];
    }
};

#endif
