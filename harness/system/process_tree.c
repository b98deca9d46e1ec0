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

/* Calls `visit` for each child of each thread of a process, as long as it returns true. */
static void each_child(pid_t parent, bool (*visit)(void *context, pid_t child), void *context)
{
    char path[320];
    bool more = true;
    snprintf(path, sizeof path, "/proc/%d/task", (int)parent);
    DIR *threads = opendir(path);
    const struct dirent *thread;
    while (threads && more && (thread = readdir(threads))) {
        int child = 0;
        snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)parent, thread->d_name);
        FILE *children = fopen(path, "re");
        while (children && more && fscanf(children, "%d", &child) == 1 && child > 1)
            more = visit(context, child);
        if (children)
            fclose(children);
    }
    if (threads)
        closedir(threads);
}

/* Kills a child after its own children: otherwise those would get another parent and be missed.
 * DEEPEST is deeper than real plugins start processes. */
static bool end_with_children(void *depth, pid_t child)
{
    enum { DEEPEST = 16 };
    int below = *(const int *)depth + 1;
    if (below < DEEPEST)
        each_child(child, end_with_children, &below);
    kill(child, SIGKILL);
    return true;
}

void process_tree_kill(pid_t parent)
{
    int depth = 0;
    each_child(parent, end_with_children, &depth);
}

typedef struct sought {
    pid_t except;
    bool found;
} sought;

static bool is_another(void *context, pid_t child)
{
    sought *s = context;
    s->found = child != s->except;
    return !s->found;
}

bool process_tree_has_child(pid_t parent, pid_t except)
{
    sought s = {.except = except};
    each_child(parent, is_another, &s);
    return s.found;
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
