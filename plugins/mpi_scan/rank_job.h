/*
 * rank_job.h - the ranks of one job of MPI, and the commands with which rank 0 has the others take
 * part in what it does
 *
 * Rank 0 is the worker. The other ranks wait for its commands in rank_job_serve. A rank that has
 * had no command for a while sleeps between looks, so that it takes no core from others; runs that
 * follow each other find it awake.
 */
#ifndef RANK_JOB_H
#define RANK_JOB_H

#include "rank_scan.h"
#include "scan_ranks.h"

/* ---- in every rank --------------------------------------------------------- */

/* SCAN_OK and the rank of this process and their number, or SCAN_ERROR. */
scan_status rank_job_join(const scan_host *host, uint32_t *rank_p, uint32_t *count_p);

/* How many ranks there are; 1 before rank_job_join. */
int rank_job_count(void);

/* ---- rank 0 ---------------------------------------------------------------- */

/* Makes a scan in all ranks that have a part; problem->id is chosen here. SCAN_OK and *scan_p,
 * released with rank_job_destroy; or the worst status of these ranks. */
scan_status rank_job_create(const scan_host *host, const rank_problem *problem, rank_scan **scan_p);
void rank_job_destroy(rank_scan *scan);

/* Runs it in several parts; in[p] and out[p] are addresses in rank p. */
scan_status rank_job_run(const rank_scan *scan, const scan_buffer *in, const scan_buffer *out);

/* Carries a question of the worker to a rank, and its answer back. */
scan_status rank_job_ask(uint32_t rank, const void *question, uint64_t question_bytes, void *answer,
                         uint64_t answer_bytes);

/* Lets all other ranks return from rank_job_serve. */
void rank_job_leave(void);

/* ---- the others ------------------------------------------------------------ */

/* Obeys until rank 0 leaves: SCAN_OK; or the first status of a command that is not. */
scan_status rank_job_serve(const scan_host *host, scan_answer answer, void *context);

#endif
