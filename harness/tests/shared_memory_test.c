/* shared_memory_test.c - processes that map shared memory find the same pages */
#include "system/memory.h"
#include "tap.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE ((size_t)1 << 16)

/* Room for one page, to be replaced. */
static unsigned char *room(void)
{
    return mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* What a child finds at the start of the second page; it answers there. */
static int child_reads(const char *path)
{
    const pid_t child = fork();
    if (child == 0) {
        unsigned char *at = room();
        if (!shared_memory_map(path, PAGE, at, PAGE))
            _exit(0);
        const int found = at[0];
        at[0] = 8;
        _exit(found);
    }
    int state = 0;
    waitpid(child, &state, 0);
    return WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

int main(void)
{
    tap_plan(8);
    shared_memory m = shared_memory_new(2 * PAGE);
    const shared_memory was = m;
    unsigned char *at = room(), *first = room();
    if (*m.path) {
        ok(shared_memory_map(m.path, PAGE, at, PAGE), "a page is mapped by its path");
        at[0] = 7;
        ok(child_reads(m.path) == 7, "another process finds what was written there");
        ok(at[0] == 8, "and the other way round");
        ok(shared_memory_map(m.path, 0, first, PAGE) && first[0] == 0,
           "another offset is another page");
        ok(!shared_memory_map(m.path, 2 * PAGE, first, PAGE),
           "what lies beyond the end is refused");
        ok(ftruncate(m.file, 0) != 0 && ftruncate(m.file, 4 * (off_t)PAGE) != 0,
           "nobody can cut it off, or make it longer");
        ok(fcntl(m.file, F_GETFD) & FD_CLOEXEC, "no program that is started inherits it");
    } else {
        tap_skip(7, "the system has no shared memory");
    }
    shared_memory_free(&m);
    ok(m.file < 0 && !*m.path && (was.file < 0 || fcntl(was.file, F_GETFD) < 0),
       "nothing is left of it");
    return tap_done();
}
