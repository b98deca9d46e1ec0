#include "rank_job.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COMMAND_TAG = 1, DATA_TAG = 2, SCANS_MOST = 64 };

typedef enum command_verb { DO_CREATE, DO_RUN, DO_DESTROY, DO_ANSWER, DO_LEAVE } command_verb;

/* From rank 0 to another. */
typedef struct command {
    uint32_t verb;
    rank_problem problem;                  /* DO_CREATE; of others its id */
    uint64_t in, out;                      /* DO_RUN: addresses in that rank */
    uint64_t question_bytes, answer_bytes; /* DO_ANSWER */
} command;

/* MPI belongs to the process, and so does this. */
static struct {
    int rank, count;
    rank_scan *scans[SCANS_MOST]; /* in several parts, by id */
} job = {.count = 1};

/* ---- in every rank --------------------------------------------------------- */

int rank_job_count(void)
{
    return job.count;
}

scan_status rank_job_join(const scan_host *host, uint32_t *rank_p, uint32_t *count_p)
{
    int code = MPI_Init(NULL, NULL);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_size(MPI_COMM_WORLD, &job.count);
    if (code != MPI_SUCCESS)
        return rank_check(host, code, "MPI_Init");
    *rank_p = (uint32_t)job.rank;
    *count_p = (uint32_t)job.count;
    return SCAN_OK;
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
    return rank_check(host, code, "MPI_Send");
}

static uint32_t free_id(void)
{
    uint32_t id = 0;
    while (id < SCANS_MOST && job.scans[id])
        id++;
    return id;
}

scan_status rank_job_create(const scan_host *host, const rank_problem *problem, rank_scan **scan_p)
{
    command c = {.verb = DO_CREATE, .problem = *problem};
    rank_scan *scan = NULL;
    c.problem.id = free_id();
    if (problem->parts < 2)
        return rank_scan_create(host, problem, job.rank, scan_p);
    if (c.problem.id == SCANS_MOST)
        return host->fail(host, SCAN_NO_MEMORY, "there are %d instances in ranks", SCANS_MOST);
    /* First, so that the others do not wait for a rank that has no memory. */
    scan_status status = rank_scan_create(host, &c.problem, job.rank, &scan);
    if (status != SCAN_OK)
        return status;
    status = send_to_parts(host, &c, problem->parts);
    if (status == SCAN_OK)
        status = rank_scan_meet(scan);
    if (status == SCAN_OK)
        status = rank_scan_agree(scan, status);
    if (status != SCAN_OK) {
        rank_scan_free(scan);
        return status;
    }
    job.scans[c.problem.id] = scan;
    *scan_p = scan;
    return SCAN_OK;
}

scan_status rank_job_run(const rank_scan *scan, const scan_buffer *in, const scan_buffer *out)
{
    int code = MPI_SUCCESS;
    for (uint32_t p = 1; p < scan->problem.parts && code == MPI_SUCCESS; p++) {
        const command c = {
            .verb = DO_RUN, .problem = {.id = scan->problem.id}, .in = in[p], .out = out[p]};
        code = send_command(&c, (int)p);
    }
    if (code != MPI_SUCCESS)
        return rank_check(scan->host, code, "MPI_Send");
    return rank_scan_slice(scan, scan_host_pointer(in[0]), scan_host_pointer(out[0]));
}

void rank_job_destroy(rank_scan *scan)
{
    const command c = {.verb = DO_DESTROY, .problem = {.id = scan->problem.id}};
    if (scan->problem.parts > 1) {
        send_to_parts(scan->host, &c, scan->problem.parts);
        job.scans[scan->problem.id] = NULL;
    }
    rank_scan_free(scan);
}

scan_status rank_job_ask(uint32_t rank, const void *question, uint64_t question_bytes, void *answer,
                         uint64_t answer_bytes)
{
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

void rank_job_leave(void)
{
    const command c = {.verb = DO_LEAVE};
    for (int rank = 1; rank < job.count; rank++)
        send_command(&c, rank);
    MPI_Finalize();
}

/* ---- the others ------------------------------------------------------------ */

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
    rank_scan *scan = NULL;
    scan_status status = rank_scan_create(host, &c->problem, job.rank, &scan);
    if (status == SCAN_OK)
        status = rank_scan_meet(scan);
    if (status != SCAN_OK) {
        if (scan)
            rank_scan_free(scan);
        return status;
    }
    job.scans[c->problem.id] = scan;
    return rank_scan_agree(scan, status);
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
    scan_status status = rank_check(host, code, "MPI_Recv");
    if (status == SCAN_OK)
        status = answer(context, both, c->question_bytes, reply, c->answer_bytes);
    if (status == SCAN_OK)
        status = rank_check(
            host, MPI_Send(reply, (int)c->answer_bytes, MPI_BYTE, 0, DATA_TAG, MPI_COMM_WORLD),
            "MPI_Send");
    free(both);
    return status;
}

static scan_status obey(const scan_host *host, const command *c, scan_answer answer, void *context)
{
    const uint32_t id = c->problem.id;
    rank_scan *scan = id < SCANS_MOST ? job.scans[id] : NULL;
    if (!scan && (c->verb == DO_RUN || c->verb == DO_DESTROY))
        return host->fail(host, SCAN_ERROR, "rank %d has no instance %u", job.rank, id);
    switch (c->verb) {
    case DO_CREATE:
        return obey_create(host, c);
    case DO_RUN:
        return rank_scan_slice(scan, scan_host_pointer(c->in), scan_host_pointer(c->out));
    case DO_DESTROY:
        job.scans[id] = NULL;
        rank_scan_free(scan);
        return SCAN_OK;
    default:
        return obey_question(host, c, answer, context);
    }
}

scan_status rank_job_serve(const scan_host *host, scan_answer answer, void *context)
{
    for (;;) {
        command c = {.verb = DO_LEAVE};
        scan_status status = rank_check(host, next_command(&c), "waiting for a command");
        if (status == SCAN_OK && c.verb == DO_LEAVE)
            break;
        if (status == SCAN_OK)
            status = obey(host, &c, answer, context);
        if (status != SCAN_OK)
            return status;
    }
    return rank_check(host, MPI_Finalize(), "MPI_Finalize");
}
