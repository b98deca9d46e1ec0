#include "system/machine_load.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *machine_text(const char *path)
{
    FILE *file = fopen(path, "re");
    char *text = NULL;
    size_t capacity = 0;
    if (!file)
        return NULL;
    const ssize_t length = getdelim(&text, &capacity, '\0', file);
    fclose(file);
    if (length < 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Is the number in a list such as "0-3,8"? */
static bool contains(const char *list, unsigned long pu)
{
    while (*list) {
        char *end;
        const unsigned long first = strtoul(list, &end, 10);
        unsigned long last = first;
        if (end == list)
            return false;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        if (pu >= first && pu <= last)
            return true;
        list = *end == ',' ? end + 1 : end;
        if (*end && *end != ',')
            return false;
    }
    return false;
}

/* Adds a line "cpu1 user nice system idle iowait irq softirq steal ...", from `values` on. What
 * follows is in user and nice already. */
static bool add_line(const char *values, cpu_times *sum)
{
    uint64_t ticks[8];
    if (sscanf(values,
               "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
               " %" SCNu64,
               &ticks[0], &ticks[1], &ticks[2], &ticks[3], &ticks[4], &ticks[5], &ticks[6],
               &ticks[7]) != 8)
        return false;
    for (int i = 0; i < 8; i++)
        sum->total += ticks[i];
    sum->stolen += ticks[7];
    return true;
}

bool cpu_times_read(const char *stat, const char *pus, cpu_times *times_p)
{
    cpu_times sum = {0};
    bool any = false;
    for (const char *line = stat; line && strncmp(line, "cpu", 3) == 0;) {
        char *values;
        const bool one = line[3] != ' ';
        const unsigned long pu = strtoul(line + 3, &values, 10);
        if (pus ? one && contains(pus, pu) : !one)
            any |= add_line(one ? values : line + 3, &sum);
        line = strchr(line, '\n');
        line = line ? line + 1 : NULL;
    }
    if (any)
        *times_p = sum;
    return any;
}

bool machine_load_read(const char *loadavg, double *load_p)
{
    char *end;
    const double load = strtod(loadavg, &end);
    if (end == loadavg || *end != ' ' || !isfinite(load) || load < 0)
        return false;
    *load_p = load;
    return true;
}

int process_parent_read(const char *stat)
{
    int parent = -1;
    const char *name_end = strrchr(stat, ')');
    return name_end && sscanf(name_end, ") %*c %d", &parent) == 1 ? parent : -1;
}
