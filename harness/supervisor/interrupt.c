#include "supervisor/interrupt.h"

#include "exit_status.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

/* The only kind of variable that a signal handler may share. */
static volatile sig_atomic_t interrupt_signal;

static volatile sig_atomic_t stop_with;

static void on_signal(int number)
{
    interrupt_signal = number;
}

/* Ctrl-Z reaches the supervisor alone, because workers have process groups of their own. The one
 * at work stops too: it would go on measuring what nobody waits for. */
static void on_stop(int number)
{
    const int before = errno;
    const pid_t worker = (pid_t)stop_with;
    (void)number;
    if (worker > 0)
        kill(-worker, SIGSTOP);
    kill(getpid(), SIGSTOP);
    if (worker > 0)
        kill(-worker, SIGCONT);
    errno = before;
}

static void catch_stop(void)
{
    struct sigaction action = {.sa_handler = on_stop, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGTSTP, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(SIGTSTP, &action, NULL);
}

/* A signal that our parent made us ignore (nohup, a shell's background job) stays ignored. */
static void catch_signal(int number)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, before;
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
        sigaction(number, &action, NULL);
}

void interrupt_catch(void)
{
    catch_signal(SIGHUP);
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
    catch_stop();
    signal(SIGPIPE, SIG_IGN);
}

void interrupt_stop_with(pid_t worker)
{
    stop_with = (sig_atomic_t)worker;
}

bool interrupt_requested(void)
{
    return interrupt_signal != 0;
}

_Static_assert(EXIT_SIGNAL + SIGHUP == 129 && EXIT_SIGNAL + SIGINT == 130 &&
                   EXIT_SIGNAL + SIGTERM == 143,
               EXIT_INTERRUPTED_WORD);

int interrupt_status(void)
{
    return EXIT_SIGNAL + interrupt_signal;
}
