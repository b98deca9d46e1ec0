/* group_test.c - which configurations form a group, and who gives way where memory is short */
#include "sweep/group.h"
#include "sweep/plan.h"
#include "tap.h"

static plugin_info plugins[] = {
    {.id = (char[]){"copy"}, .backend = (char[]){"cpu"}, .role = SCAN_ROLE_CEILING},
    {.id = (char[]){"serial"},
     .backend = (char[]){"cpu"},
     .role = SCAN_ROLE_BASELINE,
     .ops = {SCAN_OPS_1_0}},
    {.id = (char[]){"board"},
     .backend = (char[]){"gpu"},
     .role = SCAN_ROLE_ALGORITHM,
     .device_memory = true,
     .ops = {SCAN_OPS_1_0}},
};

static session sessions[] = {
    {.plugin = &plugins[0], .places = 1, .device = {.name = "CPU"}},
    {.plugin = &plugins[1], .places = 1, .device = {.name = "CPU"}},
    {.plugin = &plugins[2], .places = 1, .device = {.name = "Board", .memory_bytes = 20000}},
    {.plugin = &plugins[1], .places = 1, .device = {.name = "CPU"}},
    {.plugin = &plugins[1], .places = 1, .device = {.name = "CPU"}},
    {.plugin = &plugins[2], .places = 1, .device = {.name = "Board", .memory_bytes = 20000}},
    {.plugin = &plugins[2], .places = 1, .device = {.name = "Board", .memory_bytes = 20000}},
};

/* Where the groups of a plan end: "3 5 ", and the ceilings they invite: "3+2 ". */
static const char *ends_of(const grid_options *o, bool alone)
{
    static char text[256];
    static const measuring_options measuring = {.time_limit_s = 1};
    const session_set set = {.sessions = sessions, .count = 2};
    settings s;
    plan p;
    errmsg error;
    *text = '\0';
    if (settings_parse(o, &s, &error) != SCAN_OK)
        return "the settings are wrong";
    if (plan_make(&measuring, &s, &set, UINT64_MAX, &p, &error) == SCAN_OK) {
        group_range range = {.first = 0};
        size_t used = 0;
        for (range = group_next(&p, &range, alone); range.first < range.end;
             range = group_next(&p, &range, alone)) {
            const bool borrowed = range.ceilings_end > 0 && range.ceilings_end <= range.first;
            used += (size_t)snprintf(text + used, sizeof text - used, "%zu%s ", range.end,
                                     borrowed ? "+" : "");
        }
        plan_free(&p);
    }
    settings_free(&s);
    return text;
}

static void test_groups(void)
{
    const grid_options
        sizes = {.sizes = "10,20", .types = "i32", .ops = "sum", .kinds = "inclusive"},
        states = {.sizes = "10,20",
                  .types = "i32",
                  .ops = "sum",
                  .kinds = "inclusive",
                  .cache = "hot,cold"},
        ops = {.sizes = "10,20", .types = "i32", .ops = "sum,max", .kinds = "inclusive"};
    is_text(ends_of(&sizes, false), "2 4 ", "a size with its ceilings is a group");
    is_text(ends_of(&ops, false), "2 3+ 5 6+ ",
            "another operator is another one, with the ceilings of the first borrowed");
    const grid_options any = {
        .sizes = "10,20", .types = "i32", .ops = "sum", .kinds = "any,exclusive"};
    is_text(ends_of(&any, false), "2 3+ 5 6+ ",
            "any kind is a group of its own, beside that of one kind");
    is_text(ends_of(&states, false), "4 8 ", "both states of the caches are in one group");
    is_text(ends_of(&sizes, true), "1 2 3 4 ", "alone, each configuration is a group");
}

/* Of 4000 bytes an array. */
static group_entry *add(group *g, size_t plugin, uint64_t last, bool visited)
{
    group_entry *m = group_add(
        g, &(configuration){.session = plugin, .job = {.dtype = SCAN_DTYPE_I32, .n = 1000}});
    m->state = last > 0 ? MEMBER_HOLDS : MEMBER_CLOSED;
    m->last = last;
    m->visited = visited;
    return m;
}

static void test_room(void)
{
    group g;
    if (group_begin(&g, sessions, 7) != SCAN_OK)
        return;
    const group_entry *early = add(&g, 0, 1, false);
    const group_entry *late = add(&g, 1, 3, true), *middle = add(&g, 3, 2, true);
    group_entry *m = add(&g, 4, 0, false);
    ok(!room_to_release(&g, m, 32000), "four configurations of two arrays fit");
    ok(room_to_release(&g, m, 31999) == middle,
       "where they do not, the least recently visited gives way whose turn is over");
    g.members[2].state = MEMBER_OPEN;
    ok(!room_to_release(&g, m, 24000), "one without buffers takes no room");
    ok(room_to_release(&g, m, 20000) == late, "then the next one");
    g.members[1].state = MEMBER_OPEN;
    ok(room_to_release(&g, m, 10000) == early, "and at last one whose turn is still to come");
    g.members[0].state = MEMBER_OPEN;
    ok(!room_to_release(&g, m, 10), "with nobody to ask there is nobody");
    m->state = MEMBER_HOLDS;
    ok(!room_to_release(&g, m, 10), "who has its buffers needs no room");
    const group_entry *on_board = add(&g, 2, 4, true);
    const group_entry *also = add(&g, 5, 5, true);
    m = add(&g, 6, 0, false);
    ok(on_board != also && room_to_release(&g, m, UINT64_MAX) == on_board,
       "a device's own memory is counted too");
    m = add(&g, 5, 0, false);
    ok(!room_to_release(&g, m, UINT64_MAX), "configurations of a session need room for one");
    group_free(&g);
}

int main(void)
{
    tap_plan(5 + 9);
    test_groups();
    test_room();
    return tap_done();
}
