#include "worker/host.h"

#include "problem/guard.h"
#include "problem/names.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* host is the first member, so the plugin's pointer is ours. */
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

/* What lies directly in front of a block of scratch; behind it a guard as long. */
typedef struct scratch {
    struct scratch *next, *before;
    void *base; /* as posix_memalign gave it */
    size_t bytes;
    unsigned char guard[32];
} scratch;

enum { SCRATCH_KEY = 3, SCRATCH_FRONT = 64 };
_Static_assert(sizeof(scratch) <= SCRATCH_FRONT, "a block's head fits in front of it");

static void *host_allocate(const scan_host *host, size_t bytes, size_t alignment)
{
    worker_host *h = self(host);
    h->allocated_in_run |= h->running;
    if (h->fail_allocation > 0 && --h->fail_allocation == 0)
        return NULL;
    size_t front = alignment < SCRATCH_FRONT ? SCRATCH_FRONT : alignment;
    void *base = NULL;
    if (bytes > SIZE_MAX - 2 * front || posix_memalign(&base, front, front + bytes + front) != 0)
        return NULL;
    topology_place_memory(h->machine, base, front + bytes + front);
    unsigned char *memory = (unsigned char *)base + front;
    scratch *block = (scratch *)(void *)(memory - sizeof *block);
    *block = (scratch){.next = h->scratch, .base = base, .bytes = bytes};
    guard_arm(block->guard, sizeof block->guard, SCRATCH_KEY);
    guard_arm(memory + bytes, sizeof block->guard, SCRATCH_KEY);
    if (h->scratch)
        h->scratch->before = block;
    h->scratch = block;
    h->allocated++;
    if (h->poison)
        memset(memory, SCRATCH_BYTE, bytes);
    return memory;
}

/* Notes a write outside `block`. */
static void inspect(worker_host *h, const scratch *block)
{
    const unsigned char *memory = (const unsigned char *)(block + 1);
    bool front = guard_intact(block->guard, sizeof block->guard, SCRATCH_KEY, NULL);
    bool behind = guard_intact(memory + block->bytes, sizeof block->guard, SCRATCH_KEY, NULL);
    if (!*h->trampled && !(front && behind))
        snprintf(h->trampled, sizeof h->trampled,
                 "wrote %s the %zu bytes of scratch that host->allocate gave",
                 front ? "past the end of" : "in front of", block->bytes);
}

bool worker_host_intact(worker_host *h)
{
    for (const scratch *block = h->scratch; block && !*h->trampled; block = block->next)
        inspect(h, block);
    return !*h->trampled;
}

static void host_release(const scan_host *host, void *memory)
{
    worker_host *h = self(host);
    if (!memory)
        return;
    scratch *block = (scratch *)memory - 1;
    inspect(h, block);
    if (block->next)
        block->next->before = block->before;
    if (block->before)
        block->before->next = block->next;
    else
        h->scratch = block->next;
    h->allocated--;
    if (h->poison)
        memset(memory, SCRATCH_BYTE, block->bytes);
    free(block->base);
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
        h->phases_lost = h->phase_unknown = false;
    }
    h->host.recording = level;
}

const char *worker_host_reason(worker_host *h, scan_status status)
{
    if (*h->reason)
        return h->reason;
    if ((int)status >= SCAN_OK && status <= SCAN_INVALID)
        return status_text(status);
    snprintf(h->unknown, sizeof h->unknown, "unknown status %d", (int)status);
    return h->unknown;
}
