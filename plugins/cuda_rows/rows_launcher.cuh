/*
 * rows_launcher.cuh - loads and launches the kernels of cuda_rows, for whoever scans with them: the
 * plugin, through cuda_chained.cuh, and the library of cuda_scan
 *
 * Rows and inner are fixed when a launcher is loaded; arrays.n is rows * n * inner, for any n. With
 * ROWS_LONG, which must be asked for where rows are short, n is at least the elements of a part.
 */
#ifndef ROWS_LAUNCHER_CUH
#define ROWS_LAUNCHER_CUH

#include "cuda_wide.cuh"
#include "lookahead_launcher.cuh"
#include "rows_choice.h"
#include "rows_kernels.h"
#include "rows_stream.cuh"

struct rows_settings {
    rows_method method = ROWS_BY_SHAPE;
    lookahead_settings ahead = {};             /* of the pipeline; no `block`: by the array */
    uint64_t linked_bytes = ROWS_LINKED_BYTES; /* by shape, more than this is ROWS_LONG */
    uint64_t rows = 1;
    uint64_t inner = 1;
};

/* The pipeline's launcher with another kernel. */
template <typename Op, typename From> struct rows_ahead {
    static auto kernel_of(unsigned)
    {
        return rows_kernels_of<Op, From>().ahead;
    }
};

/* From: the elements, of which Op scans what they become. */
template <typename Op, typename From = typename Op::value> struct rows_launcher {
    using T = typename Op::value;
    using kernels = rows_kernels<Op, From>;
    using arrays_type = typename kernels::arrays_type;
    using word = typename kernels::word;
    using settings = rows_settings;
    using control = typename kernels::control;
    using ahead_type = lookahead_launcher<Op, From, rows_ahead<Op, From>>;
    static constexpr const char *phase = "kernel:rows";
    static constexpr unsigned of_part = ROWS_PART_BYTES / sizeof(T);

    rows_settings how;
    ahead_type ahead;
    bool has_ahead;
    bool has_stream;
    unsigned resident; /* blocks of columns */
    cuda_limits device;
    rows_stream streams[2]; /* by whether strips are cut */

    /* Elements of a row, or positions. */
    uint64_t length_of(uint64_t elements) const
    {
        return elements / how.rows / how.inner;
    }

    rows_method method_for(uint64_t elements, bool aligned) const
    {
        if (how.method != ROWS_BY_SHAPE)
            return how.method;
        if (how.inner > 1)
            return rows_column_method(how.rows, how.inner, sizeof(T), resident, has_stream);
        if (rows_whole_for(length_of(elements), sizeof(T), aligned).warps > 0)
            return ROWS_WHOLE;
        return has_ahead && elements * sizeof(T) > how.linked_bytes ? ROWS_LONG : ROWS_LINKED;
    }

    /* An array that does not begin at a multiple of 16 bytes may take a tile more. */
    uint64_t linked_tiles(uint64_t elements, unsigned skew) const
    {
        const uint64_t tile =
            static_cast<uint64_t>(rows_linked_warps(elements * sizeof(T))) * of_part;
        return (elements + skew + tile - 1) / tile;
    }

    /* Words of any array of up to `most` elements; 0: no launch has words. */
    uint64_t most_tiles(uint64_t most) const
    {
        if (takes_columns())
            return how.method < ROWS_ALONE && rows_may_be_divided(how.rows, how.inner, resident)
                       ? rows_column_words(resident)
                       : 0;
        const bool fits = whole_for(length_of(most)).warps > 0;
        if (how.method == ROWS_WHOLE || (how.method == ROWS_BY_SHAPE && fits))
            return 0;
        const uint64_t small = most / (ROWS_LINKED_WARPS * of_part);
        const uint64_t large = most / (ROWS_LINKED_MOST_WARPS * of_part);
        uint64_t tiles = small < ROWS_MANY_TILES ? small : +ROWS_MANY_TILES;
        tiles = (large > tiles ? large : tiles) + 2;
        return has_ahead && ahead.most_tiles(most) > tiles ? ahead.most_tiles(most) : tiles;
    }

    /* Loads the kernels for arrays of up to `most` elements. */
    scan_status load(const cuda_limits &limits, uint64_t most, const settings &wanted,
                     cuda_reason *reason)
    {
        how = wanted;
        device = limits;
        has_ahead = has_stream = false;
        resident = 0;
        if (how.inner > 1 && how.method != ROWS_BY_SHAPE && how.method < ROWS_COLUMNS)
            return cuda_fail(reason, SCAN_UNSUPPORTED, "inner %llu: this method is for rows alone",
                             static_cast<unsigned long long>(how.inner));
        if (takes_columns())
            return load_columns(limits, most, reason);
        return load_rows(limits, most, reason);
    }

    /* Of a launch; each block takes one, and CTAs of the pipeline one more. 0: it has no words. */
    unsigned tickets_of(const arrays_type &arrays) const
    {
        switch (method_for(arrays.n, is_aligned(arrays))) {
        case ROWS_WHOLE:
            return 0;
        case ROWS_LINKED:
            return static_cast<unsigned>(linked_tiles(arrays.n, cuda_source_skew<T>(arrays.in)));
        case ROWS_LONG:
            return ahead.tickets_of(arrays);
        case ROWS_ALONE:
        case ROWS_STREAM:
            return 0;
        default:
            const rows_columns columns = columns_for(arrays.n);
            return columns.strips.parts > 1 ? static_cast<unsigned>(columns.blocks) : 0;
        }
    }

    /* The launch whose numbers are in words->turn; arrays.n > 0. */
    cudaError_t launch(Op op, const arrays_type &arrays, const cuda_words &words,
                       cudaStream_t stream) const
    {
        const uint64_t length = length_of(arrays.n);
        const rows_matrix matrix = rows_matrix_of(length, CUDA_WARP * 16 / sizeof(T));
        switch (method_for(arrays.n, is_aligned(arrays))) {
        case ROWS_WHOLE:
            return launch_whole(op, arrays, matrix, stream);
        case ROWS_LINKED: {
            const uint64_t tiles = linked_tiles(arrays.n, cuda_source_skew<T>(arrays.in));
            const unsigned warps = rows_linked_warps(arrays.n * sizeof(T));
            return cuda_launch_on(stream, {tiles, warps * CUDA_WARP, 0}, kernels_of().linked, op,
                                  arrays, matrix, 0, control_of(words, tiles));
        }
        case ROWS_LONG:
            return ahead.launch(op, arrays, words, stream, matrix);
        case ROWS_ALONE:
            return cuda_launch_on(stream, {alone_blocks(), ROWS_ALONE_THREADS, 0},
                                  kernels_of().alone, op, arrays, length, how.inner);
        case ROWS_STREAM:
            return launch_stream(op, arrays, stream);
        default:
            return launch_columns(op, arrays, words, stream);
        }
    }

  private:
    static kernels kernels_of()
    {
        return rows_kernels_of<Op, From>();
    }

    bool takes_columns() const
    {
        return how.inner > 1 || how.method >= ROWS_COLUMNS;
    }

    static bool is_aligned(const arrays_type &arrays)
    {
        return cuda_source_skew<T>(arrays.in) == 0;
    }

    /* Of an array that begins anywhere. */
    static rows_whole whole_for(uint64_t length)
    {
        return rows_whole_for(length > 0 ? length : 1, sizeof(T), false);
    }

    rows_columns columns_for(uint64_t elements) const
    {
        return rows_columns_for(how.rows, length_of(elements), how.inner, resident);
    }

    uint64_t alone_blocks() const
    {
        return (how.rows * how.inner + ROWS_ALONE_THREADS - 1) / ROWS_ALONE_THREADS;
    }

    rows_stream stream_for(uint64_t elements, bool cut) const
    {
        return rows_stream_of(streams[cut], how.rows, length_of(elements));
    }

    static uint64_t stream_blocks(const rows_stream &of)
    {
        return (of.positions + of.span - 1) / of.span * of.strips;
    }

    scan_status load_columns(const cuda_limits &limits, uint64_t most, cuda_reason *reason)
    {
        cuda_loaded loaded = {};
        scan_status status = cuda_load(limits, reinterpret_cast<const void *>(kernels_of().columns),
                                       +ROWS_MOST_COLUMN_WARPS * +CUDA_WARP, 0, &loaded, reason);
        resident = loaded.resident;
        if (status == SCAN_OK)
            status = cuda_load(limits, reinterpret_cast<const void *>(kernels_of().alone),
                               ROWS_ALONE_THREADS, 0, &loaded, reason);
        if (status == SCAN_OK && (how.method == ROWS_STREAM || how.method == ROWS_BY_SHAPE))
            status = load_stream(reason);
        if (status != SCAN_OK || length_of(most) == 0)
            return status;
        switch (method_for(most, false)) {
        case ROWS_ALONE:
            return check_blocks(alone_blocks(), reason);
        case ROWS_STREAM:
            return check_blocks(stream_blocks(stream_for(most, true)), reason);
        default:
            return check_blocks(columns_for(most).blocks, reason);
        }
    }

    /* What cannot stream is scanned by threads alone, unless it was asked for. */
    scan_status load_stream(cuda_reason *reason)
    {
        cuda_loaded loaded = {};
        const auto *kernel = reinterpret_cast<const void *>(kernels_of().stream);
        scan_status status =
            kernel != nullptr
                ? cuda_load(device, kernel, +ROWS_MOST_STREAM_WARPS * +CUDA_WARP, 0, &loaded,
                            reason)
                : cuda_fail(reason, SCAN_UNSUPPORTED, "columns with wider results do not stream");
        if (status == SCAN_OK && loaded.code_version < 90)
            status = cuda_fail(reason, SCAN_UNSUPPORTED,
                               "columns stream from compute capability 9.0 on; this is code for "
                               "%d.%d",
                               loaded.code_version / 10, loaded.code_version % 10);
        for (const bool cut : {false, true})
            streams[cut] = rows_stream_for(how.rows, how.inner, sizeof(T), cut, device.processors,
                                           device.max_shared);
        if (status == SCAN_OK && streams[true].stages < 2)
            status = cuda_fail(reason, SCAN_UNSUPPORTED,
                               "a block has too little shared memory for columns that stream");
        if (status == SCAN_OK)
            status = cuda_load(device, kernel, +ROWS_MOST_STREAM_WARPS * +CUDA_WARP,
                               rows_stream_bytes(streams[true]), &loaded, reason);
        has_stream = status == SCAN_OK;
        return status == SCAN_UNSUPPORTED && how.method == ROWS_BY_SHAPE ? SCAN_OK : status;
    }

    scan_status load_rows(const cuda_limits &limits, uint64_t most, cuda_reason *reason)
    {
        const kernels of = kernels_of();
        const uint64_t length = length_of(most);
        const rows_whole whole = whole_for(length);
        cuda_loaded loaded = {};
        if (how.method == ROWS_WHOLE && whole.warps == 0)
            return cuda_fail(reason, SCAN_UNSUPPORTED,
                             "a row of %llu elements is more than a block holds, %u KiB",
                             static_cast<unsigned long long>(length),
                             +ROWS_MOST_WARPS * +ROWS_PART_BYTES / 1024);
        const uint64_t least = lookahead_tile_elements<T>(1, rows_long_lines<T>());
        if (how.method == ROWS_LONG && length > 0 && length < least)
            return cuda_fail(reason, SCAN_UNSUPPORTED,
                             "a row of %llu elements is less than a warp's part in the pipeline, "
                             "%llu; use method=0",
                             static_cast<unsigned long long>(length),
                             static_cast<unsigned long long>(least));
        scan_status status = cuda_load(limits, reinterpret_cast<const void *>(of.whole),
                                       +ROWS_MOST_WARPS * +CUDA_WARP, 0, &loaded, reason);
        if (status == SCAN_OK)
            status = cuda_load(limits, reinterpret_cast<const void *>(of.linked),
                               +ROWS_LINKED_MOST_WARPS * +CUDA_WARP, 0, &loaded, reason);
        if (status == SCAN_OK && (how.method == ROWS_LONG || how.method == ROWS_BY_SHAPE))
            status = load_ahead(limits, most, reason);
        if (status != SCAN_OK)
            return status;
        return check_blocks(whole.warps > 0 ? most / whole.elements + 1 : linked_tiles(most, 0) + 1,
                            reason);
    }

    /* The pipeline's settings for arrays of up to so many bytes, by what was fastest for i32 on an
     * H200. Up to 20 MiB these are two CTAs with small tiles: 64 rows of 50,257 (12 MiB) took 11.5
     * us, and 12.8 with one CTA; 128 rows (25 MiB) took 20.2, and 19.6 with one; one row of 6.3 *
     * 10^6 took 22.9, and 21.0 with one. There are two reducers at least, because parts in which
     * rows begin are added up twice: with one, 1 GiB of rows of i64 took a quarter longer. */
    static lookahead_settings ahead_for(uint64_t bytes)
    {
        constexpr unsigned reducers = ahead_type::reducers < 2 ? 2 : ahead_type::reducers;
        if (rows_long_ctas<T>() > 1)
            return {256, 0, 0, reducers, rows_long_ctas<T>(), false};
        return bytes <= UINT64_C(20) << 20 ? lookahead_settings{160, 0, 0, reducers, 2, false}
                                           : lookahead_settings{256, 0, 0, reducers, 0, false};
    }

    /* What cannot stream is linked, unless it was asked for. */
    scan_status load_ahead(const cuda_limits &limits, uint64_t most, cuda_reason *reason)
    {
        lookahead_settings wanted = how.ahead.block > 0 ? how.ahead : ahead_for(most * sizeof(T));
        wanted.lines = rows_long_lines<T>();
        scan_status status = ahead.load(limits, most, wanted, reason);
        if (status == SCAN_UNSUPPORTED && how.ahead.block == 0) {
            wanted.ctas = 0; /* as many as fit */
            status = ahead.load(limits, most, wanted, reason);
        }
        has_ahead = status == SCAN_OK;
        return status == SCAN_UNSUPPORTED && how.method == ROWS_BY_SHAPE ? SCAN_OK : status;
    }

    static scan_status check_blocks(uint64_t blocks, cuda_reason *reason)
    {
        if (blocks <= 0x7fffffff)
            return SCAN_OK;
        return cuda_fail(reason, SCAN_UNSUPPORTED, "this takes more than 2^31-1 blocks");
    }

    control control_of(const cuda_words &words, uint64_t tiles) const
    {
        return {cuda_words_of<word>(&words),
                cuda_words_tickets(&words),
                words.failed_tile_on_device,
                static_cast<unsigned>(tiles),
                words.turn.first_ticket,
                words.turn.launch << 2, /* as lookahead_launcher's */
                words.patience};
    }

    cudaError_t launch_whole(Op op, const arrays_type &arrays, const rows_matrix &matrix,
                             cudaStream_t stream) const
    {
        const rows_whole whole = rows_whole_for(matrix.length, sizeof(T), is_aligned(arrays));
        const uint64_t tiles = (arrays.n + whole.elements - 1) / whole.elements;
        return cuda_launch_on(stream, {tiles, whole.warps * CUDA_WARP, 0}, kernels_of().whole, op,
                              arrays, matrix, whole.elements, control());
    }

    cudaError_t launch_stream(Op op, const arrays_type &arrays, cudaStream_t stream) const
    {
        const rows_stream of =
            stream_for(arrays.n, rows_stream_cuts(arrays.in, arrays.out, how.inner * sizeof(T)));
        const unsigned scanners = (of.width + of.before + CUDA_WARP - 1) / CUDA_WARP;
        return cuda_launch_on(stream,
                              {stream_blocks(of), (scanners + ROWS_STREAM_LOADERS + 1) * CUDA_WARP,
                               rows_stream_bytes(of)},
                              kernels_of().stream, op, arrays, of);
    }

    cudaError_t launch_columns(Op op, const arrays_type &arrays, const cuda_words &words,
                               cudaStream_t stream) const
    {
        const rows_columns columns = columns_for(arrays.n);
        return cuda_launch_on(
            stream, {columns.blocks, columns.warps * CUDA_WARP, 0}, kernels_of().columns, op,
            arrays, rows_matrix_of(columns.strips.n, columns.strips.depth), columns.strips,
            columns.strips.parts > 1 ? control_of(words, columns.blocks) : control());
    }
};

#endif
