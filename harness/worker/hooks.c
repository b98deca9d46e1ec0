#include "worker/hooks.h"

#include "scan_plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
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

/* ---- whose calls ---------------------------------------------------------------- */

#ifndef HOOKS_BLIND

#define CALLER __builtin_return_address(0)

static atomic_uintptr_t file_from, file_end;

static bool is_of_file(const void *caller)
{
    const uintptr_t from = (uintptr_t)caller;
    return from >= atomic_load(&file_from) && from < atomic_load(&file_end);
}

/* The worker asks for the cores of threads, too. */
static bool is_of_program(const void *caller)
{
    /* NOLINTNEXTLINE(bugprone-reserved-identifier): the linker's names */
    extern const char __executable_start[], _end[];
    return (const char *)caller >= __executable_start && (const char *)caller < _end;
}

/* Notes the range of the file that has the address, if it is this one. */
static int note_range(struct dl_phdr_info *file, size_t size, void *inside)
{
    uintptr_t from = UINTPTR_MAX, end = 0;
    (void)size;
    for (int i = 0; i < file->dlpi_phnum; i++) {
        const ElfW(Phdr) *one = &file->dlpi_phdr[i];
        const uintptr_t begin = file->dlpi_addr + one->p_vaddr;
        if (one->p_type != PT_LOAD)
            continue;
        from = begin < from ? begin : from;
        end = begin + one->p_memsz > end ? begin + one->p_memsz : end;
    }
    if ((uintptr_t)inside < from || (uintptr_t)inside >= end)
        return 0;
    atomic_store(&file_from, from);
    atomic_store(&file_end, end);
    return 1;
}

#endif

void hooks_watch_file(const void *inside)
{
#ifndef HOOKS_BLIND
    dl_iterate_phdr(note_range, (void *)(uintptr_t)inside);
#else
    (void)inside;
#endif
}

/* ---- threads and cores --------------------------------------------------------- */

static atomic_uint_fast64_t started, asked;
static atomic_int_fast64_t live, most; /* since thread_hook_begin; older threads may live on */

#ifndef HOOKS_BLIND

/* The function of the C library that ours hides, which is looked up once. */
static void *next_of(const char *name, _Atomic(void *) *known)
{
    void *symbol = atomic_load(known);
    if (!symbol)
        atomic_store(known, symbol = dlsym(RTLD_NEXT, name));
    if (!symbol)
        abort(); /* the C library has it */
    return symbol;
}

/* Its type is that of ours. POSIX allows to make a function of a pointer from dlsym. */
#define NEXT(name)                                  \
    __extension__({                                 \
        static _Atomic(void *) known;               \
        (__typeof__(name) *)next_of(#name, &known); \
    })

SCAN_EXPORT int pthread_create(pthread_t *newthread, const pthread_attr_t *attr,
                               void *(*start_routine)(void *), void *arg)
{
    atomic_fetch_add(&started, 1);
    const int_fast64_t now = atomic_fetch_add(&live, 1) + 1;
    int_fast64_t before = atomic_load(&most);
    while (now > before && !atomic_compare_exchange_weak(&most, &before, now))
        ;
    return NEXT(pthread_create)(newthread, attr, start_routine, arg);
}

SCAN_EXPORT int pthread_join(pthread_t th, void **thread_return)
{
    const int result = NEXT(pthread_join)(th, thread_return);
    if (result == 0)
        atomic_fetch_sub(&live, 1);
    return result;
}

static void note_question(const void *caller)
{
    if (!is_of_program(caller))
        atomic_fetch_add(&asked, 1);
}

SCAN_EXPORT int sched_getaffinity(pid_t pid, size_t cpusetsize, cpu_set_t *cpuset)
{
    note_question(CALLER);
    return NEXT(sched_getaffinity)(pid, cpusetsize, cpuset);
}

SCAN_EXPORT int pthread_getaffinity_np(pthread_t th, size_t cpusetsize, cpu_set_t *cpuset)
{
    note_question(CALLER);
    return NEXT(pthread_getaffinity_np)(th, cpusetsize, cpuset);
}

/* std::thread::hardware_concurrency calls this. */
SCAN_EXPORT int get_nprocs(void)
{
    note_question(CALLER);
    return NEXT(get_nprocs)();
}

SCAN_EXPORT long sysconf(int name)
{
    if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)
        note_question(CALLER);
    return NEXT(sysconf)(name);
}

#endif

void thread_hook_begin(void)
{
    atomic_store(&live, 0);
    atomic_store(&most, 0);
}

thread_counts thread_hook_counts(void)
{
    return (thread_counts){atomic_load(&started), (uint64_t)atomic_load(&most),
                           atomic_load(&asked)};
}

/* ---- allocations --------------------------------------------------------------- */

static atomic_int watching; /* malloc_hook_scope */
static atomic_size_t allocations;
static atomic_size_t largest;
static atomic_uint_fast64_t failing; /* which one of the file's code fails: 1 is the next */

#ifndef HOOKS_BLIND

/* glibc's own functions, under the names that it keeps for programs that replace malloc. */
/* NOLINTBEGIN(bugprone-reserved-identifier): glibc's names, not ours */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
/* NOLINTEND(bugprone-reserved-identifier) */

static void count(size_t bytes, const void *caller)
{
    const int scope = atomic_load_explicit(&watching, memory_order_relaxed);
    if (scope == MALLOC_HOOK_OFF || (scope == MALLOC_HOOK_FILE && !is_of_file(caller)))
        return;
    atomic_fetch_add(&allocations, 1);
    size_t before = atomic_load(&largest);
    while (bytes > before && !atomic_compare_exchange_weak(&largest, &before, bytes))
        ;
}

/* Counts an allocation. Is it to succeed? If not, sets errno. */
static bool grants(size_t bytes, const void *caller)
{
    count(bytes, caller);
    if (atomic_load_explicit(&failing, memory_order_relaxed) == 0 || !is_of_file(caller) ||
        atomic_fetch_sub(&failing, 1) != 1)
        return true;
    errno = ENOMEM;
    return false;
}

SCAN_EXPORT void *malloc(size_t size)
{
    return grants(size, CALLER) ? __libc_malloc(size) : NULL;
}

SCAN_EXPORT void *calloc(size_t nmemb, size_t size)
{
    return grants(nmemb * size, CALLER) ? __libc_calloc(nmemb, size) : NULL;
}

SCAN_EXPORT void *realloc(void *ptr, size_t size)
{
    return grants(size, CALLER) ? __libc_realloc(ptr, size) : NULL;
}

SCAN_EXPORT void *memalign(size_t alignment, size_t size)
{
    return grants(size, CALLER) ? __libc_memalign(alignment, size) : NULL;
}

SCAN_EXPORT void *aligned_alloc(size_t alignment, size_t size)
{
    return grants(size, CALLER) ? __libc_memalign(alignment, size) : NULL;
}

SCAN_EXPORT int posix_memalign(void **memptr, size_t alignment, size_t size)
{
    if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0)
        return EINVAL;
    void *memory = grants(size, CALLER) ? __libc_memalign(alignment, size) : NULL;
    if (!memory)
        return ENOMEM;
    *memptr = memory;
    return 0;
}

SCAN_EXPORT void *mmap(void *addr, size_t len, int prot, int flags, int fd, off_t offset)
{
    return grants(len, CALLER) ? NEXT(mmap)(addr, len, prot, flags, fd, offset) : MAP_FAILED;
}

/* The name that programs call which are built for large files. */
SCAN_EXPORT void *mmap64(void *addr, size_t len, int prot, int flags, int fd, off64_t offset)
{
    return grants(len, CALLER) ? NEXT(mmap64)(addr, len, prot, flags, fd, offset) : MAP_FAILED;
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

void malloc_hook_begin(malloc_hook_scope scope)
{
    atomic_store(&allocations, 0);
    atomic_store(&largest, 0);
    atomic_store(&watching, scope);
}

size_t malloc_hook_end(size_t *largest_p)
{
    atomic_store(&watching, MALLOC_HOOK_OFF);
    *largest_p = atomic_load(&largest);
    return atomic_load(&allocations);
}

void malloc_hook_fail(uint64_t k)
{
    atomic_store(&failing, k);
}

bool malloc_hook_failed(void)
{
    return atomic_exchange(&failing, 0) == 0;
}

/* ---- names ----------------------------------------------------------------------- */

/* What outlives the process: a path, or one of the three things of System V. */
typedef struct lasting {
    enum { PATH, SEGMENT, SEMAPHORES, QUEUE } kind;
    int id;
    char path[300];
} lasting;

enum { MOST_NAMES = 16 };
static lasting names[MOST_NAMES];
static atomic_size_t name_count;

#ifndef HOOKS_BLIND

static void note(const lasting *name)
{
    const size_t at = atomic_load(&name_count);
    if (at == MOST_NAMES)
        return;
    names[at] = *name;
    atomic_store(&name_count, at + 1);
}

static void note_path(const char *folder, const char *name)
{
    lasting one = {.kind = PATH};
    snprintf(one.path, sizeof one.path, "%s%s", folder, name + (*name == '/'));
    note(&one);
}

static int note_id(unsigned kind, key_t key, int flags, int id, const void *caller)
{
    const lasting one = {.kind = kind, .id = id};
    if (id >= 0 && (key == IPC_PRIVATE || flags & IPC_CREAT) && is_of_file(caller))
        note(&one);
    return id;
}

SCAN_EXPORT int shmget(key_t key, size_t size, int shmflg)
{
    return note_id(SEGMENT, key, shmflg, NEXT(shmget)(key, size, shmflg), CALLER);
}

SCAN_EXPORT int semget(key_t key, int nsems, int semflg)
{
    return note_id(SEMAPHORES, key, semflg, NEXT(semget)(key, nsems, semflg), CALLER);
}

SCAN_EXPORT int msgget(key_t key, int msgflg)
{
    return note_id(QUEUE, key, msgflg, NEXT(msgget)(key, msgflg), CALLER);
}

SCAN_EXPORT int shm_open(const char *name, int oflag, mode_t mode)
{
    if (oflag & O_CREAT && is_of_file(CALLER))
        note_path("/dev/shm/", name);
    return NEXT(shm_open)(name, oflag, mode);
}

SCAN_EXPORT sem_t *sem_open(const char *name, int oflag, ...)
{
    va_list more;
    if (!(oflag & O_CREAT))
        return NEXT(sem_open)(name, oflag);
    if (is_of_file(CALLER))
        note_path("/dev/shm/sem.", name);
    va_start(more, oflag);
    const mode_t mode = va_arg(more, mode_t);
    const unsigned value = va_arg(more, unsigned);
    va_end(more);
    return NEXT(sem_open)(name, oflag, mode, value);
}

#endif

static bool is_there(const lasting *name)
{
    union {
        struct shmid_ds segment;
        struct semid_ds semaphores;
        struct msqid_ds queue;
    } about;
    switch (name->kind) {
    case SEGMENT: /* one that is to be removed is gone when the process ends */
        return shmctl(name->id, IPC_STAT, &about.segment) == 0 &&
               !(about.segment.shm_perm.mode & SHM_DEST);
    case SEMAPHORES:
        return semctl(name->id, 0, IPC_STAT, &about.semaphores) == 0;
    case QUEUE:
        return msgctl(name->id, IPC_STAT, &about.queue) == 0;
    default:
        return access(name->path, F_OK) == 0;
    }
}

size_t name_hook_left(void)
{
    size_t left = 0;
    for (size_t i = 0; i < atomic_load(&name_count); i++)
        left += is_there(&names[i]);
    return left;
}
