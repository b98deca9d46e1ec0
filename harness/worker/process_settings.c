#include "worker/process_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Those that the call itself returns. */
static const int returned[] = {PR_GET_DUMPABLE,     PR_GET_KEEPCAPS,  PR_GET_TIMERSLACK,
                               PR_GET_NO_NEW_PRIVS, PR_GET_SECCOMP,   PR_GET_THP_DISABLE,
                               PR_MCE_KILL_GET,     PR_GET_SECUREBITS};
enum { RETURNED = sizeof returned / sizeof *returned };

enum { IOPRIO_WHO_PROCESS = 1, ASK_PERSONALITY = -1 };

long number_in_file(const char *path, const char *key, int base)
{
    char line[256];
    long number = -1;
    FILE *file = fopen(path, "re");
    while (file && number < 0 && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0)
            number = strtol(line + strlen(key), NULL, base);
    if (file)
        fclose(file);
    return number;
}

void process_settings_read(process_settings *s_p)
{
    process_settings s = {.adopts = 0};
    for (int i = 0; i < RETURNED; i++)
        s.values[i] = prctl(returned[i], 0, 0, 0, 0);
    s.values[RETURNED] = personality((unsigned long)ASK_PERSONALITY);
    s.values[RETURNED + 1] = syscall(SYS_ioprio_get, IOPRIO_WHO_PROCESS, 0);
    s.values[RETURNED + 3] = number_in_file("/proc/self/oom_score_adj", "", 10);
    s.values[RETURNED + 4] = number_in_file("/proc/self/coredump_filter", "", 16);
#ifdef PR_GET_TSC
    int counter = 0;
    if (prctl(PR_GET_TSC, &counter) == 0)
        s.values[RETURNED + 2] = counter;
#endif
    prctl(PR_GET_NAME, s.thread_name);
    prctl(PR_GET_CHILD_SUBREAPER, &s.adopts);
    *s_p = s;
}

bool process_settings_same(const process_settings *a, const process_settings *b)
{
    return memcmp(a->values, b->values, sizeof a->values) == 0 &&
           strncmp(a->thread_name, b->thread_name, sizeof a->thread_name) == 0;
}

void process_settings_adopt(bool adopts)
{
    prctl(PR_SET_CHILD_SUBREAPER, adopts ? 1 : 0);
}

void memory_policy_read(const void *address, memory_policy *p_p)
{
    enum { OF_ADDRESS = 2 }; /* MPOL_F_ADDR */
    memory_policy p = {.mode = 0};
#ifdef SYS_get_mempolicy
    const unsigned long bits = 8 * sizeof p.nodes;
    if (syscall(SYS_get_mempolicy, &p.mode, p.nodes, bits, address, address ? OF_ADDRESS : 0) != 0)
        p = (memory_policy){.mode = -1}; /* not allowed, or a kernel without nodes */
#else
    (void)address;
#endif
    *p_p = p;
}

bool memory_policy_same(const memory_policy *a, const memory_policy *b)
{
    return a->mode == b->mode && memcmp(a->nodes, b->nodes, sizeof a->nodes) == 0;
}
