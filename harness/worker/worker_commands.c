#include "worker/worker_commands.h"

#include "worker/describe.h"
#include "worker/run_job.h"
#include "worker/worker_pipes.h"

#include <string.h>

bool worker_send_failed(FILE *out, const char *reason)
{
    message_begin(out, "failed");
    message_put_text(out, "reason", reason);
    return message_end(out);
}

/* Reads the machine's topology on the first command that needs it. Describing a file does not need
 * it, and must be quick. */
static bool need_machine(worker *w)
{
    if (w->machine)
        return true;
    errmsg reason;
    w->machine = topology_load(&reason);
    if (!w->machine) {
        worker_send_failed(w->out, reason.text);
        return false;
    }
    worker_host_init(&w->host, w->machine, w->verbose);
    return true;
}

/* Begins the answer to a command. */
static void begin_answer(const worker *w, const char *verb)
{
    message_begin(w->out, verb);
    message_put_u64(w->out, "serial", w->serial);
}

static bool on_bind(worker *w, const protocol_message *m)
{
    uint64_t kind = BINDING_NONE;
    int64_t core = -1;
    message_u64(m, "kind", &kind);
    message_i64_list(m, "core", &core, 1);
    if (!need_machine(w))
        return false;
    errmsg reason;
    if (topology_bind(w->machine, (binding_kind)kind, (int)core, &reason) != SCAN_OK)
        return worker_send_failed(w->out, reason.text);
    worker_host_init(&w->host, w->machine, w->verbose);
    begin_answer(w, "bound");
    message_put_text(w->out, "binding", topology_binding(w->machine));
    message_put_u64(w->out, "places", topology_places(w->machine));
    return message_end(w->out);
}

static const scan_plugin *plugin_of(const worker *w, const protocol_message *m)
{
    uint64_t index = 0;
    message_u64(m, "plugin", &index);
    return index < w->module.count ? &w->module.plugins[index] : NULL;
}

/* The file's own struct of the same plugin. */
static const scan_plugin *exported_of(const worker *w, const scan_plugin *p)
{
    return w->module.exported[p - w->module.plugins];
}

/* What it says of parts, or NULL. */
static const scan_parts *parts_of(const worker *w, const scan_plugin *p)
{
    const scan_parts *parts = &w->module.parts[p - w->module.plugins];
    return parts->run ? parts : NULL;
}

/* Its ranks, or NULL if its parts lie in this process. */
static const scan_ranks *ranks_of(const worker *w, const scan_plugin *p)
{
    const scan_ranks *ranks = &w->module.ranks[p - w->module.plugins];
    return ranks->join ? ranks : NULL;
}

/* The probe of a plugin that has none: its device is the CPU. */
static scan_status probe_cpu(worker *w, uint32_t index, scan_device *device)
{
    if (index > 0)
        return w->host.host.fail(&w->host.host, SCAN_UNAVAILABLE, "there is one CPU, number 0");
    snprintf(device->name, sizeof device->name, "%s", topology_cpu(w->machine));
    device->flags = SCAN_DEVICE_SHARES_HOST_MEMORY;
    return SCAN_OK;
}

/* Decides whether a failed probe or open means "unavailable" or an error. */
static fault_code code_of(scan_status status)
{
    return status == SCAN_UNAVAILABLE ? FAULT_UNAVAILABLE : FAULT_CALL_FAILED;
}

static bool on_probe(worker *w, const protocol_message *m)
{
    const scan_plugin *p = plugin_of(w, m);
    uint64_t index = 0;
    message_u64(m, "device", &index);
    if (!p || !need_machine(w))
        return false;
    scan_device device = {.struct_size = sizeof device};
    w->host.reason[0] = '\0';
    scan_status status = p->probe
                             ? p->probe(&w->host.host, exported_of(w, p), (uint32_t)index, &device)
                             : probe_cpu(w, (uint32_t)index, &device);
    fault f = {.code = FAULT_NONE};
    if (status != SCAN_OK)
        f = worker_host_fault(&w->host, code_of(status), STEP_PROBE, status);
    device.name[sizeof device.name - 1] = device.driver[sizeof device.driver - 1] = '\0';
    begin_answer(w, "device");
    fault_write(w->out, &f);
    message_put_text(w->out, "name", device.name);
    message_put_text(w->out, "driver", device.driver);
    message_put_u64(w->out, "flags", device.flags);
    message_put_u64(w->out, "memory_bytes", device.memory_bytes);
    message_put_u64(w->out, "max_block", device.max_block);
    message_put_u64(w->out, "clock_mhz", device.clock_mhz);
    return message_end(w->out);
}

/* Opens the plugin's memory context unless it is the open one, which then has no open
 * configurations: the supervisor closes them before it turns to another. */
static scan_status open_context(worker *w, const scan_plugin *p, uint32_t device)
{
    if (w->open == p && w->device == device)
        return SCAN_OK;
    displacement_release_device(&w->displacement);
    if (w->open && w->open->memory)
        w->open->memory->close(w->context);
    w->open = NULL;
    w->context = NULL;
    w->host.reason[0] = '\0';
    if (p->memory) {
        scan_status status = p->memory->open(&w->host.host, exported_of(w, p), device, &w->context);
        if (status != SCAN_OK)
            return status;
    }
    w->open = p;
    w->device = device;
    return SCAN_OK;
}

static bool on_job(worker *w, const protocol_message *m)
{
    job j;
    const scan_plugin *p = plugin_of(w, m);
    uint64_t device = 0;
    message_u64(m, "device", &device);
    if (!p || !job_read(m, &j) || !need_machine(w))
        return false;
    trial e = {.plugin = p,
               .exported = exported_of(w, p),
               .parts = parts_of(w, p),
               .ranks = ranks_of(w, p),
               .device = (uint32_t)device,
               .host = &w->host,
               .displacement = &w->displacement,
               .spots = &w->spots,
               .out = w->out,
               .serial = &w->serial,
               .watch = &w->watch,
               .forked = worker_pipes_forked(),
               .load_changed = w->load_changed};
    trial_step(&e, STEP_OPEN);
    scan_status status = open_context(w, p, (uint32_t)device);
    e.context = w->context;
    if (status == SCAN_OK && j.mode == JOB_MEASURE)
        return open_set_open(&w->open_set, &e, &j);
    if (status == SCAN_OK)
        return run_job(&e, &j);
    /* Another process may hold the device's memory: that is not the plugin's fault. */
    const fault_code code = status == SCAN_NO_MEMORY ? FAULT_NO_MEMORY : code_of(status);
    const fault f = worker_host_fault(&w->host, code, STEP_OPEN, status);
    begin_answer(w, "done");
    fault_write(w->out, &f);
    return message_end(w->out);
}

bool worker_obey(worker *w, const protocol_message *m)
{
    if (message_is(m, "number"))
        return message_u64(m, "serial", &w->serial);
    if (message_is(m, "bind"))
        return on_bind(w, m);
    if (message_is(m, "describe"))
        return worker_describe(&w->module, &(description){w->out, w->serial});
    if (message_is(m, "probe"))
        return on_probe(w, m);
    if (message_is(m, "job"))
        return on_job(w, m);
    if (message_is(m, "visit"))
        return open_set_visit(&w->open_set, m);
    if (message_is(m, "release"))
        return open_set_release(&w->open_set, m);
    if (message_is(m, "close"))
        return open_set_close(&w->open_set, m);
    if (message_is(m, "drop"))
        return open_set_drop(&w->open_set, m);
    return false; /* quit, or an unknown command */
}
