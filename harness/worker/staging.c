#include "worker/staging.h"

#include <sys/mman.h>

bool staging_need(staging *s, cpu_topology *machine)
{
    if (s->offer.memory)
        return true;
    void *memory = mmap(NULL, STAGING_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    topology_place_memory(machine, memory, STAGING_BYTES);
    s->offer = (scan_staging){.struct_size = sizeof s->offer,
                              .memory = memory,
                              .bytes = STAGING_BYTES,
                              .pinned_p = &s->pinned};
    return true;
}
