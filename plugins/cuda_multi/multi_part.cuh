/*
 * multi_part.cuh - one part of a scan: its kernels, its memory, and its launches
 */
#ifndef MULTI_PART_CUH
#define MULTI_PART_CUH

#include "cuda_grid.h"
#include "cuda_load.h"
#include "cuda_words.h"
#include "lookahead_launcher.cuh"
#include "lookback_launcher.cuh"
#include "multi_kernels.h"

template <typename Op> struct multi_ahead {
    static auto kernel_of(unsigned)
    {
        return multi_kernels_of<Op>().lookahead;
    }
};

template <typename Op> struct multi_back {
    static auto kernel_of(unsigned)
    {
        return multi_kernels_of<Op>().lookback;
    }
};

enum multi_method { MULTI_LOOKAHEAD, MULTI_LOOKBACK };

/* How a part is scanned. */
struct multi_settings {
    multi_method method; /* where there is a choice */
    lookahead_settings ahead;
    lookback_settings back;
};

/* The reduction has just read the input, which stays in the L2 cache as far as it fits. */
static constexpr multi_settings multi_usual_settings = {
    MULTI_LOOKAHEAD,
    {256, MULTI_LINES, 0, 0, 0, false, LOOKAHEAD_EVICTS_NO_INPUT},
    {512, MULTI_LOOKBACK_LINES, 128}};

/* A part's memory on its device, in bytes from its start. */
struct multi_layout {
    uint64_t done;     /* unsigned: blocks of reductions */
    uint64_t carries;  /* a word for each part */
    uint64_t cleared;  /* the end of what is cleared before the first run */
    uint64_t everyone; /* where each part's carries are */
    uint64_t sent, gathered;
    uint64_t totals;
    uint64_t words; /* of tiles */
    uint64_t bytes;
};

/* For parts of up to that many tiles and totals of chunks. */
template <typename T> multi_layout multi_layout_of(unsigned parts, uint64_t tiles, unsigned totals)
{
    const auto padded = [](uint64_t bytes) { return (bytes + 255) / 256 * 256; };
    multi_layout at = {};
    at.carries = padded(sizeof(unsigned));
    at.cleared = at.carries + padded(parts * sizeof(multi_word<T>));
    at.everyone = at.cleared;
    at.sent = at.everyone + padded(parts * sizeof(multi_word<T> *));
    at.gathered = at.sent + padded(sizeof(T));
    at.totals = at.gathered + padded(parts * sizeof(T));
    at.words = at.totals + padded(totals * sizeof(uint64_t));
    at.bytes = at.words + cuda_words_bytes(tiles, sizeof(lookahead_word<T>));
    return at;
}

/* What the launches of a part exchange with those of others in this run. */
struct multi_turn {
    unsigned number;
    unsigned part, parts;
    bool gathers; /* by NCCL */
};

template <typename Op> struct multi_part {
    using T = typename Op::value;

    uint64_t n;
    bool reduces;     /* is there a part behind it that needs its total? */
    bool looks_ahead; /* or back */
    unsigned chunks, runs, blocks;
    unsigned first_done;
    lookahead_launcher<Op, typename Op::value, multi_ahead<Op>> ahead;
    lookback_launcher<Op, multi_back<Op>> back;
    cuda_words words;
    char *memory;

    /* Loads the kernels on the current device, for `count` elements. */
    scan_status load(const cuda_limits &device, uint64_t count, const multi_settings &settings,
                     cuda_reason *reason)
    {
        n = count;
        scan_status status = SCAN_UNSUPPORTED;
        if (settings.method == MULTI_LOOKAHEAD)
            status = ahead.load(device, n, settings.ahead, reason);
        looks_ahead = status == SCAN_OK;
        if (status == SCAN_UNSUPPORTED)
            status = back.load(device, n, settings.back, reason);
        return status == SCAN_OK ? load_reduction(device, reason) : status;
    }

    uint64_t most_tiles() const
    {
        return looks_ahead ? ahead.most_tiles(n) : back.most_tiles(n);
    }

    unsigned totals() const
    {
        return Op::commutes ? blocks : chunks;
    }

    cudaError_t reduce(Op op, const T *in, const multi_layout &at, const multi_turn &turn,
                       cudaStream_t stream)
    {
        const multi_reduction<T> control = {in,
                                            n,
                                            chunks,
                                            runs,
                                            at_place<uint64_t>(at.totals),
                                            at_place<unsigned>(at.done),
                                            first_done,
                                            at_place<multi_word<T> *>(at.everyone),
                                            turn.part,
                                            turn.parts,
                                            turn.number,
                                            turn.gathers ? at_place<T>(at.sent) : nullptr};
        first_done += blocks;
        return cuda_launch_on(stream, {blocks, MULTI_REDUCE_BLOCK, 0},
                              multi_kernels_of<Op>().reduce, op, control);
    }

    /* The words are cleared first if that must be. n > 0. Tiles of a look-back take tickets even
     * where all fit at once: parts may share a device. */
    cudaError_t advance(const cuda_arrays<T> &arrays, cudaStream_t stream)
    {
        return cuda_words_advance(
            &words, looks_ahead ? ahead.tickets_of(arrays) : back.tiles_of(arrays), stream);
    }

    cudaError_t scan(Op op, const cuda_arrays<T> &arrays, const multi_layout &at,
                     const multi_turn &turn, cudaStream_t stream) const
    {
        const multi_carries<T> carries = {at_place<multi_word<T>>(at.carries),
                                          turn.gathers ? at_place<T>(at.gathered) : nullptr,
                                          turn.part, turn.number};
        if (!looks_ahead) {
            multi_lookback_control<T> control = {back.control_of(arrays, words), carries};
            control.tickets = cuda_words_tickets(&words);
            return cuda_launch_on(stream, {back.tiles_of(arrays), back.how.block, 0},
                                  multi_kernels_of<Op>().lookback, op, arrays, control);
        }
        const lookahead_shape shape = ahead.shape_for(n);
        multi_lookahead_control<T> control = {ahead.control_of(arrays, words), carries};
        return cuda_launch_on(stream, ahead.grid_of(shape, control.tiles),
                              multi_kernels_of<Op>().lookahead, op, arrays, control, shape);
    }

    template <typename Kind> Kind *at_place(uint64_t offset) const
    {
        return reinterpret_cast<Kind *>(memory + offset);
    }

  private:
    /* If the operator commutes there is a total per block, and chunks may be small. Otherwise each
     * has a total: about sixteen per block, so that the blocks end together. */
    scan_status load_reduction(const cuda_limits &device, cuda_reason *reason)
    {
        constexpr uint64_t piece = cuda_lines<Op, MULTI_LINES>::elements;
        constexpr unsigned warps = MULTI_REDUCE_BLOCK / 32;
        constexpr unsigned chunks_of_block = 16;
        const void *kernel = reinterpret_cast<const void *>(multi_kernels_of<Op>().reduce);
        cuda_loaded loaded = {};
        const scan_status status =
            cuda_load(device, kernel, MULTI_REDUCE_BLOCK, 0, &loaded, reason);
        if (status != SCAN_OK)
            return status;
        const uint64_t pieces = n / piece + 2; /* wherever the array begins */
        const uint64_t wanted = static_cast<uint64_t>(warps) * loaded.resident * chunks_of_block;
        runs = Op::commutes ? 1 : static_cast<unsigned>((pieces + wanted - 1) / wanted);
        const uint64_t of_chunk = static_cast<uint64_t>(warps) * runs;
        chunks = static_cast<unsigned>((pieces + of_chunk - 1) / of_chunk);
        blocks = chunks < loaded.resident ? chunks : loaded.resident;
        return SCAN_OK;
    }
};

#endif
