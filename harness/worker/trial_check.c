#include "worker/trial_check.h"

#include "worker/buffers_compare.h"
#include "worker/read_back.h"

/* A look at the buffers has ended: did the device answer, and was all as it should be? */
static bool went_well(trial *e, scan_status status, worker_step call, const fault *found)
{
    return !trial_failed(e, status, call) && (found->code == FAULT_NONE || trial_fault(e, *found));
}

bool trial_guards_intact(trial *e)
{
    fault found = {.code = FAULT_NONE};
    const scan_status status = buffers_guards(&e->buffers, &found);
    found.pattern = input_default(e->job->op);
    return went_well(e, status, STEP_COMPARE, &found);
}

bool trial_trespassed(trial *e)
{
    if (e->host->allocated_in_run)
        trial_fault(e, (fault){.code = FAULT_ALLOCATED_IN_RUN});
    else if (!scratch_is_intact(&e->host->scratch))
        trial_fault(e, e->host->scratch.damage);
    else
        return false;
    return true;
}

bool trial_run(trial *e)
{
    const trial_call call = trial_call_of(e);
    e->host->running = true;
    scan_status status = call.run(call.self, buffers_in(&e->buffers), buffers_out(&e->buffers));
    e->host->running = false;
    trial_alone(e);
    return !trial_failed(e, status, STEP_RUN);
}

/* Room for the points that a comparison passes, if spot checks need them and they are not there;
 * else NULL. */
static reference_point *points_to_keep(trial *e)
{
    const bool looked_at = e->timed && (e->plugin->memory || !trial_copies_elements(e));
    const bool copy = trial_is_copy(e);
    return looked_at && !spot_table_holds(e->spots, &e->written, copy)
               ? spot_table_make_room(e->spots, &e->written, copy)
               : NULL;
}

bool trial_compare_last(trial *e, const input_spec *spec)
{
    const buffers_question question = {.spec = spec,
                                       .kind = (scan_kind)e->job->kind,
                                       .rule = trial_rule(e),
                                       .points = points_to_keep(e),
                                       .stride = SPOT_STRIDE};
    fault found = {.code = FAULT_NONE};
    trial_step(e, STEP_COMPARE);
    const scan_status status = buffers_compare(&e->buffers, &question, &e->last, &found);
    if (question.points && !(status == SCAN_OK && e->last.checked == spec->n))
        spot_table_free(e->spots);
    if (!went_well(e, status, STEP_COMPARE, &found))
        return false;
    e->compared = true;
    return !trial_trespassed(e);
}

/* Is the output poisoned, on the device too? */
static bool poison(trial *e, const input_spec *spec)
{
    fault found = {.code = FAULT_NONE};
    if (trial_failed(e, buffers_poison(&e->buffers, spec), STEP_POISON))
        return false;
    const size_t width = dtype_bytes(e->job->dtype);
    const scan_status status = read_back_poison(&e->buffers, e->job->n, width, &found);
    return went_well(e, status, STEP_COPY_OUT, &found);
}

bool trial_compare(trial *e, const input_spec *spec)
{
    if (!poison(e, spec))
        return false;
    trial_step(e, STEP_RUN);
    return trial_run(e) && trial_compare_last(e, spec);
}

bool trial_write_input(trial *e, const input_spec *spec)
{
    size_t done = 0;
    if (e->input_known && input_same(&e->written, spec))
        return true;
    e->input_known = false;
    do { /* each piece is a sign of life: a device that others use too may take long for all */
        trial_step(e, STEP_WRITE_INPUT);
        if (trial_failed(e, buffers_write_piece(&e->buffers, spec, &done), STEP_WRITE_INPUT))
            return false;
    } while (done < e->buffers.bytes);
    fault found = {.code = FAULT_NONE};
    const size_t width = dtype_bytes(e->job->dtype);
    const scan_status status = read_back_input(&e->buffers, e->job->n, width, &found);
    if (!went_well(e, status, STEP_COPY_OUT, &found))
        return false;
    e->written = *spec;
    e->input_known = true;
    return true;
}

bool trial_check(trial *e, uint32_t pattern, uint32_t repeat)
{
    const input_spec spec = job_input(e->job, pattern);
    e->input_known = false; /* a plugin under proof may have changed it */
    if (!trial_write_input(e, &spec))
        return false;
    for (uint32_t i = 0; i < repeat; i++)
        if (!trial_compare(e, &spec))
            return false;
    return true;
}
