/*
 * channel.h - what the supervisor and a worker agree on before the first message
 */
#ifndef SCANBENCH_PROTOCOL_CHANNEL_H
#define SCANBENCH_PROTOCOL_CHANNEL_H

/* The file descriptors with which a worker is started. */
enum { WORKER_COMMANDS = 3, WORKER_RESULTS = 4 };

/* How many bytes of a plugin's output are kept: enough to recognise it. */
enum { WORKER_PRINTED_BYTES = 80 };

#endif
