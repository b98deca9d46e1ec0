#include "worker/kept_input.h"

#include "worker/large.h"

#include <sys/mman.h>

enum { ROOM_BYTES = 64 << 20 };

/* Is there room, made unless it is there, until the process ends? */
static bool has_room(worker_host *h)
{
    if (h->kept.room)
        return true;
    void *room = mmap(NULL, ROOM_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    h->kept.room = room == MAP_FAILED ? NULL : room;
    if (h->kept.room)
        madvise(room, ROOM_BYTES, MADV_HUGEPAGE);
    return h->kept.room != NULL;
}

input_spec kept_input(worker_host *h, const input_spec *spec)
{
    const size_t width = dtype_bytes(spec->dtype);
    input_spec kept = *spec;
    if (!h->scratch.poison || spec->n == 0 || spec->n > ROOM_BYTES / width || !has_room(h))
        return kept;
    const input_spec *last = &h->kept.spec;
    const bool goes_on = last->made && input_begins(spec, last);
    const uint64_t first = last->made && input_same(spec, last) ? spec->n : goes_on ? last->n : 0;
    kept.made = NULL;
    kept.untimed = true; /* as of all in a proof */
    if (first < spec->n)
        large_do(h->machine, (large_write){.to = (unsigned char *)h->kept.room + first * width,
                                           .bytes = (spec->n - first) * width,
                                           .spec = &kept,
                                           .first = first});
    kept.made = h->kept.room;
    if (first <= spec->n)
        h->kept.spec = kept;
    return kept;
}
