#include "worker/move_threads.h"

#include "problem/splitmix.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/types.h>

void move_threads_begin(move_threads *m_p, const cpu_topology *machine)
{
    m_p->unit_count = topology_usable_units(machine, m_p->units, MOVE_THREADS_UNITS);
    sched_getaffinity(0, sizeof m_p->before, &m_p->before);
}

static cpu_set_t one_of(const move_threads *m, uint64_t random)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)m->units[random % m->unit_count], &one);
    return one;
}

/* Puts each thread on `units`, or on one unit of its own if that is NULL. The system may refuse;
 * then the thread stays where it is. */
static void move(const move_threads *m, const cpu_set_t *units, uint64_t random)
{
    DIR *tasks = m->unit_count > 0 ? opendir("/proc/self/task") : NULL;
    for (const struct dirent *task; tasks && (task = readdir(tasks));) {
        const pid_t thread = (pid_t)strtol(task->d_name, NULL, 10);
        const cpu_set_t own = one_of(m, splitmix_next(&random));
        if (thread > 0)
            sched_setaffinity(thread, sizeof own, units ? units : &own);
    }
    if (tasks)
        closedir(tasks);
}

void move_threads_to_one(const move_threads *m, uint64_t random)
{
    if (m->unit_count == 0)
        return;
    const cpu_set_t one = one_of(m, splitmix_hash(random));
    move(m, &one, 0);
}

void move_threads_apart(const move_threads *m, uint64_t random)
{
    move(m, NULL, random);
}

void move_threads_anywhere(const move_threads *m)
{
    cpu_set_t all;
    CPU_ZERO(&all);
    for (size_t i = 0; i < m->unit_count; i++)
        CPU_SET((size_t)m->units[i], &all);
    move(m, &all, 0);
}

void move_threads_end(const move_threads *m)
{
    move_threads_anywhere(m);
    sched_setaffinity(0, sizeof m->before, &m->before);
}
