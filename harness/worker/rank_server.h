/*
 * rank_server.h - answers the questions of rank 0 about the part that lies here
 */
#ifndef SCANBENCH_WORKER_RANK_SERVER_H
#define SCANBENCH_WORKER_RANK_SERVER_H

#include "scan_ranks.h"
#include "worker/local_buffers.h"

typedef struct rank_server {
    const scan_plugin *plugin; /* the host's complete copy */
    worker_host *host;
    local_buffers **held; /* by their id; NULL: destroyed */
    size_t count;
} rank_server;

/* A scan_answer; context: a rank_server. */
scan_status rank_server_answer(void *context, const void *question, uint64_t question_bytes,
                               void *answer, uint64_t answer_bytes);
void rank_server_free(rank_server *s);

#endif
