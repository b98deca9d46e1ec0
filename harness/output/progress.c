#include "output/progress.h"

#include "system/clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

void progress_begin(progress *p, bool wanted, double total)
{
    *p = (progress){.shown = wanted && isatty(STDERR_FILENO),
                    .total = total > 0 ? total : 1,
                    .start_s = clock_now_ns() * 1e-9};
}

void progress_label(progress *p, const char *label)
{
    snprintf(p->label, sizeof p->label, "%s", label);
    p->drawn_s = 0;
    progress_tick(p);
}

static unsigned columns(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 80;
}

void progress_tick(progress *p)
{
    enum { BAR = 20 };
    double now = clock_now_ns() * 1e-9;
    if (!p->shown || now - p->drawn_s < 0.1)
        return;
    p->drawn_s = now;
    char bar[BAR + 1], left[32] = "", line[320];
    double part = p->done / p->total;
    int full = (int)(part * BAR);
    for (int i = 0; i < BAR; i++)
        bar[i] = i < full ? '#' : '.';
    bar[BAR] = '\0';
    if (part > 0.01) {
        int seconds = (int)((now - p->start_s) * (1 - part) / part);
        snprintf(left, sizeof left, " %d:%02d left", seconds / 60, seconds % 60);
    }
    snprintf(line, sizeof line, "[%s] %3d%%%s  %s", bar, (int)(part * 100), left, p->label);
    fprintf(stderr, "\r%.*s\033[K", (int)columns() - 1, line);
    fflush(stderr);
}

void progress_add(progress *p, double weight)
{
    p->done += weight;
}

void progress_clear(progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r\033[K");
}
