/*
 * rows_beside.cuh - two columns of 4-byte elements as one of pairs
 *
 * A tensor rows x n x 2 of such elements is a matrix rows x n of pairs, of which each side is
 * scanned by itself. So the kernels of rows scan it, as fast as elements of 8 bytes, where a pair
 * begins at a multiple of its size in both arrays; elsewhere it is scanned as columns.
 */
#ifndef ROWS_BESIDE_CUH
#define ROWS_BESIDE_CUH

#include "rows_launcher.cuh"

#include <algorithm>

/* The operator of such pairs. */
template <typename Op> struct rows_beside {
    using value = cuda_pair<typename Op::value>;
    using total = value;
    static constexpr bool commutes = Op::commutes;
    Op of;

    __host__ __device__ value identity() const
    {
        return {of.identity(), of.identity()};
    }
    __host__ __device__ value operator()(value left, value right) const
    {
        return {of(left.a, right.a), of(left.b, right.b)};
    }
    __host__ __device__ value widen(value element) const
    {
        return element;
    }
    __host__ __device__ value narrow(value from) const
    {
        return from;
    }
};
template <typename Op> inline constexpr bool rows_is_beside<rows_beside<Op>> = true;

/* As rows_launcher, for any shape. */
template <typename Op> struct rows_beside_launcher {
    using T = typename Op::value;
    using pair = cuda_pair<T>;
    using pairs_launcher = rows_launcher<rows_beside<Op>>;
    using word = typename rows_launcher<Op>::word;
    using arrays_type = cuda_arrays<T>;
    using settings = rows_settings;
    static constexpr const char *phase = rows_launcher<Op>::phase;

    rows_launcher<Op> plain;
    pairs_launcher pairs;
    bool has_pairs;

    /* A word of a pair is two words of an element, each with the tag of its launch
     * (cuda_tagged.cuh). So both use the same memory in turn. */
    uint64_t most_tiles(uint64_t most) const
    {
        static_assert(sizeof(typename pairs_launcher::word) == 2 * sizeof(word), "as above");
        const uint64_t tiles = plain.most_tiles(most);
        return has_pairs ? std::max(tiles, 2 * pairs.most_tiles(most / 2)) : tiles;
    }

    scan_status load(const cuda_limits &limits, uint64_t most, const settings &wanted,
                     cuda_reason *reason)
    {
        const scan_status status = plain.load(limits, most, wanted, reason);
        has_pairs = wanted.inner == 2 && wanted.method == ROWS_BY_SHAPE;
        if (status != SCAN_OK || !has_pairs)
            return status;
        settings of_pairs = wanted;
        of_pairs.inner = 1;
        return pairs.load(limits, most / 2, of_pairs, reason);
    }

    unsigned tickets_of(const cuda_arrays<T> &arrays) const
    {
        return takes_pairs(arrays) ? pairs.tickets_of(paired(arrays)) : plain.tickets_of(arrays);
    }

    cudaError_t launch(Op op, const cuda_arrays<T> &arrays, const cuda_words &words,
                       cudaStream_t stream) const
    {
        return takes_pairs(arrays) ? pairs.launch({op}, paired(arrays), words, stream)
                                   : plain.launch(op, arrays, words, stream);
    }

  private:
    bool takes_pairs(const cuda_arrays<T> &arrays) const
    {
        const auto both =
            reinterpret_cast<uintptr_t>(arrays.in) | reinterpret_cast<uintptr_t>(arrays.out);
        return has_pairs && both % sizeof(pair) == 0;
    }

    static cuda_arrays<pair> paired(const cuda_arrays<T> &arrays)
    {
        return {reinterpret_cast<const pair *>(arrays.in), reinterpret_cast<pair *>(arrays.out),
                arrays.n / 2, arrays.inclusive};
    }
};

/* Which of the two launches the scans of an operator. */
template <typename Op, typename From = typename Op::value>
using rows_any_launcher =
    std::conditional_t<std::is_same_v<From, typename Op::total> && sizeof(From) == 4,
                       rows_beside_launcher<Op>, rows_launcher<Op, From>>;

#endif
