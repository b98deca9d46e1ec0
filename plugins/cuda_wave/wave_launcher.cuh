/*
 * wave_launcher.cuh - loads and launches the one-wave kernels, for whoever scans with them
 *
 * Used by the plugin cuda_wave, through cuda_chained.cuh, and by the library of cuda_scan.
 */
#ifndef WAVE_LAUNCHER_CUH
#define WAVE_LAUNCHER_CUH

#include "cuda_grid.h"
#include "cuda_load.h"
#include "cuda_words.h"
#include "wave_kernels.h"

template <typename Op> struct wave_launcher {
    using T = typename Op::value;
    using arrays_type = cuda_arrays<T>;
    using word = wave_word<T>;
    using settings = wave_settings;
    static constexpr const char *phase = "kernel:wave";

    wave_settings how;
    unsigned tiles; /* at most */

    wave_shape shape_for(uint64_t n) const
    {
        return wave_shape_for<T>(how, tiles, n);
    }

    uint64_t most_tiles(uint64_t) const
    {
        return tiles;
    }

    /* The elements that the device holds, at most. */
    uint64_t most_n() const
    {
        uint64_t bytes = 0;
        for (unsigned lines = 1; lines <= WAVE_MOST_LINES; lines *= 2)
            if (how.lines == 0 || how.lines == lines)
                bytes = std::max(
                    bytes, wave_tile_bytes({wave_threads_for<T>(how, lines) / CUDA_WARP, lines}));
        return (tiles * bytes - 15) / sizeof(T);
    }

    /* Loads the kernels that a scan of up to n elements may take. */
    scan_status load(const cuda_limits &device, uint64_t n, const settings &wanted,
                     cuda_reason *reason)
    {
        if (wanted.block % CUDA_WARP != 0)
            return cuda_fail(reason, SCAN_UNSUPPORTED, "block %u: whole warps of 32 threads only",
                             wanted.block);
        how = wanted;
        tiles = std::min(device.processors * how.ctas, +WAVE_MOST_TILES);
        const unsigned most_lines = shape_for(n).lines;
        if (most_lines == 0)
            return cuda_fail(reason, SCAN_UNSUPPORTED,
                             "the registers of %u blocks of up to %u threads hold %llu elements, "
                             "not %llu",
                             tiles, how.block, static_cast<unsigned long long>(most_n()),
                             static_cast<unsigned long long>(n));
        scan_status status = SCAN_OK;
        for (unsigned lines = shape_for(0).lines; lines <= most_lines && status == SCAN_OK;
             lines *= 2)
            status = load_lines(device, lines, reason);
        return status;
    }

    unsigned tiles_of(const arrays_type &arrays) const
    {
        const uint64_t tile = wave_tile_bytes(shape_for(arrays.n)) / sizeof(T);
        return static_cast<unsigned>((arrays.n + cuda_skew(arrays.in) + tile - 1) / tile);
    }

    /* A tile is a block, which takes one ticket. */
    unsigned tickets_of(const arrays_type &arrays) const
    {
        return how.together ? 0 : tiles_of(arrays);
    }

    /* The control of the launch whose numbers are in words->turn. Its words bear four times its
     * number, as those of a look-ahead (lookahead_launcher.cuh). */
    wave_control<word> control_of(const cuda_words &words) const
    {
        return {cuda_words_of<word>(&words), how.together ? nullptr : cuda_words_tickets(&words),
                words.failed_tile_on_device, words.turn.first_ticket,
                words.turn.launch << 2,      words.patience};
    }

    /* The launch whose numbers are in words->turn; 0 < n <= that of load. */
    cudaError_t launch(Op op, const arrays_type &arrays, const cuda_words &words,
                       cudaStream_t stream) const
    {
        const wave_shape shape = shape_for(arrays.n);
        cuda_grid grid = {tiles_of(arrays), shape.warps * CUDA_WARP, 0};
        grid.together = how.together;
        grid.overlaps = how.overlaps;
        return cuda_launch_on(stream, grid, wave_kernel_of<Op>(shape.lines), op, arrays,
                              control_of(words));
    }

  private:
    /* One kernel; all its blocks must fit on the device at once, or it is more than one wave. Only
     * code compiled for 9.0 and later waits for the kernel before it. */
    scan_status load_lines(const cuda_limits &device, unsigned lines, cuda_reason *reason)
    {
        cuda_loaded loaded = {};
        const scan_status status =
            cuda_load(device, reinterpret_cast<const void *>(wave_kernel_of<Op>(lines)),
                      wave_threads_for<T>(how, lines), 0, &loaded, reason);
        how.overlaps = how.overlaps && loaded.code_version >= 90;
        if (status == SCAN_OK && loaded.resident < tiles)
            return cuda_fail(reason, SCAN_UNSUPPORTED,
                             "ctas %u: this device holds %u blocks of %u threads at once, not %u",
                             how.ctas, loaded.resident, wave_threads_for<T>(how, lines), tiles);
        return status;
    }
};

#endif
