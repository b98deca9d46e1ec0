#include "output/circumstance_columns.h"

#include <string.h>

enum { COLUMNS = 8 };

static void put_most(csv_writer *out, const circumstance *one)
{
    csv_double_or_empty(out, one->visits > 0, one->most);
}

void circumstance_columns_put(csv_writer *out, const measurement *m, const measurement_phase *p)
{
    const circumstances *c = &m->circumstances;
    const circumstance *throttle = &c->values[WATCH_GPU_THROTTLE];
    char text[THROTTLE_TEXT_BYTES];
    if (!p) {
        for (int i = 0; i < COLUMNS; i++)
            csv_empty(out);
        return;
    }
    const unsigned mhz = circumstances_mean(c, WATCH_CPU_MHZ);
    const bool counted = p->name.kind == PHASE_RUN && c->visits > 0;
    csv_double_or_empty(out, mhz > 0, mhz);
    csv_double_or_empty(out, c->has_load, c->load);
    csv_double_or_empty(out, c->has_steal, c->steal_pct);
    csv_double_or_empty(out, counted, (double)c->switches);
    csv_double_or_empty(out, counted, (double)c->faults);
    put_most(out, &c->values[WATCH_GPU_TEMPERATURE]);
    csv_text(out, throttle->visits > 0 ? throttle_text(throttle->bits, text) : "");
    put_most(out, &c->values[WATCH_GPU_PROCESSES]);
}

const char *circumstance_flags(const measurement *m, const measurement_phase *p,
                               char text[CIRCUMSTANCE_FLAGS_BYTES])
{
    *text = '\0';
    for (int i = 0; i < FLAGS; i++) {
        /* Faults are counted while run is sampled, and say nothing of the others. */
        if (i == FLAG_FAULTS && p->name.kind != PHASE_RUN)
            continue;
        if (circumstances_are(&m->circumstances, (circumstance_flag)i)) {
            const size_t used = strlen(text);
            snprintf(text + used, CIRCUMSTANCE_FLAGS_BYTES - used, "%s%s", used ? ";" : "",
                     circumstance_flag_word((circumstance_flag)i));
        }
    }
    return text;
}

double circumstance_clock_mhz(const measurement *m)
{
    const session *one = m->session;
    const unsigned gpu = circumstances_mean(&m->circumstances, WATCH_GPU_MHZ);
    const bool is_cpu =
        !one->plugin->device_memory || one->device.flags & SCAN_DEVICE_SHARES_HOST_MEMORY;
    if (gpu > 0)
        return gpu;
    return is_cpu ? circumstances_mean(&m->circumstances, WATCH_CPU_MHZ) : 0;
}
