/* spot_check.c - a look at one run: what is written before it, read behind it, and judged */
#include "worker/spot_check.h"

#include "system/clock.h"
#include "worker/trial.h"

#include <string.h>

/* Of constant width, so that no store is a call. */
__attribute__((no_sanitize("thread"))) void spot_store(const spot_check *check, bool changed)
{
    for (size_t i = 0; i < check->put_count; i++) {
        const spot_put *one = &check->puts[i];
        const any_element *value = one->is_input && !changed ? &one->before : &one->value;
        const size_t width = one->is_input ? check->width : check->out_width;
        if (width == sizeof(uint8_t))
            *(uint8_t *)one->to = value->U8;
        else if (width == sizeof(uint16_t))
            *(uint16_t *)one->to = value->U16;
        else if (width == sizeof(uint32_t))
            *(uint32_t *)one->to = value->U32;
        else
            *(uint64_t *)one->to = value->U64;
    }
}

/* A GPU that computes for two processes in turn changes from the one's context to the other's,
 * which would be in the time of the next run: 0.15 ms on an H200. */
static scan_status change_context(const trial *t)
{
    const scan_host *host = &t->host->host;
    python_process *python = t->plugin->memory ? t->host->python : NULL;
    return python ? python_told(python, host, python_wake_device(python)) : SCAN_OK;
}

bool spot_put_all(trial *t, spot_check *check, bool back)
{
    for (size_t i = 0; i < check->put_count; i++) {
        const spot_put *p = &check->puts[i];
        const double start = clock_now_ns();
        if (back && !p->is_input)
            continue;
        const scan_status status =
            p->is_input ? buffers_put_input(&t->buffers, p->offset, back ? &p->before : &p->value,
                                            check->width)
                        : buffers_put_output(&t->buffers, p->offset, &p->value, check->out_width);
        if (trial_failed(t, status, STEP_COPY_IN))
            return false;
        spot_keep_least(p->is_input ? &check->times.in_ns : &check->times.poison_ns,
                        clock_now_ns() - start);
    }
    return !trial_failed(t, change_context(t), STEP_COPY_IN);
}

bool spot_begin(trial *t, spot_check *check)
{
    const bool copies = trial_copies_elements(t);
    if (check->place_count == 0)
        return true;
    /* The first touch may wait for what runs before have left; the second waits for nothing. */
    for (int i = 0; copies && i < 2; i++)
        if (!spot_time_touch(t, &check->times.idle_ns))
            return false;
    if (copies)
        return spot_put_all(t, check, false);
    spot_store(check, true);
    return true;
}

bool spot_end(trial *t, spot_check *check)
{
    const size_t width = check->out_width;
    scan_status status = SCAN_OK;
    if (check->place_count == 0)
        return true;
    /* The first output that is read lies in one part, and others may still be written. */
    const bool each = t->buffers.part_count > 1 && trial_copies_elements(t);
    if (each && !spot_time_touch(t, &check->times.late_ns))
        return false;
    const double start = clock_now_ns();
    for (size_t i = 0; status == SCAN_OK && i < check->place_count; i++) {
        spot_place *p = &check->places[i];
        status = buffers_get_output(&t->buffers, (size_t)p->index * width, &p->got, width);
        if (i == 0 && !each)
            check->times.late_ns = clock_now_ns() - start;
    }
    check->looked = true;
    return !trial_failed(t, status, STEP_COPY_OUT) && spot_put_all(t, check, true);
}

static fault wrong_at(const trial *t, const spot_place *p, const any_element *expected)
{
    const size_t width = dtype_bytes(job_result_type(t->job));
    const bool poisoned = p->poisoned && !t->buffers.in_place;
    const bool unwritten = poisoned && memcmp(&p->got, &p->poison, width) == 0;
    fault f = {.code = unwritten ? FAULT_TIMED_UNWRITTEN : FAULT_TIMED_WRONG,
               .index = p->index,
               .scan_n = t->written.scan_n,
               .inner = t->written.inner,
               .dtype = job_result_type(t->job),
               .pattern = t->written.pattern};
    memcpy(&f.got, &p->got, width);
    memcpy(&f.expected, expected, width);
    return f;
}

bool spot_judge_outputs(trial *t, const spot_check *check)
{
    fault first = {.code = FAULT_NONE};
    uint64_t wrong = 0;
    for (size_t i = 0; check->looked && i < check->place_count; i++) {
        const spot_place *p = &check->places[i];
        reference r = spot_reference(t);
        reference_resume(&r, p->at, &p->before);
        const any_element expected = reference_check_one(&r, &p->element, &p->got);
        if (r.wrong && wrong++ == 0)
            first = wrong_at(t, p, &expected);
    }
    first.count = wrong;
    first.total = check->place_count;
    first.bytes = 2 * check->change_count;
    return wrong == 0 || trial_fault(t, first);
}
