#include "system/turn.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { NO_DESCRIPTOR = INT_MAX };

/* A name of Linux' abstract sockets: no file is left behind. */
int turn_begin(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int length =
        snprintf(address.sun_path + 1, sizeof address.sun_path - 1, "scanbench-%s", name);
    const int turn = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (turn < 0)
        return NO_DESCRIPTOR;
    const size_t bytes = offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length;
    if (bind(turn, (const struct sockaddr *)&address, (socklen_t)bytes) == 0)
        return turn;
    const int failed = errno;
    close(turn);
    return failed == EADDRINUSE ? -1 : NO_DESCRIPTOR;
}

void turn_end(int turn)
{
    if (turn != NO_DESCRIPTOR)
        close(turn);
}
