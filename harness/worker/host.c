#include "worker/host.h"

#include "text/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_BYTES = 4096 };

/* host is the first member, so the plugin's pointer points to the worker_host. */
static worker_host *self(const scan_host *host)
{
    return (worker_host *)(uintptr_t)host;
}

SCAN_PRINTF(3, 4)
static scan_status host_fail(const scan_host *host, scan_status status, const char *format, ...)
{
    worker_host *h = self(host);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(h->reason, sizeof h->reason, format, arguments);
    va_end(arguments);
    return status;
}

SCAN_PRINTF(2, 3)
static void host_message(const scan_host *host, const char *format, ...)
{
    if (!self(host)->verbose)
        return;
    char text[MESSAGE_BYTES]; /* no allocation: it may be called in run */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    utf8_cut(text, sizeof text - 2); /* vsnprintf may have cut a character in two */
    utf8_clean(text);
    fprintf(stderr, "scanbench: %s\n", text);
}

/* What can be a time: 0, where the device's clock has not ticked, or a picosecond to 31 years. The
 * statistics of such times are finite. */
static bool is_time(double ns)
{
    const double least_ns = 1e-3, most_ns = 1e18;
    return !(ns < 0) && (ns == 0 || (ns >= least_ns && ns <= most_ns));
}

/* A time that is none has no row. */
static void note_bad_time(worker_host *h, const char *phase, double ns)
{
    if (!h->time_bad) {
        h->bad_ns = ns;
        snprintf(h->bad_phase, sizeof h->bad_phase, "%s", phase);
    }
    h->time_bad = true;
}

static void host_record(const scan_host *host, const char *phase, double ns)
{
    worker_host *h = self(host);
    phase_name name;
    if (!host->recording)
        return;
    bool known = phase_parse(phase, &name) && phase_clock_of(name.kind) == PHASE_BY_DEVICE;
    bool device = known && name.kind == PHASE_DEVICE;
    if (device == (host->recording >= SCAN_RECORD_KERNELS))
        return;
    if (strlen(phase) >= PHASE_TEXT_BYTES) {
        h->phases_lost = true;
        return;
    }
    if (!known) {
        if (!h->phase_unknown)
            strcpy(h->unknown_phase, phase);
        h->phase_unknown = true;
        return;
    }
    if (!is_time(ns)) {
        note_bad_time(h, phase, ns);
        return;
    }
    size_t i = 0;
    while (i < h->phase_count && !phase_equal(&h->phases[i].name, &name))
        i++;
    if (i == HOST_PHASES) {
        h->phases_lost = true;
        return;
    }
    if (i == h->phase_count) {
        h->phases[i].name = name;
        h->phases[i].ns = 0;
        h->phase_count++;
    }
    h->phases[i].ns += ns;
}

static void *host_allocate(const scan_host *host, size_t bytes, size_t alignment)
{
    worker_host *h = self(host);
    h->allocated_in_run |= h->running;
    return scratch_allocate(&h->scratch, bytes, alignment);
}

static void host_release(const scan_host *host, void *memory)
{
    scratch_release(&self(host)->scratch, memory);
}

static scan_status host_pin_thread(const scan_host *host, uint32_t place)
{
    return topology_pin_thread(self(host)->machine, place);
}

static const void *host_get_extension(const scan_host *host, const char *name)
{
    worker_host *h = self(host);
    return strcmp(name, SCAN_STAGING) == 0 && staging_need(&h->staging, h->machine)
               ? &h->staging.offer
               : NULL;
}

void worker_host_init(worker_host *h, cpu_topology *machine, bool verbose)
{
    *h = (worker_host){.host = {.struct_size = sizeof h->host,
                                .places = topology_places(machine),
                                .fail = host_fail,
                                .message = host_message,
                                .record = host_record,
                                .allocate = host_allocate,
                                .release = host_release,
                                .pin_thread = host_pin_thread,
                                .get_extension = host_get_extension},
                       .machine = machine,
                       .verbose = verbose,
                       .scratch = {.machine = machine}};
}

void worker_host_record(worker_host *h, uint32_t level)
{
    if (level) {
        h->phase_count = 0;
        h->phases_lost = h->phase_unknown = h->time_bad = false;
    }
    h->host.recording = level;
}

fault worker_host_fault(worker_host *h, fault_code code, worker_step step, scan_status status)
{
    fault f = fault_with_text(code, h->reason);
    f.step = step;
    f.status = (uint32_t)status;
    h->reason[0] = '\0';
    return f;
}
