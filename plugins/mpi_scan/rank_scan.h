/*
 * rank_scan.h - what one rank does with its slice: reduce it, MPI_Exscan of the totals, scan it
 * from what came out; or copy it
 */
#ifndef RANK_SCAN_H
#define RANK_SCAN_H

#include "rank_loops.h"
#include "scan_parts.h"

#include <mpi.h>

/* The same in all ranks. */
typedef struct rank_problem {
    uint32_t id; /* among the problems in several parts that exist */
    uint32_t copies, kind, op, dtype, parts, element_bytes;
    uint64_t n;
} rank_problem;

typedef struct rank_scan {
    const scan_host *host;
    rank_problem problem;
    const rank_loops *loops; /* NULL of a copy */
    MPI_Comm ranks;          /* those that have a part; MPI_COMM_NULL in one part */
    MPI_Datatype element;
    MPI_Op combine;
    uint64_t count; /* elements of this rank */
    int rank;
} rank_scan;

/* SCAN_OK and *scan_p, released with rank_scan_free; or SCAN_NO_MEMORY. Asks no other rank. */
scan_status rank_scan_create(const scan_host *host, const rank_problem *problem, int rank,
                             rank_scan **scan_p);
void rank_scan_free(rank_scan *scan);

/* Of a problem in several parts, before anything else is done with it: meets the ranks of the other
 * parts, which call it at the same time. SCAN_OK or SCAN_ERROR. */
scan_status rank_scan_meet(rank_scan *scan);

/* The worst status of all ranks that have a part, which call it at the same time. */
scan_status rank_scan_agree(const rank_scan *scan, scan_status mine);

/* A problem in one part. */
void rank_scan_alone(const rank_scan *scan, const void *in, void *out);

/* This rank's slice of a problem in several; all of its ranks call it at the same time. */
scan_status rank_scan_slice(const rank_scan *scan, const void *in, void *out);

/* SCAN_OK for MPI_SUCCESS; else tells the host which call failed, and returns SCAN_ERROR. */
scan_status rank_check(const scan_host *host, int code, const char *call);

#endif
