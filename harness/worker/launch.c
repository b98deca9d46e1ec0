#include "worker/launch.h"

#include "exit_status.h"
#include "loader/search.h"
#include "text/shell_words.h"
#include "worker/rank_server.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { MARK = '@' };

bool launch_is_place(const char *argument)
{
    return argument[0] == MARK;
}

void launch_ranks(const char *command, const char *file, bool verbose)
{
    enum { OWN = 6 };
    char executable[4096], place[64], worker[] = "worker", quiet[] = "-q", talkative[] = "-v";
    char *words[SHELL_WORDS_MOST + OWN], *text = strdup(command), *path = strdup(file);
    errmsg error;
    size_t count = 0;
    if (!text || !path) {
        errno = ENOMEM;
    } else if (shell_words_split(text, words, &count, &error) != SCAN_OK) {
        errno = EINVAL; /* the supervisor has said so before */
    } else if (search_executable(executable, sizeof executable) == SCAN_OK) {
        snprintf(place, sizeof place, "%c/proc/%d/fd", MARK, (int)getpid());
        words[count++] = executable;
        words[count++] = worker;
        words[count++] = verbose ? talkative : quiet;
        words[count++] = path;
        words[count++] = place;
        words[count] = NULL;
        dup2(STDERR_FILENO, STDOUT_FILENO); /* what ranks print never gets into the CSV */
        execvp(words[0], words);
    }
    const int failed = errno;
    free(path);
    free(text);
    errno = failed;
}

int launch_open_pipe(const char *place, int descriptor, int flags)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%d", place + 1, descriptor);
    return open(path, flags | O_CLOEXEC);
}

bool launch_is_only(int pipe)
{
    return flock(pipe, LOCK_EX | LOCK_NB) == 0;
}

const scan_ranks *launch_find(const loader_module *module, size_t *at_p)
{
    for (size_t i = 0; i < module->count; i++)
        if (module->ranks[i].join) {
            *at_p = i;
            return &module->ranks[i];
        }
    return NULL;
}

/* The core for a rank: another than for those before it, as long as there are any. */
static int core_for(const cpu_topology *machine, uint32_t rank)
{
    return topology_core_before(machine, rank % topology_cores(machine));
}

int launch_serve(const loader_module *module, size_t at, uint32_t rank, worker_host *host)
{
    errmsg error;
    cpu_topology *machine = host->machine;
    if (topology_bind(machine, BINDING_CORE, core_for(machine, rank), &error) != SCAN_OK) {
        fprintf(stderr, "scanbench: rank %u: %s\n", rank, error.text);
        return EXIT_USAGE;
    }
    rank_server server = {.plugin = &module->plugins[at], .host = host};
    const scan_status status =
        module->ranks[at].serve(&host->host, module->exported[at], rank_server_answer, &server);
    rank_server_free(&server);
    if (status == SCAN_OK)
        return EXIT_GOOD;
    fprintf(stderr, "scanbench: rank %u: %s\n", rank, host->reason);
    return EXIT_USAGE;
}
