/*
 * mutants_test.cpp - whether the emulator would notice: where rows begin, or another rule of the
 * kernels of cuda_rows, is broken in one way at a time, and each time it must be found
 */
#include "emulated_rows.h"
#include "rows_places.h"

namespace
{

using setting = emulated_rows_setting;

/* No row begins: what stands before it leaks into it. */
struct never_reset : rows_matrix {
    unsigned beginnings(unsigned) const
    {
        return 0;
    }
};

/* Of a row shorter than a vector only the first beginning counts. */
struct reset_once : rows_matrix {
    unsigned beginnings(unsigned position) const
    {
        const unsigned all = rows_matrix::beginnings(position);
        return all & (~all + 1);
    }
};

/* Every row begins an element too late, or too early. */
template <int LATE> struct shifted : rows_matrix {
    unsigned shift(unsigned position) const
    {
        return static_cast<unsigned>(
            (position + length + static_cast<uint64_t>(static_cast<int64_t>(-LATE))) % length);
    }
    unsigned before(unsigned distance) const
    {
        return shift(rows_matrix::before(distance));
    }
    unsigned place(uint64_t position) const
    {
        return shift(rows_matrix::place(position));
    }
    rows_start start(unsigned tile, unsigned elements, unsigned skew) const
    {
        rows_start found = rows_matrix::start(tile, elements, skew);
        found.position = shift(found.position);
        return found;
    }
};

/* A row that continues over a tile's edge loses what stands before the tile. */
struct forgets : rows_matrix {
    rows_start start(unsigned tile, unsigned elements, unsigned skew) const
    {
        return {rows_matrix::start(tile, elements, skew).position, tile};
    }
};

/* A row takes in the tile before the one in which it begins. */
struct takes_more : rows_matrix {
    rows_start start(unsigned tile, unsigned elements, unsigned skew) const
    {
        rows_start found = rows_matrix::start(tile, elements, skew);
        found.begun -= found.begun > 0 ? 1 : 0;
        return found;
    }
};

/* The total of a tile or a part takes in rows that have ended. */
struct ends_nothing : rows_matrix {
    int last_beginning(unsigned, unsigned) const
    {
        return -1;
    }
};

/* The quotient is too small for rows of one element. */
struct wraps_once : rows_matrix {
    unsigned wrap(unsigned x) const
    {
        return wrap_once(x);
    }
};

/* Positions lose their upper half. */
struct cut_to_32_bits : rows_matrix {
    rows_start start(unsigned tile, unsigned elements, unsigned skew) const
    {
        const uint64_t first = static_cast<uint64_t>(tile) * elements - skew;
        const uint64_t within = static_cast<unsigned>(first) % length;
        return {place(within), static_cast<unsigned>((first - within + skew) / elements)};
    }
};

/* Positions of long rows are those of their lower half. */
struct never_far : rows_matrix {
    rows_start start(unsigned tile, unsigned elements, unsigned skew) const
    {
        const rows_start found = rows_matrix::start(tile, elements, skew);
        const uint64_t first = static_cast<uint64_t>(tile) * elements - skew;
        return {static_cast<unsigned>(first % length) % near, found.begun};
    }
};

using sum = cuda_sum<uint32_t>;

template <typename Matrix> struct broken_matrix : emulated_parts_of_rows<sum> {
    using matrix = Matrix;
};

/* Block b takes tile b, whether the blocks before it run or not. */
struct rules_without_tickets : rows_rules {
    static unsigned take(unsigned *tickets)
    {
        atomicAdd(tickets, 1u);
        return blockIdx.x; /* of the first launch */
    }
};

struct without_tickets : emulated_parts_of_rows<sum> {
    using rules = rules_without_tickets;
};

/* Takes words for there that nobody has stored. */
struct hasty_words : rows_link_words<uint32_t> {
    static bool is_there(const word &, unsigned)
    {
        return true;
    }
};

struct hasty : emulated_parts_of_rows<sum> {
    using words = hasty_words;
};

/* Totals of bf16 that are rounded to it. */
struct half_words : rows_link_words<cuda_bf16> {
    static void store(word *to, unsigned launch, float total)
    {
        rows_link_words<cuda_bf16>::store(to, launch, cuda_widen(cuda_narrow<cuda_bf16>(total)));
    }
};

struct half_totals : emulated_parts_of_rows<cuda_sum<cuda_bf16>> {
    using words = half_words;
};

/* A tile counts as loaded before its position is known. */
struct rules_without_place : lookahead_rules {
    static void announce(cuda_phases *loaded, unsigned bytes)
    {
        cuda_phases_announce(loaded, bytes);
        cuda_phases_arrive(loaded);
    }
};

struct without_place : emulated_parts_of_rows<sum> {
    using long_rules = rules_without_place;
};

/* A part is scanned into the stage while it is still reduced. */
struct rules_without_ready : lookahead_rules {
    static void wait_ready(cuda_phases *, unsigned)
    {
    }
};

struct without_ready : emulated_parts_of_rows<cuda_sum<uint8_t>> {
    using long_rules = rules_without_ready;
};

/* Columns that stream, with another rule. */
template <typename Rules> struct broken_stream : emulated_parts_of_rows<sum> {
    using stream_rules = Rules;
};

struct arrives_early : rows_stream_rules {
    static void arrive_loaded(cuda_phases *loaded)
    {
        cuda_phases_arrive(loaded);
    }
};

struct overwrites : rows_stream_rules {
    static void wait_written(cuda_phases *, unsigned)
    {
    }
};

struct does_not_wait_for_reads : rows_stream_rules {
    static void wait_read()
    {
    }
};

struct without_fence : rows_stream_rules {
    static void fence()
    {
    }
};

struct without_neighbours : rows_stream_rules {
    static unsigned before(const rows_stream &)
    {
        return 0;
    }
};

/* What goes wrong under some seed; "" if nothing does. */
template <typename Parts, typename Op = sum>
std::string find_fault(emulated_kernel kernel, setting how)
{
    std::string wrong;
    how.patience = 500'000;
    for (how.seed = 1; how.seed <= 12 && wrong.empty(); how.seed++)
        wrong = emulated_rows_scan<Op, Parts>({}, kernel, how);
    return wrong;
}

template <typename Matrix>
void finds_in(emulated_kernel kernel, const setting &how, const char *what)
{
    found(find_fault<broken_matrix<Matrix>>(kernel, how), what);
}

void mutants_of_rows_are_found()
{
    setting how;
    for (const emulated_kernel kernel : {EMULATED_WHOLE, EMULATED_LINKED, EMULATED_LONG}) {
        how.length = kernel == EMULATED_LONG ? 131 : 101;
        how.rows = 40;
        report(find_fault<emulated_parts_of_rows<sum>>(kernel, how), "nothing is found as it is");
        finds_in<shifted<1>>(kernel, how, "rows begin one late");
        finds_in<shifted<-1>>(kernel, how, "rows begin one early");
        if (kernel != EMULATED_LONG) {
            finds_in<never_reset>(kernel, how, "a row takes in the one before it");
            how.length = 1;
            finds_in<reset_once>(kernel, how, "the second row in a vector takes in the first");
            finds_in<wraps_once>(kernel, how, "positions that pass several rows");
        }
        how.length = 700;
        how.rows = 5;
        how.warps = 4;
        finds_in<ends_nothing>(kernel, how, "a total that takes in rows that have ended");
        how.warps = 2;
        if (kernel == EMULATED_WHOLE)
            continue;
        finds_in<forgets>(kernel, how, "a row that loses its earlier tiles");
        finds_in<takes_more>(kernel, how, "a row that takes in the tile before it");
    }
}

void mutants_of_columns_are_found()
{
    setting how;
    how.length = 7;
    how.rows = 30;
    how.inner = 3;
    report(find_fault<emulated_parts_of_rows<sum>>(EMULATED_COLUMNS, how),
           "nothing is found in columns as they are");
    finds_in<shifted<1>>(EMULATED_COLUMNS, how, "rows of columns begin one late");
    finds_in<shifted<-1>>(EMULATED_COLUMNS, how, "rows of columns begin one early");
    how.length = 2;
    finds_in<wraps_once>(EMULATED_COLUMNS, how, "positions of columns that pass several rows");
    how.length = 2000;
    how.rows = 1;
    how.fill = 6;
    report(find_fault<emulated_parts_of_rows<sum>>(EMULATED_COLUMNS, how),
           "nor where a row is divided");
    found(find_fault<half_totals, cuda_sum<cuda_bf16>>(EMULATED_COLUMNS, how),
          "totals of parts in bf16");
    found(find_fault<hasty>(EMULATED_COLUMNS, how), "a part's total used before it is there");
    how.resident = 2;
    report(find_fault<emulated_parts_of_rows<sum>>(EMULATED_COLUMNS, how),
           "with tickets few resident blocks are enough for columns");
    found(find_fault<without_tickets>(EMULATED_COLUMNS, how), "no tickets for columns");
}

void mutants_of_streams_are_found()
{
    setting how;
    how.length = 100;
    how.rows = 2;
    how.inner = 133;
    how.fill = 4;
    report(find_fault<emulated_parts_of_rows<sum>>(EMULATED_STREAM, how),
           "nothing is found in columns that stream");
    found(find_fault<broken_stream<arrives_early>>(EMULATED_STREAM, how),
          "a stage scanned before its loads have come");
    found(find_fault<broken_stream<overwrites>>(EMULATED_STREAM, how),
          "a stage filled before it is written");
    found(find_fault<broken_stream<does_not_wait_for_reads>>(EMULATED_STREAM, how),
          "a stage filled before its copies have read it");
    found(find_fault<broken_stream<without_fence>>(EMULATED_STREAM, how),
          "copies that do not see what was scanned");
    found(find_fault<broken_stream<without_neighbours>>(EMULATED_STREAM, how),
          "sectors at the edge of a strip that nobody writes");
}

void mutants_of_waiting_are_found()
{
    setting how;
    how.rows = 2;
    how.length = 6000;
    how.warps = 1;
    found(find_fault<hasty>(EMULATED_LINKED, how), "a total used before it is there");
    using bf16_sum = cuda_sum<cuda_bf16>;
    for (const emulated_kernel kernel : {EMULATED_LINKED, EMULATED_LONG}) {
        report(find_fault<emulated_parts_of_rows<bf16_sum>, bf16_sum>(kernel, how),
               "nothing is found in rows of bf16");
        found(find_fault<half_totals, bf16_sum>(kernel, how), "totals of bf16 rounded to it");
    }
    found(find_fault<without_place>(EMULATED_LONG, how), "a tile whose position is not known yet");
    found(find_fault<without_ready, cuda_sum<uint8_t>>(EMULATED_LONG, how),
          "a stage that is written before it is reduced");
    how.resident = 2;
    report(find_fault<emulated_parts_of_rows<sum>>(EMULATED_LINKED, how),
           "with tickets few resident blocks are enough");
    found(find_fault<without_tickets>(EMULATED_LINKED, how), "no tickets, few resident blocks");
    found(finds_places<cut_to_32_bits>(), "elements beyond 2^32 that are counted in 32 bits");
    found(finds_places<never_far>(), "rows beyond 2^32 whose positions are cut");
}

} // namespace

int main()
{
    tap_plan(3 * 4 + 2 * 3 + 2 * 2 + 9 + 6 + 11);
    mutants_of_rows_are_found();
    mutants_of_columns_are_found();
    mutants_of_streams_are_found();
    mutants_of_waiting_are_found();
    return tap_done();
}
