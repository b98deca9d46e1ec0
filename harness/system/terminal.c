#include "system/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_has_color(const char *when, int descriptor)
{
    const char *no = getenv("NO_COLOR");
    if (strcmp(when, "always") == 0)
        return true;
    return strcmp(when, "never") != 0 && !(no && *no) && isatty(descriptor);
}

size_t terminal_width(int descriptor, size_t most)
{
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
        return most;
    return size.ws_col < most ? size.ws_col : most;
}
