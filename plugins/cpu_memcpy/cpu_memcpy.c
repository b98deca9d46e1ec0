/*
 * cpu_memcpy.c - the ceiling of CPU plugins: a copy of the same bytes
 *
 * Each thread copies one part, cut at cache lines, in one of the ways of copy_ways.h.
 * Which is the fastest depends on the size, the CPU and the number of threads, so all
 * are measured.
 */
#include "copy_ways.h"
#include "cpu_team.h"

enum { TUNABLE_THREADS, TUNABLE_WAY };
enum { LINE_BYTES = 64 };

typedef struct copy {
    const scan_host *host;
    cpu_team *team;
    uint64_t bytes;
    const copy_instructions *set;
    copy_way way;
    const unsigned char *from;
    unsigned char *to;
} copy;

static void copy_part(void *context, uint32_t rank, uint32_t members)
{
    const copy *self = context;
    const uint64_t lines = (self->bytes + LINE_BYTES - 1) / LINE_BYTES;
    const uint64_t share = (lines + members - 1) / members * LINE_BYTES;
    const uint64_t begin = rank * share < self->bytes ? rank * share : self->bytes;
    const uint64_t bytes = self->bytes - begin < share ? self->bytes - begin : share;
    if (bytes > 0)
        copy_bytes(self->set, self->way, self->to + begin, self->from + begin, bytes);
}

static scan_status copy_supports(const scan_host *host, const scan_plugin *plugin, void *context,
                                 const scan_problem *problem)
{
    (void)plugin;
    (void)context;
    if (!copy_way_exists((copy_way)problem->tunables[TUNABLE_WAY]))
        return host->fail(host, SCAN_UNSUPPORTED, "way=%d is an instruction of x86",
                          (int)problem->tunables[TUNABLE_WAY]);
    return cpu_team_supports(host, problem->tunables[TUNABLE_THREADS]);
}

static scan_status copy_create(const scan_host *host, const scan_plugin *plugin, void *context,
                               const scan_problem *problem, void **self_p)
{
    (void)plugin;
    (void)context;
    copy *self = host->allocate(host, sizeof *self, _Alignof(copy));
    if (!self)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
    *self = (copy){
        .host = host,
        .bytes = problem->n * problem->element_bytes,
        .set = copy_best_set(),
        .way = (copy_way)problem->tunables[TUNABLE_WAY],
    };
    const uint32_t threads = cpu_team_size(host, problem->tunables[TUNABLE_THREADS]);
    const scan_status status = cpu_team_create(host, threads, &self->team);
    if (status != SCAN_OK) {
        host->release(host, self);
        return status;
    }
    *self_p = self;
    return SCAN_OK;
}

static scan_status copy_run(void *instance, scan_buffer in, scan_buffer out)
{
    copy *self = instance;
    self->from = scan_host_pointer(in);
    self->to = scan_host_pointer(out);
    cpu_team_run(self->team, copy_part, self);
    return SCAN_OK;
}

static void copy_destroy(void *instance)
{
    copy *self = instance;
    cpu_team_destroy(self->team);
    self->host->release(self->host, self);
}

static const int64_t ways[] = {COPY_MEMCPY,      COPY_STREAM_AHEAD, COPY_STREAM_PAGES,
                               COPY_STREAM_NEAR, COPY_STRING,       COPY_VECTORS};
_Static_assert(sizeof ways / sizeof *ways == COPY_WAYS, "every way is a value");

static const scan_tunable tunables[] = {
    [TUNABLE_THREADS] = CPU_TEAM_THREADS(1),
    [TUNABLE_WAY] = SCAN_TUNABLE_LIST(
        "way",
        "0: memcpy; stores around the caches and prefetches 1: 3 KiB ahead, "
        "2: of four pages in turn, 3: 512 bytes ahead; 4: the string instruction; "
        "5: vectors through the caches",
        COPY_MEMCPY, ways),
};

static const scan_plugin cpu_memcpy = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_CEILING,
    .id = "cpu_memcpy",
    .name = "Host memory copy",
    .version = "1.0",
    .summary = "a copy of the same bytes in six ways; the fastest counts",
    .reference = "",
    SCAN_TUNABLES(tunables),
    .backend = "cpu",
    .supports = copy_supports,
    .create = copy_create,
    .run = copy_run,
    .destroy = copy_destroy,
};

SCAN_EXPORT_PLUGINS(&cpu_memcpy);
