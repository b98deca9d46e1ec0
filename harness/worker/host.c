#include "worker/host.h"

#include "problem/guard.h"
#include "text/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* ---- scratch -------------------------------------------------------------------- */

typedef struct scratch_block scratch_block;

/* The header directly in front of a block's memory. Behind the memory is another guard of the same
 * length. */
struct scratch_block {
    struct scratch_block *next, *before;
    void *base; /* as posix_memalign gave it */
    size_t bytes;
    unsigned char guard[32];
};

enum { GUARD_KEY = 3, FRONT_BYTES = 64 };
_Static_assert(sizeof(scratch_block) <= FRONT_BYTES, "a block's head fits in front of it");

static void *scratch_allocate(scratch *s, size_t bytes, size_t alignment)
{
    if (s->fail > 0 && --s->fail == 0)
        return NULL;
    const size_t front = alignment < FRONT_BYTES ? FRONT_BYTES : alignment;
    void *base = NULL;
    if (bytes > SIZE_MAX - 2 * front || posix_memalign(&base, front, front + bytes + front) != 0)
        return NULL;
    topology_place_memory(s->machine, base, front + bytes + front);
    unsigned char *memory = (unsigned char *)base + front;
    scratch_block *block = (scratch_block *)(void *)(memory - sizeof *block);
    *block = (scratch_block){.next = s->blocks, .base = base, .bytes = bytes};
    guard_arm(block->guard, sizeof block->guard, GUARD_KEY);
    guard_arm(memory + bytes, sizeof block->guard, GUARD_KEY);
    if (s->blocks)
        s->blocks->before = block;
    s->blocks = block;
    s->count++;
    if (s->poison)
        memset(memory, SCRATCH_BYTE, bytes);
    return memory;
}

/* Notes a write outside `block`; was there none? */
static bool inspect(scratch *s, const scratch_block *block)
{
    const unsigned char *memory = (const unsigned char *)(block + 1);
    const bool front = guard_intact(block->guard, sizeof block->guard, GUARD_KEY, NULL);
    const bool behind = guard_intact(memory + block->bytes, sizeof block->guard, GUARD_KEY, NULL);
    const bool intact = front && behind;
    if (s->damage.code == FAULT_NONE && !intact)
        s->damage = (fault){.code = front ? FAULT_SCRATCH_OVERRUN : FAULT_SCRATCH_UNDERRUN,
                            .bytes = block->bytes};
    return intact;
}

bool scratch_is_intact(scratch *s)
{
    for (const scratch_block *block = s->blocks; block && s->damage.code == FAULT_NONE;
         block = block->next)
        inspect(s, block);
    return s->damage.code == FAULT_NONE;
}

static void scratch_release(scratch *s, void *memory)
{
    if (!memory)
        return;
    scratch_block *block = (scratch_block *)memory - 1;
    const bool intact = inspect(s, block);
    if (block->next)
        block->next->before = block->before;
    if (block->before)
        block->before->next = block->next;
    else
        s->blocks = block->next;
    s->count--;
    if (s->poison)
        memset(memory, SCRATCH_BYTE, block->bytes);
    /* Around a block that was overrun, the heap may be broken: free would end the process before it
     * can say why. */
    if (intact)
        free(block->base);
}

/* ---- staging ------------------------------------------------------------------ */

unsigned char *worker_host_staging(worker_host *h)
{
    scan_staging *offer = &h->staging.offer;
    if (offer->memory)
        return offer->memory;
    void *memory = mmap(NULL, STAGING_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    topology_place_memory(h->machine, memory, STAGING_BYTES);
    *offer = (scan_staging){.struct_size = sizeof *offer,
                            .memory = memory,
                            .bytes = STAGING_BYTES,
                            .pinned_p = &h->staging.pinned};
    return memory;
}

/* ---- the functions that plugins call ------------------------------------------- */

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

/* The first of its kind counts. */
static void note(worker_host *h, host_mistake which, fault f)
{
    if (h->mistakes[which].code == FAULT_NONE)
        h->mistakes[which] = f;
}

static void add_phase(worker_host *h, const phase_name *name, double ns)
{
    size_t i = 0;
    while (i < h->phase_count && !phase_equal(&h->phases[i].name, name))
        i++;
    if (i == HOST_PHASES) {
        note(h, HOST_LOST, (fault){.code = FAULT_TOO_MANY_PHASES, .count = HOST_PHASES});
        return;
    }
    if (i == h->phase_count) {
        h->phases[i].name = *name;
        h->phases[i].ns = 0;
        h->phase_count++;
    }
    h->phases[i].ns += ns;
}

/* Unknown names count as those of kernels. */
static phase_kind wanted_kind(uint32_t level)
{
    return level == SCAN_RECORD_GRAPH    ? PHASE_GRAPH
           : level == SCAN_RECORD_DEVICE ? PHASE_DEVICE
                                         : PHASE_KERNEL;
}

static void host_record(const scan_host *host, const char *phase, double ns)
{
    worker_host *h = self(host);
    phase_name name;
    if (!host->recording)
        return;
    bool known = phase_parse(phase, &name) && phase_clock_of(name.kind) == PHASE_BY_DEVICE;
    if ((known ? name.kind : PHASE_KERNEL) != wanted_kind(host->recording))
        return;
    if (strlen(phase) >= PHASE_TEXT_BYTES) {
        note(h, HOST_LOST, (fault){.code = FAULT_TOO_MANY_PHASES, .count = HOST_PHASES});
    } else if (!known) {
        note(h, HOST_BAD_PHASE, fault_with_text(FAULT_BAD_PHASE, phase));
    } else if (!(ns == 0 || (ns >= 1e-3 && ns <= 1e18))) {
        /* What can be a time: 0, where the device's clock has not ticked, or a picosecond to 31
         * years. The statistics of such times are finite. */
        fault f = fault_with_text(FAULT_BAD_TIME, phase);
        f.ns = ns;
        note(h, HOST_BAD_TIME, f);
    } else {
        add_phase(h, &name, ns);
    }
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
    return strcmp(name, SCAN_STAGING) == 0 && worker_host_staging(h) ? &h->staging.offer : NULL;
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
        memset(h->mistakes, 0, sizeof h->mistakes);
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
