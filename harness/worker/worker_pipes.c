#include "worker/worker_pipes.h"

#include "protocol/message.h"
#include "worker/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

/* For leave_pipes: atfork handlers take no argument. */
static volatile sig_atomic_t worker_forked;
static volatile sig_atomic_t worker_pipes[2];

static void leave_pipes(void)
{
    worker_forked = 1;
    close(worker_pipes[0]);
    close(worker_pipes[1]);
}

void worker_pipes_guard_forks(void)
{
    pthread_atfork(NULL, NULL, leave_pipes);
}

const volatile sig_atomic_t *worker_pipes_forked(void)
{
    return &worker_forked;
}

/* Moves a pipe to a high number, if the system allows it, because a plugin that closes
 * descriptors at random begins at the low ones; closed on exec. -1: errno. */
static int move_pipe(int from)
{
    enum { HIGH = 100, ABOVE_STANDARD = 3 };
    int to = fcntl(from, F_DUPFD_CLOEXEC, HIGH);
    if (to < 0 && errno == EINVAL) /* above what ulimit -n allows */
        to = fcntl(from, F_DUPFD_CLOEXEC, ABOVE_STANDARD);
    if (to >= 0)
        close(from);
    return to;
}

bool worker_pipes_take(const char *place, FILE **commands_p, FILE **out_p)
{
    const int given = place ? launch_open_pipe(place, WORKER_COMMANDS, O_RDONLY) : WORKER_COMMANDS;
    const int answers = place ? launch_open_pipe(place, WORKER_RESULTS, O_WRONLY) : WORKER_RESULTS;
    if (place && given >= 0 && !launch_is_only(given)) {
        fprintf(stderr, "scanbench: the launcher started several processes as rank 0; use the one "
                        "of the library that the plugin is linked with (--launcher)\n");
        return false;
    }
    int commands = move_pipe(given);
    int results = commands < 0 ? -1 : move_pipe(answers);
    worker_pipes[0] = commands;
    worker_pipes[1] = results;
    *commands_p = commands < 0 ? NULL : fdopen(commands, "r");
    *out_p = results < 0 ? NULL : fdopen(results, "w");
    /* Whatever a plugin prints goes to stderr, never into the CSV. */
    if (*commands_p && *out_p && dup2(STDERR_FILENO, STDOUT_FILENO) >= 0)
        return true;
    if (errno == EBADF)
        fprintf(stderr, "scanbench: a worker is started by scanbench itself, not by hand\n");
    else
        fprintf(stderr, "scanbench: a worker cannot take its pipes: %s\n", strerror(errno));
    return false;
}
