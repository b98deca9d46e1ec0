#include "worker/hooks.h"

#include "scan_plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HOOKS_BLIND
#endif
#endif
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HOOKS_BLIND
#endif

/* ---- threads and cores --------------------------------------------------------- */

static atomic_uint_fast64_t started, asked;
static atomic_int_fast64_t live, most; /* since thread_hook_begin; older threads may live on */

#ifndef HOOKS_BLIND

/* Looks up, once, the function of the C library that ours hides. A pointer to an object becomes one
 * to a function by copying its bytes, which POSIX allows. */
static void find(const char *name, _Atomic(void *) *known, void *function_p)
{
    void *symbol = atomic_load(known);
    if (!symbol)
        atomic_store(known, symbol = dlsym(RTLD_NEXT, name));
    if (!symbol)
        abort(); /* the C library has it */
    memcpy(function_p, &symbol, sizeof symbol);
}

SCAN_EXPORT int pthread_create(pthread_t *newthread, const pthread_attr_t *attr,
                               void *(*start_routine)(void *), void *arg)
{
    static _Atomic(void *) known;
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    find("pthread_create", &known, &create);
    atomic_fetch_add(&started, 1);
    const int_fast64_t now = atomic_fetch_add(&live, 1) + 1;
    int_fast64_t before = atomic_load(&most);
    while (now > before && !atomic_compare_exchange_weak(&most, &before, now))
        ;
    return create(newthread, attr, start_routine, arg);
}

SCAN_EXPORT int pthread_join(pthread_t th, void **thread_return)
{
    static _Atomic(void *) known;
    int (*join)(pthread_t, void **);
    find("pthread_join", &known, &join);
    const int result = join(th, thread_return);
    if (result == 0)
        atomic_fetch_sub(&live, 1);
    return result;
}

SCAN_EXPORT int sched_getaffinity(pid_t pid, size_t cpusetsize, cpu_set_t *cpuset)
{
    static _Atomic(void *) known;
    int (*get)(pid_t, size_t, cpu_set_t *);
    find("sched_getaffinity", &known, &get);
    atomic_fetch_add(&asked, 1);
    return get(pid, cpusetsize, cpuset);
}

SCAN_EXPORT int pthread_getaffinity_np(pthread_t th, size_t cpusetsize, cpu_set_t *cpuset)
{
    static _Atomic(void *) known;
    int (*get)(pthread_t, size_t, cpu_set_t *);
    find("pthread_getaffinity_np", &known, &get);
    atomic_fetch_add(&asked, 1);
    return get(th, cpusetsize, cpuset);
}

/* std::thread::hardware_concurrency calls this. */
SCAN_EXPORT int get_nprocs(void)
{
    static _Atomic(void *) known;
    int (*get)(void);
    find("get_nprocs", &known, &get);
    atomic_fetch_add(&asked, 1);
    return get();
}

SCAN_EXPORT long sysconf(int name)
{
    static _Atomic(void *) known;
    long (*get)(int);
    find("sysconf", &known, &get);
    if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)
        atomic_fetch_add(&asked, 1);
    return get(name);
}

#endif

uint64_t thread_hook_started(void)
{
    return atomic_load(&started);
}

void thread_hook_begin(void)
{
    atomic_store(&live, 0);
    atomic_store(&most, 0);
}

uint64_t thread_hook_most(void)
{
    return (uint64_t)atomic_load(&most);
}

uint64_t thread_hook_asked(void)
{
    return atomic_load(&asked);
}

/* ---- allocations --------------------------------------------------------------- */

static atomic_bool watching;
static atomic_size_t allocations;
static atomic_size_t largest;

#ifndef HOOKS_BLIND

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
    size_t before = atomic_load(&largest);
    while (bytes > before && !atomic_compare_exchange_weak(&largest, &before, bytes))
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

#endif

bool malloc_hook_works(void)
{
#ifdef HOOKS_BLIND
    return false;
#else
    return true;
#endif
}

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
