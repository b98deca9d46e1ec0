/*
 * cpu_settings.h - settings of the machine that change what a processor does, in one word each
 */
#ifndef SCANBENCH_SYSTEM_CPU_SETTINGS_H
#define SCANBENCH_SYSTEM_CPU_SETTINGS_H

enum { CPU_SETTING_BYTES = 64 };

typedef struct cpu_settings {
    /* "" where the system does not say */
    char governor[CPU_SETTING_BYTES]; /* of cpufreq, of the first processing unit */
    char turbo[CPU_SETTING_BYTES];    /* on, off */
    char smt[CPU_SETTING_BYTES];      /* on, off: do cores run several threads? */
    char aslr[CPU_SETTING_BYTES];     /* on, off: are addresses random? */
} cpu_settings;

void cpu_settings_read(cpu_settings *settings_p);

/* "on" or "off" for a file that holds 1 (or more) or 0; inverted: the other way round. "" for any
 * other text, and for NULL. */
const char *cpu_setting_word(const char *text, int inverted);

#endif
