/*
 * memory.h - how much memory there is, and sizes as text
 */
#ifndef SCANBENCH_SYSTEM_MEMORY_H
#define SCANBENCH_SYSTEM_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* What a worker takes beside the arrays of its problem, at most. */
enum { MEMORY_WORKER_BYTES = 64 << 20 };

/* Bytes this process may still take: what the system has available, or less where
 * a control group allows less. */
uint64_t memory_available(void);

/* "1.5 GiB"; returns text. */
const char *memory_text(uint64_t bytes, char *text, size_t size);

#endif
