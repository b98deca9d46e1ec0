#include "system/process_tree.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

void process_tree_adopt(void)
{
    prctl(PR_SET_CHILD_SUBREAPER, 1);
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
