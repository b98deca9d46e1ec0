/*
 * lookback_launcher.cuh - loads and launches the look-back kernels, for whoever scans with them
 *
 * Used by the plugin cuda_lookback, through cuda_chained.cuh, by the library of cuda_scan, and with
 * kernels of its own by cuda_multi.
 */
#ifndef LOOKBACK_LAUNCHER_CUH
#define LOOKBACK_LAUNCHER_CUH

#include "cuda_grid.h"
#include "cuda_load.h"
#include "cuda_words.h"
#include "lookback_kernels.h"

/* Which kernels are launched. */
template <typename Op> struct lookback_plain {
    static auto kernel_of(unsigned lines)
    {
        return lookback_kernel_of<Op>(lines);
    }
};

template <typename Op, typename Kernels = lookback_plain<Op>> struct lookback_launcher {
    using T = typename Op::value;
    using arrays_type = cuda_arrays<T>;
    using word = lookback_word<T>;
    using settings = lookback_settings;
    static constexpr const char *phase = "kernel:lookback";

    lookback_settings how;
    unsigned processors;
    unsigned resident[LOOKBACK_MOST_LINES + 1]; /* blocks that the device holds at once, by lines */

    unsigned lines_for(uint64_t n) const
    {
        return how.lines > 0 ? how.lines : lookback_lines_for<T>(n, how.block, processors);
    }

    uint64_t tile_elements(unsigned lines) const
    {
        return lookback_tile_elements<T>(how.block, lines);
    }

    /* Of any n up to most_n. An array that does not begin at a multiple of 16 bytes may take a tile
     * more. While the lines grow with n, there is at most a tile for each processor. */
    uint64_t most_tiles(uint64_t most_n) const
    {
        const uint64_t at_most_n = most_n / tile_elements(lines_for(most_n));
        const uint64_t before = most_n / tile_elements(lines_for(0));
        const uint64_t while_growing = before < processors ? before : processors;
        return (at_most_n > while_growing ? at_most_n : while_growing) + 2;
    }

    /* Loads the kernels that a scan of up to most_n elements may take. */
    scan_status load(const cuda_limits &device, uint64_t most_n, const settings &wanted,
                     cuda_reason *reason)
    {
        if (wanted.block % CUDA_WARP != 0)
            return cuda_fail(reason, SCAN_UNSUPPORTED, "block %u: whole warps of 32 threads only",
                             wanted.block);
        how = wanted;
        processors = device.processors;
        if (most_tiles(most_n) > 0x7fffffffu)
            return cuda_fail(reason, SCAN_UNSUPPORTED, "n needs more than 2^31-1 tiles");
        scan_status status = SCAN_OK;
        cuda_loaded loaded = {};
        for (unsigned lines = lines_for(0); lines <= lines_for(most_n) && status == SCAN_OK;
             lines *= 2) {
            status = cuda_load(device, reinterpret_cast<const void *>(Kernels::kernel_of(lines)),
                               how.block, 0, &loaded, reason);
            resident[lines] = loaded.resident;
        }
        return status;
    }

    unsigned tiles_of(const cuda_arrays<T> &arrays) const
    {
        const uint64_t tile = tile_elements(lines_for(arrays.n));
        return static_cast<unsigned>((arrays.n + cuda_skew(arrays.in) + tile - 1) / tile);
    }

    /* A ticket is a trip to the L2 cache before a block can load anything. If all blocks fit on the
     * device at once, they do without: none waits for one that cannot begin. */
    bool takes_tickets(const cuda_arrays<T> &arrays) const
    {
        return tiles_of(arrays) > resident[lines_for(arrays.n)];
    }

    /* A tile is a block, which takes one ticket. */
    unsigned tickets_of(const cuda_arrays<T> &arrays) const
    {
        return takes_tickets(arrays) ? tiles_of(arrays) : 0;
    }

    /* The control of the launch whose numbers are in words->turn. */
    lookback_control<word> control_of(const cuda_arrays<T> &arrays, const cuda_words &words) const
    {
        return {cuda_words_of<word>(&words),
                takes_tickets(arrays) ? cuda_words_tickets(&words) : nullptr,
                words.failed_tile_on_device,
                words.turn.first_ticket,
                words.turn.launch,
                how.window / CUDA_WARP,
                words.patience};
    }

    /* The launch whose numbers are in words->turn; n > 0. */
    cudaError_t launch(Op op, const cuda_arrays<T> &arrays, const cuda_words &words,
                       cudaStream_t stream) const
    {
        return cuda_launch_on(stream, {tiles_of(arrays), how.block, 0},
                              Kernels::kernel_of(lines_for(arrays.n)), op, arrays,
                              control_of(arrays, words));
    }
};

#endif
