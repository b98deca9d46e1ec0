#include "worker/trial.h"

#include "problem/names.h"
#include "system/clock.h"

#include <string.h>

/* ---- what the supervisor is told ----------------------------------------------- */

static bool was_told_now(const trial *t)
{
    const double silent_ns = 2e8;
    return clock_now_ns() - t->told_ns <= silent_ns;
}

void trial_step(trial *t, worker_step step)
{
    if (t->brief && was_told_now(t))
        return;
    message_answer(t->out, "step", *t->serial);
    message_put_text(t->out, "name", step_word(step));
    message_end(t->out);
    t->told_ns = clock_now_ns();
}

void trial_show_life(trial *t, worker_step step)
{
    if (!was_told_now(t))
        trial_step(t, step);
}

/* Tells the step that allocates, writes or compares, unless it takes no time and calls no plugin.
 */
static void show_memory_step(trial *t, worker_step step)
{
    const uint64_t brief_bytes = 1 << 20;
    if (t->plugin->memory || job_bytes(t->job) > brief_bytes)
        trial_step(t, step);
}

bool trial_fault(trial *t, fault f)
{
    t->fault = f;
    return false;
}

bool trial_is_good(const trial *t)
{
    return t->fault.code == FAULT_NONE;
}

/* Out of memory means "skipped", but inside run it is an error unless run may allocate. Any other
 * failure after supports is an error of the plugin. */
bool trial_failed(trial *t, scan_status status, worker_step call)
{
    const bool may_lack = call != STEP_RUN || t->plugin->flags & SCAN_FLAG_ALLOCATES_IN_RUN;
    const bool lacks = status == SCAN_NO_MEMORY && may_lack;
    if (status == SCAN_OK)
        return false;
    trial_fault(
        t, worker_host_fault(t->host, lacks ? FAULT_NO_MEMORY : FAULT_CALL_FAILED, call, status));
    return true;
}

void trial_flag(trial *t, const char *flag)
{
    row_flags_add(t->flags, sizeof t->flags, flag);
}

bool trial_send_done(const trial *t)
{
    const bool ok = trial_is_good(t);
    message_answer(t->out, "done", *t->serial);
    fault_write(t->out, &t->fault);
    message_put_u64(t->out, "verified", ok && (t->compared || t->job->mode != JOB_MEASURE));
    message_put_text(t->out, "flags", t->flags);
    if (t->runs > 0)
        message_put_u64(t->out, "runs", t->runs);
    if (ok) {
        message_put_double(t->out, "error", t->last.max_rel_error);
        message_put_double(t->out, "ulps", t->last.max_ulps);
    }
    return message_end(t->out);
}

/* ---- the instance -------------------------------------------------------------- */

/* What a call is shown of the problem of a job, until hide_problem: a ceiling sees one array. */
static const scan_problem *show_problem(const trial *t, const job *j)
{
    worker_host *h = t->host;
    const bool flat = trial_is_copy(t);
    memcpy(h->shown.tunables, j->tunables, sizeof j->tunables);
    h->shown.problem = (scan_problem){.struct_size = sizeof(scan_problem),
                                      .kind = j->kind,
                                      .op = j->op,
                                      .dtype = j->dtype,
                                      .n = flat ? job_elements(j) : j->n,
                                      .tunables = h->shown.tunables,
                                      .tunable_count = j->tunable_count,
                                      .element_bytes = (uint32_t)dtype_bytes(j->dtype),
                                      .rows = flat ? 1 : job_rows(j),
                                      .inner = flat ? 1 : job_inner(j),
                                      .result = j->result,
                                      .result_bytes = (uint32_t)dtype_bytes(job_result_type(j))};
    return &h->shown.problem;
}

static void hide_problem(const trial *t)
{
    memset(&t->host->shown, SCRATCH_BYTE, sizeof t->host->shown);
}

static scan_status ask_supports(const trial *t, const job *j)
{
    if (!t->plugin->supports)
        return SCAN_OK;
    t->host->reason[0] = '\0';
    const scan_status status =
        t->plugin->supports(&t->host->host, t->exported, t->context, show_problem(t, j));
    hide_problem(t);
    trial_alone(t);
    return status;
}

bool trial_accepts(const trial *t, const job *j)
{
    const bool accepted = ask_supports(t, j) == SCAN_OK;
    t->host->reason[0] = '\0';
    return accepted;
}

bool trial_supports(trial *t)
{
    if (!t->plugin->supports)
        return true;
    trial_step(t, STEP_SUPPORTS);
    const scan_status status = ask_supports(t, t->job);
    if (status != SCAN_UNSUPPORTED)
        return !trial_failed(t, status, STEP_SUPPORTS);
    const fault_code code = *t->host->reason ? FAULT_UNSUPPORTED : FAULT_REFUSED_SILENTLY;
    return trial_fault(t, worker_host_fault(t->host, code, STEP_SUPPORTS, status));
}

/* Asks about settings that a plugin may refuse, which must change and leave as little as consent:
 * the greatest ones, and then, for many elements, odd ones. */
static void ask_too_much(const trial *t)
{
    enum { MANY_BITS = 40 };
    job greatest = *t->job, odd = *t->job;
    for (uint32_t i = 0; i < t->job->tunable_count; i++) {
        const scan_tunable *one = &t->plugin->tunables[i];
        greatest.tunables[i] = one->values ? one->values[one->value_count - 1] : one->max;
        odd.tunables[i] = one->values ? one->values[0] : one->max - (one->max > one->min);
    }
    odd.n = t->plugin->max_n ? t->plugin->max_n : UINT64_C(1) << MANY_BITS;
    odd.rows = odd.inner = 0;
    trial_accepts(t, &greatest);
    trial_accepts(t, &odd);
}

/* In a proof supports is asked about another n, too: create is about the one that it is
 * given, and not about the last one that supports was asked about. A device may compile for that,
 * so it is not done in every check. */
void trial_distract(const trial *t)
{
    job other = *t->job;
    other.n = other.n / 2 + 1;
    if (t->host->scratch.poison && (t->job->mode == JOB_BEHAVE || !t->plugin->memory))
        trial_accepts(t, &other);
    if (t->job->mode == JOB_BEHAVE && !t->plugin->memory)
        ask_too_much(t);
}

bool trial_create(trial *t, void **self_p)
{
    if (!trial_supports(t))
        return false;
    trial_distract(t);
    trial_step(t, STEP_CREATE);
    void *self = NULL;
    const scan_problem *problem = show_problem(t, t->job);
    double start = clock_now_ns();
    scan_status status = t->plugin->create(&t->host->host, t->exported, t->context, problem, &self);
    t->create_ns = clock_now_ns() - start;
    hide_problem(t);
    trial_alone(t);
    if (trial_failed(t, status, STEP_CREATE))
        return false;
    *self_p = self;
    return true;
}

bool trial_is_copy(const trial *t)
{
    return t->plugin->role == SCAN_ROLE_CEILING;
}

/* Does the job set what promises one ulp? */
static bool is_accurate(const trial *t)
{
    bool accurate = false;
    for (uint32_t i = 0; i < t->job->tunable_count; i++)
        accurate |= t->job->tunables[i] == 1 &&
                    strcmp(t->plugin->tunables[i].name, SCAN_ACCURATE_TUNABLE) == 0;
    return accurate;
}

static reference_rule rule_of(const trial *t)
{
    if (!trial_is_copy(t))
        return is_accurate(t) ? REFERENCE_ACCURATE : REFERENCE_SCAN;
    return (t->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY) ? REFERENCE_INVERTED : REFERENCE_COPY;
}

reference trial_reference(const trial *t, const input_spec *spec)
{
    reference r;
    reference_begin(&r, spec, (scan_kind)t->job->kind, rule_of(t));
    return r;
}

/* Of a trial that is measured, whose host memory is never misaligned on purpose. */
static bool is_in_place(const trial *t)
{
    return t->job->run.in_place || t->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY;
}

static uint32_t parts_of(const trial *t)
{
    for (uint32_t i = 0; t->parts && i < t->job->tunable_count; i++)
        if (strcmp(t->plugin->tunables[i].name, SCAN_PARTS_TUNABLE) == 0)
            return (uint32_t)t->job->tunables[i];
    return 1;
}

bool trial_knows_graphs(const trial *t)
{
    return t->plugin->memory && t->plugin->memory->flags & SCAN_MEMORY_GRAPHS && !t->ranks &&
           parts_of(t) < 2;
}

/* Asks for the tile of parts that are dealt out in turn; again, if it was asked before. */
static bool ask_tile(trial *t)
{
    if (!t->parts || !t->parts->tile || parts_of(t) < 2)
        return true;
    trial_step(t, STEP_TILE);
    const uint64_t before = t->tile, tile = t->parts->tile(t->exported, show_problem(t, t->job));
    hide_problem(t);
    trial_alone(t);
    t->tile = tile;
    if (tile == 0)
        return trial_fault(t, (fault){.code = FAULT_NO_TILE});
    return before == 0 || before == tile ||
           trial_fault(t, (fault){.code = FAULT_TILE_CHANGED, .count = before, .total = tile});
}

buffers_layout trial_layout(const trial *t)
{
    const job *j = t->job;
    buffers_layout layout = {.parts = parts_of(t)};
    if (layout.parts < 2)
        return layout;
    uint64_t tile = t->parts->tile ? t->tile : scan_parts_slice(job_elements(j), layout.parts);
    /* A tile beyond all elements is as good as one that holds them. */
    const uint64_t most = job_elements(j) ? job_elements(j) : 1;
    tile = tile > most ? most : tile;
    layout.tile_bytes = (size_t)tile * dtype_bytes(j->dtype);
    layout.allocate = t->parts->allocate;
    layout.ranks = t->ranks;
    layout.exported = t->exported;
    return layout;
}

/* For a problem in parts: the arguments are arrays. */
static scan_status run_parts(void *self, scan_buffer in, scan_buffer out)
{
    const trial *t = self;
    return t->parts->run(t->self, scan_host_pointer(in), scan_host_pointer(out));
}

trial_call trial_call_of(trial *t)
{
    return t->buffers.part_count > 1 ? (trial_call){run_parts, t}
                                     : (trial_call){t->plugin->run, t->self};
}

bool trial_copies_elements(const trial *t)
{
    return t->plugin->memory || (t->ranks && parts_of(t) > 1);
}

void trial_take_buffers(trial *t, trial *from)
{
    if (t->holds || !from->holds)
        return;
    const buffers_layout own = trial_layout(t), other = trial_layout(from);
    const bool suits = from->plugin == t->plugin && from->context == t->context &&
                       from->buffers.bytes == job_bytes(t->job) &&
                       from->buffers.out_bytes == job_out_bytes(t->job) &&
                       from->buffers.in_place == is_in_place(t) && own.parts == other.parts &&
                       own.tile_bytes == other.tile_bytes;
    if (!suits)
        return;
    t->buffers = from->buffers;
    t->written = from->written;
    t->holds = from->holds;
    from->holds = HOLDS_NOTHING;
}

bool trial_start(trial *t)
{
    t->tile = 0;
    t->created = trial_create(t, &t->self);
    return t->created && ask_tile(t);
}

bool trial_begin(trial *t)
{
    return (t->created || trial_start(t)) && (t->holds || trial_allocate_all(t));
}

bool trial_allocate_all(trial *t)
{
    const job *j = t->job;
    const part_spec whole = {.misalign_in = j->run.misalign,
                             .misalign_out = j->run.misalign_out,
                             .fence = j->run.fence,
                             .in_place = is_in_place(t),
                             .keeps = j->mode == JOB_CHECK,
                             .shared = j->measure.shared,
                             .shared_bytes = job_shared_bytes(j)};
    show_memory_step(t, STEP_ALLOCATE);
    return trial_allocate(t, trial_layout(t), whole);
}

bool trial_allocate(trial *t, buffers_layout layout, part_spec whole)
{
    fault found = {.code = FAULT_NONE};
    whole.plugin = t->plugin;
    whole.context = t->context;
    whole.host = t->host;
    whole.bytes = job_bytes(t->job);
    whole.out_bytes = job_out_bytes(t->job);
    const scan_status status = buffers_create(&t->buffers, &layout, &whole, &found);
    t->holds = status == SCAN_OK ? HOLDS_BUFFERS : HOLDS_NOTHING;
    if (found.code != FAULT_NONE)
        return trial_fault(t, found);
    return !trial_failed(t, status, STEP_ALLOCATE);
}

void trial_release(trial *t)
{
    if (t->holds)
        buffers_destroy(&t->buffers);
    t->holds = HOLDS_NOTHING;
}

void trial_destroy(trial *t)
{
    if (!t->created)
        return;
    if (trial_is_good(t))
        ask_tile(t);
    trial_step(t, STEP_DESTROY);
    t->plugin->destroy(t->self);
    trial_alone(t);
    t->created = false;
}

bool trial_renew(trial *t)
{
    trial_destroy(t);
    return trial_start(t);
}

void trial_end(trial *t)
{
    trial_destroy(t);
    trial_release(t);
}

/* ---- runs, and what they leave in the buffers ---------------------------------- */

/* A look at the buffers has ended: did the device answer, and was all as it should be? */
static bool went_well(trial *t, scan_status status, worker_step call, const fault *found)
{
    return !trial_failed(t, status, call) && (found->code == FAULT_NONE || trial_fault(t, *found));
}

bool trial_guards_intact(trial *t)
{
    fault found = {.code = FAULT_NONE};
    const scan_status status = buffers_guards(&t->buffers, &found);
    found.pattern = input_default(t->job->op);
    return went_well(t, status, STEP_COMPARE, &found);
}

bool trial_reads_back(trial *t, bool input)
{
    fault found = {.code = FAULT_NONE};
    const size_t width = dtype_bytes(input ? t->job->dtype : job_result_type(t->job));
    const scan_status status =
        buffers_read_back(&t->buffers, input, job_elements(t->job), width, &found);
    return went_well(t, status, STEP_COPY_OUT, &found);
}

bool trial_trespassed(trial *t)
{
    if (t->host->allocated_in_run)
        trial_fault(t, (fault){.code = FAULT_ALLOCATED_IN_RUN});
    else if (!scratch_is_intact(&t->host->scratch))
        trial_fault(t, t->host->scratch.damage);
    else
        return false;
    return true;
}

bool trial_restore(trial *t)
{
    return !(t->plugin->flags & SCAN_FLAG_IN_PLACE_ONLY) ||
           !trial_failed(t, buffers_tell(&t->buffers, PART_RESTORE), STEP_RESTORE);
}

bool trial_run(trial *t)
{
    const trial_call call = trial_call_of(t);
    const double start = clock_now_ns();
    t->host->running = true;
    scan_status status = call.run(call.self, buffers_in(&t->buffers), buffers_out(&t->buffers));
    t->host->running = false;
    if (!(t->first_run_ns > 0))
        t->first_run_ns = clock_now_ns() - start;
    trial_alone(t);
    return !trial_failed(t, status, STEP_RUN);
}

/* Room for the points that a comparison passes, if spot checks need them and they are not there;
 * else NULL. */
static reference_point *points_to_keep(trial *t)
{
    const bool looked_at = t->timed && (t->plugin->memory || !trial_copies_elements(t));
    const bool copy = trial_is_copy(t);
    return looked_at && !spot_table_holds(t->spots, &t->written, copy)
               ? spot_table_make_room(t->spots, &t->written, copy)
               : NULL;
}

bool trial_compare_output(trial *t, const input_spec *spec, reference_point *points,
                          fault_place place)
{
    const buffers_question question = {.spec = spec,
                                       .kind = (scan_kind)t->job->kind,
                                       .rule = rule_of(t),
                                       .points = points,
                                       .stride = SPOT_STRIDE};
    fault found = {.code = FAULT_NONE};
    const scan_status status = buffers_compare(&t->buffers, &question, &t->last, &found);
    if (points && !(status == SCAN_OK && t->last.checked == spec->n))
        spot_table_free(t->spots);
    found.place = place;
    if (!went_well(t, status, STEP_COMPARE, &found))
        return false;
    t->compared = true;
    return !trial_trespassed(t);
}

bool trial_compare(trial *t, const input_spec *spec)
{
    if (trial_failed(t, buffers_poison(&t->buffers, spec), STEP_POISON) ||
        !trial_reads_back(t, false))
        return false;
    trial_step(t, STEP_RUN);
    if (!trial_run(t))
        return false;
    show_memory_step(t, STEP_COMPARE);
    return trial_compare_output(t, spec, points_to_keep(t), FAULT_AT_FIRST);
}

bool trial_prepare_silently(trial *t, const input_spec *spec)
{
    return !trial_failed(t, buffers_write_input(&t->buffers, spec), STEP_WRITE_INPUT) &&
           !trial_failed(t, buffers_poison(&t->buffers, spec), STEP_POISON);
}

bool trial_compare_silently(trial *t, const input_spec *spec, fault_place place)
{
    return trial_prepare_silently(t, spec) && trial_run(t) &&
           trial_compare_output(t, spec, NULL, place);
}

bool trial_write_input(trial *t, const input_spec *spec)
{
    size_t done = 0;
    if (t->holds == HOLDS_INPUT && input_same(&t->written, spec))
        return true;
    t->holds = HOLDS_BUFFERS;
    do { /* each piece is a sign of life: a device that others use too may take long for all */
        show_memory_step(t, STEP_WRITE_INPUT);
        if (trial_failed(t, buffers_write_piece(&t->buffers, spec, &done), STEP_WRITE_INPUT))
            return false;
    } while (done < t->buffers.bytes);
    if (!trial_reads_back(t, true))
        return false;
    t->written = *spec;
    t->holds = HOLDS_INPUT;
    return true;
}

bool trial_check(trial *t, uint32_t pattern, uint32_t repeat)
{
    input_spec spec = job_input(t->job, pattern);
    const uint64_t seed = spec.seed;
    t->holds = HOLDS_BUFFERS; /* a plugin under proof may have changed it */
    for (uint32_t i = 0; i < repeat; i++) {
        spec.seed = seed + i / 2;
        if (!trial_write_input(t, &spec) || !trial_compare(t, &spec))
            return false;
    }
    return true;
}
