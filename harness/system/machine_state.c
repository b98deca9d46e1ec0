#include "system/machine_state.h"

#include <inttypes.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>

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

bool cpu_list_has(const char *list, unsigned long pu)
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

/* Appends the hardware threads of a core. */
static bool add_core(unsigned long pu, const char *folder, char *text, size_t size)
{
    char path[256], alone[24];
    const size_t used = strlen(text);
    snprintf(path, sizeof path, "%s/cpu%lu/topology/thread_siblings_list", folder, pu);
    snprintf(alone, sizeof alone, "%lu", pu);
    char *siblings = machine_text(path);
    const char *units = siblings && cpu_list_has(siblings, pu) ? siblings : alone;
    const int length = snprintf(text + used, size - used, "%s%.*s", used ? "," : "",
                                (int)strcspn(units, "\n"), units);
    free(siblings);
    return length > 0 && (size_t)length < size - used;
}

bool cpu_list_of_cores(const char *list, const char *folder, char *text, size_t size)
{
    *text = '\0';
    for (unsigned long pu = 0; pu < CPU_SETSIZE; pu++)
        if (cpu_list_has(list, pu) && !cpu_list_has(text, pu) && !add_core(pu, folder, text, size))
            return false;
    return *text != '\0';
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
    sum->busy += ticks[0] + ticks[1] + ticks[2];
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
        if ((pus ? one && cpu_list_has(pus, pu) : !one) &&
            add_line(one ? values : line + 3, &sum)) {
            any = true;
            sum.units += one;
        }
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

/* ---- clocks ---- */

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
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/cpufreq/scaling_cur_freq", pu);
    char *khz = machine_text(path);
    const unsigned mhz = khz ? (unsigned)((strtoul(khz, NULL, 10) + 500) / 1000) : 0;
    free(khz);
    return mhz;
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

/* ---- settings ---- */

#define CPU "/sys/devices/system/cpu/"

const char *cpu_setting_word(const char *text, int inverted)
{
    char *end;
    if (!text)
        return "";
    const unsigned long value = strtoul(text, &end, 10);
    if (end == text || (*end && *end != '\n'))
        return "";
    return (value > 0) != (inverted != 0) ? "on" : "off";
}

static void read_word(const char *path, int inverted, char word[CPU_SETTING_BYTES])
{
    char *text = machine_text(path);
    snprintf(word, CPU_SETTING_BYTES, "%s", cpu_setting_word(text, inverted));
    free(text);
}

void cpu_settings_read(cpu_settings *settings_p)
{
    cpu_settings s = {.governor = ""};
    char *governor = machine_text(CPU "cpu0/cpufreq/scaling_governor");
    if (governor)
        snprintf(s.governor, sizeof s.governor, "%.*s", (int)strcspn(governor, "\n"), governor);
    free(governor);
    read_word(CPU "intel_pstate/no_turbo", 1, s.turbo);
    if (!*s.turbo)
        read_word(CPU "cpufreq/boost", 0, s.turbo);
    read_word(CPU "smt/active", 0, s.smt);
    const int flags = personality(0xffffffff);
    if (flags != -1 && flags & ADDR_NO_RANDOMIZE)
        snprintf(s.aslr, sizeof s.aslr, "off");
    else
        read_word("/proc/sys/kernel/randomize_va_space", 0, s.aslr);
    *settings_p = s;
}
