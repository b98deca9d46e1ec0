#include "system/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the single number in a file of the control group, or 0. */
static uint64_t group_value(const char *name)
{
    char group[512] = "", path[640];
    FILE *list = fopen("/proc/self/cgroup", "re");
    char line[512];
    while (list && fgets(line, sizeof line, list))
        if (strncmp(line, "0::", 3) == 0)
            snprintf(group, sizeof group, "%.*s", (int)strcspn(line + 3, "\n"), line + 3);
    if (list)
        fclose(list);
    snprintf(path, sizeof path, "/sys/fs/cgroup%s/%s", group, name);
    FILE *file = fopen(path, "re");
    uint64_t value = 0;
    if (file) {
        if (fscanf(file, "%" SCNu64, &value) != 1)
            value = 0; /* "max" */
        fclose(file);
    }
    return value;
}

uint64_t memory_available(void)
{
    uint64_t available = 0, kib = 0;
    FILE *info = fopen("/proc/meminfo", "re");
    char line[128];
    while (info && fgets(line, sizeof line, info))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1)
            available = kib << 10;
    if (info)
        fclose(info);
    uint64_t limit = group_value("memory.max"), used = group_value("memory.current");
    if (limit > 0 && limit > used && limit - used < available)
        available = limit - used;
    return available;
}

const char *memory_text(uint64_t bytes, char *text, size_t size)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1024;
    snprintf(text, size, unit ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return text;
}
