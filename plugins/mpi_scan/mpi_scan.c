/*
 * mpi_scan.c - a slice in each rank of an MPI job: reduce it, MPI_Exscan of the totals, scan it
 * from what came out; and the copy in as many ranks
 *
 * Every element is read twice and written once, but for the last slice, whose total nobody needs:
 * 3n of traffic against 2n, so that k ranks reach 2k/3 of one that reads once. What is exchanged is
 * one element a rank, in log k steps.
 *
 * rank_scan.c is what each rank does; rank_job.c has the other ranks take part in what rank 0, the
 * worker, does.
 */
#include "rank_job.h"

#include <string.h>

enum { PARTS_TUNABLE = 0 };

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)plugin;
    (void)context;
    const int ranks = rank_job_count();
    const int64_t parts = problem->tunables[PARTS_TUNABLE];
    if (parts > 1 && parts > ranks)
        return host->fail(host, SCAN_UNSUPPORTED, "%lld parts, and there %s %d rank%s (--launcher)",
                          (long long)parts, ranks == 1 ? "is" : "are", ranks,
                          ranks == 1 ? "" : "s");
    return SCAN_OK;
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)context;
    const rank_problem in_ranks = {.copies = plugin->role == SCAN_ROLE_CEILING,
                                   .kind = problem->kind,
                                   .op = problem->op,
                                   .dtype = problem->dtype,
                                   .parts = (uint32_t)problem->tunables[PARTS_TUNABLE],
                                   .element_bytes = problem->element_bytes,
                                   .n = problem->n};
    rank_scan *scan = NULL;
    const scan_status status = rank_job_create(host, &in_ranks, &scan);
    if (status == SCAN_OK)
        *self_p = scan;
    return status;
}

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    rank_scan_alone(self, scan_host_pointer(in), scan_host_pointer(out));
    return SCAN_OK;
}

static scan_status run_parts(void *self, const scan_buffer *in, const scan_buffer *out)
{
    return rank_job_run(self, in, out);
}

static void destroy(void *self)
{
    rank_job_destroy(self);
}

/* ---- scan_ranks.h ---------------------------------------------------------- */

static scan_status join(const scan_host *host, const scan_plugin *plugin, uint32_t *rank_p,
                        uint32_t *count_p)
{
    (void)plugin;
    return rank_job_join(host, rank_p, count_p);
}

static scan_status serve(const scan_host *host, const scan_plugin *plugin, scan_answer answer,
                         void *context)
{
    (void)plugin;
    return rank_job_serve(host, answer, context);
}

static scan_status ask(const scan_plugin *plugin, uint32_t rank, const void *question,
                       uint64_t question_bytes, void *answer, uint64_t answer_bytes)
{
    (void)plugin;
    return rank_job_ask(rank, question, question_bytes, answer, answer_bytes);
}

static void leave(const scan_plugin *plugin)
{
    (void)plugin;
    rank_job_leave();
}

/* ---- the plugins ----------------------------------------------------------- */

static const scan_parts parts = {
    .struct_size = sizeof parts, .layout = SCAN_LAYOUT_CONTIGUOUS, .run = run_parts};
static const scan_ranks ranks = {
    .struct_size = sizeof ranks, .join = join, .serve = serve, .ask = ask, .leave = leave};

static const void *get_extension(const scan_plugin *plugin, const char *name)
{
    (void)plugin;
    if (strcmp(name, SCAN_PARTS) == 0)
        return &parts;
    return strcmp(name, SCAN_RANKS) == 0 ? &ranks : NULL;
}

static const scan_tunable tunables[] = {SCAN_TUNABLE_RANGE(
    SCAN_PARTS_TUNABLE, "ranks, each with a slice of the problem", 1, 1, SCAN_PARTS_MOST)};

/* Whose MPI_Exscan is measured. */
#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)
#if defined(OPEN_MPI)
#define LIBRARY                                                                     \
    " on Open MPI " TEXT(OMPI_MAJOR_VERSION) "." TEXT(OMPI_MINOR_VERSION) "." TEXT( \
        OMPI_RELEASE_VERSION)
#elif defined(MPICH_VERSION)
#define LIBRARY " on MPICH " MPICH_VERSION
#else
#define LIBRARY ""
#endif

#define SLOTS                                                                       \
    .struct_size = sizeof(scan_plugin), .version = "1.0" LIBRARY, .backend = "cpu", \
    SCAN_TUNABLES(tunables), .supports = supports, .create = create, .run = run,    \
    .destroy = destroy, .get_extension = get_extension

static const scan_plugin mpi_copy = {
    SLOTS,
    .role = SCAN_ROLE_CEILING,
    .id = "mpi_copy",
    .name = "Copy in ranks",
    .summary = "memcpy of each rank's slice, and a barrier",
    .reference = "",
};

static const scan_plugin mpi_scan = {
    SLOTS,
    .role = SCAN_ROLE_ALGORITHM,
    .id = "mpi_scan",
    .name = "MPI reduce, exscan, scan",
    .summary = "a slice in each rank: its total, MPI_Exscan of the totals, its scan",
    .reference = "MPI: A Message-Passing Interface Standard, 5.11.2",
    .flags = SCAN_FLAG_IN_PLACE,
    .ops = {SCAN_OPS_1_0, SCAN_NARROW_OPS_1_1},
};

SCAN_EXPORT_PLUGINS(&mpi_copy, &mpi_scan);
