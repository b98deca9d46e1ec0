/*
 * topology.h - the machine's topology, and where threads and memory go; only this module uses hwloc
 */
#ifndef SCANBENCH_SYSTEM_TOPOLOGY_H
#define SCANBENCH_SYSTEM_TOPOLOGY_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>

typedef struct cpu_topology cpu_topology;

/* Where a worker runs. */
typedef enum binding_kind {
    BINDING_CORE, /* one core, memory on its node: single-threaded plugins */
    BINDING_NODE, /* the cores of that core's node: multi-threaded CPU plugins */
    BINDING_NONE, /* wherever the system puts it: device plugins, --pin none */
} binding_kind;

/* Detects the machine. NULL and a message on failure. Released with topology_free, which accepts
 * NULL. */
cpu_topology *topology_load(errmsg *error);
void topology_free(cpu_topology *t);

/* Cores this process may use. */
unsigned topology_cores(const cpu_topology *t);
/* Can --pin name this core (-1: any)? SCAN_OK; SCAN_INVALID, `error` says why not. */
scan_status topology_check_core(const cpu_topology *t, int core, errmsg *error);
/* The logical index of the core that is `steps` before the last one that may be used. */
int topology_core_before(const cpu_topology *t, unsigned steps);
/* "Intel(R) Xeon(R) ...", or "CPU". Valid as long as t. */
const char *topology_cpu(const cpu_topology *t);
/* A short description of packages, cores, caches and nodes for people. */
void topology_print(const cpu_topology *t, FILE *out);
/* The same in one line, for the metadata. */
void topology_summary(const cpu_topology *t, char *text, size_t size);

/*
 * Binds this process, and decides where topology_place_memory puts memory. core: logical index
 * among the machine's cores, or -1 for the default, which is the last one that may be used, because
 * interrupts and other programs gather on the first. Fails with a message if the system refuses or
 * does not confirm the binding.
 */
scan_status topology_bind(cpu_topology *t, binding_kind kind, int core, errmsg *error);
/* The binding as text: "core:1 pu:1 node:0", "any". */
const char *topology_binding(const cpu_topology *t);
/* The number of threads that a plugin may use under this binding, and a function that binds one of
 * them. */
unsigned topology_places(const cpu_topology *t);
scan_status topology_pin_thread(const cpu_topology *t, unsigned place);
/* Lets the calling thread run wherever the binding allows. */
void topology_spread_thread(const cpu_topology *t);
/* The processing units that this process may use, bound or not. */
cpu_set_t topology_units(const cpu_topology *t);
/* One of some, the same for the same number. false where there are none. */
bool topology_pick_unit(const cpu_set_t *units, uint64_t number, cpu_set_t *one_p);
/* Asks for [address, address + bytes) on the bound node and in huge pages, before first touch. */
void topology_place_memory(cpu_topology *t, void *address, size_t bytes);
/* Is the memory, once touched, on the bound node? */
bool topology_memory_is_local(cpu_topology *t, const void *address, size_t bytes);
/* The sizes of the last-level caches of the cores that this process is bound to, together; 0 if
 * the system does not say. */
size_t topology_cache_bytes(const cpu_topology *t);

#endif
