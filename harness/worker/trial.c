#include "worker/trial.h"

#include "problem/names.h"
#include "system/clock.h"

#include <string.h>

void trial_message(const trial *e, const char *verb)
{
    message_begin(e->out, verb);
    message_put_u64(e->out, "serial", *e->serial);
}

void trial_step(trial *e, worker_step step)
{
    trial_message(e, "step");
    message_put_text(e->out, "name", step_word(step));
    message_end(e->out);
}

void trial_show_life(trial *e, worker_step step, double *told_p)
{
    const double now = clock_now_ns(), silent_ns = 2e8;
    if (now - *told_p <= silent_ns)
        return;
    trial_step(e, step);
    *told_p = now;
}

bool trial_fault(trial *e, fault f)
{
    e->fault = f;
    return false;
}

bool trial_is_good(const trial *e)
{
    return e->fault.code == FAULT_NONE;
}

/* Out of memory means "skipped", but inside run it is an error unless run may allocate. Any other
 * failure after supports is an error of the plugin. */
bool trial_failed(trial *e, scan_status status, worker_step call)
{
    const bool may_lack = call != STEP_RUN || e->plugin->flags & SCAN_FLAG_ALLOCATES_IN_RUN;
    const bool lacks = status == SCAN_NO_MEMORY && may_lack;
    if (status == SCAN_OK)
        return false;
    trial_fault(
        e, worker_host_fault(e->host, lacks ? FAULT_NO_MEMORY : FAULT_CALL_FAILED, call, status));
    return true;
}

void trial_flag(trial *e, const char *flag)
{
    size_t used = strlen(e->flags);
    snprintf(e->flags + used, sizeof e->flags - used, "%s%s", used ? ";" : "", flag);
}

scan_problem trial_problem(const job *j)
{
    return (scan_problem){.struct_size = sizeof(scan_problem),
                          .kind = j->kind,
                          .op = j->op,
                          .dtype = j->dtype,
                          .n = j->n,
                          .tunables = j->tunables,
                          .tunable_count = j->tunable_count,
                          .element_bytes = (uint32_t)dtype_bytes(j->dtype)};
}

bool trial_supports(trial *e)
{
    const scan_problem problem = trial_problem(e->job);
    if (!e->plugin->supports)
        return true;
    e->host->reason[0] = '\0';
    trial_step(e, STEP_SUPPORTS);
    scan_status status = e->plugin->supports(&e->host->host, e->exported, e->context, &problem);
    trial_alone(e);
    if (status != SCAN_UNSUPPORTED)
        return !trial_failed(e, status, STEP_SUPPORTS);
    const fault_code code = *e->host->reason ? FAULT_UNSUPPORTED : FAULT_REFUSED_SILENTLY;
    return trial_fault(e, worker_host_fault(e->host, code, STEP_SUPPORTS, status));
}

bool trial_create(trial *e, void **self_p)
{
    const scan_problem problem = trial_problem(e->job);
    if (!trial_supports(e))
        return false;
    trial_step(e, STEP_CREATE);
    void *self = NULL;
    double start = clock_now_ns();
    scan_status status =
        e->plugin->create(&e->host->host, e->exported, e->context, &problem, &self);
    e->create_ns = clock_now_ns() - start;
    trial_alone(e);
    if (trial_failed(e, status, STEP_CREATE))
        return false;
    *self_p = self;
    return true;
}

bool trial_is_copy(const trial *e)
{
    return e->plugin->role == SCAN_ROLE_CEILING;
}

reference_rule trial_rule(const trial *e)
{
    if (!trial_is_copy(e))
        return REFERENCE_SCAN;
    return (e->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY) ? REFERENCE_INVERTED : REFERENCE_COPY;
}

reference trial_reference(const trial *e)
{
    reference r;
    reference_begin(&r, &e->written, (scan_kind)e->job->kind, trial_rule(e));
    return r;
}

/* Of a trial that is measured, whose host memory is never misaligned on purpose. */
static bool is_in_place(const trial *e)
{
    return e->job->in_place || e->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
}

static uint64_t bytes_of(const trial *e)
{
    return e->job->n * dtype_bytes(e->job->dtype);
}

static uint32_t parts_of(const trial *e)
{
    for (uint32_t i = 0; e->parts && i < e->job->tunable_count; i++)
        if (strcmp(e->plugin->tunables[i].name, SCAN_PARTS_TUNABLE) == 0)
            return (uint32_t)e->job->tunables[i];
    return 1;
}

/* Asks for the tile of parts that are dealt out in turn; again, if it was asked before. */
static bool ask_tile(trial *e)
{
    const scan_problem problem = trial_problem(e->job);
    if (!e->parts || !e->parts->tile || parts_of(e) < 2)
        return true;
    trial_step(e, STEP_TILE);
    const uint64_t tile = e->parts->tile(e->exported, &problem), before = e->tile;
    trial_alone(e);
    e->tile = tile;
    if (tile == 0)
        return trial_fault(e, (fault){.code = FAULT_NO_TILE});
    return before == 0 || before == tile ||
           trial_fault(e, (fault){.code = FAULT_TILE_CHANGED, .count = before, .total = tile});
}

buffers_layout trial_layout(const trial *e)
{
    const job *j = e->job;
    buffers_layout layout = {.parts = parts_of(e)};
    if (layout.parts < 2)
        return layout;
    uint64_t tile = e->parts->tile ? e->tile : scan_parts_slice(j->n, layout.parts);
    /* A tile beyond all elements is as good as one that holds them. */
    const uint64_t most = j->n ? j->n : 1;
    tile = tile > most ? most : tile;
    layout.tile_bytes = (size_t)tile * dtype_bytes(j->dtype);
    layout.allocate = e->parts->allocate;
    layout.ranks = e->ranks;
    layout.exported = e->exported;
    return layout;
}

/* For a problem in parts: the arguments are arrays. */
static scan_status run_parts(void *self, scan_buffer in, scan_buffer out)
{
    const trial *e = self;
    return e->parts->run(e->self, scan_host_pointer(in), scan_host_pointer(out));
}

trial_call trial_call_of(trial *e)
{
    return e->buffers.part_count > 1 ? (trial_call){run_parts, e}
                                     : (trial_call){e->plugin->run, e->self};
}

bool trial_copies_elements(const trial *e)
{
    return e->plugin->memory || (e->ranks && parts_of(e) > 1);
}

static bool same_layout(const trial *e, const trial *from)
{
    const buffers_layout a = trial_layout(e), b = trial_layout(from);
    return a.parts == b.parts && a.tile_bytes == b.tile_bytes;
}

void trial_take_buffers(trial *e, trial *from)
{
    if (e->buffers_live || !from->buffers_live)
        return;
    const bool suits = from->plugin == e->plugin && from->context == e->context &&
                       from->buffers.bytes == bytes_of(e) &&
                       from->buffers.in_place == is_in_place(e) && same_layout(e, from);
    if (!suits)
        return;
    e->buffers = from->buffers;
    e->input_known = from->input_known;
    e->written = from->written;
    e->buffers_live = true;
    from->buffers_live = from->input_known = false;
}

bool trial_start(trial *e)
{
    e->tile = 0;
    e->created = trial_create(e, &e->self);
    return e->created && ask_tile(e);
}

bool trial_begin(trial *e)
{
    return (e->created || trial_start(e)) && (e->buffers_live || trial_allocate_all(e));
}

bool trial_allocate_all(trial *e)
{
    const job *j = e->job;
    trial_step(e, STEP_ALLOCATE);
    const buffers_spec spec = {.layout = trial_layout(e),
                               .whole = {.plugin = e->plugin,
                                         .context = e->context,
                                         .host = e->host,
                                         .bytes = bytes_of(e),
                                         .misalign_in = j->misalign,
                                         .misalign_out = j->misalign_out,
                                         .fence = j->fence,
                                         .in_place = is_in_place(e),
                                         .shared = j->shared,
                                         .shared_bytes = job_shared_bytes(j)}};
    return trial_allocate(e, &spec);
}

bool trial_allocate(trial *e, const buffers_spec *spec)
{
    fault found = {.code = FAULT_NONE};
    const scan_status status = buffers_create(&e->buffers, spec, &found);
    e->buffers_live = status == SCAN_OK;
    e->input_known = false;
    if (found.code != FAULT_NONE)
        return trial_fault(e, found);
    return !trial_failed(e, status, STEP_ALLOCATE);
}

void trial_destroy(trial *e)
{
    if (!e->created)
        return;
    if (trial_is_good(e))
        ask_tile(e);
    trial_step(e, STEP_DESTROY);
    e->plugin->destroy(e->self);
    trial_alone(e);
    e->created = false;
}

void trial_end(trial *e)
{
    trial_destroy(e);
    if (e->buffers_live)
        buffers_destroy(&e->buffers);
    e->buffers_live = e->input_known = false;
}
