#include "system/topology.h"

#include <hwloc.h>
#include <hwloc/glibc-sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct cpu_topology {
    hwloc_topology_t hwloc;
    binding_kind kind;
    hwloc_obj_t core;      /* the bound core, or NULL */
    hwloc_nodeset_t node;  /* where memory goes, or NULL */
    hwloc_cpuset_t usable; /* what taskset, a container and the system leave to this process */
    hwloc_cpuset_t cpus;   /* where threads go */
    unsigned places;
    char binding[96];
    char cpu[128];
};

static void read_cpu_name(cpu_topology *t)
{
    hwloc_obj_t package = hwloc_get_obj_by_type(t->hwloc, HWLOC_OBJ_PACKAGE, 0);
    const char *model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : NULL;
    if (!model)
        model = hwloc_obj_get_info_by_name(hwloc_get_root_obj(t->hwloc), "CPUModel");
    snprintf(t->cpu, sizeof t->cpu, "%s", model ? model : "CPU");
}

/* Cores if hwloc knows them, otherwise processing units. */
static hwloc_obj_type_t core_type(const cpu_topology *t)
{
    return hwloc_get_nbobjs_by_type(t->hwloc, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
}

/* The processing units that are allowed on this machine and to this process. */
static hwloc_cpuset_t usable_cpus(const cpu_topology *t)
{
    hwloc_cpuset_t usable = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(t->hwloc));
    hwloc_cpuset_t inherited = hwloc_bitmap_alloc();
    if (usable && inherited && hwloc_get_cpubind(t->hwloc, inherited, HWLOC_CPUBIND_PROCESS) == 0 &&
        hwloc_bitmap_intersects(usable, inherited))
        hwloc_bitmap_and(usable, usable, inherited);
    hwloc_bitmap_free(inherited);
    return usable;
}

/* The core after `before`, or the first one, of which `cpus` holds a part; NULL if there is none.
 */
static hwloc_obj_t next_core(const cpu_topology *t, hwloc_const_cpuset_t cpus, hwloc_obj_t before)
{
    return hwloc_get_next_obj_covering_cpuset_by_type(t->hwloc, cpus, core_type(t), before);
}

static unsigned cores_of(const cpu_topology *t, hwloc_const_cpuset_t cpus)
{
    unsigned count = 0;
    for (hwloc_obj_t core = NULL; (core = next_core(t, cpus, core));)
        count++;
    return count > 0 ? count : 1;
}

cpu_topology *topology_load(errmsg *error)
{
    cpu_topology *t = calloc(1, sizeof *t);
    if (!t || hwloc_topology_init(&t->hwloc) != 0) {
        errmsg_set(error, SCAN_INVALID, "hwloc cannot start: out of memory");
        free(t);
        return NULL;
    }
    if (hwloc_topology_load(t->hwloc) != 0) {
        errmsg_set(error, SCAN_INVALID, "hwloc cannot read the machine's topology");
        hwloc_topology_destroy(t->hwloc);
        free(t);
        return NULL;
    }
    read_cpu_name(t);
    t->kind = BINDING_NONE;
    t->usable = usable_cpus(t);
    t->cpus = hwloc_bitmap_dup(t->usable);
    t->places = topology_cores(t);
    snprintf(t->binding, sizeof t->binding, "any");
    return t;
}

void topology_free(cpu_topology *t)
{
    if (!t)
        return;
    hwloc_bitmap_free(t->node);
    hwloc_bitmap_free(t->usable);
    hwloc_bitmap_free(t->cpus);
    hwloc_topology_destroy(t->hwloc);
    free(t);
}

unsigned topology_cores(const cpu_topology *t)
{
    return cores_of(t, t->usable);
}

/* The core of that number, or with -1 the last one that can be used; NULL with a message. */
static hwloc_obj_t core_of(const cpu_topology *t, int number, errmsg *error)
{
    const int all = hwloc_get_nbobjs_by_type(t->hwloc, core_type(t));
    hwloc_obj_t core = NULL;
    if (number < 0) {
        for (hwloc_obj_t next = NULL; (next = next_core(t, t->usable, next));)
            core = next;
        if (!core)
            errmsg_set(error, SCAN_INVALID, "no core of this machine can be used");
        return core;
    }
    if (number >= all) {
        errmsg_set(error, SCAN_INVALID, "--pin %d: this machine has cores 0 to %d", number,
                   all - 1);
        return NULL;
    }
    core = hwloc_get_obj_by_type(t->hwloc, core_type(t), (unsigned)number);
    if (core && hwloc_bitmap_intersects(core->cpuset, t->usable))
        return core;
    char *units = NULL;
    hwloc_bitmap_list_asprintf(&units, t->usable);
    errmsg_set(error, SCAN_INVALID,
               "--pin %d: taskset or a container leaves the processing units %s to this process, "
               "and that core has none of them",
               number, units ? units : "");
    free(units);
    return NULL;
}

int topology_core_before(const cpu_topology *t, unsigned steps)
{
    const unsigned count = topology_cores(t);
    hwloc_obj_t core = next_core(t, t->usable, NULL);
    for (unsigned i = 1; core && i + steps < count; i++)
        core = next_core(t, t->usable, core);
    return core ? (int)core->logical_index : -1;
}

scan_status topology_check_core(const cpu_topology *t, int core, errmsg *error)
{
    return core_of(t, core, error) ? SCAN_OK : SCAN_INVALID;
}

const char *topology_cpu(const cpu_topology *t)
{
    return t->cpu;
}

void topology_summary(const cpu_topology *t, char *text, size_t size)
{
    hwloc_obj_t l3 = hwloc_get_obj_by_type(t->hwloc, HWLOC_OBJ_L3CACHE, 0);
    hwloc_obj_t l2 = hwloc_get_obj_by_type(t->hwloc, HWLOC_OBJ_L2CACHE, 0);
    snprintf(text, size,
             "%d packages, %d nodes, %u cores, %d processing units, L2 %llu KiB, L3 %llu KiB",
             hwloc_get_nbobjs_by_type(t->hwloc, HWLOC_OBJ_PACKAGE),
             hwloc_get_nbobjs_by_type(t->hwloc, HWLOC_OBJ_NUMANODE), topology_cores(t),
             hwloc_get_nbobjs_by_type(t->hwloc, HWLOC_OBJ_PU),
             l2 ? (unsigned long long)l2->attr->cache.size / 1024 : 0ULL,
             l3 ? (unsigned long long)l3->attr->cache.size / 1024 : 0ULL);
}

static void print_object(hwloc_obj_t object, int depth, FILE *out)
{
    char type[64], attributes[256];
    hwloc_obj_type_snprintf(type, sizeof type, object, 1);
    hwloc_obj_attr_snprintf(attributes, sizeof attributes, object, " ", 0);
    fprintf(out, "%*s%s %u%s%s%s\n", 2 + 2 * depth, "", type, object->logical_index,
            *attributes ? " (" : "", attributes, *attributes ? ")" : "");
    for (hwloc_obj_t m = object->memory_first_child; m; m = m->next_sibling)
        print_object(m, depth + 1, out);
    for (unsigned i = 0; i < object->arity; i++)
        print_object(object->children[i], depth + 1, out);
}

void topology_print(const cpu_topology *t, FILE *out)
{
    char summary[160];
    topology_summary(t, summary, sizeof summary);
    fprintf(out, "%s: %s\n", t->cpu, summary);
    hwloc_obj_t root = hwloc_get_root_obj(t->hwloc);
    for (hwloc_obj_t m = root->memory_first_child; m; m = m->next_sibling)
        print_object(m, 0, out);
    for (unsigned i = 0; i < root->arity; i++)
        print_object(root->children[i], 0, out);
}

/* Binds the process and verifies the binding. */
static scan_status bind_cpus(const cpu_topology *t, hwloc_const_cpuset_t cpus, errmsg *error)
{
    char *text = NULL;
    hwloc_bitmap_list_asprintf(&text, cpus);
    scan_status status = SCAN_ERROR;
    hwloc_bitmap_t found = hwloc_bitmap_alloc();
    if (!found || hwloc_set_cpubind(t->hwloc, cpus, HWLOC_CPUBIND_PROCESS) != 0)
        errmsg_set(error, SCAN_INVALID, "cannot bind to processing units %s; use --pin none", text);
    else if (hwloc_get_cpubind(t->hwloc, found, HWLOC_CPUBIND_PROCESS) != 0 ||
             !hwloc_bitmap_isequal(found, cpus))
        errmsg_set(error, SCAN_INVALID,
                   "bound to processing units %s, but the system reports otherwise; use --pin none",
                   text);
    else
        status = SCAN_OK;
    hwloc_bitmap_free(found);
    free(text);
    return status;
}

static void describe_binding(cpu_topology *t)
{
    char *pus = NULL, *nodes = NULL;
    hwloc_bitmap_list_asprintf(&pus, t->cpus);
    hwloc_bitmap_list_asprintf(&nodes, t->node);
    if (t->kind == BINDING_CORE)
        snprintf(t->binding, sizeof t->binding, "core:%u pu:%s node:%s", t->core->logical_index,
                 pus, nodes);
    else
        snprintf(t->binding, sizeof t->binding, "pu:%s node:%s", pus, nodes);
    free(pus);
    free(nodes);
}

scan_status topology_bind(cpu_topology *t, binding_kind kind, int core, errmsg *error)
{
    if (kind == BINDING_NONE)
        return SCAN_OK;
    t->core = core_of(t, core, error);
    if (!t->core)
        return SCAN_INVALID;
    t->node = hwloc_bitmap_dup(t->core->nodeset);
    hwloc_cpuset_t cpus = hwloc_bitmap_dup(t->core->cpuset);
    if (!t->node || !cpus)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory while binding");
    if (kind != BINDING_CORE)
        hwloc_cpuset_from_nodeset(t->hwloc, cpus, t->node);
    hwloc_bitmap_and(cpus, cpus, t->usable);
    if (kind == BINDING_CORE)
        hwloc_bitmap_singlify(cpus); /* one hardware thread, so it cannot migrate */

    scan_status status = bind_cpus(t, cpus, error);
    if (status != SCAN_OK) {
        hwloc_bitmap_free(cpus);
        return status;
    }
    hwloc_bitmap_free(t->cpus);
    t->cpus = cpus;
    t->kind = kind;
    t->places = kind == BINDING_NODE ? cores_of(t, cpus) : 1;
    describe_binding(t);
    return SCAN_OK;
}

const char *topology_binding(const cpu_topology *t)
{
    return t->binding;
}

unsigned topology_places(const cpu_topology *t)
{
    return t->places;
}

scan_status topology_pin_thread(const cpu_topology *t, unsigned place)
{
    hwloc_obj_t core = next_core(t, t->cpus, NULL);
    for (unsigned i = 0; core && i < place; i++)
        core = next_core(t, t->cpus, core);
    hwloc_cpuset_t cpus = core ? hwloc_bitmap_dup(core->cpuset) : NULL;
    if (!cpus)
        return SCAN_ERROR;
    hwloc_bitmap_and(cpus, cpus, t->cpus);
    hwloc_bitmap_singlify(cpus);
    int failed = hwloc_set_cpubind(t->hwloc, cpus, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(cpus);
    return failed ? SCAN_ERROR : SCAN_OK;
}

void topology_spread_thread(const cpu_topology *t)
{
    hwloc_set_cpubind(t->hwloc, t->cpus, HWLOC_CPUBIND_THREAD);
}

cpu_set_t topology_units(const cpu_topology *t)
{
    cpu_set_t units;
    hwloc_cpuset_to_glibc_sched_affinity(t->hwloc, t->usable, &units, sizeof units);
    return units;
}

bool topology_pick_unit(const cpu_set_t *units, uint64_t number, cpu_set_t *one_p)
{
    const int count = CPU_COUNT(units);
    uint64_t before = count > 0 ? number % (uint64_t)count : 0;
    for (size_t unit = 0; unit < CPU_SETSIZE; unit++)
        if (CPU_ISSET(unit, units) && before-- == 0) {
            CPU_ZERO(one_p);
            CPU_SET(unit, one_p);
            return true;
        }
    return false;
}

/* With pages of 4 KiB the time of a copy depends on which ones a process happened to get: by up to
 * a third between two workers. */
static void ask_for_huge_pages(void *address, size_t bytes)
{
    static const size_t huge = (size_t)2 << 20; /* of x86; a multiple or a part of others' */
    const size_t before = (huge - (uintptr_t)address % huge) % huge;
    if (bytes < before + huge)
        return;
    /* Whole pages only, so that no more memory is used. Without effect where the system has none.
     */
    madvise((unsigned char *)address + before, (bytes - before) / huge * huge, MADV_HUGEPAGE);
}

void topology_place_memory(cpu_topology *t, void *address, size_t bytes)
{
    ask_for_huge_pages(address, bytes);
    /* Not every kernel allows this; topology_memory_is_local tells whether it worked. */
    if (t->node && bytes > 0 && hwloc_get_nbobjs_by_type(t->hwloc, HWLOC_OBJ_NUMANODE) > 1)
        hwloc_set_area_membind(t->hwloc, address, bytes, t->node, HWLOC_MEMBIND_BIND,
                               HWLOC_MEMBIND_BYNODESET);
}

bool topology_memory_is_local(cpu_topology *t, const void *address, size_t bytes)
{
    if (!t->node || bytes == 0 || hwloc_get_nbobjs_by_type(t->hwloc, HWLOC_OBJ_NUMANODE) < 2)
        return true;
    hwloc_nodeset_t found = hwloc_bitmap_alloc();
    bool local = true; /* if the system does not say */
    if (found &&
        hwloc_get_area_memlocation(t->hwloc, address, bytes, found, HWLOC_MEMBIND_BYNODESET) == 0)
        local = hwloc_bitmap_isincluded(found, t->node);
    hwloc_bitmap_free(found);
    return local;
}

/* Those of one level. */
static size_t cache_bytes_of(const cpu_topology *t, hwloc_obj_type_t level)
{
    size_t bytes = 0;
    for (hwloc_obj_t one = NULL;
         (one = hwloc_get_next_obj_covering_cpuset_by_type(t->hwloc, t->cpus, level, one));)
        bytes += one->attr->cache.size;
    return bytes;
}

size_t topology_cache_bytes(const cpu_topology *t)
{
    static const hwloc_obj_type_t levels[] = {HWLOC_OBJ_L5CACHE, HWLOC_OBJ_L4CACHE,
                                              HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE,
                                              HWLOC_OBJ_L1CACHE};
    size_t bytes = 0;
    for (size_t i = 0; bytes == 0 && i < sizeof levels / sizeof *levels; i++)
        bytes = cache_bytes_of(t, levels[i]);
    return bytes;
}
