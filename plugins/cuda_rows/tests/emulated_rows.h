/*
 * emulated_rows.h - launches the kernels of cuda_rows under the emulator, with any matrix and
 * rules, also broken ones
 */
#ifndef EMULATED_ROWS_H
#define EMULATED_ROWS_H

#include "rows_alone.cuh"
#include "rows_choice.h"
#include "rows_columns.cuh"
#include "rows_long.cuh"
#include "rows_stream.cuh"
#include "rows_tile.cuh"

#include "emulated_scan.h"
#include "emulated_words.h"

/* How a tensor rows x length x inner is scanned. */
struct emulated_rows_setting {
    uint64_t rows = 3;
    uint64_t length = 700; /* of a row */
    uint64_t inner = 1;
    unsigned warps = 2;                /* of a block */
    unsigned ctas = 3;                 /* of the pipeline */
    lookahead_shape shape = {1, 3, 3}; /* of these */
    unsigned fill = 2;                 /* blocks that the device says it holds, of columns */
    unsigned resident = ~0u;
    unsigned patience = CUDA_PATIENCE;
    emulated_layout layout = {};
    uint64_t seed = 1;

    uint64_t elements() const
    {
        return rows * length * inner;
    }
};

enum emulated_kernel {
    EMULATED_WHOLE,
    EMULATED_LINKED,
    EMULATED_LONG,
    EMULATED_COLUMNS,
    EMULATED_ALONE,
    EMULATED_STREAM
};

/* Lines of a part of the pipeline: fewer than on a device, so that tiles are small. */
template <typename T> constexpr unsigned emulated_long_lines()
{
    return sizeof(T) < 4 ? 2 : 1;
}

/* The shortest row that a kernel takes. */
template <typename T> uint64_t emulated_least_row(emulated_kernel kernel)
{
    return kernel == EMULATED_LONG ? lookahead_tile_elements<T>(1, emulated_long_lines<T>()) : 1;
}

template <typename Matrix> Matrix emulated_matrix(uint64_t length, unsigned line)
{
    Matrix matrix;
    static_cast<rows_matrix &>(matrix) = rows_matrix_of(length, line);
    return matrix;
}

/* What a test can replace: where rows begin, the words, and the rules. */
template <typename Op> struct emulated_parts_of_rows {
    using matrix = rows_matrix;
    using words = rows_link_words<typename Op::value>;
    using rules = rows_rules;
    using long_rules = lookahead_rules;
    using stream_rules = rows_stream_rules;
};

template <typename Op, typename Parts = emulated_parts_of_rows<Op>,
          typename From = typename Op::value>
struct emulated_rows {
    using T = typename Op::value;
    using matrix_type = typename Parts::matrix;
    using words_type = typename Parts::words;
    using rules_type = typename Parts::rules;
    static constexpr unsigned of_part = ROWS_PART_BYTES / sizeof(T);
    static constexpr unsigned line = 32 * 16 / sizeof(T);

    emulated_words<words_type> words;
    const emulated_rows_setting &how;
    Op op;
    cuda_arrays<T, From> arrays;

    emulated_rows(Op given, const emulated_rows_setting &setting, const cuda_arrays<T, From> &what)
        : words(4096), how(setting), op(given), arrays(what)
    {
    }

    /* Launches once. "" or what is wrong, the output apart. */
    std::string launch(emulated_kernel kernel)
    {
        switch (kernel) {
        case EMULATED_WHOLE:
            return whole();
        case EMULATED_LINKED:
            return linked();
        case EMULATED_LONG:
            return pipeline();
        case EMULATED_ALONE:
            return alone();
        case EMULATED_STREAM:
            return stream();
        default:
            return columns();
        }
    }

  private:
    using control_type = typename words_type::control;

    control_type control(uint64_t tiles)
    {
        return {words.words.data(),
                &words.tickets,
                &words.failed_tile,
                static_cast<unsigned>(tiles),
                words.turn.first_ticket,
                words.turn.launch,
                how.patience};
    }

    template <typename Kernel> std::string run(uint64_t blocks, unsigned threads, Kernel kernel)
    {
        emulator::grid shape = {
            .blocks = static_cast<unsigned>(blocks), .threads = threads, .resident = how.resident};
        shape.seed = how.seed;
        shape.most_steps = 50'000'000;
        const std::string wrong = emulator::run(shape, kernel);
        return wrong.empty() ? words.outcome() : wrong;
    }

    std::string whole()
    {
        const uint64_t room = how.warps * of_part - (16 / sizeof(T) - 1);
        if (room < how.length)
            return "the test has too few warps";
        const uint64_t elements = room / how.length * how.length;
        words.advance(0);
        const auto matrix = emulated_matrix<matrix_type>(how.length, line);
        const control_type given = control(0);
        return run((arrays.n + elements - 1) / elements, how.warps * CUDA_WARP, [&] {
            rows_tile_scan<Op, false, words_type, rules_type, matrix_type, T>(op, arrays, matrix,
                                                                              elements, given);
        });
    }

    std::string linked()
    {
        const uint64_t tile = how.warps * of_part;
        const uint64_t tiles = (arrays.n + cuda_source_skew<T>(arrays.in) + tile - 1) / tile;
        if (tiles > words.words.size())
            return "the test has too few words";
        words.advance(static_cast<unsigned>(tiles));
        const auto matrix = emulated_matrix<matrix_type>(how.length, line);
        const control_type given = control(tiles);
        return run(tiles, how.warps * CUDA_WARP, [&] {
            rows_tile_scan<Op, true, words_type, rules_type, matrix_type, T>(op, arrays, matrix, 0,
                                                                             given);
        });
    }

    std::string pipeline()
    {
        constexpr unsigned lines = emulated_long_lines<T>();
        if (how.length < emulated_least_row<T>(EMULATED_LONG))
            return "the test's rows are too short";
        const uint64_t tile = lookahead_tile_elements<T>(how.shape.scanners, lines);
        const auto tiles =
            static_cast<unsigned>((arrays.n + cuda_skew(arrays.in) + tile - 1) / tile);
        const unsigned ctas = std::min(tiles, how.ctas);
        if (tiles > words.words.size())
            return "the test has too few words";
        words.advance(tiles + ctas);
        const auto matrix = emulated_matrix<matrix_type>(how.length, line);
        const control_type given = control(tiles);
        return run(ctas, lookahead_threads(how.shape), [&] {
            rows_long_scan<Op, lines, words_type, typename Parts::long_rules, matrix_type, T>(
                op, arrays, given, how.shape, matrix);
        });
    }

    std::string alone()
    {
        const uint64_t blocks =
            (how.rows * how.inner + ROWS_ALONE_THREADS - 1) / ROWS_ALONE_THREADS;
        words.advance(0);
        return run(blocks, ROWS_ALONE_THREADS,
                   [&] { rows_alone_scan<Op, T>(op, arrays, how.length, how.inner); });
    }

    /* As on a device with how.fill multiprocessors. */
    std::string stream()
    {
        if constexpr (std::is_same_v<T, From>)
            return stream_of_same();
        return "columns with wider results do not stream";
    }

    std::string stream_of_same()
    {
        const bool cut = rows_stream_cuts(arrays.in, arrays.out, how.inner * sizeof(T));
        rows_stream of = rows_stream_of(
            rows_stream_for(how.rows, how.inner, sizeof(T), cut, how.fill,
                            2 * (emulator::SHARED_BYTES - sizeof(rows_stream_phases))),
            how.rows, how.length);
        of.stages = std::min(of.stages, 2 + static_cast<unsigned>(how.seed % 3));
        const unsigned scanners = (of.width + of.before + CUDA_WARP - 1) / CUDA_WARP;
        words.advance(0);
        return run((of.positions + of.span - 1) / of.span * of.strips,
                   (scanners + ROWS_STREAM_LOADERS + 1) * CUDA_WARP,
                   [&] { rows_stream_scan<Op, typename Parts::stream_rules, T>(op, arrays, of); });
    }

    std::string columns()
    {
        const rows_columns of = rows_columns_for(how.rows, how.length, how.inner, how.fill);
        const bool divided = of.strips.parts > 1;
        if (divided && of.blocks * of.strips.width > words.words.size())
            return "the test has too few words";
        words.advance(divided ? static_cast<unsigned>(of.blocks) : 0);
        const auto matrix = emulated_matrix<matrix_type>(how.length, of.strips.depth);
        const control_type given = control(of.blocks);
        return run(of.blocks, of.warps * CUDA_WARP, [&] {
            rows_columns_scan<Op, words_type, rules_type, matrix_type, T>(op, arrays, matrix,
                                                                          of.strips, given);
        });
    }
};

/* Scans once; of elements From, which the kernel takes for Read. "" or what is wrong. */
template <typename Op, typename Parts = emulated_parts_of_rows<Op>,
          typename From = typename Op::value, typename Read = From>
std::string emulated_rows_scan(Op op, emulated_kernel kernel, emulated_rows_setting how)
{
    how.layout.length = how.length;
    how.layout.inner = how.inner;
    emulated_arrays<Op, From> data(op, how.elements(), how.layout);
    emulated_rows<Op, Parts, Read> rows(
        op, how,
        {reinterpret_cast<const Read *>(data.in), data.out, how.elements(), how.layout.inclusive});
    std::string wrong = rows.launch(kernel);
    if (wrong.empty())
        wrong = data.compare();
    if (!wrong.empty())
        wrong += ", " + std::to_string(how.rows) + " x " + std::to_string(how.length) + " x " +
                 std::to_string(how.inner) + ", kernel " + std::to_string(kernel) + ", seed " +
                 std::to_string(how.seed);
    return wrong;
}

#endif
