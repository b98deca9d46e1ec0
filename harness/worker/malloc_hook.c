#include "worker/malloc_hook.h"

#include "scan_plugin.h"

#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MALLOC_HOOK_BLIND
#endif
#endif
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MALLOC_HOOK_BLIND
#endif

static atomic_bool watching;
static atomic_size_t allocations;
static atomic_size_t largest;

#ifndef MALLOC_HOOK_BLIND

/* glibc's own functions, under the names that it keeps for programs that replace malloc. */
/* NOLINTBEGIN(bugprone-reserved-identifier): glibc's names, not ours */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
/* NOLINTEND(bugprone-reserved-identifier) */

static void count(size_t bytes)
{
    if (!atomic_load_explicit(&watching, memory_order_relaxed))
        return;
    atomic_fetch_add(&allocations, 1);
    size_t most = atomic_load(&largest);
    while (bytes > most && !atomic_compare_exchange_weak(&largest, &most, bytes))
        ;
}

SCAN_EXPORT void *malloc(size_t size)
{
    count(size);
    return __libc_malloc(size);
}

SCAN_EXPORT void *calloc(size_t nmemb, size_t size)
{
    count(nmemb * size);
    return __libc_calloc(nmemb, size);
}

SCAN_EXPORT void *realloc(void *ptr, size_t size)
{
    count(size);
    return __libc_realloc(ptr, size);
}

SCAN_EXPORT void *memalign(size_t alignment, size_t size)
{
    count(size);
    return __libc_memalign(alignment, size);
}

SCAN_EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

SCAN_EXPORT int posix_memalign(void **memptr, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    void *memory = memalign(alignment, size);
    if (!memory)
        return ENOMEM;
    *memptr = memory;
    return 0;
}

bool malloc_hook_works(void)
{
    return true;
}

#else

bool malloc_hook_works(void)
{
    return false;
}

#endif

void malloc_hook_begin(void)
{
    atomic_store(&allocations, 0);
    atomic_store(&largest, 0);
    atomic_store(&watching, true);
}

size_t malloc_hook_end(size_t *largest_p)
{
    atomic_store(&watching, false);
    *largest_p = atomic_load(&largest);
    return atomic_load(&allocations);
}
