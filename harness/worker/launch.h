/*
 * launch.h - a worker as several processes, which a launcher such as mpirun starts (scan_ranks.h)
 *
 * The supervisor starts one process, as ever, with a command as its last argument. That process
 * becomes the launcher, which starts the ranks as `scanbench worker -q FILE @PLACE`. Launchers give
 * no open files to what they start, so PLACE is where rank 0 finds its pipes: the launcher has
 * inherited them, and keeps them open until all ranks have ended.
 */
#ifndef SCANBENCH_WORKER_LAUNCH_H
#define SCANBENCH_WORKER_LAUNCH_H

#include "loader/loader.h"
#include "worker/host.h"

/* Is this last argument of a worker's a place, rather than a command? */
bool launch_is_place(const char *argument);

/* Becomes the launcher. Returns only if that fails, with errno. */
void launch_ranks(const char *command, const char *file, bool verbose);

/* Opens the pipe that the launcher has as `descriptor`. -1: errno. */
int launch_open_pipe(const char *place, int descriptor, int flags);

/* Is this process the only one that has opened the pipe? With the mpirun of another MPI than the
 * plugin's every process takes itself for rank 0. */
bool launch_is_only(int pipe);

/* The first plugin of the file that works in ranks, or NULL. */
const scan_ranks *launch_find(const loader_module *module, size_t *at_p);

/* What a rank other than 0 does until rank 0 leaves: it binds itself, and serves. Returns the exit
 * status. */
int launch_serve(const loader_module *module, size_t at, uint32_t rank, worker_host *host);

#endif
