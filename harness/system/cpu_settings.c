#include "system/cpu_settings.h"

#include "system/machine_load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>

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
