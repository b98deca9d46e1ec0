/*
 * channel.h - what the supervisor and a worker agree on before the first message
 */
#ifndef SCANBENCH_PROTOCOL_CHANNEL_H
#define SCANBENCH_PROTOCOL_CHANNEL_H

/* The file descriptors a worker is started with. */
enum { WORKER_COMMANDS = 3, WORKER_RESULTS = 4 };

/* Of what a plugin printed, the bytes that are kept: enough to recognise it by. */
enum { WORKER_PRINTED_BYTES = 80 };

#endif
