#include "proof/large_n.h"

#include "system/memory.h"

#include <inttypes.h>
#include <stdio.h>

uint64_t large_n_step(size_t i)
{
    enum { FIRST = 29 };
    return (UINT64_C(1) << (FIRST + i)) + LARGE_BEYOND;
}

static uint64_t bytes_of(const large_means *m, uint64_t n, unsigned arrays)
{
    return n * m->element_bytes * arrays;
}

/* n is far below 2^40, so that no product overflows. */
static large_bound bound_of(const large_means *m, uint64_t n)
{
    if (m->most > 0 && n > m->most)
        return LARGE_BY_N;
    if (bytes_of(m, n, m->host_arrays) + MEMORY_WORKER_BYTES > m->host_bytes)
        return LARGE_BY_HOST;
    if (m->device_bytes > 0 && bytes_of(m, n, m->device_arrays) > m->device_bytes)
        return LARGE_BY_DEVICE;
    if (m->budget_s > 0 && (double)n * m->s_per_element > m->budget_s)
        return LARGE_BY_TIME;
    return LARGE_UNBOUND;
}

large_choice large_n_choose(const large_means *m)
{
    large_choice c = {.n = 0};
    for (size_t i = 0; i < LARGE_STEPS; i++) {
        c.next = large_n_step(i);
        c.bound = bound_of(m, c.next);
        if (c.bound != LARGE_UNBOUND)
            return c;
        c.n = c.next;
    }
    c.next = 0;
    return c;
}

double large_n_budget_s(const large_means *m)
{
    enum { OF_INDICES = 2 };
    large_means whenever = *m;
    whenever.budget_s = 0;
    return large_n_choose(&whenever).n >= large_n_step(OF_INDICES) ? 10 : 2;
}

uint64_t large_n_within(uint64_t n, uint64_t least, double s_per_element, double seconds)
{
    const double most = s_per_element > 0 ? seconds / s_per_element : (double)n;
    if (most >= (double)n)
        return n;
    return most > (double)least ? (uint64_t)most : least;
}

const char *large_n_text(const large_choice *c, const large_means *m, char *text, size_t size)
{
    char needed[32], have[32];
    const bool on_device = c->bound == LARGE_BY_DEVICE;
    const uint64_t bytes = on_device ? bytes_of(m, c->next, m->device_arrays)
                                     : bytes_of(m, c->next, m->host_arrays) + MEMORY_WORKER_BYTES;
    *text = '\0';
    switch (c->bound) {
    case LARGE_UNBOUND:
        break;
    case LARGE_BY_N:
        snprintf(text, size, "n=%" PRIu64 " is above %" PRIu64 " (--max-n, --mem-limit or max_n)",
                 c->next, m->most);
        break;
    case LARGE_BY_HOST:
    case LARGE_BY_DEVICE:
        snprintf(text, size, "n=%" PRIu64 " needs %s of %s memory, and %s of it may be used",
                 c->next, memory_text(bytes, needed, sizeof needed),
                 on_device ? "the device's" : "host",
                 memory_text(on_device ? m->device_bytes : m->host_bytes, have, sizeof have));
        break;
    case LARGE_BY_TIME:
        snprintf(text, size, "n=%" PRIu64 " takes about %.0f s, and %.0f s may be taken (--max-n)",
                 c->next, (double)c->next * m->s_per_element, m->budget_s);
        break;
    }
    return text;
}
