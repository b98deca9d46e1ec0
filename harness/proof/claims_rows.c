/*
 * claims_rows.c - the claims about many scans at once: rows, and scans that lie side by side
 *
 * Every scan has its own input, so that what leaks from one into another is wrong where it does.
 */
#include "proof/claim.h"

#include "problem/splitmix.h"

#include <string.h>

typedef struct shape {
    uint64_t rows, n, inner;
} shape;

enum { MOST_SHAPES = 128 };

typedef struct shape_set {
    uint64_t limit; /* of elements */
    size_t count;
    shape shapes[MOST_SHAPES];
} shape_set;

static void add_shape(shape_set *s, uint64_t rows, uint64_t n, uint64_t inner)
{
    const bool fits = n == 0 || rows * inner <= s->limit / n;
    if (fits && s->count < MOST_SHAPES)
        s->shapes[s->count++] = (shape){rows, n, inner};
}

static void add_all(shape_set *s, const shape *shapes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        add_shape(s, shapes[i].rows, shapes[i].n, shapes[i].inner);
}

/* Few and short rows first, so that a failure is simple. The first ones suffice for types and
 * operators that others stand for: what these do wrong by themselves shows in any rows. */
enum { BRIEF_ROWS = 9, BRIEF_COLUMNS = 8 };
static const shape of_rows[] = {
    {2, 2, 1},       {3, 7, 1},     {5, 33, 1},     {37, 100, 1},   {3, 1025, 1},   {100, 8, 1},
    {2, 5000, 1},    {1031, 13, 1}, {2, 65537, 1},  {2, 1, 1},      {7, 1, 1},      {65537, 1, 1},
    {3, 2, 1},       {1000, 2, 1},  {5, 3, 1},      {131101, 3, 1}, {7, 4, 1},      {6, 5, 1},
    {700, 7, 1},     {65537, 8, 1}, {11, 9, 1},     {9, 15, 1},     {8, 16, 1},     {7, 17, 1},
    {33, 31, 1},     {64, 32, 1},   {40000, 33, 1}, {5, 63, 1},     {6, 64, 1},     {129, 65, 1},
    {3, 127, 1},     {16, 128, 1},  {5, 129, 1},    {7, 255, 1},    {9, 256, 1},    {11, 257, 1},
    {4, 511, 1},     {33, 513, 1},  {100, 1000, 1}, {5, 1023, 1},   {8, 1024, 1},   {300, 1024, 1},
    {3, 2047, 1},    {4, 2048, 1},  {5, 2049, 1},   {3, 4095, 1},   {6, 4096, 1},   {2, 4097, 1},
    {50, 4099, 1},   {7, 5000, 1},  {2, 8191, 1},   {3, 8193, 1},   {12, 10007, 1}, {3, 16385, 1},
    {9, 20011, 1},   {2, 32769, 1}, {5, 50257, 1},  {4, 65536, 1},  {3, 131071, 1}, {2, 262147, 1},
    {2, 1000003, 1}, {200, 50, 1},  {256, 17, 1},   {1024, 20, 1},  {5, 8192, 1},   {3, 16384, 1},
    {2003, 70, 1},   {300007, 2, 1}};
static const shape of_columns[] = {
    {1, 2, 2},     {1, 7, 3},      {3, 33, 5},      {1, 100, 33},  {2, 9, 129},    {5, 3, 1025},
    {1, 1025, 2},  {2, 70, 1000},  {1, 1, 2},       {3, 1, 7},     {1, 2, 3},      {1, 3, 4},
    {2, 3, 8},     {1, 5, 7},      {7, 2, 15},      {1, 17, 16},   {3, 8, 17},     {1, 31, 31},
    {2, 32, 32},   {1, 33, 63},    {1, 64, 64},     {5, 10, 65},   {1, 129, 97},   {3, 5, 127},
    {1, 16, 128},  {1, 257, 255},  {1, 33, 256},    {2, 3, 257},   {1, 1000, 8},   {100, 7, 6},
    {1, 4097, 3},  {1, 513, 512},  {1, 9, 4099},    {7, 2, 10007}, {1, 2, 65537},  {1, 131, 1024},
    {1, 65537, 2}, {3, 20011, 5},  {1, 30, 50257},  {65537, 2, 3}, {1, 100003, 9}, {9, 11, 10},
    {20, 33, 20},  {131, 20, 144}, {64, 5, 64},     {2, 300, 301}, {2, 7, 192},    {3, 40, 1009},
    {1, 9, 2003},  {1, 262147, 2}, {1, 2, 1000003}, {257, 2, 263}, {131, 1, 129}};

/* Rows around the edges of the plugin's tile. */
static void add_tiles(shape_set *s, uint64_t tile)
{
    if (tile < 2)
        return;
    for (uint64_t n = tile - 1; n <= tile + 1; n++)
        add_shape(s, 3, n, 1);
    add_shape(s, 5, 2 * tile, 1);
    add_shape(s, 3, 2 * tile + 1, 1);
    add_shape(s, 2, 3 * tile + 1, 1);
    if (tile % 2 == 0)
        add_shape(s, 9, tile / 2, 1);
    add_shape(s, tile + 1, 3, 1);
}

static shape_set shapes_of(const proof *p, const job *j)
{
    shape_set s = {.limit = p->limit};
    const bool columns = p->claim->detail == PROOF_OF_COLUMNS;
    const shape *all = columns ? of_columns : of_rows;
    const size_t brief = columns ? BRIEF_COLUMNS : BRIEF_ROWS;
    const size_t every =
        columns ? sizeof of_columns / sizeof *of_columns : sizeof of_rows / sizeof *of_rows;
    add_all(&s, all, p->brief ? brief : every);
    if (!columns && !p->brief)
        add_tiles(&s, proof_tile_of(p, j).elements);
    add_shape(&s, columns ? 1 : 5, 0, columns ? 3 : 1);
    for (size_t i = 0; !(p->session->plugin->flags & SCAN_FLAG_ROWS) && i < s.count; i++)
        s.shapes[i].rows = 1;
    return s;
}

static void set_shape(job *j, shape s)
{
    j->rows = s.rows;
    j->n = s.n;
    j->inner = s.inner;
}

static proof_verdict at_shapes(proof *p, job j)
{
    const shape_set s = shapes_of(p, &j);
    const uint32_t first = j.kind;
    const size_t before = p->jobs;
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < s.count; i++)
        for (uint32_t kind = 0; kind < SCAN_KIND_COUNT && !proof_is_over(verdict); kind++) {
            set_shape(&j, s.shapes[i]);
            if (!proof_wants_kind(p, &j, kind) || (p->brief && kind != first) ||
                !proof_takes_turn(p, &j, kind, i))
                continue;
            j.kind = kind;
            verdict = proof_do(p, &j, true);
        }
    return proof_is_over(verdict) ? verdict : p->jobs > before ? PROOF_OK : PROOF_SKIPPED;
}

/* Each remainder, by a vector or a group of them, of a length and of the number of scans. Kinds
 * take turns; in special buffers each number gets the other kind. */
static proof_verdict at_each_number(proof *p, job j)
{
    enum { MOST = 71, STEP = 29 }; /* prime to each other: n takes each value once, too */
    const bool columns = p->claim->detail == PROOF_OF_COLUMNS;
    const bool rows = p->session->plugin->flags & SCAN_FLAG_ROWS;
    const bool special = j.run.in_place || j.run.misalign || j.run.fence != FENCE_NONE;
    const size_t before = p->jobs;
    proof_verdict verdict = PROOF_OK;
    for (uint64_t i = 0; i < MOST && !proof_is_over(verdict); i++) {
        const uint64_t n = 2 + i * STEP % MOST, number = 2 + i;
        const uint32_t kind = (i + special) % SCAN_KIND_COUNT;
        const shape row = {number, n, 1}, column = {rows ? 1 + (i + 1) % 4 : 1, n, number};
        j.kind = proof_wants_kind(p, &j, kind) ? kind : !kind;
        set_shape(&j, columns ? column : row);
        verdict = proof_do(p, &j, true);
    }
    return proof_is_over(verdict) ? verdict : p->jobs > before ? PROOF_OK : PROOF_SKIPPED;
}

/* 2^bits to twice that. */
static uint64_t draw_number(uint64_t *state, uint64_t bits)
{
    return (UINT64_C(1) << bits) + splitmix_next(state) % (UINT64_C(1) << bits);
}

/* Of 2^bits elements or a few times as many: any number of bits goes to each side. */
static shape draw_shape(uint64_t *state, uint64_t bits, bool rows, bool columns)
{
    const uint64_t n_bits = !rows && !columns ? bits : splitmix_next(state) % (bits + 1);
    const uint64_t rest = bits - n_bits;
    const uint64_t row_bits = !columns ? rest : rows ? splitmix_next(state) % (rest + 1) : 0;
    return (shape){.rows = rows ? draw_number(state, row_bits) : 1,
                   .n = draw_number(state, n_bits),
                   .inner = columns ? 1 + draw_number(state, rest - row_bits) : 1};
}

/* As drawn, in the buffers whose turn it is: in place where that is declared, misaligned, or both
 * of these; at a fence. */
static job drawn_job(const proof *p, job j, uint64_t i)
{
    enum { WAYS = 5 };
    const plugin_info *plugin = p->session->plugin;
    const bool same = job_result_type(&j) == j.dtype, on_host = !plugin->device_memory;
    const bool in_place = same && plugin->flags & SCAN_FLAG_IN_PLACE;
    const uint32_t bytes = (uint32_t)dtype_bytes(j.dtype);
    j.run.repeat = 1;
    j.run.in_place = in_place && (i % WAYS == 1 || i % WAYS == 2);
    j.run.misalign = on_host && (i % WAYS == 2 || i % WAYS == 3) ? bytes : 0;
    j.run.misalign_out = j.run.misalign ? (uint32_t)dtype_bytes(job_result_type(&j)) : 0;
    j.run.fence = on_host && i % WAYS == 4 ? FENCE_BEHIND : FENCE_NONE;
    return j;
}

proof_verdict proof_at_drawn_shapes(proof *p, job j, bool columns, size_t count, unsigned most)
{
    enum { LEAST = 8, FARTHER = 2, EVERY = 8 }; /* every eighth shape is larger */
    const bool rows = p->session->plugin->flags & SCAN_FLAG_ROWS;
    const uint64_t pair = j.op * UINT64_C(64) + j.dtype;
    uint64_t state = splitmix_hash(p->s->seed + columns) + 2 * pair + j.kind;
    proof_verdict verdict = PROOF_OK;
    while (most > LEAST && p->limit >> most < 2)
        most--;
    for (size_t i = 0; i < count && !proof_is_over(verdict); i++) {
        const uint64_t bits = LEAST + splitmix_next(&state) % (most - LEAST + 1);
        const shape s =
            draw_shape(&state, i % EVERY == EVERY - 1 ? most + FARTHER : bits, rows, columns);
        const uint32_t kind = i / 2 % SCAN_KIND_COUNT;
        job one = drawn_job(p, j, i);
        one.kind = proof_wants_kind(p, &j, kind) ? kind : !kind;
        set_shape(&one, s);
        if (job_elements(&one) <= p->limit)
            verdict = proof_do(p, &one, true);
    }
    return verdict;
}

static proof_verdict at_drawn(proof *p, job j)
{
    enum { DRAWN = 96, BITS = 18 };
    return proof_at_drawn_shapes(p, j, p->claim->detail == PROOF_OF_COLUMNS, DRAWN, BITS);
}

/* Some values of each tunable, and those all at once: rows may take another way with each. */
static proof_verdict at_settings(proof *p, job j)
{
    const plugin_info *plugin = p->session->plugin;
    proof_verdict verdict = PROOF_SKIPPED;
    for (size_t i = 0; i < PROOF_SOME * plugin->tunable_count && !proof_is_over(verdict); i++) {
        const size_t t = i / PROOF_SOME;
        const int64_t value = proof_some_value(p, &plugin->tunables[t], i % PROOF_SOME);
        job other = j;
        other.tunables[t] = value;
        if ((int)t != proof_parts_index(plugin) && value != j.tunables[t])
            verdict = at_shapes(p, other);
    }
    return proof_is_over(verdict) ? verdict : proof_at_joint_settings(p, j, at_shapes);
}

/* In full with types that stand for others, of which one goes through each number in place,
 * misaligned and at fences; then briefly: with every type and operator, in these buffers, again and
 * again on one instance, and with other settings. */
proof_verdict proof_test_rows(proof *p)
{
    const plugin_info *plugin = p->session->plugin;
    const bool on_host = !plugin->device_memory;
    const struct {
        bool applies;
        job like;
    } ways[] = {{true, {.run.repeat = 3}},
                {plugin->flags & SCAN_FLAG_IN_PLACE, {.run.in_place = 1, .run.repeat = 1}},
                {on_host, {.run.misalign = 1, .run.misalign_out = 3, .run.repeat = 1}},
                {on_host, {.run.fence = FENCE_FRONT, .run.repeat = 1}},
                {on_host, {.run.fence = FENCE_BEHIND, .run.repeat = 1}}};
    proof_verdict verdict = proof_with_telling_types(p, at_shapes, NULL);
    if (verdict == PROOF_OK)
        verdict = proof_with_telling_types(p, at_each_number, NULL);
    if (verdict == PROOF_OK)
        verdict = proof_with_type(p, PROOF_ANY_TYPE, at_drawn, &ways[0].like);
    for (size_t i = 1; i < sizeof ways / sizeof *ways && verdict == PROOF_OK; i++)
        if (ways[i].applies)
            verdict = proof_with_type(p, PROOF_ANY_TYPE, at_each_number, &ways[i].like);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (ways[i].applies)
            verdict = proof_then(p, verdict, i == 0 ? proof_with_each_pair : proof_with_each_type,
                                 at_shapes, &ways[i].like);
    verdict = proof_then(p, verdict, proof_with_each_type, at_settings, &ways[0].like);
    p->reach->many_wrong |= verdict == PROOF_FAILED;
    return verdict;
}

proof_verdict proof_many_scans(proof *p, job j, proof_subtest test)
{
    enum { COLUMNS = 4099 };
    const uint64_t elements = j.n;
    const struct {
        uint32_t flag;
        uint64_t rows, n, inner;
    } shapes[] = {{SCAN_FLAG_ROWS, elements, 1, 1},
                  {SCAN_FLAG_ROWS, 3, elements / 3, 1},
                  {SCAN_FLAG_INNER, 1, elements / COLUMNS, COLUMNS}};
    proof_verdict verdict = PROOF_OK;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && !proof_is_over(verdict); i++) {
        j.rows = shapes[i].rows;
        j.n = shapes[i].n;
        j.inner = shapes[i].inner;
        if (p->session->plugin->flags & shapes[i].flag)
            verdict = test(p, j);
    }
    return verdict;
}
