/*
 * lookahead_launcher.cuh - loads and launches the look-ahead kernels, for whoever scans with them
 *
 * Used by the plugin cuda_lookahead, through cuda_chained.cuh, by the library of cuda_scan, and
 * with kernels of their own by cuda_multi and cuda_rows.
 */
#ifndef LOOKAHEAD_LAUNCHER_CUH
#define LOOKAHEAD_LAUNCHER_CUH

#include "cuda_grid.h"
#include "cuda_ops.cuh"
#include "cuda_words.h"
#include "lookahead_kernels.h"
#include "lookahead_load.h"

/* How many warps find totals as fast as memory delivers tiles? Of sums of integers one does, but of
 * narrow ones, whose dot products take the multipliers longer than additions take. Sums of floats
 * and the other operators take more instructions or more shuffles; a conversion, as of integers to
 * wider ones and of f32 to f64, takes longer than an addition. */
template <typename Op, typename From> constexpr unsigned lookahead_reducers()
{
    using T = typename Op::value;
    const bool is_sum = std::is_same_v<Op, cuda_sum<T>>;
    if (cuda_is_accurate<T> || (!std::is_same_v<T, From> && std::is_integral_v<T>))
        return 3;
    return is_sum && std::is_integral_v<T> && sizeof(T) >= 4 ? 1 : 2;
}

/* Which kernels are launched. */
template <typename Op, typename From> struct lookahead_plain {
    static auto kernel_of(unsigned lines)
    {
        return lookahead_kernel_of<Op, From>(lines);
    }
};

/* From: the elements, of which Op scans what they become. */
template <typename Op, typename From = typename Op::value,
          typename Kernels = lookahead_plain<Op, From>>
struct lookahead_launcher {
    using T = typename Op::value;
    using arrays_type = cuda_arrays<T, From>;
    using word = lookahead_word<T>;
    using settings = lookahead_settings;
    static constexpr const char *phase = "kernel:lookahead";
    static constexpr unsigned reducers = lookahead_reducers<Op, From>();

    lookahead_settings how;
    cuda_limits device;
    unsigned resident[LOOKAHEAD_MOST_SCANNERS + 1]; /* CTAs of the device, by scanners */

    const void *kernel() const
    {
        return reinterpret_cast<const void *>(Kernels::kernel_of(how.lines));
    }

    lookahead_shape shape_for(uint64_t n) const
    {
        lookahead_shape shape = lookahead_shape_for<T, From>(
            device, how, lookahead_scanners_for<T>(how, n, resident), reducers);
        shape.evicts_input = lookahead_evicts_input(device, how, n * sizeof(T));
        return shape;
    }

    /* An array that does not begin at a multiple of 16 bytes may take a tile more. */
    uint64_t most_tiles(uint64_t most_n) const
    {
        return most_n / lookahead_tile_elements<T>(lookahead_least_scanners(how), how.lines) + 2;
    }

    /* Loads the kernel for scans of up to most_n elements. */
    scan_status load(const cuda_limits &limits, uint64_t most_n, const settings &wanted,
                     cuda_reason *reason)
    {
        how = wanted;
        device = limits;
        scan_status status = lookahead_check(device, kernel(), how, reason);
        if (status != SCAN_OK)
            return status;
        if (most_tiles(most_n) > 0x7fffffffu)
            return cuda_fail(reason, SCAN_UNSUPPORTED, "n needs more than 2^31-1 tiles");
        for (unsigned s = how.block / CUDA_WARP;
             s >= lookahead_least_scanners(how) && status == SCAN_OK; s--) {
            const lookahead_shape shape = lookahead_shape_for<T, From>(device, how, s, reducers);
            status = lookahead_load<T, From>(device, kernel(), how, shape, &resident[s], reason);
        }
        return status;
    }

    unsigned tiles_of(const arrays_type &arrays, const lookahead_shape &shape) const
    {
        const uint64_t tile = lookahead_tile_elements<T>(shape.scanners, how.lines);
        return static_cast<unsigned>((arrays.n + cuda_skew(arrays.in) + tile - 1) / tile);
    }

    unsigned ctas_of(unsigned tiles, const lookahead_shape &shape) const
    {
        return tiles < resident[shape.scanners] ? tiles : resident[shape.scanners];
    }

    /* Each CTA takes a ticket too many before it ends. */
    unsigned tickets_of(const arrays_type &arrays) const
    {
        const lookahead_shape shape = shape_for(arrays.n);
        const unsigned tiles = tiles_of(arrays, shape);
        return tiles + ctas_of(tiles, shape);
    }

    /* The control of the launch whose numbers are in words->turn. Its words bear four times its
     * number, which no word of a look-back with a flag in the two lowest bits does: so both can use
     * the same words in turn. */
    lookahead_control<word> control_of(const arrays_type &arrays, const cuda_words &words) const
    {
        return {cuda_words_of<word>(&words),
                cuda_words_tickets(&words),
                words.failed_tile_on_device,
                tiles_of(arrays, shape_for(arrays.n)),
                words.turn.first_ticket,
                words.turn.launch << 2,
                words.patience};
    }

    cuda_grid grid_of(const lookahead_shape &shape, unsigned tiles) const
    {
        return {ctas_of(tiles, shape), lookahead_threads(shape),
                lookahead_shared<T, From>(shape, how.lines)};
    }

    /* The launch whose numbers are in words->turn; n > 0. `more` is what other kernels take. */
    template <typename... More>
    cudaError_t launch(Op op, const arrays_type &arrays, const cuda_words &words,
                       cudaStream_t stream, const More &...more) const
    {
        const lookahead_shape shape = shape_for(arrays.n);
        const lookahead_control<word> control = control_of(arrays, words);
        return cuda_launch_on(stream, grid_of(shape, control.tiles), Kernels::kernel_of(how.lines),
                              op, arrays, control, shape, more...);
    }
};

#endif
