/*
 * huge_pages_test.c - memory for buffers is asked for in huge pages
 *
 * Whether the system has any to give depends on its memory; that it was asked stands in smaps.
 */
#include "system/topology.h"
#include "tap.h"

#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>

static const size_t mib = (size_t)1 << 20, huge = (size_t)2 << 20;

/* Does the kernel note the advice "hg" for the mapping that holds the address? */
static bool is_advised(const void *address)
{
    FILE *maps = fopen("/proc/self/smaps", "re");
    char line[512];
    bool inside = false, advised = false;
    while (maps && fgets(line, sizeof line, maps)) {
        uintptr_t begin, end;
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) == 2)
            inside = begin <= (uintptr_t)address && (uintptr_t)address < end;
        else if (inside && strncmp(line, "VmFlags:", 8) == 0)
            advised = strstr(line, " hg") != NULL;
    }
    if (maps)
        fclose(maps);
    return advised;
}

static unsigned char *map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        printf("Bail out! no memory\n");
    return memory;
}

int main(void)
{
    errmsg error = {0};
    cpu_topology *machine = topology_load(&error);
    tap_plan(4);
    ok(machine != NULL, "the machine's topology is detected");
    if (!machine || access("/sys/kernel/mm/transparent_hugepage/enabled", R_OK) != 0) {
        tap_skip(3, "this system has no transparent huge pages");
        return tap_done();
    }
    unsigned char *large = map(64 * mib), *small = map(4 * mib);
    /* A page behind the start of a huge one, and a page before the end of another. */
    unsigned char *edge = large + (huge - (uintptr_t)large % huge) % huge;
    unsigned char *begin = edge + 4096, *end = edge + 60 * mib - 4096;
    unsigned char *inside = small + (huge - (uintptr_t)small % huge) % huge + 4096;
    topology_place_memory(machine, begin, (size_t)(end - begin));
    topology_place_memory(machine, inside, mib);
    ok(is_advised(edge + huge) && is_advised(edge + 32 * mib),
       "a large buffer is asked for in huge pages");
    ok(!is_advised(begin) && !is_advised(end - 1),
       "but not what lies before the first or behind the last");
    ok(!is_advised(inside), "nor what is smaller than one");
    munmap(small, 4 * mib);
    munmap(large, 64 * mib);
    topology_free(machine);
    return tap_done();
}
