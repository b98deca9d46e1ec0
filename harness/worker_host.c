#include "worker_host.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* host is the first member, so the plugin's pointer is ours. */
static worker_host *self(const scan_host *host)
{
    return (worker_host *)(uintptr_t)host;
}

static scan_status host_fail(const scan_host *host, scan_status status, const char *format, ...)
{
    worker_host *h = self(host);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(h->reason, sizeof h->reason, format, arguments);
    va_end(arguments);
    return status;
}

static void host_message(const scan_host *host, const char *format, ...)
{
    if (!self(host)->verbose)
        return;
    va_list arguments;
    va_start(arguments, format);
    flockfile(stderr);
    fputs("scanbench: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    funlockfile(stderr);
    va_end(arguments);
}

static void host_record(const scan_host *host, const char *phase, double ns)
{
    worker_host *h = self(host);
    bool kernel = strcmp(phase, "device") != 0;
    if (!host->recording || kernel != (host->recording >= SCAN_RECORD_KERNELS))
        return;
    size_t i = 0;
    while (i < h->phase_count && strcmp(h->phases[i].name, phase) != 0)
        i++;
    if (i == HOST_PHASES || strlen(phase) >= sizeof h->phases[i].name) {
        h->phases_lost = true;
        return;
    }
    if (i == h->phase_count) {
        strcpy(h->phases[i].name, phase);
        h->phases[i].ns = 0;
        h->phase_count++;
    }
    h->phases[i].ns += ns;
}

static void *host_allocate(const scan_host *host, size_t bytes, size_t alignment)
{
    worker_host *h = self(host);
    if (h->fail_allocation > 0 && --h->fail_allocation == 0)
        return NULL;
    void *memory = NULL;
    if (posix_memalign(&memory, alignment < sizeof(void *) ? sizeof(void *) : alignment,
                       bytes ? bytes : 1) != 0)
        return NULL;
    topology_place_memory(h->machine, memory, bytes);
    h->allocated++;
    return memory;
}

static void host_release(const scan_host *host, void *memory)
{
    if (memory)
        self(host)->allocated--;
    free(memory);
}

static scan_status host_pin_thread(const scan_host *host, uint32_t place)
{
    return topology_pin_thread(self(host)->machine, place);
}

static const void *host_get_extension(const scan_host *host, const char *name)
{
    (void)host;
    (void)name;
    return NULL;
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
                       .verbose = verbose};
}

void worker_host_record(worker_host *h, uint32_t level)
{
    if (level) {
        h->phase_count = 0;
        h->phases_lost = false;
    }
    h->host.recording = level;
}

const char *worker_host_reason(const worker_host *h, const char *otherwise)
{
    return *h->reason ? h->reason : otherwise;
}
