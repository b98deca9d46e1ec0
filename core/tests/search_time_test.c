/* search_time_test.c - the time to find plugin files grows as their number, not as its square */
#include "loader/search.h"
#include "tap.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FEW = 1000, MANY = 10000, TRIES = 5 };

static char folder[] = "/tmp/scanbench-search-XXXXXX";

static void each_file(int from, int to, bool make)
{
    char path[100];
    for (int i = from; i < to; i++) {
        snprintf(path, sizeof path, "%s/plugin_%05d.so", folder, i);
        const int file = make ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : unlink(path);
        if (make && file >= 0)
            close(file);
    }
}

/* The processor time of the best of some tries, in seconds. A negative time: not all were found. */
static double search_s(size_t expected)
{
    const char *const given[] = {folder};
    double best = 1e9;
    for (int i = 0; i < TRIES; i++) {
        search_list list = {0};
        errmsg error;
        struct timespec start, end;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
        const scan_status status = search_plugins(given, 1, NULL, NULL, &list, &error);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
        const double took =
            (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
        best = took < best ? took : best;
        if (status != SCAN_OK || list.count != expected)
            best = -1;
        search_free(&list);
    }
    return best;
}

int main(void)
{
    tap_plan(2);
    if (!mkdtemp(folder))
        printf("Bail out! no folder for files\n");
    each_file(0, FEW, true);
    const double few_s = search_s(FEW);
    each_file(FEW, MANY, true);
    const double many_s = search_s(MANY);
    ok(few_s > 0 && many_s > 0, "all of %d and %d files are found", FEW, MANY);
    /* Ten times as long, or up to a hundred times where each file is compared with all before it.
     */
    ok(many_s < 25 * few_s, "in %.1f and %.1f ms", few_s * 1e3, many_s * 1e3);
    each_file(0, MANY, false);
    rmdir(folder);
    return tap_done();
}
