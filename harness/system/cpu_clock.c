#include "system/cpu_clock.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

unsigned cpu_clock_from_info(FILE *info, unsigned pu)
{
    char *line = NULL;
    size_t capacity = 0;
    unsigned at = 0;
    double mhz = 0;
    bool measured = false;
    while (getline(&line, &capacity, info) > 0) {
        if (sscanf(line, "processor : %u", &at) == 1 || at != pu ||
            sscanf(line, "cpu MHz : %lf", &mhz) == 1)
            continue;
        if (strncmp(line, "flags", strlen("flags")) == 0) {
            measured = strstr(line, " aperfmperf") != NULL;
            break;
        }
    }
    free(line);
    return measured && mhz > 0 && mhz < 1e6 ? (unsigned)(mhz + 0.5) : 0;
}

static unsigned from_cpufreq(unsigned pu)
{
    char path[96];
    unsigned long khz = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq", pu);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    const bool found = fscanf(file, "%lu", &khz) == 1;
    fclose(file);
    return found ? (unsigned)((khz + 500) / 1000) : 0;
}

unsigned cpu_clock_mhz(unsigned pu)
{
    unsigned mhz = from_cpufreq(pu);
    FILE *info = mhz ? NULL : fopen("/proc/cpuinfo", "re");
    if (info) {
        mhz = cpu_clock_from_info(info, pu);
        fclose(info);
    }
    return mhz;
}
