/*
 * same_bits_test.c - sums of floats have the same bits wherever the buffers begin, in place, and
 * whether they are stored through the caches or around them, in every set of instructions that this
 * CPU has; sums of bf16 that f32 holds are rounded to nearest even, at every length
 */
#include "scan_half.h"
#include "simd_part.h"
#include "tap.h"

#include <stdlib.h>

enum { MOST_N = 50000, MOST_BYTES = 8, PLACES = SIMD_LINE_BYTES };
enum { ROOM = MOST_N * MOST_BYTES + 2 * PLACES };

static _Alignas(64) unsigned char source[ROOM], target[ROOM], first[ROOM];

typedef struct type {
    const char *name;
    uint32_t dtype, bytes;
} type;

static const type types[] = {{"f16", SCAN_DTYPE_F16, 2},
                             {"bf16", SCAN_DTYPE_BF16, 2},
                             {"f32", SCAN_DTYPE_F32, 4},
                             {"f64", SCAN_DTYPE_F64, 8}};

/* Element i of the input: small ones among great ones that cancel, so that what is lost in sums of
 * these shows in results. Or a whole number, whose sums f32 holds. */
static double element(const type *t, size_t i, bool whole)
{
    const double small = (double)((uint32_t)i * UINT32_C(2654435761) >> 24);
    const double great = t->dtype == SCAN_DTYPE_F16 ? 3e4 : 1e6;
    return whole ? small : (i % 7 == 2 ? great : i % 7 == 5 ? -great : 0) + (small - 127) / 300;
}

static void make_input(const type *t, size_t n, bool whole, unsigned char *to)
{
    for (size_t i = 0; i < n; i++, to += t->bytes) {
        const double wide = element(t, i, whole);
        const float single = (float)wide;
        const uint16_t half =
            t->dtype == SCAN_DTYPE_F16 ? scan_f16_from_f32(single) : scan_bf16_from_f32(single);
        const void *const as[] = {[2] = &half, [4] = &single, [8] = &wide};
        memcpy(to, as[t->bytes], t->bytes);
    }
}

typedef struct setting {
    const type *t;
    uint32_t kind; /* scan_kind */
    simd_set set;
    size_t n;
} setting;

static void scan(const setting *s, simd_way way, const unsigned char *in, unsigned char *out)
{
    const scan_problem problem = {.struct_size = sizeof problem,
                                  .kind = s->kind,
                                  .op = SCAN_OP_SUM,
                                  .dtype = s->t->dtype,
                                  .n = s->n,
                                  .element_bytes = s->t->bytes};
    static simd_single single;
    simd_single_prepare(&single, &problem, simd_op_of(&problem), s->set, way);
    simd_single_run(&single, (uintptr_t)in, (uintptr_t)out);
}

/* Are they, with input and output `at` and `to` bytes behind the begin of a line? */
static bool same_at(const setting *s, simd_way way, size_t at, size_t to)
{
    const size_t bytes = s->n * s->t->bytes, room = bytes + (size_t)2 * PLACES;
    make_input(s->t, s->n, false, source + at);
    memset(target, 0xa5, room);
    scan(s, way, source + at, target + to);
    bool good = memcmp(target + to, first, bytes) == 0;
    for (size_t i = 0; i < to; i++)
        good = good && target[i] == 0xa5;
    for (size_t i = to + bytes; i < room; i++)
        good = good && target[i] == 0xa5;
    scan(s, way, source + at, source + at);
    good = good && memcmp(source + at, first, bytes) == 0;
    if (!good)
        printf("# %zu elements at byte %zu of a line, to byte %zu\n", s->n, at, to);
    return good;
}

/* The first scan, whose bits the others shall have. */
static void scan_first(const setting *s, bool whole)
{
    make_input(s->t, s->n, whole, source);
    scan(s, SIMD_NEAR, source, first);
}

static bool same_everywhere(setting s)
{
    static const size_t sizes[] = {1, 2, 3, 31, 32, 33, 64, 127, 1000, MOST_N - 1};
    bool good = true;
    for (size_t k = 0; good && k < sizeof sizes / sizeof *sizes; k++) {
        s.n = sizes[k];
        scan_first(&s, false);
        for (size_t to = 0; good && to < PLACES; to += s.t->bytes)
            good = same_at(&s, SIMD_NEAR, PLACES - to, to) &&
                   same_at(&s, SIMD_FAR_AHEAD, to * 3 % PLACES, to);
    }
    return good;
}

/* The scans of bf16 up to n elements, whose sums are whole numbers that f32 holds. */
static bool rounded(setting s)
{
    for (s.n = 0; s.n < 300; s.n++) {
        scan_first(&s, true);
        float sum = 0;
        for (size_t i = 0; i < s.n; i++) {
            uint16_t x, y;
            memcpy(&x, source + i * sizeof x, sizeof x);
            memcpy(&y, first + i * sizeof y, sizeof y);
            const float before = sum;
            sum += scan_bf16_to_f32(x);
            if (y != scan_bf16_from_f32(s.kind == SCAN_KIND_EXCLUSIVE ? before : sum)) {
                printf("# element %zu of %zu is wrong\n", i, s.n);
                return false;
            }
        }
    }
    return true;
}

int main(void)
{
    enum { TYPES = sizeof types / sizeof *types };
    static const char *const kinds[] = {"exclusive", "inclusive"};
    tap_plan((SIMD_SETS - SIMD_ANY) * SCAN_KIND_COUNT * (TYPES + 1));
    for (simd_set set = SIMD_ANY; set < SIMD_SETS; set++)
        for (uint32_t kind = 0; kind < SCAN_KIND_COUNT; kind++) {
            if (!simd_has(set)) {
                tap_skip(TYPES + 1, "this CPU lacks the instructions");
                continue;
            }
            for (const type *t = types; t < types + TYPES; t++)
                ok(same_everywhere((setting){t, kind, set, 0}),
                   "the %s sum of %s has the same bits everywhere, isa=%d", kinds[kind], t->name,
                   (int)set);
            ok(rounded((setting){&types[1], kind, set, 0}),
               "the %s sum of bf16 is rounded to nearest even at every length, isa=%d", kinds[kind],
               (int)set);
        }
    return tap_done();
}
