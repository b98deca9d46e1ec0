#include "compare/estimates.h"

#include <math.h>
#include <string.h>

/* Submitting a run to a GPU takes the host 6 to 10 us, which is half of 20. */
static const double host_work_ns = 10e3;
static const double short_run_ns = 20e3;

/* On one H200 the medians of such short runs differ by 3 % (standard deviation) from one run of the
 * program to the next, which no interval of one run shows. This is its 95 %. */
static const double short_run_half = 0.06;

/* So do times by the device's clock, by up to a quarter of a microsecond. */
static const double device_clock_half_ns = 250;

/* How far the clocks of a GPU may lie apart in two runs. */
static const double clock_agrees = 0.01;

static bool is_run(const result_row *row)
{
    return strcmp(row->phase, "run") == 0;
}

static bool is_by_host(const result_row *row)
{
    return is_run(row) || strcmp(row->phase, "e2e") == 0;
}

static bool is_by_device(const result_row *row)
{
    return strcmp(row->phase, "device") == 0 || strncmp(row->phase, "kernel:", 7) == 0;
}

static bool is_short(const result_row *row)
{
    return is_by_host(row) && row->median_ns < short_run_ns;
}

static bool has_flag(const result_row *row, const char *flag)
{
    const size_t length = strlen(flag);
    for (const char *at = row->flags; *at; at += *at == ';') {
        const size_t word = strcspn(at, ";");
        if (word == length && strncmp(at, flag, length) == 0)
            return true;
        at += word;
    }
    return false;
}

/* The host's clock holds the host's work, whose share the core's frequency changes. */
static bool host_has_changed(const result_row *a, const result_row *b)
{
    if (!is_run(a) || !a->per_spin.known || !b->per_spin.known)
        return false;
    const double spin_a = a->absolute.median - a->per_spin.median,
                 spin_b = b->absolute.median - b->per_spin.median;
    return fabs(spin_a - spin_b) * host_work_ns / fmin(a->median_ns, b->median_ns) > VERDICT_STATE;
}

const char *estimates_obstacle(const result_row *a, const result_row *b)
{
    if (!a->on_device || !b->on_device)
        return NULL;
    if (strcmp(a->device, b->device) != 0)
        return "the devices differ";
    if (has_flag(a, "throttled") || has_flag(b, "throttled"))
        return "the GPU was throttled";
    if (has_flag(a, "gpu_shared") || has_flag(b, "gpu_shared"))
        return "the GPU was shared";
    if (a->clock_mhz > 0 && b->clock_mhz > 0 &&
        fabs(a->clock_mhz - b->clock_mhz) > clock_agrees * fmin(a->clock_mhz, b->clock_mhz))
        return "the GPU's clock changed";
    return host_has_changed(a, b) ? "the frequency of the host changed" : NULL;
}

/* Is the clock of the device all that could have changed these times, and was it the same? */
static bool clock_calibrates(const result_row *a, const result_row *b)
{
    return (is_run(a) || is_by_device(a)) && a->clock_mhz > 0 && b->clock_mhz > 0 &&
           !estimates_obstacle(a, b);
}

static verdict_run of_processor(const result_row *row, bool spins)
{
    if (!is_by_host(row))
        return (verdict_run){{row->absolute, row->per_device_copy}};
    return (verdict_run){{spins ? row->per_spin : row->absolute, row->per_scan, row->per_copy}};
}

static verdict_run of_device(const result_row *row, bool in_short, bool calibrated)
{
    verdict_run run = {{row->absolute}};
    run.estimates[2] = row->per_device_copy;
    if (in_short) {
        run.estimates[0] = verdict_estimate_widened(row->absolute, log1p(short_run_half));
        run.estimates[1] = row->per_spin;
        run.estimates[1].calibrated = true;
    } else if (is_by_device(row)) {
        run.estimates[0] =
            verdict_estimate_widened(row->absolute, log1p(device_clock_half_ns / row->median_ns));
    }
    run.estimates[0].calibrated = calibrated && !in_short;
    return run;
}

void estimates_of_pair(const result_row *a, const result_row *b, verdict_run *first_p,
                       verdict_run *second_p)
{
    result_row of_a = *a, of_b = *b;
    if (result_row_in_place(a) != result_row_in_place(b)) { /* which have ceilings of their own */
        of_a.per_device_copy.known = of_b.per_device_copy.known = false;
        a = &of_a;
        b = &of_b;
    }
    if (a->on_device != b->on_device) { /* they have nothing in common to be divided by */
        *first_p = (verdict_run){{a->absolute}};
        *second_p = (verdict_run){{b->absolute}};
    } else if (a->on_device) {
        const bool in_short = is_short(a) || is_short(b), calibrated = clock_calibrates(a, b);
        *first_p = of_device(a, in_short, calibrated);
        *second_p = of_device(b, in_short, calibrated);
    } else {
        const bool spins = a->per_spin.known && b->per_spin.known;
        *first_p = of_processor(a, spins);
        *second_p = of_processor(b, spins);
    }
}

bool estimates_are_calibrated(const result_row *row)
{
    if (!row->on_device)
        return row->per_scan.known || row->per_copy.known;
    return row->per_device_copy.known || (is_short(row) && row->per_spin.known) ||
           clock_calibrates(row, row);
}
