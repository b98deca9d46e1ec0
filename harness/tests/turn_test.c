/* turn_test.c - one process at a time */
#include "system/turn.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Can another process take it? */
static int taken_by_other(const char *name)
{
    const pid_t child = fork();
    int status = 0;
    if (child == 0)
        _exit(turn_begin(name) < 0);
    waitpid(child, &status, 0);
    return WEXITSTATUS(status) == 0;
}

int main(void)
{
    char name[32], other[32];
    tap_plan(5);
    snprintf(name, sizeof name, "test-%d", (int)getpid());
    snprintf(other, sizeof other, "other-%d", (int)getpid());
    ok(taken_by_other(name), "a turn is free");
    ok(taken_by_other(name), "a process that ends leaves it");
    const int turn = turn_begin(name);
    ok(turn >= 0 && !taken_by_other(name), "a turn that is taken is not");
    ok(taken_by_other(other), "another one is");
    turn_end(turn);
    ok(taken_by_other(name), "and it is when it has ended");
    return tap_done();
}
