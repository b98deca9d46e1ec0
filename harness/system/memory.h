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

/* What the control groups, version 1 or 2, of this process leave of their limits; UINT64_MAX where
 * there is none. root: "", or for tests a folder in place of /. */
uint64_t memory_group_room(const char *root);

/* "1.5 GiB"; returns text. */
const char *memory_text(uint64_t bytes, char *text, size_t size);

#endif
