#include "worker/read_back.h"

#include "system/unpredictable.h"
#include "worker/trial.h"

#include <string.h>

/* The last element and some others. */
enum { WORDS = 3 };

static uint64_t choose(uint64_t n, int word)
{
    return word == 0 ? n - 1 : unpredictable_below(n);
}

bool read_back_input(trial *e)
{
    const size_t width = dtype_bytes(e->job->dtype);
    for (int i = 0; e->plugin->memory && e->job->n > 0 && i < WORDS; i++) {
        const uint64_t index = choose(e->job->n, i);
        const size_t offset = (size_t)index * width;
        any_element got = {0};
        if (trial_failed(e, buffers_get_input(&e->buffers, offset, &got, width), STEP_COPY_OUT))
            return false;
        if (memcmp(&got, buffers_kept_input(&e->buffers, offset), width) != 0)
            return trial_fault(
                e, (fault){.code = FAULT_NOT_COPIED, .buffer = FAULT_INPUT, .index = index});
    }
    return true;
}

bool read_back_poison(trial *e)
{
    const size_t width = dtype_bytes(e->job->dtype);
    const bool filled = e->plugin->memory && !e->buffers.in_place;
    for (int i = 0; filled && e->job->n > 0 && i < WORDS; i++) {
        const uint64_t index = choose(e->job->n, i);
        any_element got = {0};
        if (trial_failed(e, buffers_get_output(&e->buffers, (size_t)index * width, &got, width),
                         STEP_COPY_OUT))
            return false;
        if (!is_poisoned(&got, width))
            return trial_fault(
                e, (fault){.code = FAULT_NOT_FILLED, .buffer = FAULT_OUTPUT, .index = index});
    }
    return true;
}
