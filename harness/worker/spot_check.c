#include "worker/spot_check.h"

#include "system/clock.h"
#include "worker/trial.h"

static bool put_changes(trial *e, spot_check *check, bool back)
{
    const size_t width = dtype_bytes(e->job->dtype);
    for (size_t i = 0; i < 2 * check->change_count; i++) {
        const spot_change *c = &check->changes[i / 2];
        const any_element *from = back ? c->was : c->is;
        const size_t offset = (size_t)(c->index + i % 2) * width;
        const double start = clock_now_ns();
        if (trial_failed(e, buffers_put_input(&e->buffers, offset, &from[i % 2], width),
                         STEP_COPY_IN))
            return false;
        spot_times_least(&check->times.in_ns, clock_now_ns() - start);
    }
    return true;
}

static bool put_poison(trial *e, spot_check *check)
{
    const size_t width = dtype_bytes(e->job->dtype);
    for (size_t i = 0; i < check->place_count; i++) {
        const spot_place *p = &check->places[i];
        const double start = clock_now_ns();
        if (!p->poisoned)
            continue;
        if (trial_failed(
                e, buffers_put_output(&e->buffers, (size_t)p->index * width, &p->poison, width),
                STEP_COPY_IN))
            return false;
        spot_times_least(&check->times.poison_ns, clock_now_ns() - start);
    }
    return true;
}

static bool time_touch(trial *e, double *ns_p)
{
    const double start = clock_now_ns();
    if (trial_failed(e, buffers_touch(&e->buffers), STEP_COPY_OUT))
        return false;
    *ns_p = clock_now_ns() - start;
    return true;
}

/* The first may wait for what runs before have left; the second waits for nothing. */
static bool time_idle(trial *e, spot_check *check)
{
    for (int i = 0; i < 2; i++)
        if (!time_touch(e, &check->times.idle_ns))
            return false;
    return true;
}

bool spot_check_begin(trial *e, spot_check *check)
{
    if (check->place_count == 0)
        return true;
    if (trial_copies_elements(e))
        return time_idle(e, check) && put_changes(e, check, false) && put_poison(e, check);
    spot_stores_make(&check->stores);
    return true;
}

bool spot_check_end(trial *e, spot_check *check)
{
    const size_t width = dtype_bytes(e->job->dtype);
    scan_status status = SCAN_OK;
    if (check->place_count == 0)
        return true;
    /* The first output that is read lies in one part, and others may still be written. */
    const bool each = e->buffers.part_count > 1 && trial_copies_elements(e);
    if (each && !time_touch(e, &check->times.late_ns))
        return false;
    const double start = clock_now_ns();
    for (size_t i = 0; status == SCAN_OK && i < check->place_count; i++) {
        spot_place *p = &check->places[i];
        status = buffers_get_output(&e->buffers, (size_t)p->index * width, &p->got, width);
        if (i == 0 && !each)
            check->times.late_ns = clock_now_ns() - start;
    }
    check->looked = true;
    return !trial_failed(e, status, STEP_COPY_OUT) && put_changes(e, check, true);
}
