#include "output/warnings.h"

void warnings_add(warnings *w, const measurement *m)
{
    const circumstances *c = &m->circumstances;
    if (m->result.status != ROW_OK || m->phase_count == 0)
        return;
    w->measured++;
    for (int i = 0; i < FLAGS; i++)
        w->counts[i] += circumstances_are(c, (circumstance_flag)i);
    if (c->has_load && c->load > w->most_load)
        w->most_load = c->load;
    if (c->has_steal && c->steal_pct > w->most_steal_pct)
        w->most_steal_pct = c->steal_pct;
    if (c->values[WATCH_GPU_PROCESSES].most > w->gpu_processes)
        w->gpu_processes = c->values[WATCH_GPU_PROCESSES].most;
    w->throttle |= c->values[WATCH_GPU_THROTTLE].bits;
    w->cpus = c->cpus;
}

const char *warnings_text(const warnings *w, circumstance_flag r, char text[WARNING_BYTES])
{
    char reasons[THROTTLE_TEXT_BYTES];
    const size_t count = r < FLAGS ? w->counts[r] : 0;
    *text = '\0';
    if (count == 0)
        return text;
    switch (r) {
    case FLAG_BUSY:
        snprintf(text, WARNING_BYTES,
                 "other programs disturbed %zu of %zu configurations, flagged busy (load up to "
                 "%.1f on %u processing units, stolen time up to %.1f %%)",
                 count, w->measured, w->most_load, w->cpus, w->most_steal_pct);
        break;
    case FLAG_FAULTS:
        snprintf(text, WARNING_BYTES,
                 "page faults are in the times of %zu of %zu configurations, flagged faults", count,
                 w->measured);
        break;
    case FLAG_THROTTLED:
        snprintf(text, WARNING_BYTES,
                 "the GPU lowered its clock during %zu of %zu configurations, flagged throttled "
                 "(%s)",
                 count, w->measured, throttle_text(w->throttle, reasons));
        break;
    case FLAG_GPU_SHARED:
        snprintf(text, WARNING_BYTES,
                 "other processes used the GPU during %zu of %zu configurations, flagged "
                 "gpu_shared (up to %u)",
                 count, w->measured, w->gpu_processes);
        break;
    case FLAGS:
        break;
    }
    return text;
}

void warnings_print(const warnings *w, FILE *out)
{
    for (int i = 0; i < FLAGS; i++) {
        char text[WARNING_BYTES];
        if (*warnings_text(w, (circumstance_flag)i, text))
            fprintf(out, "scanbench: warning: %s\n", text);
    }
}
