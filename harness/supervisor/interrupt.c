#include "supervisor/interrupt.h"

#include "exit_status.h"

#include <signal.h>

/* The only kind of variable that a signal handler may write. */
static volatile sig_atomic_t interrupt_signal;

static void on_signal(int number)
{
    interrupt_signal = number;
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
    signal(SIGPIPE, SIG_IGN);
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
