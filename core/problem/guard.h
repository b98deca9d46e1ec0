/*
 * guard.h - words around a buffer that show writes outside it
 *
 * A guard holds a pattern that depends on the position, so that a constant and a shifted
 * copy of it are both noticed. On a device it lies on both sides of a view, in the same
 * allocation; on the host there are also inaccessible pages beyond it.
 */
#ifndef SCANBENCH_PROBLEM_GUARD_H
#define SCANBENCH_PROBLEM_GUARD_H

#include "scan_plugin.h"

#include <stdbool.h>

/* Bytes of guard on each side, a multiple of the contract's 4096 for views. */
#define GUARD_BYTES ((size_t)4096)

/* What an output holds before a run, so that an element that was not written is noticed:
 * as i32 -1515870811, as f32 about -3e-16. */
#define POISON_BYTE 0xA5u

/* What scratch memory from the host holds at first, so that a plugin that expects zeros is
 * noticed. */
#define SCRATCH_BYTE 0x5Cu

/* How many mappings a pool keeps, each of that many bytes at most. */
enum { GUARDED_KEPT = 16, GUARDED_KEPT_BYTES = 16 << 20 };

void poison_fill(void *region, size_t bytes);
bool is_poisoned(const void *region, size_t bytes);

/* Writes the pattern of `key`. */
void guard_arm(void *region, size_t bytes, uint64_t key);
/* Does the region hold the pattern of `key`? If not, *first_changed_p is the
 * offset of its first other byte (NULL: not wanted). */
bool guard_intact(const void *region, size_t bytes, uint64_t key, size_t *first_changed_p);

/*
 * Host memory between guards:
 *
 *     | no access | guard | data ... | guard up to the page's end | no access |
 *
 * The front guard is at least GUARD_BYTES + misalign long, that behind the data 64 bytes.
 */
typedef struct guarded_pool guarded_pool;

typedef struct guarded_buffer {
    void *data;           /* `bytes` long, 64-byte-aligned plus misalign */
    size_t bytes;         /* the length of the data */
    void *mapping;        /* the whole mapping, no-access pages included */
    size_t mapping_bytes; /* its length */
    size_t used_bytes;    /* of its accessible pages, how many some buffer has had */
    void *front;          /* the front guard */
    size_t front_bytes;   /* its length */
    size_t behind_bytes;  /* the length of the guard that begins at data + bytes */
    guarded_pool *pool;   /* which keeps the mapping when the buffer is destroyed, or NULL */
} guarded_buffer;

typedef struct guarded_mapping {
    void *mapping; /* NULL: none */
    size_t bytes;
    size_t used; /* of its accessible pages, how many bytes some buffer has had */
} guarded_mapping;

/* Mappings of destroyed buffers, inaccessible until a buffer takes them that is no longer, so that
 * their pages need not be mapped and cleared again. What it does not need of one stays
 * inaccessible. {0} is an empty pool. */
struct guarded_pool {
    guarded_mapping kept[GUARDED_KEPT];
    size_t next; /* the one that is given up next */
};

/* Called with the accessible part of the mapping, whole pages, before it is first touched:
 * here the caller can bind it to a NUMA node. */
typedef void (*guard_place)(void *context, void *address, size_t bytes);

/* Makes a buffer of `bytes` bytes (may be 0). Its guards are armed and its data is not touched.
 * SCAN_OK, or SCAN_NO_MEMORY with errno as mmap or mprotect left it. `place` may be NULL. Released
 * with guarded_destroy. Pages of the pool, unless that is NULL, are not placed again. */
scan_status guarded_create(guarded_buffer *buffer_p, size_t bytes, size_t misalign_bytes,
                           guard_place place, void *context, guarded_pool *pool);

/* Makes the memory right in front of the data, or right behind it, inaccessible. The guard there is
 * given up. false if the system refuses, or if the data does not begin (end) with a page. */
bool guarded_fence(guarded_buffer *buffer, bool front);
/* The misalignment at which `bytes` bytes end with a page. */
size_t guarded_end_misalign(size_t bytes);

/* Are both guards unchanged? If not, *offset_p (NULL: not wanted) is the first byte
 * written outside, in bytes from the start of the data: negative in front of it,
 * `bytes` or more behind it. */
bool guarded_intact(const guarded_buffer *buffer, ptrdiff_t *offset_p);

/* Makes the buffer and its guards accessible as mprotect's `protection` says; what that forbids
 * ends the process. false if the system refuses. */
bool guarded_protect(const guarded_buffer *buffer, int protection);

/* Divides a buffer into two: its first `bytes` bytes and its last `second_bytes`. What is left
 * between them guards both. The second is gone when the first is destroyed. */
void guarded_split(guarded_buffer *buffer, size_t bytes, size_t second_bytes,
                   guarded_buffer *second_p);

void guarded_destroy(guarded_buffer *buffer);

#endif
