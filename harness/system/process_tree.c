#include "system/process_tree.h"

#include "system/machine_state.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

void process_tree_adopt(bool adopts)
{
    prctl(PR_SET_CHILD_SUBREAPER, adopts ? 1 : 0);
}

/* Kills the children of each thread of a process, after their own children: otherwise those would
 * get another parent and be missed. DEEPEST is deeper than real plugins start processes. */
static void end_below(pid_t parent, int depth)
{
    enum { DEEPEST = 16 };
    char path[320];
    snprintf(path, sizeof path, "/proc/%d/task", (int)parent);
    DIR *threads = depth < DEEPEST ? opendir(path) : NULL;
    const struct dirent *thread;
    while (threads && (thread = readdir(threads))) {
        int child = 0;
        snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)parent, thread->d_name);
        FILE *children = fopen(path, "re");
        while (children && fscanf(children, "%d", &child) == 1 && child > 1) {
            end_below(child, depth + 1);
            kill(child, SIGKILL);
        }
        if (children)
            fclose(children);
    }
    if (threads)
        closedir(threads);
}

void process_tree_kill(pid_t parent)
{
    end_below(parent, 0);
}

bool process_tree_descends(pid_t process, pid_t ancestor)
{
    /* A parent that ends while we look hands its children on, so that a walk could go on; DEEPEST
     * bounds it. */
    enum { DEEPEST = 64 };
    for (int depth = 0; process > 1 && process != ancestor && depth < DEEPEST; depth++) {
        char path[64];
        snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
        char *stat = machine_text(path);
        process = stat ? process_parent_read(stat) : -1;
        free(stat);
    }
    return process == ancestor;
}
