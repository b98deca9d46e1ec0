#include "report/phases.h"

#include <string.h>

static double median_of(const report_configuration *c, const char *phase)
{
    const result_row *row = report_phase(c, phase);
    return row ? row->median_ns : 0;
}

report_phases phases_of(const report_configuration *c)
{
    report_phases p = {.h2d = median_of(c, "h2d"),
                       .d2h = median_of(c, "d2h"),
                       .e2e = median_of(c, "e2e"),
                       .rest = c->run->median_ns};
    for (size_t i = 0; i < c->phase_count; i++)
        if (strncmp(c->phases[i]->phase, "kernel:", 7) == 0) {
            p.kernels += c->phases[i]->median_ns;
            p.kernel_count++;
        }
    if (p.kernel_count == 0)
        p.kernels = median_of(c, "device");
    /* By two clocks, so the parts may exceed the whole. */
    p.rest = p.rest > p.kernels ? p.rest - p.kernels : 0;
    return p;
}
