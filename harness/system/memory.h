/*
 * memory.h - how much memory is available, and sizes as text
 */
#ifndef SCANBENCH_SYSTEM_MEMORY_H
#define SCANBENCH_SYSTEM_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* The most memory that a worker takes besides the arrays of its problem. */
enum { MEMORY_WORKER_BYTES = 64 << 20 };

/* Bytes this process may still take: what the system has available, or less where
 * a control group allows less. */
uint64_t memory_available(void);

/* "1.5 GiB"; returns text. */
const char *memory_text(uint64_t bytes, char *text, size_t size);

#endif
