/* Leaves a process behind that is nobody's child, in a session of its own. */
#include "mock.h"

#include <sys/wait.h>

static void daemonise(void)
{
    setsid();
    if (fork() == 0)
        sleep(60);
    _exit(0);
}

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    static bool done;
    if (!done) {
        pid_t between = fork();
        if (between == 0)
            daemonise();
        waitpid(between, NULL, 0);
        done = true;
    }
    return mock_run(self, in, out);
}

MOCK_PLUGIN(.run = run);
