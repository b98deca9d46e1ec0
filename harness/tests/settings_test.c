/* settings_test.c - the lists of the command line as values; bad ones are refused */
#include "sweep/settings.h"
#include "tap.h"

static const grid_options usual = {
    .types = "i32", .ops = "sum", .kinds = "exclusive", .sizes = "1e3..1e5"};

static errmsg error;

static bool parse(const grid_options *o, settings *s_p)
{
    *s_p = (settings){0};
    return settings_parse(o, s_p, &error) == SCAN_OK;
}

static void refuses(const grid_options *o, const char *expected)
{
    settings s;
    bool good = parse(o, &s);
    if (!ok(!good && strstr(error.text, expected), "refused: %s", expected))
        printf("# got: %s\n", good ? "no error" : error.text);
    settings_free(&s);
}

static void test_words(void)
{
    settings s;
    grid_options o = usual;
    ok(parse(&o, &s) && s.type_count == 1 && s.types[0] == SCAN_DTYPE_I32 && s.op_count == 1 &&
           s.kind_count == 1 && s.kinds[0] == SCAN_KIND_EXCLUSIVE && s.sizes.count == 3 &&
           s.cache_count == 1 && s.caches[0] == CACHE_HOT,
       "one word each");
    settings_free(&s);
    o.types = "f64,i32,f64";
    o.ops = "max,sum";
    o.kinds = "inclusive,exclusive";
    o.cache = "cold,hot";
    ok(parse(&o, &s) && s.type_count == 2 && s.types[0] == SCAN_DTYPE_F64 &&
           s.types[1] == SCAN_DTYPE_I32 && s.ops[0] == SCAN_OP_MAX &&
           s.kinds[0] == SCAN_KIND_INCLUSIVE && s.cache_count == 2 && s.caches[0] == CACHE_COLD,
       "words in their order, each once");
    settings_free(&s);
    o.types = o.ops = o.kinds = "all";
    ok(parse(&o, &s) && s.type_count == SCAN_DTYPE_COUNT && s.op_count == SCAN_OP_COUNT &&
           s.kind_count == SCAN_KIND_COUNT && !settings_any_kind(&s),
       "all of them, and of the kinds each, not any");
    settings_free(&s);
    o.kinds = "inclusive,any";
    ok(parse(&o, &s) && s.kind_count == 2 && s.kinds[1] == SETTINGS_ANY_KIND &&
           settings_any_kind(&s),
       "any kind, beside another");
    settings_free(&s);
    o.sizes = NULL;
    ok(parse(&o, &s) && s.sizes.count == 0, "sizes need not be there, for a proof");
    settings_free(&s);
    o.pattern = "impulse:7";
    o.seed = 9;
    ok(parse(&o, &s) && strcmp(s.pattern, "impulse:7") == 0 && s.seed == 9,
       "pattern and seed as they are");
    settings_free(&s);
}

/* Are these the results of an input of that dtype? */
static bool has_results(const settings *s, uint32_t dtype, size_t count, const uint32_t *expected)
{
    uint32_t results[SETTINGS_RESULTS];
    return settings_results(s, dtype, results) == count &&
           memcmp(results, expected, count * sizeof *expected) == 0;
}

static void test_results(void)
{
    settings s;
    grid_options o = usual;
    const uint32_t same[] = {0}, i32[] = {RESULT_OF(SCAN_DTYPE_I32)};
    const uint32_t wide_and_i16[] = {RESULT_OF(SCAN_DTYPE_I32), RESULT_OF(SCAN_DTYPE_I16), 0};
    o.types = "all";
    ok(parse(&o, &s) && has_results(&s, SCAN_DTYPE_I8, 1, same), "the results of the input's type");
    settings_free(&s);
    o.results = "wide";
    ok(parse(&o, &s) && has_results(&s, SCAN_DTYPE_I16, 1, i32) &&
           has_results(&s, SCAN_DTYPE_I64, 0, same) && has_results(&s, SCAN_DTYPE_F32X2, 0, same),
       "wide ones, which some types do not have");
    settings_free(&s);
    o.results = "wide,i16,i8,same";
    ok(parse(&o, &s) && has_results(&s, SCAN_DTYPE_I8, 3, wide_and_i16) &&
           has_results(&s, SCAN_DTYPE_U16, 2, (const uint32_t[]){RESULT_OF(SCAN_DTYPE_U32), 0}),
       "several, each once");
    settings_free(&s);
    o.types = "i64,u32x2";
    o.ops = "sum,affine";
    o.results = "wide,f64";
    refuses(&o, "--results wide,f64: no wider type of the same sort (signed, unsigned or float) as "
                "--types i64,u32x2; ask for one of these, or leave the option out: i64 has none; "
                "u32x2 has none");
    o.types = "f16,f32x2";
    o.ops = "affine";
    o.results = "wide";
    refuses(&o, "--results wide: no wider type of the same sort (signed, unsigned or float) as "
                "--types f16,f32x2; ask for one of these, or leave the option out: f32x2 has none");
    o.results = "widest";
    refuses(&o, "--results: \"widest\" is unknown");
}

static void test_sets(void)
{
    settings s;
    grid_options o = usual;
    o.block_sizes = "32..256";
    o.sets.items[0] = "vt=1..3";
    o.sets.items[1] = "pad=0,1";
    o.sets.count = 2;
    o.parts = "1..3";
    ok(parse(&o, &s) && s.set_count == 4, "--block-sizes is one set more, and so is --parts");
    const range_list *parts = settings_find(&s, "parts");
    ok(parts && parts->count == 3 && parts->values[2] == 3, "parts go step by step");
    const range_list *block = settings_find(&s, "block"), *vt = settings_find(&s, "vt");
    ok(block && block->count == 4 && block->values[3] == 256, "blocks double");
    ok(vt && vt->count == 3 && vt->values[1] == 2, "other tunables go step by step");
    ok(!settings_find(&s, "threads") && !settings_find(&s, "v"), "what is not set is not found");
    settings_free(&s);
    o = usual;
    o.sets.items[0] = "block=32..128";
    o.sets.count = 1;
    ok(parse(&o, &s) && settings_find(&s, "block")->count == 3, "--set block doubles as well");
    settings_free(&s);
    o.block_sizes = "64";
    refuses(&o, "block is set twice");
}

#define REFUSES(field, value, expected) \
    do {                                \
        grid_options o = usual;         \
        o.field = value;                \
        refuses(&o, expected);          \
    } while (0)

static void test_refused(void)
{
    REFUSES(types, "i23", "--types: \"i23\" is unknown; did you mean i32?");
    REFUSES(types, "i32,", "--types: \"\" is unknown");
    REFUSES(types, "", "--types: \"\" is unknown");
    REFUSES(ops, "plus", "--ops: \"plus\" is unknown; write one of sum max min affine");
    REFUSES(kinds, "inclusiv", "did you mean inclusive?");
    REFUSES(ops, "affine", "--ops affine is not defined on --types i32");
    REFUSES(types, "u32x2", "--ops sum is not defined on --types u32x2");
    REFUSES(sizes, "1x", "--sizes: 1x");
    REFUSES(block_sizes, "0", "--block-sizes: 0 is too small; the least is 1");
    REFUSES(parts, "2,0", "--parts: 0 is too small; the least is 1");
    REFUSES(pattern, "zeros", "--pattern: \"zeros\" is unknown");
    REFUSES(pattern, "ones:3", "only impulse takes an index");
    REFUSES(pattern, "impulse:", "only impulse takes an index");
    grid_options o = usual;
    o.sets.count = 1;
    o.sets.items[0] = "=1";
    refuses(&o, "write NAME=LIST");
    o.sets.items[0] = "a_name_of_more_than_23_bytes=1";
    refuses(&o, "write NAME=LIST");
    o.sets.items[0] = "vt=x";
    refuses(&o, "--set: 'x' is not a number");
}

int main(void)
{
    tap_plan(6 + 6 + 7 + 16);
    test_words();
    test_results();
    test_sets();
    test_refused();
    return tap_done();
}
