#include "interrupt.h"

#include <signal.h>

/* The one thing a signal handler may touch. */
static volatile sig_atomic_t interrupt_signal;

static void on_signal(int number)
{
    interrupt_signal = number;
}

void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
}

bool interrupt_requested(void)
{
    return interrupt_signal != 0;
}

int interrupt_status(void)
{
    return interrupt_signal == SIGTERM ? 143 : 130;
}
