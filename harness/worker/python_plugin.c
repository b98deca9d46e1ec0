#include "worker/python_plugin.h"

#include "problem/names.h"
#include "worker/host.h"
#include "worker/python_cuda.h"
#include "worker/python_description.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The plugin of a file. */
typedef struct python_plugin {
    python_description is; /* first, as the contract's functions get its plugin's address */
    python_process *process;
    char *text;         /* the description's */
    uint32_t instances; /* made so far */
    const scan_plugin *list[2];
    scan_entry_table entry;
} python_plugin;

/* An instance. */
typedef struct python_instance {
    python_plugin *of;
    const scan_host *host;
    uint32_t number;
} python_instance;

static python_plugin *self(const scan_plugin *plugin)
{
    return (python_plugin *)(uintptr_t)plugin;
}

/* ---- the calls ----------------------------------------------------------------- */

/* The words that describe a problem to the driver. */
static const char *describe(const scan_problem *problem, char *text, size_t size)
{
    const int length =
        snprintf(text, size, "%s %s %s %s %llu %llu %llu", kind_name(problem->kind),
                 op_name(problem->op), dtype_name(problem->dtype), dtype_name(scan_result(problem)),
                 (unsigned long long)scan_rows(problem), (unsigned long long)problem->n,
                 (unsigned long long)scan_inner(problem));
    size_t used = (size_t)length;
    for (uint32_t i = 0; i < problem->tunable_count && used < size; i++)
        used +=
            (size_t)snprintf(text + used, size - used, " %lld", (long long)problem->tunables[i]);
    return text;
}

enum { PROBLEM_BYTES = 256 + 24 * LOADER_MAX_TUNABLES };

/* The answer to a request about a problem. */
static scan_status ask(const scan_host *host, const python_plugin *p, python_request q,
                       const char *text)
{
    return python_told(p->process, host, python_ask(p->process, q, text));
}

static scan_status supports(const scan_host *host, const scan_plugin *plugin, void *context,
                            const scan_problem *problem)
{
    char text[PROBLEM_BYTES];
    (void)context;
    return ask(host, self(plugin), (python_request){.verb = PYTHON_SUPPORTS},
               describe(problem, text, sizeof text));
}

static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    char text[PROBLEM_BYTES];
    python_plugin *p = self(plugin);
    python_instance *made = calloc(1, sizeof *made);
    (void)context;
    if (!made)
        return host->fail(host, SCAN_NO_MEMORY, "out of memory for an instance");
    *made = (python_instance){.of = p, .host = host, .number = ++p->instances};
    python_bind(p->process);
    const scan_status status =
        ask(host, p, (python_request){.verb = PYTHON_CREATE, .instance = made->number},
            describe(problem, text, sizeof text));
    if (status == SCAN_OK)
        *self_p = made;
    else
        free(made);
    return status;
}

static scan_status run(void *instance, scan_buffer in, scan_buffer out)
{
    const python_instance *i = instance;
    const python_process *process = i->of->process;
    python_request q = {.verb = PYTHON_RUN, .instance = i->number};
    if (!python_locate(process, scan_host_pointer(in), &q.in) ||
        !python_locate(process, scan_host_pointer(out), &q.out))
        return i->host->fail(i->host, SCAN_ERROR, "a buffer does not lie in shared memory");
    q.timed = i->of->is.on_cuda && i->host->recording == SCAN_RECORD_DEVICE;
    const scan_status status = ask(i->host, i->of, q, NULL);
    if (status == SCAN_OK && q.timed && *python_answer(process))
        i->host->record(i->host, "device", strtod(python_answer(process), NULL));
    return status;
}

static void destroy(void *instance)
{
    python_instance *i = instance;
    python_ask(i->of->process, (python_request){.verb = PYTHON_DESTROY, .instance = i->number},
               NULL);
    free(i);
}

/* ---- opening a file ------------------------------------------------------------ */

static scan_status load(python_plugin *p, errmsg *error)
{
    const scan_status status =
        python_ask(p->process, (python_request){.verb = PYTHON_DESCRIBE}, NULL);
    const char *answer = python_answer(p->process);
    const bool is_told = status == SCAN_UNAVAILABLE || status == SCAN_NO_MEMORY;
    if (status != SCAN_OK)
        return errmsg_set(error, is_told ? status : SCAN_INVALID, "%s", answer);
    p->text = strdup(answer);
    if (!p->text)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    scan_plugin *plugin = &p->is.plugin;
    const scan_status read = python_description_read(&p->is, p->text, error);
    plugin->create = create;
    plugin->run = run;
    plugin->destroy = destroy;
    plugin->supports = p->is.may_refuse ? supports : NULL;
    plugin->backend = p->is.on_cuda ? "cuda" : "cpu";
    plugin->memory = p->is.on_cuda ? &python_cuda_memory : NULL;
    plugin->probe = p->is.on_cuda ? python_cuda_probe : NULL;
    return read;
}

scan_status python_open(const char *file, bool verbose, python_process **process_p,
                        const scan_entry_table **entry_p, errmsg *error)
{
    python_plugin *p = calloc(1, sizeof *p);
    if (!p)
        return errmsg_set(error, SCAN_NO_MEMORY, "out of memory");
    scan_status status = python_start(file, verbose, &p->process, error);
    if (status == SCAN_OK)
        status = load(p, error);
    if (status != SCAN_OK)
        return status; /* the worker ends */
    p->list[0] = &p->is.plugin;
    p->entry = (scan_entry_table){
        SCAN_ABI_MAGIC, SCAN_ABI_MAJOR, SCAN_ABI_MINOR, sizeof p->entry, 0, p->list};
    *process_p = p->process;
    *entry_p = &p->entry;
    return SCAN_OK;
}
