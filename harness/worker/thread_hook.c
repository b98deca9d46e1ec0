#include "worker/thread_hook.h"

#include "scan_plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define THREAD_HOOK_BLIND
#endif
#endif
#if !defined(__GLIBC__) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define THREAD_HOOK_BLIND
#endif

static atomic_uint_fast64_t started, asked;
static atomic_int_fast64_t live, most; /* since thread_hook_begin; older threads may live on */

#ifndef THREAD_HOOK_BLIND

/* Looks up, once, the function of the C library that ours hides. A pointer to an object becomes one
 * to a function by copying its bytes, which POSIX allows. */
static void find(const char *name, _Atomic(void *) *known, void *function_p)
{
    void *symbol = atomic_load(known);
    if (!symbol)
        atomic_store(known, symbol = dlsym(RTLD_NEXT, name));
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
    return create ? create(newthread, attr, start_routine, arg) : ENOSYS;
}

SCAN_EXPORT int pthread_join(pthread_t th, void **thread_return)
{
    static _Atomic(void *) known;
    int (*join)(pthread_t, void **);
    find("pthread_join", &known, &join);
    const int result = join ? join(th, thread_return) : ENOSYS;
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
    if (get)
        return get(pid, cpusetsize, cpuset);
    errno = ENOSYS;
    return -1;
}

SCAN_EXPORT int pthread_getaffinity_np(pthread_t th, size_t cpusetsize, cpu_set_t *cpuset)
{
    static _Atomic(void *) known;
    int (*get)(pthread_t, size_t, cpu_set_t *);
    find("pthread_getaffinity_np", &known, &get);
    atomic_fetch_add(&asked, 1);
    return get ? get(th, cpusetsize, cpuset) : ENOSYS;
}

/* std::thread::hardware_concurrency calls this. */
SCAN_EXPORT int get_nprocs(void)
{
    static _Atomic(void *) known;
    int (*get)(void);
    find("get_nprocs", &known, &get);
    atomic_fetch_add(&asked, 1);
    return get ? get() : 1;
}

SCAN_EXPORT long sysconf(int name)
{
    static _Atomic(void *) known;
    long (*get)(int);
    find("sysconf", &known, &get);
    if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)
        atomic_fetch_add(&asked, 1);
    if (get)
        return get(name);
    errno = ENOSYS;
    return -1;
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
