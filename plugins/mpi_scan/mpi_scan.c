/*
 * mpi_scan.c - a slice in each rank of an MPI job: reduce it, MPI_Exscan of the totals, scan it
 * from what came out; and the copy in as many ranks
 *
 * Every element is read twice and written once, but for the last slice, whose total nobody needs:
 * 3n of traffic against 2n, so that k ranks reach 2k/3 of one that reads once. What is exchanged is
 * one element a rank, in log k steps.
 *
 * Rank 0 is the worker. It sends what it does to the other ranks as commands, which wait for them
 * in serve. A rank that has had no command for a while sleeps between looks, so that it takes no
 * core from others; runs that follow each other find it awake.
 */
#include "rank_loops.h"
#include "scan_ranks.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COMMAND_TAG = 1, DATA_TAG = 2, PARTS_TUNABLE = 0 };

typedef enum command_verb { DO_CREATE, DO_RUN, DO_DESTROY, DO_ANSWER, DO_LEAVE } command_verb;

/* From rank 0 to another. */
typedef struct command {
    uint32_t verb;
    uint32_t id; /* of the instance */
    uint32_t copies, kind, op, dtype, parts, element_bytes;
    uint64_t n;
    uint64_t in, out;                      /* DO_RUN: addresses in that rank */
    uint64_t question_bytes, answer_bytes; /* DO_ANSWER */
} command;

/* What a rank knows of a scan, or of a copy. */
typedef struct instance {
    const scan_host *host;
    command about; /* DO_CREATE's */
    const rank_loops *loops;
    MPI_Comm ranks; /* those that have a part; MPI_COMM_NULL in one part */
    MPI_Datatype element;
    MPI_Op combine;
    uint64_t count; /* elements of this rank */
    int rank;
} instance;

enum { INSTANCES_MOST = 64 };

/* MPI belongs to the process, and so does this. */
static struct {
    int rank, count;
    instance *instances[INSTANCES_MOST];
    const rank_loops *joining; /* what the combine of the current call does */
} world = {.count = 1};

static scan_status failed(const scan_host *host, int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS)
        return SCAN_OK;
    MPI_Error_string(code, text, &length);
    host->fail(host, SCAN_ERROR, "rank %d: %s: %s", world.rank, call, text);
    return SCAN_ERROR;
}

/* An MPI_User_function, whose type has no const. */
/* cppcheck-suppress constParameter */
static void join_totals(void *left, void *right, int *length, MPI_Datatype *type) /* NOLINT */
{
    (void)type;
    const rank_element *from = left;
    rank_element *to = right;
    for (int i = 0; i < *length; i++)
        world.joining->join(&from[i], &to[i]);
}

/* ---- an instance, in every rank that has a part ---------------------------- */

static void free_instance(instance *s)
{
    if (s->element != MPI_DATATYPE_NULL)
        MPI_Type_free(&s->element);
    if (s->combine != MPI_OP_NULL)
        MPI_Op_free(&s->combine);
    if (s->ranks != MPI_COMM_NULL)
        MPI_Comm_free(&s->ranks);
    s->host->release(s->host, s);
}

/* Meets the ranks of the other parts. */
static scan_status meet(instance *s)
{
    MPI_Group all, members;
    int code = MPI_Comm_group(MPI_COMM_WORLD, &all);
    if (code == MPI_SUCCESS) {
        int range[1][3] = {{0, (int)s->about.parts - 1, 1}};
        code = MPI_Group_range_incl(all, 1, range, &members);
    }
    if (code == MPI_SUCCESS) {
        code = MPI_Comm_create_group(MPI_COMM_WORLD, members, (int)s->about.id, &s->ranks);
        MPI_Group_free(&members);
    }
    if (code == MPI_SUCCESS)
        code = MPI_Group_free(&all);
    if (code == MPI_SUCCESS)
        code = MPI_Type_contiguous(RANK_ELEMENT_BYTES, MPI_BYTE, &s->element);
    if (code == MPI_SUCCESS)
        code = MPI_Type_commit(&s->element);
    if (code == MPI_SUCCESS)
        code = MPI_Op_create(join_totals, 0, &s->combine);
    return failed(s->host, code, "meeting the ranks of a problem");
}

/* The worst status of all ranks that have a part. */
static scan_status agree(const instance *s, scan_status mine)
{
    int own = (int)mine, worst = (int)mine;
    const int code = MPI_Allreduce(&own, &worst, 1, MPI_INT, MPI_MAX, s->ranks);
    if (code != MPI_SUCCESS)
        return failed(s->host, code, "MPI_Allreduce");
    if (worst != SCAN_OK && mine == SCAN_OK)
        return s->host->fail(s->host, (scan_status)worst, "another rank failed");
    return (scan_status)worst;
}

static scan_status new_instance(const scan_host *host, const command *about, instance **s_p)
{
    instance *s = host->allocate(host, sizeof *s, _Alignof(instance));
    if (!s) {
        host->fail(host, SCAN_NO_MEMORY, "no memory for the instance");
        return SCAN_NO_MEMORY;
    }
    *s = (instance){.host = host,
                    .about = *about,
                    .loops = about->copies ? NULL : rank_loops_for(about->op, about->dtype),
                    .ranks = MPI_COMM_NULL,
                    .element = MPI_DATATYPE_NULL,
                    .combine = MPI_OP_NULL,
                    .count = about->n,
                    .rank = world.rank};
    if (about->parts > 1)
        s->count = scan_parts_length(about->n, scan_parts_slice(about->n, about->parts),
                                     about->parts, (uint32_t)world.rank);
    const scan_status status = about->parts > 1 ? meet(s) : SCAN_OK;
    if (status == SCAN_OK)
        *s_p = s;
    else
        free_instance(s);
    return status;
}

static void scan_from(const instance *s, const void *in, void *out, const rank_element *carry)
{
    s->loops->scan[s->about.kind](in, out, s->count, carry);
}

/* Called by all ranks of the problem at the same time. */
static scan_status run_slice(const instance *s, const void *in, void *out)
{
    rank_element total, carry;
    if (s->about.copies) {
        memcpy(out, in, s->count * s->about.element_bytes);
        return failed(s->host, MPI_Barrier(s->ranks), "MPI_Barrier");
    }
    s->loops->identity(&total);
    carry = total;
    if (s->rank + 1 < (int)s->about.parts)
        s->loops->reduce(in, s->count, &total);
    world.joining = s->loops;
    const int code = MPI_Exscan(&total, &carry, 1, s->element, s->combine, s->ranks);
    if (code != MPI_SUCCESS)
        return failed(s->host, code, "MPI_Exscan");
    if (s->rank == 0)
        s->loops->identity(&carry); /* MPI leaves it undefined */
    scan_from(s, in, out, &carry);
    return failed(s->host, MPI_Barrier(s->ranks), "MPI_Barrier");
}

/* ---- rank 0 ---------------------------------------------------------------- */

static int send_command(const command *c, int rank)
{
    return MPI_Send(c, (int)sizeof *c, MPI_BYTE, rank, COMMAND_TAG, MPI_COMM_WORLD);
}

/* To all other ranks that have a part. */
static scan_status send_to_parts(const scan_host *host, const command *c, uint32_t parts)
{
    int code = MPI_SUCCESS;
    for (uint32_t p = 1; p < parts && code == MPI_SUCCESS; p++)
        code = send_command(c, (int)p);
    return failed(host, code, "MPI_Send");
}

static uint32_t free_id(void)
{
    uint32_t id = 0;
    while (id < INSTANCES_MOST && world.instances[id])
        id++;
    return id;
}

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    (void)plugin;
    (void)context;
    const int64_t parts = problem->tunables[PARTS_TUNABLE];
    if (parts > 1 && parts > world.count)
        return host->fail(host, SCAN_UNSUPPORTED, "%lld parts, and there %s %d rank%s (--launcher)",
                          (long long)parts, world.count == 1 ? "is" : "are", world.count,
                          world.count == 1 ? "" : "s");
    return SCAN_OK;
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    (void)context;
    const command c = {.verb = DO_CREATE,
                       .id = free_id(),
                       .copies = plugin->role == SCAN_ROLE_CEILING,
                       .kind = problem->kind,
                       .op = problem->op,
                       .dtype = problem->dtype,
                       .parts = (uint32_t)problem->tunables[PARTS_TUNABLE],
                       .element_bytes = problem->element_bytes,
                       .n = problem->n};
    instance *s = NULL;
    if (c.parts < 2) {
        const scan_status status = new_instance(host, &c, &s);
        *self_p = status == SCAN_OK ? s : *self_p;
        return status;
    }
    if (c.id == INSTANCES_MOST)
        return host->fail(host, SCAN_NO_MEMORY, "there are %d instances in ranks", INSTANCES_MOST);
    scan_status status = send_to_parts(host, &c, c.parts);
    if (status == SCAN_OK)
        status = new_instance(host, &c, &s);
    if (status == SCAN_OK)
        status = agree(s, status);
    if (status != SCAN_OK)
        return status;
    world.instances[c.id] = s;
    *self_p = s;
    return SCAN_OK;
}

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const instance *s = self;
    rank_element carry;
    if (s->about.copies) {
        memcpy(scan_host_pointer(out), scan_host_pointer(in), s->count * s->about.element_bytes);
        return SCAN_OK;
    }
    s->loops->identity(&carry);
    scan_from(s, scan_host_pointer(in), scan_host_pointer(out), &carry);
    return SCAN_OK;
}

static scan_status run_parts(void *self, const scan_buffer *in, const scan_buffer *out)
{
    const instance *s = self;
    int code = MPI_SUCCESS;
    for (uint32_t p = 1; p < s->about.parts && code == MPI_SUCCESS; p++) {
        const command c = {.verb = DO_RUN, .id = s->about.id, .in = in[p], .out = out[p]};
        code = send_command(&c, (int)p);
    }
    if (code != MPI_SUCCESS)
        return failed(s->host, code, "MPI_Send");
    return run_slice(s, scan_host_pointer(in[0]), scan_host_pointer(out[0]));
}

static void destroy(void *self)
{
    instance *s = self;
    const command c = {.verb = DO_DESTROY, .id = s->about.id};
    if (s->about.parts > 1) {
        send_to_parts(s->host, &c, s->about.parts);
        world.instances[s->about.id] = NULL;
    }
    free_instance(s);
}

/* ---- the other ranks ------------------------------------------------------- */

/* Waits for a command: awake for a millisecond, then with short sleeps. */
static int next_command(command *c)
{
    const struct timespec nap = {.tv_nsec = 50000};
    const double start = MPI_Wtime(), awake_s = 1e-3;
    int there = 0, code = MPI_SUCCESS;
    while (code == MPI_SUCCESS && !there) {
        code = MPI_Iprobe(0, COMMAND_TAG, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
        if (!there && MPI_Wtime() - start > awake_s)
            nanosleep(&nap, NULL);
    }
    if (code == MPI_SUCCESS)
        code = MPI_Recv(c, (int)sizeof *c, MPI_BYTE, 0, COMMAND_TAG, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE);
    return code;
}

static scan_status obey_create(const scan_host *host, const command *c)
{
    instance *s = NULL;
    const scan_status status = new_instance(host, c, &s);
    if (status != SCAN_OK)
        return status;
    world.instances[c->id] = s;
    return agree(s, status);
}

static scan_status obey_question(const scan_host *host, const command *c, scan_answer answer,
                                 void *context)
{
    char *both = malloc(c->question_bytes + c->answer_bytes);
    if (!both)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for a question");
    char *reply = both + c->question_bytes;
    int code = MPI_Recv(both, (int)c->question_bytes, MPI_BYTE, 0, DATA_TAG, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE);
    scan_status status = failed(host, code, "MPI_Recv");
    if (status == SCAN_OK)
        status = answer(context, both, c->question_bytes, reply, c->answer_bytes);
    if (status == SCAN_OK)
        status = failed(
            host, MPI_Send(reply, (int)c->answer_bytes, MPI_BYTE, 0, DATA_TAG, MPI_COMM_WORLD),
            "MPI_Send");
    free(both);
    return status;
}

static scan_status obey(const scan_host *host, const command *c, scan_answer answer, void *context)
{
    instance *s = c->id < INSTANCES_MOST ? world.instances[c->id] : NULL;
    if (!s && (c->verb == DO_RUN || c->verb == DO_DESTROY))
        return host->fail(host, SCAN_ERROR, "rank %d has no instance %u", world.rank, c->id);
    switch (c->verb) {
    case DO_CREATE:
        return obey_create(host, c);
    case DO_RUN:
        return run_slice(s, scan_host_pointer(c->in), scan_host_pointer(c->out));
    case DO_DESTROY:
        world.instances[c->id] = NULL;
        free_instance(s);
        return SCAN_OK;
    default:
        return obey_question(host, c, answer, context);
    }
}

static scan_status serve(const scan_host *host, const scan_plugin *plugin, scan_answer answer,
                         void *context)
{
    (void)plugin;
    for (;;) {
        command c = {.verb = DO_LEAVE};
        scan_status status = failed(host, next_command(&c), "waiting for a command");
        if (status == SCAN_OK && c.verb == DO_LEAVE)
            break;
        if (status == SCAN_OK)
            status = obey(host, &c, answer, context);
        if (status != SCAN_OK)
            return status;
    }
    return failed(host, MPI_Finalize(), "MPI_Finalize");
}

/* ---- the job --------------------------------------------------------------- */

static scan_status join(const scan_host *host, const scan_plugin *plugin, uint32_t *rank_p,
                        uint32_t *count_p)
{
    (void)plugin;
    int code = MPI_Init(NULL, NULL);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_rank(MPI_COMM_WORLD, &world.rank);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_size(MPI_COMM_WORLD, &world.count);
    if (code != MPI_SUCCESS)
        return failed(host, code, "MPI_Init");
    *rank_p = (uint32_t)world.rank;
    *count_p = (uint32_t)world.count;
    return SCAN_OK;
}

static scan_status ask(const scan_plugin *plugin, uint32_t rank, const void *question,
                       uint64_t question_bytes, void *answer, uint64_t answer_bytes)
{
    (void)plugin;
    const command c = {
        .verb = DO_ANSWER, .question_bytes = question_bytes, .answer_bytes = answer_bytes};
    int code = send_command(&c, (int)rank);
    if (code == MPI_SUCCESS)
        code =
            MPI_Send(question, (int)question_bytes, MPI_BYTE, (int)rank, DATA_TAG, MPI_COMM_WORLD);
    if (code == MPI_SUCCESS)
        code = MPI_Recv(answer, (int)answer_bytes, MPI_BYTE, (int)rank, DATA_TAG, MPI_COMM_WORLD,
                        MPI_STATUS_IGNORE);
    return code == MPI_SUCCESS ? SCAN_OK : SCAN_ERROR;
}

static void leave(const scan_plugin *plugin)
{
    (void)plugin;
    const command c = {.verb = DO_LEAVE};
    for (int rank = 1; rank < world.count; rank++)
        send_command(&c, rank);
    MPI_Finalize();
}

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

#define SLOTS                                                                    \
    .struct_size = sizeof(scan_plugin), .version = "1.0", .backend = "cpu",      \
    SCAN_TUNABLES(tunables), .supports = supports, .create = create, .run = run, \
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
    .ops = {SCAN_OPS_1_0},
};

SCAN_EXPORT_PLUGINS(&mpi_copy, &mpi_scan);
