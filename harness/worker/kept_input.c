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
    kept.made = NULL;
    if (!h->kept.spec.made || !input_same(&h->kept.spec, spec))
        large_do(h->machine,
                 (large_write){.to = h->kept.room, .bytes = spec->n * width, .spec = &kept});
    kept.made = h->kept.room;
    h->kept.spec = kept;
    return kept;
}
