/* plan_test.c - the configurations of a plan, in order, and what rules them out */
#include "sweep/plan.h"
#include "system/memory.h"
#include "tap.h"

/* The plugins of the test: a copy, the baseline, a plugin with threads, one on a device, one that
 * is not available. */
static int64_t pads[] = {0, 1};
static int64_t ways[] = {0, 1};
static tunable_info copying[] = {
    {.name = (char[]){"threads"}, .flags = SCAN_TUNABLE_THREADS, .min = 0, .max = 64},
    {.name = (char[]){"way"}, .values = ways, .value_count = 2},
    {.name = (char[]){"ahead"}, .default_value = 7, .min = 0, .max = 9}};
static tunable_info team = {
    .name = (char[]){"threads"}, .flags = SCAN_TUNABLE_THREADS, .default_value = 2, .max = 64};
static tunable_info tile[] = {
    {.name = (char[]){"block"}, .default_value = 128, .min = 32, .max = 1024},
    {.name = (char[]){"pad"}, .default_value = 1, .values = pads, .value_count = 2}};

static tunable_info divided[] = {
    {.name = (char[]){"parts"}, .default_value = 1, .min = 1, .max = 4},
    {.name = (char[]){"block"}, .default_value = 128, .min = 32, .max = 1024}};

static plugin_info plugins[] = {
    {.id = (char[]){"copy"},
     .backend = (char[]){"cpu"},
     .role = SCAN_ROLE_CEILING,
     .tunables = copying,
     .tunable_count = 3},
    {.id = (char[]){"serial"},
     .backend = (char[]){"cpu"},
     .role = SCAN_ROLE_BASELINE,
     .ops = {SCAN_OPS_1_0}},
    {.id = (char[]){"parallel"},
     .backend = (char[]){"cpu"},
     .role = SCAN_ROLE_ALGORITHM,
     .ops = {{SCAN_OP_SUM, SCAN_BIT(SCAN_KIND_INCLUSIVE), SCAN_BIT(SCAN_DTYPE_I32)}},
     .max_n = 5000,
     .tunables = &team,
     .tunable_count = 1},
    {.id = (char[]){"tree"},
     .backend = (char[]){"gpu"},
     .role = SCAN_ROLE_ALGORITHM,
     .ops = {SCAN_OPS_1_0},
     .device_memory = true,
     .tunables = tile,
     .tunable_count = 2},
    {.id = (char[]){"absent"}, .backend = (char[]){"gpu"}, .role = SCAN_ROLE_ALGORITHM},
};

static session sessions[5] = {
    {.plugin = &plugins[0], .places = 4, .status = ROW_OK},
    {.plugin = &plugins[1], .places = 1, .status = ROW_OK},
    {.plugin = &plugins[2], .places = 4, .status = ROW_OK},
    {.plugin = &plugins[3],
     .places = 1,
     .status = ROW_OK,
     .device = {.name = "Board", .memory_bytes = 1 << 20}},
    {.plugin = &plugins[4], .places = 1, .status = ROW_UNAVAILABLE, .reason = "no such device"},
};

static errmsg error;

static scan_status make(grid_options o, uint64_t limit, plan *plan_p)
{
    static const measuring_options measuring = {.time_limit_s = 1};
    const session_set r = {.sessions = sessions, .count = 5};
    settings s;
    o.types = o.types ? o.types : "i32";
    o.ops = o.ops ? o.ops : "sum";
    o.kinds = o.kinds ? o.kinds : "inclusive";
    *plan_p = (plan){0};
    if (settings_parse(&o, &s, &error) != SCAN_OK)
        return SCAN_INVALID;
    scan_status status = plan_make(&measuring, &s, &r, limit, plan_p, &error);
    settings_free(&s);
    return status;
}

/* A whole plan as text: "copy i32 n=1000 threads=0|serial ...". */
static const char *text_of(const plan *p)
{
    static char text[4096];
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < p->count; i++) {
        char one[256];
        const configuration c = plan_get(p, i);
        plan_describe(&c, sessions, one, sizeof one);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s%s%s", i ? "|" : "", one,
                                 c.status ? " # " : "", c.status ? row_status_word(c.status) : "");
    }
    return text;
}

/* The first configuration of a plugin, valid until the next call, or NULL. */
static const configuration *configuration_of(const plan *p, const char *id)
{
    static configuration found;
    for (size_t i = 0; i < p->count; i++) {
        found = plan_get(p, i);
        if (strcmp(sessions[found.session].plugin->id, id) == 0)
            return &found;
    }
    return NULL;
}

static void test_order(void)
{
    plan p;
    ok(make((grid_options){.sizes = "1000", .seed = 5}, UINT64_C(1) << 40, &p) == SCAN_OK,
       "a plan is made");
    is_text(text_of(&p),
            "copy i32 n=1000 threads=0 way=0 ahead=7|copy i32 n=1000 threads=0 way=1 ahead=7|"
            "copy i32 n=1000 threads=2 way=0 ahead=7|copy i32 n=1000 threads=2 way=1 ahead=7|"
            "serial i32 sum inclusive n=1000|parallel i32 sum inclusive n=1000 threads=2|"
            "tree i32 sum inclusive n=1000 block=128 pad=1|"
            "absent i32 sum inclusive n=1000 # unavailable",
            "the copies first, with the threads that others use and every value of their lists, "
            "then all else");
    if (p.count < 8) { /* nothing below can be asked of a shorter plan */
        plan_free(&p);
        return;
    }
    ok(plan_get(&p, 0).job.time_limit_s == 0.5 &&
           configuration_of(&p, "parallel")->job.time_limit_s == 1,
       "the values of a copy's list share the time limit");
    ok(plan_get(&p, 0).threads == 4 && plan_get(&p, 2).threads == 2 &&
           configuration_of(&p, "parallel")->threads == 2 &&
           configuration_of(&p, "serial")->threads == 1,
       "0 threads are as many as there are places");
    const configuration *tree = configuration_of(&p, "tree");
    ok(tree->has_block && tree->block == 128 && !tree->has_vt && strcmp(tree->params, "pad=1") == 0,
       "block has a column of its own; other tunables are params");
    ok(tree->job.mode == JOB_MEASURE && tree->job.seed == 5 && tree->job.time_limit_s == 1,
       "jobs take what the options say");
    is_text(configuration_of(&p, "absent")->reason, "no such device", "what is not there says why");
    plan_free(&p);
    make(
        (grid_options){.sizes = "10,20", .kinds = "all", .types = "i64,u32x2", .ops = "sum,affine"},
        UINT64_C(1) << 40, &p);
    /* two types, two sizes: of each four copies, and two kinds of four plugins */
    ok(p.count == 48, "every type with its operators, size and kind: %zu", p.count);
    plan_free(&p);
}

static void test_any_kind(void)
{
    plan p;
    ok(make((grid_options){.sizes = "1000", .kinds = "any", .seed = 5}, UINT64_C(1) << 40, &p) ==
           SCAN_OK,
       "a plan of any kind is made");
    is_text(strstr(text_of(&p), "serial"),
            "serial i32 sum exclusive n=1000 kinds=any|"
            "parallel i32 sum inclusive n=1000 threads=2 kinds=any|"
            "tree i32 sum exclusive n=1000 block=128 pad=1 kinds=any|"
            "absent i32 sum exclusive n=1000 kinds=any # unavailable",
            "each plugin once, exclusive unless it is inclusive only");
    plan_free(&p);
    make((grid_options){.sizes = "1000", .kinds = "any,inclusive", .seed = 5}, UINT64_C(1) << 40,
         &p);
    const configuration any = plan_get(&p, 5), inclusive = plan_get(&p, 9);
    ok(any.job.kind == inclusive.job.kind && !job_same_problem(&any.job, &inclusive.job),
       "a scan of a kind is no rival of the same one among any");
    plan_free(&p);
}

static void test_caches(void)
{
    plan p;
    make((grid_options){.sizes = "10,20", .sets = {{"way=1"}, 1}, .cache = "cold,hot"},
         UINT64_C(1) << 40, &p);
    const configuration cold = plan_get(&p, 2), hot = plan_get(&p, 3);
    ok(p.count == 24 && cold.job.n == 10 && cold.job.cache == CACHE_COLD &&
           hot.job.cache == CACHE_HOT && cold.session == hot.session,
       "each configuration is measured in each state of the caches, one behind the other");
    ok(strstr(text_of(&p),
              "serial i32 sum inclusive n=10 cache=cold|serial i32 sum inclusive n=10|"),
       "what is cold says so");
    plan_free(&p);
    make((grid_options){.sizes = "10"}, UINT64_C(1) << 40, &p);
    ok(plan_get(&p, 0).job.cache == CACHE_HOT, "usually caches are hot");
    plan_free(&p);
}

static void test_sets(void)
{
    plan p;
    grid_options o = {.sizes = "10", .block_sizes = "32..64", .sets = {{"pad=0,1"}, 1}};
    make(o, UINT64_C(1) << 40, &p);
    size_t trees = 0;
    for (size_t i = 0; i < p.count; i++)
        trees += plan_get(&p, i).session == 3;
    ok(trees == 4, "every combination of what is set");
    plan_free(&p);
    make((grid_options){.sizes = "10", .sets = {.items = {"way=1"}, .count = 1}}, UINT64_C(1) << 40,
         &p);
    ok(plan_get(&p, 1).session == 0 && plan_get(&p, 2).session == 1 &&
           plan_get(&p, 0).job.time_limit_s == 1,
       "a value set for the copy is the only one, and has all the time");
    plan_free(&p);
    o.block_sizes = "16";
    make(o, UINT64_C(1) << 40, &p);
    const configuration *tree = configuration_of(&p, "tree");
    ok(tree->status == ROW_UNSUPPORTED && strstr(tree->reason, "block=16: tree takes 32 to 1024"),
       "a value that is not declared is unsupported: %s", tree->reason ? tree->reason : "");
    plan_free(&p);
    o.sets.items[0] = "pda=1";
    ok(make(o, UINT64_C(1) << 40, &p) == SCAN_INVALID &&
           strstr(error.text,
                  "--set pda: none of these plugins has such a tunable; did you mean pad?"),
       "a tunable nobody has is refused: %s", error.text);
}

static void reason_is(const char *id, grid_options o, uint64_t limit, row_status status,
                      const char *expected)
{
    plan p;
    make(o, limit, &p);
    const configuration *c = configuration_of(&p, id);
    if (!ok(c && c->status == status && c->reason && strstr(c->reason, expected), "%s: %s",
            row_status_word(status), expected))
        printf("# got: %s: %s\n", c ? row_status_word(c->status) : "",
               c && c->reason ? c->reason : "");
    plan_free(&p);
}

static void test_reasons(void)
{
    const uint64_t plenty = UINT64_C(1) << 62;
    reason_is("parallel", (grid_options){.sizes = "10", .types = "f32"}, plenty, ROW_UNSUPPORTED,
              "parallel does not declare inclusive sum of f32");
    reason_is("parallel", (grid_options){.sizes = "10", .ops = "max"}, plenty, ROW_UNSUPPORTED,
              "parallel does not declare inclusive max of i32");
    reason_is("parallel", (grid_options){.sizes = "10", .kinds = "exclusive"}, plenty,
              ROW_UNSUPPORTED,
              "parallel does not declare exclusive sum of i32, but inclusive: --kinds any");
    reason_is("parallel", (grid_options){.sizes = "10", .kinds = "any", .ops = "max"}, plenty,
              ROW_UNSUPPORTED, "parallel does not declare max of i32");
    reason_is("parallel", (grid_options){.sizes = "5001"}, plenty, ROW_UNSUPPORTED,
              "parallel takes at most 5000 elements");
    reason_is("serial", (grid_options){.sizes = "1Mi"}, 70 << 20, ROW_SKIPPED,
              "needs 72.0 MiB of host memory (2 arrays of 4194304 bytes and 64 MiB), the limit is "
              "70.0 MiB (--mem-limit)");
    reason_is("tree", (grid_options){.sizes = "1Mi"}, plenty, ROW_SKIPPED,
              "needs 8.0 MiB of device memory, Board has 1.0 MiB");
    reason_is("serial", (grid_options){.sizes = "9e18", .types = "f64"}, plenty, ROW_SKIPPED,
              "n * inner * 8 bytes is past 64 bits");
    plan p;
    make((grid_options){.sizes = "1Mi"}, 72 << 20, &p);
    ok(configuration_of(&p, "serial")->status == ROW_OK, "what just fits is measured");
    plan_free(&p);
    sessions[3].device.flags = SCAN_DEVICE_SHARES_HOST_MEMORY;
    reason_is("tree", (grid_options){.sizes = "1Mi"}, 72 << 20, ROW_SKIPPED,
              "needs 80.0 MiB of host memory (4 arrays of 4194304 bytes");
    sessions[3].device.flags = 0;
}

/* The tree now shares a problem among devices. */
static void test_parts(void)
{
    const uint64_t plenty = UINT64_C(1) << 62;
    const plugin_info was = plugins[3];
    plan p;
    plugins[3].tunables = divided;
    plugins[3].in_parts = true;
    make((grid_options){.sizes = "10", .parts = "1,2,4"}, plenty, &p);
    size_t trees = 0, most = 0;
    for (size_t i = 0; i < p.count; i++) {
        const configuration c = plan_get(&p, i);
        trees += c.session == 3;
        most = c.parts > most ? c.parts : most;
    }
    ok(trees == 3 && most == 4, "--parts sweeps the number of parts");
    const char *params = configuration_of(&p, "tree")->params;
    ok(configuration_of(&p, "serial")->parts == 0 && configuration_of(&p, "tree")->parts == 1 &&
           params && strcmp(params, "parts=1") == 0,
       "of plugins that know of them, which say so");
    plan_free(&p);
    make((grid_options){.sizes = "10"}, plenty, &p);
    ok(configuration_of(&p, "tree")->parts == 1, "usually a problem is in one part");
    plan_free(&p);
    reason_is("tree", (grid_options){.sizes = "1Mi", .parts = "4"}, plenty, ROW_SKIPPED,
              "needs 2.0 MiB of device memory, Board has 1.0 MiB");
    make((grid_options){.sizes = "500e3", .parts = "4"}, plenty, &p);
    ok(configuration_of(&p, "tree")->status == ROW_OK, "each device holds its part alone");
    plan_free(&p);
    reason_is("tree", (grid_options){.sizes = "10", .parts = "2", .cache = "cold"}, plenty,
              ROW_SKIPPED, "--cache cold does not reach the caches of 2 parts");
    plugins[3].in_parts = false;
    make((grid_options){.sizes = "10", .parts = "2"}, plenty, &p);
    ok(configuration_of(&p, "tree")->parts == 0, "a tunable of that name may mean something else");
    plan_free(&p);
    plugins[3] = was;
}

int main(void)
{
    tap_plan(8 + 3 + 3 + 4 + 10 + 7);
    test_order();
    test_any_kind();
    test_caches();
    test_sets();
    test_reasons();
    test_parts();
    return tap_done();
}
