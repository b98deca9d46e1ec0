#include "rank_scan.h"

#include <string.h>

/* What the combine of the current call does: MPI passes no context to it, and belongs to the
 * process, as this does. */
static const rank_loops *joining;

scan_status rank_check(const scan_host *host, int code, const char *call)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0, rank = 0, has_ranks = 0;
    if (code == MPI_SUCCESS)
        return SCAN_OK;
    MPI_Initialized(&has_ranks);
    if (has_ranks)
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Error_string(code, text, &length);
    return host->fail(host, SCAN_ERROR, "rank %d: %s: %s", rank, call, text);
}

/* An MPI_User_function, whose type has no const. */
/* cppcheck-suppress constParameter */
static void join_totals(void *left, void *right, int *length, MPI_Datatype *type) /* NOLINT */
{
    (void)type;
    const rank_element *from = left;
    rank_element *to = right;
    for (int i = 0; i < *length; i++)
        joining->join(&from[i], &to[i]);
}

void rank_scan_free(rank_scan *scan)
{
    if (scan->element != MPI_DATATYPE_NULL)
        MPI_Type_free(&scan->element);
    if (scan->combine != MPI_OP_NULL)
        MPI_Op_free(&scan->combine);
    if (scan->ranks != MPI_COMM_NULL)
        MPI_Comm_free(&scan->ranks);
    scan->host->release(scan->host, scan);
}

scan_status rank_scan_meet(rank_scan *scan)
{
    MPI_Group all, members;
    int code = MPI_Comm_group(MPI_COMM_WORLD, &all);
    if (code == MPI_SUCCESS) {
        int range[1][3] = {{0, (int)scan->problem.parts - 1, 1}};
        code = MPI_Group_range_incl(all, 1, range, &members);
    }
    if (code == MPI_SUCCESS) {
        code = MPI_Comm_create_group(MPI_COMM_WORLD, members, (int)scan->problem.id, &scan->ranks);
        MPI_Group_free(&members);
    }
    if (code == MPI_SUCCESS)
        code = MPI_Group_free(&all);
    if (code == MPI_SUCCESS)
        code = MPI_Type_contiguous(RANK_ELEMENT_BYTES, MPI_BYTE, &scan->element);
    if (code == MPI_SUCCESS)
        code = MPI_Type_commit(&scan->element);
    if (code == MPI_SUCCESS)
        code = MPI_Op_create(join_totals, 0, &scan->combine);
    return rank_check(scan->host, code, "meeting the ranks of a problem");
}

scan_status rank_scan_agree(const rank_scan *scan, scan_status mine)
{
    int own = (int)mine, worst = (int)mine;
    const int code = MPI_Allreduce(&own, &worst, 1, MPI_INT, MPI_MAX, scan->ranks);
    if (code != MPI_SUCCESS)
        return rank_check(scan->host, code, "MPI_Allreduce");
    if (worst != SCAN_OK && mine == SCAN_OK)
        return scan->host->fail(scan->host, (scan_status)worst, "another rank failed");
    return (scan_status)worst;
}

scan_status rank_scan_create(const scan_host *host, const rank_problem *problem, int rank,
                             rank_scan **scan_p)
{
    rank_scan *scan = host->allocate(host, sizeof *scan, _Alignof(rank_scan));
    if (!scan)
        return host->fail(host, SCAN_NO_MEMORY, "no memory for a rank's scan");
    *scan =
        (rank_scan){.host = host,
                    .problem = *problem,
                    .loops = problem->copies ? NULL : rank_loops_for(problem->op, problem->dtype),
                    .ranks = MPI_COMM_NULL,
                    .element = MPI_DATATYPE_NULL,
                    .combine = MPI_OP_NULL,
                    .count = problem->n,
                    .rank = rank};
    if (problem->parts > 1)
        scan->count = scan_parts_length(problem->n, scan_parts_slice(problem->n, problem->parts),
                                        problem->parts, (uint32_t)rank);
    *scan_p = scan;
    return SCAN_OK;
}

static void scan_from(const rank_scan *scan, const void *in, void *out, const rank_element *carry)
{
    scan->loops->scan[scan->problem.kind](in, out, scan->count, carry);
}

void rank_scan_alone(const rank_scan *scan, const void *in, void *out)
{
    rank_element carry;
    if (scan->problem.copies) {
        memcpy(out, in, scan->count * scan->problem.element_bytes);
        return;
    }
    scan->loops->identity(&carry);
    scan_from(scan, in, out, &carry);
}

scan_status rank_scan_slice(const rank_scan *scan, const void *in, void *out)
{
    rank_element total, carry;
    if (scan->problem.copies) {
        memcpy(out, in, scan->count * scan->problem.element_bytes);
        return rank_check(scan->host, MPI_Barrier(scan->ranks), "MPI_Barrier");
    }
    scan->loops->identity(&total);
    carry = total;
    if (scan->rank + 1 < (int)scan->problem.parts)
        scan->loops->reduce(in, scan->count, &total);
    joining = scan->loops;
    const int code = MPI_Exscan(&total, &carry, 1, scan->element, scan->combine, scan->ranks);
    if (code != MPI_SUCCESS)
        return rank_check(scan->host, code, "MPI_Exscan");
    if (scan->rank == 0)
        scan->loops->identity(&carry); /* MPI leaves it undefined */
    scan_from(scan, in, out, &carry);
    return rank_check(scan->host, MPI_Barrier(scan->ranks), "MPI_Barrier");
}
