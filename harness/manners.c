#include "manners.h"

#include <dirent.h>
#include <errno.h>
#include <fenv.h>
#include <locale.h>
#include <malloc.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __SSE__
#include <xmmintrin.h>
#endif

/* The control bits of MXCSR; the six lowest are flags that any arithmetic sets. */
static uint32_t float_control(void)
{
#ifdef __SSE__
    return _mm_getcsr() & ~UINT32_C(0x3f);
#else
    return 0;
#endif
}

void manners_read(manners *m_p)
{
    manners m = {.rounding = fegetround(), .float_control = float_control()};
    sched_getaffinity(0, sizeof m.affinity, &m.affinity);
    for (int i = 1; i < MANNERS_SIGNALS; i++)
        sigaction(i, NULL, &m.actions[i]);
    sigprocmask(SIG_SETMASK, NULL, &m.blocked);
    const char *locale = setlocale(LC_ALL, NULL);
    snprintf(m.locale, sizeof m.locale, "%s", locale ? locale : "");
    if (!getcwd(m.folder, sizeof m.folder))
        m.folder[0] = '\0';
    *m_p = m;
}

static bool same_signals(const manners *a, const manners *b)
{
    for (int i = 1; i < MANNERS_SIGNALS; i++)
        if (a->actions[i].sa_handler != b->actions[i].sa_handler ||
            sigismember(&a->blocked, i) != sigismember(&b->blocked, i))
            return false;
    return true;
}

const char *manners_changed(const manners *before, const manners *after)
{
    if (!CPU_EQUAL(&before->affinity, &after->affinity))
        return "the CPU affinity of the thread that called it";
    if (before->rounding != after->rounding)
        return "the rounding mode";
    if (before->float_control != after->float_control)
        return "the floating-point mode";
    if (!same_signals(before, after))
        return "a signal's handler or mask";
    if (strcmp(before->locale, after->locale) != 0)
        return "the locale";
    if (strcmp(before->folder, after->folder) != 0)
        return "the working folder";
    return NULL;
}

bool manners_float_is_default(const manners *m)
{
    return m->rounding == FE_TONEAREST && !(m->float_control & 0x8040);
}

static uint64_t entries(const char *path)
{
    uint64_t count = 0;
    DIR *folder = opendir(path);
    while (folder && readdir(folder))
        count++;
    if (folder)
        closedir(folder);
    return count;
}

void manners_measure(manners_usage *usage_p)
{
    manners_usage usage = {.descriptors = entries("/proc/self/fd"),
                           .threads = entries("/proc/self/task")};
    unsigned long pages = 0;
    FILE *statm = fopen("/proc/self/statm", "re");
    if (statm) {
        if (fscanf(statm, "%lu", &pages) != 1)
            pages = 0;
        fclose(statm);
    }
    usage.mapped_bytes = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
#ifdef __GLIBC__
    struct mallinfo2 heap = mallinfo2();
    usage.heap_bytes = heap.uordblks + heap.hblkhd;
#endif
    *usage_p = usage;
}

bool manners_has_children(void)
{
    siginfo_t about;
    return waitid(P_ALL, 0, &about, WEXITED | WNOHANG | WNOWAIT) == 0;
}

int manners_capture(void)
{
    int captured = memfd_create("stdout", MFD_CLOEXEC);
    fflush(stdout);
    if (captured >= 0 && dup2(captured, STDOUT_FILENO) < 0) {
        close(captured);
        captured = -1;
    }
    return captured;
}

void manners_printed(int captured, char *text, size_t size)
{
    char chunk[4096];
    ssize_t got;
    text[0] = '\0';
    fflush(stdout);
    if (captured < 0)
        return;
    dup2(STDERR_FILENO, STDOUT_FILENO);
    for (off_t at = 0; (got = pread(captured, chunk, sizeof chunk, at)) > 0; at += got) {
        if (at == 0)
            snprintf(text, size, "%.*s", (int)got, chunk);
        fwrite(chunk, 1, (size_t)got, stderr);
    }
    close(captured);
}
