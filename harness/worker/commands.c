#include "worker/worker.h"

#include "worker/behaviour.h"
#include "worker/measure.h"

#include <stdlib.h>
#include <string.h>

bool worker_send_failed(FILE *out, const char *reason)
{
    message_begin(out, "failed");
    message_put_text(out, "reason", reason);
    return message_end(out);
}

static void init_host(worker *w)
{
    worker_host_init(&w->host, w->machine, w->verbose);
    w->host.python = w->python;
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
    init_host(w);
    return true;
}

static void describe_tunable(const worker *w, const scan_tunable *t)
{
    FILE *out = w->out;
    message_answer(w->out, "tunable", w->serial);
    message_put_text(out, "name", t->name);
    message_put_text(out, "summary", t->summary);
    message_put_u64(out, "flags", t->flags);
    message_put_i64_list(out, "default", &t->default_value, 1);
    message_put_i64_list(out, "min", &t->min, 1);
    message_put_i64_list(out, "max", &t->max, 1);
    message_put_i64_list(out, "values", t->values, t->values ? t->value_count : 0);
    message_end(out);
}

/* Sends the op, kinds and dtypes of each entry as one list. */
static void describe_ops(FILE *out, const scan_plugin *p)
{
    int64_t numbers[3 * SCAN_MAX_OP_ENTRIES];
    size_t count = 0;
    for (int i = 0; i < SCAN_MAX_OP_ENTRIES; i++)
        if (p->ops[i].kinds) {
            numbers[count++] = p->ops[i].op;
            numbers[count++] = p->ops[i].kinds;
            numbers[count++] = (int64_t)p->ops[i].dtypes;
        }
    message_put_i64_list(out, "ops", numbers, count);
}

/* Sends the dtypes and results of each entry as one list. */
static void describe_results(FILE *out, const scan_plugin *p)
{
    int64_t numbers[2 * SCAN_MAX_RESULT_ENTRIES];
    size_t count = 0;
    for (int i = 0; i < SCAN_MAX_RESULT_ENTRIES; i++)
        if (p->results[i].dtypes) {
            numbers[count++] = (int64_t)p->results[i].dtypes;
            numbers[count++] = (int64_t)p->results[i].results;
        }
    message_put_i64_list(out, "results", numbers, count);
}

/*
 * Sends what the file declares, for the registry:
 *     plugin   id= name= version= summary= reference= backend= role= flags= ops=
 *              results= max_n= tile= device_memory= in_parts= in_ranks= layout= call_ns=
 *     tunable  name= summary= flags= default= min= max= values=    of the preceding plugin
 *     end
 */
static bool on_describe(const worker *w)
{
    const loader_module *module = &w->module;
    FILE *out = w->out;
    for (size_t i = 0; i < module->count; i++) {
        const scan_plugin *p = &module->plugins[i];
        message_answer(w->out, "plugin", w->serial);
        message_put_text(out, "id", p->id);
        message_put_text(out, "name", p->name);
        message_put_text(out, "version", p->version);
        message_put_text(out, "summary", p->summary);
        message_put_text(out, "reference", p->reference);
        message_put_text(out, "backend", p->backend);
        message_put_u64(out, "role", p->role);
        message_put_u64(out, "flags", p->flags);
        describe_ops(out, p);
        describe_results(out, p);
        message_put_u64(out, "max_n", p->max_n);
        message_put_u64(out, "tile", p->tile);
        message_put_u64(out, "device_memory", p->memory != NULL);
        message_put_u64(out, "in_parts", module->parts[i].run != NULL);
        message_put_u64(out, "in_ranks", module->ranks[i].join != NULL);
        message_put_u64(out, "layout", module->parts[i].layout);
        message_put_double(out, "call_ns", w->python ? python_call_ns(w->python) : 0);
        message_end(out);
        for (size_t k = 0; k < p->tunable_count; k++)
            describe_tunable(w, &p->tunables[k]);
    }
    message_answer(w->out, "end", w->serial);
    return message_end(out);
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
    init_host(w);
    message_answer(w->out, "bound", w->serial);
    message_put_text(w->out, "binding", topology_binding(w->machine));
    message_put_u64(w->out, "places", topology_places(w->machine));
    message_put_u64(w->out, "python", (uint64_t)python_pid(w->python));
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
    message_answer(w->out, "device", w->serial);
    fault_write(w->out, &f);
    message_put_members(w->out, &device_members, &device);
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

/* ---- configurations that stay open for visits ---------------------------------- */

/* What the host keeps of one configuration starts anew with every command, so that no other is
 * blamed for it. */
static void begin_command(trial *t, bool poison)
{
    t->host->scratch.damage = (fault){.code = FAULT_NONE};
    t->host->scratch.poison = poison;
    t->host->allocated_in_run = false;
}

/* Ends it and answers done. */
static bool finish(trial *t)
{
    trial_end(t);
    if (trial_is_good(t))
        trial_trespassed(t);
    return trial_send_done(t);
}

/* The configuration that the command is about, which begins; or NULL. */
static trial *find(worker *w, const protocol_message *m)
{
    uint64_t id;
    trial *t = message_u64(m, "id", &id) ? w->open_trials : NULL;
    while (t && t->job->measure.id != id)
        t = t->next;
    if (t)
        begin_command(t, false);
    return t;
}

/* Lets it use the buffers that another configuration has used. */
static void share_buffers(const worker *w, trial *t)
{
    for (trial *other = w->open_trials; other; other = other->next)
        if (other != t)
            trial_take_buffers(t, other);
}

static bool answer_waits(const trial *t)
{
    message_answer(t->out, "waits", *t->serial);
    message_put_members(t->out, &visit_estimate_members, &t->estimate);
    return message_end(t->out);
}

/* Ends it, whether it was in the list or not, and answers done. */
static bool end(worker *w, trial *t)
{
    trial **at = &w->open_trials;
    while (*at && *at != t)
        at = &(*at)->next;
    if (*at)
        *at = t->next;
    /* Buffers that a faulty run has used may be damaged. */
    for (trial *other = w->open_trials; other && trial_is_good(t); other = other->next)
        trial_take_buffers(other, t);
    const bool sent = finish(t);
    free(t);
    return sent;
}

/* Opens what `as` says on which plugin. */
static bool open_trial(worker *w, const trial *as, const job *j)
{
    trial *t = malloc(sizeof *t);
    if (!t)
        return false;
    *t = *as;
    t->own_job = *j;
    t->job = &t->own_job;
    begin_command(t, false);
    watch_open(t);
    if (!trial_start(t))
        return end(w, t);
    share_buffers(w, t);
    if (!measure_open(t))
        return end(w, t);
    t->next = w->open_trials;
    w->open_trials = t;
    return answer_waits(t);
}

static bool on_visit(worker *w, const protocol_message *m)
{
    trial *t = find(w, m);
    visit v = {0};
    if (!t || !message_read_members(m, &visit_members, &v))
        return false;
    share_buffers(w, t);
    return measure_visit(t, &v) ? answer_waits(t) : end(w, t);
}

static bool on_release(worker *w, const protocol_message *m)
{
    trial *t = find(w, m);
    return t && (measure_release(t) ? answer_waits(t) : end(w, t));
}

static bool on_close(worker *w, const protocol_message *m)
{
    trial *t = find(w, m);
    if (!t)
        return false;
    share_buffers(w, t);
    measure_close(t);
    return end(w, t);
}

static bool on_drop(worker *w, const protocol_message *m)
{
    trial *t = find(w, m);
    return t && end(w, t);
}

/* ---- jobs ---------------------------------------------------------------------- */

/* One configuration that is checked, from supports to destroy. A failure of the plugin is a result;
 * false only if the supervisor is gone. */
static bool run_job(trial *t, const job *j)
{
    t->job = j;
    begin_command(t, j->mode != JOB_PROFILE);
    if (j->mode == JOB_BEHAVE) {
        behave(t);
    } else if (j->mode == JOB_PROFILE) {
        measure_in_range(t);
    } else if (trial_begin(t)) {
        trial_check(t, j->run.pattern, j->run.repeat);
    }
    return finish(t);
}

static bool on_job(worker *w, const protocol_message *m)
{
    job j;
    const scan_plugin *p = plugin_of(w, m);
    uint64_t device = 0;
    message_u64(m, "device", &device);
    if (!p || !job_read(m, &j) || !need_machine(w))
        return false;
    const size_t number = (size_t)(p - w->module.plugins);
    const scan_parts *parts = &w->module.parts[number];
    const scan_ranks *ranks = &w->module.ranks[number];
    trial t = {.plugin = p,
               .exported = exported_of(w, p),
               .parts = parts->run ? parts : NULL,
               .ranks = ranks->join ? ranks : NULL,
               .device = (uint32_t)device,
               .host = &w->host,
               .displacement = &w->displacement,
               .spots = &w->spots,
               .out = w->out,
               .serial = &w->serial,
               .watch = &w->watch,
               .forked = w->forked,
               .load_changed = w->load_changed};
    scan_status status = open_context(w, p, (uint32_t)device);
    t.context = w->context;
    if (status == SCAN_OK && j.mode == JOB_MEASURE)
        return open_trial(w, &t, &j);
    if (status == SCAN_OK) {
        const bool good = run_job(&t, &j);
        w->open = t.context ? w->open : NULL; /* a test of closing it has closed it */
        w->context = t.context;
        return good;
    }
    /* Another process may hold the device's memory: that is not the plugin's fault. */
    const fault_code code = status == SCAN_NO_MEMORY ? FAULT_NO_MEMORY : code_of(status);
    trial_fault(&t, worker_host_fault(&w->host, code, STEP_OPEN, status));
    return trial_send_done(&t);
}

bool worker_obey(worker *w, const protocol_message *m)
{
    if (message_is(m, "number"))
        return message_u64(m, "serial", &w->serial);
    if (message_is(m, "bind"))
        return on_bind(w, m);
    if (message_is(m, "describe"))
        return on_describe(w);
    if (message_is(m, "probe"))
        return on_probe(w, m);
    if (message_is(m, "job"))
        return on_job(w, m);
    if (message_is(m, "visit"))
        return on_visit(w, m);
    if (message_is(m, "release"))
        return on_release(w, m);
    if (message_is(m, "close"))
        return on_close(w, m);
    if (message_is(m, "drop"))
        return on_drop(w, m);
    return false; /* quit, or an unknown command */
}
