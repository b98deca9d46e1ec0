/*
 * cpu_memcpy.c - the ceiling of CPU plugins: a copy of the same bytes
 *
 * Each thread copies one part, cut at cache lines. nontemporal=0 is memcpy, which
 * chooses its instructions by size; nontemporal=1 writes around the caches, so the
 * lines of the output are not read first: up to a third less traffic where the
 * output does not fit the caches, and slower where it does.
 */
#include "cpu_team.h"

#include <stdbool.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { TUNABLE_THREADS, TUNABLE_NONTEMPORAL };
enum { LINE_BYTES = 64 };

typedef struct copy {
    const scan_host *host;
    cpu_team *team;
    uint64_t bytes;
    bool nontemporal;
    const unsigned char *from;
    unsigned char *to;
} copy;

#if defined(__SSE2__)
static void stream(unsigned char *to, const unsigned char *from, size_t bytes)
{
    const size_t misaligned = (size_t)((uintptr_t)to % LINE_BYTES);
    size_t head = misaligned > 0 ? LINE_BYTES - misaligned : 0;
    if (head > bytes)
        head = bytes;
    memcpy(to, from, head);
    to += head, from += head, bytes -= head;
    /* Writes whole lines at once; otherwise the write buffer sends them in pieces. */
    for (; bytes >= LINE_BYTES; to += LINE_BYTES, from += LINE_BYTES, bytes -= LINE_BYTES) {
        const __m128i *source = (const void *)from;
        __m128i *target = (void *)to;
        const __m128i a = _mm_loadu_si128(source), b = _mm_loadu_si128(source + 1);
        const __m128i c = _mm_loadu_si128(source + 2), d = _mm_loadu_si128(source + 3);
        _mm_stream_si128(target, a);
        _mm_stream_si128(target + 1, b);
        _mm_stream_si128(target + 2, c);
        _mm_stream_si128(target + 3, d);
    }
    memcpy(to, from, bytes);
    _mm_sfence(); /* makes the stores visible to the thread that reads the result */
}
#else
static void stream(unsigned char *to, const unsigned char *from, size_t bytes)
{
    memcpy(to, from, bytes); /* refused by supports */
}
#endif

static void copy_part(void *context, uint32_t rank, uint32_t members)
{
    const copy *self = context;
    const uint64_t lines = (self->bytes + LINE_BYTES - 1) / LINE_BYTES;
    const uint64_t share = (lines + members - 1) / members * LINE_BYTES;
    const uint64_t begin = rank * share < self->bytes ? rank * share : self->bytes;
    const uint64_t bytes = self->bytes - begin < share ? self->bytes - begin : share;
    if (bytes == 0)
        return;
    if (self->nontemporal)
        stream(self->to + begin, self->from + begin, bytes);
    else
        memcpy(self->to + begin, self->from + begin, bytes);
}

static scan_status copy_supports(const scan_host *host, const scan_plugin *plugin, void *context,
                                 const scan_problem *problem)
{
    (void)plugin;
    (void)context;
#if !defined(__SSE2__)
    if (problem->tunables[TUNABLE_NONTEMPORAL] != 0)
        return host->fail(host, SCAN_UNSUPPORTED,
                          "nontemporal=1 needs SSE2, for which this plugin was not compiled");
#endif
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
        .nontemporal = problem->tunables[TUNABLE_NONTEMPORAL] != 0,
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

static const scan_tunable tunables[] = {
    [TUNABLE_THREADS] = CPU_TEAM_THREADS(1),
    [TUNABLE_NONTEMPORAL] =
        SCAN_TUNABLE_RANGE("nontemporal", "1: stores that go around the caches", 0, 0, 1),
};

static const scan_plugin cpu_memcpy = {
    .struct_size = sizeof(scan_plugin),
    .role = SCAN_ROLE_CEILING,
    .id = "cpu_memcpy",
    .name = "Host memory copy",
    .version = "1.0",
    .summary = "memcpy or non-temporal stores of the same bytes",
    .reference = "",
    SCAN_TUNABLES(tunables),
    .backend = "cpu",
    .supports = copy_supports,
    .create = copy_create,
    .run = copy_run,
    .destroy = copy_destroy,
};

SCAN_EXPORT_PLUGINS(&cpu_memcpy);
