/*
 * commands.h - the commands of the supervisor, each obeyed and answered
 */
#ifndef SCANBENCH_WORKER_COMMANDS_H
#define SCANBENCH_WORKER_COMMANDS_H

#include "loader/loader.h"
#include "worker/trial.h"

typedef struct open_configuration open_configuration;

typedef struct worker {
    FILE *commands;
    FILE *out;
    uint64_t serial; /* of the command that is obeyed */
    loader_module module;
    cpu_topology *machine;
    worker_host host;
    bool verbose;
    fault_part load_changed;             /* of the process */
    const volatile sig_atomic_t *forked; /* set in a process that the plugin forked */
    const scan_plugin *open;             /* whose memory context is open, or NULL */
    uint32_t device;
    void *context;
    displacement displacement;
    spot_table spots;
    open_configuration *open_configurations; /* between one visit and the next */
    worker_watch watch;
    const char *place;       /* of its pipes, for a rank that a launcher started; or NULL */
    const scan_ranks *ranks; /* of rank 0, which has joined the others; or NULL */
    size_t in_ranks;         /* the number of the plugin that joined them */
} worker;

/* false: the worker is to end, because the supervisor says so or cannot be answered, or because the
 * command is unknown. */
bool worker_obey(worker *w, const protocol_message *m);

/* Reports a failure outside the steps of loading. false if that could not be sent. */
bool worker_send_failed(FILE *out, const char *reason);

#endif
