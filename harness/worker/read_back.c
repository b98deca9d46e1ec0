#include "worker/read_back.h"

#include "system/unpredictable.h"

#include <string.h>

/* The last element and some others. */
enum { WORDS = 3 };

static uint64_t choose(uint64_t n, int word)
{
    return word == 0 ? n - 1 : unpredictable_below(n);
}

scan_status read_back_input(const buffers *b, uint64_t n, size_t width, fault *fault_p)
{
    for (int i = 0; b->plugin->memory && n > 0 && i < WORDS; i++) {
        const uint64_t index = choose(n, i);
        const size_t offset = (size_t)index * width;
        any_element got = {0};
        const scan_status status = buffers_get_input(b, offset, &got, width);
        if (status != SCAN_OK)
            return status;
        if (memcmp(&got, buffers_kept_input(b, offset), width) == 0)
            continue;
        *fault_p = (fault){.code = FAULT_NOT_COPIED, .buffer = FAULT_INPUT, .index = index};
        return SCAN_OK;
    }
    return SCAN_OK;
}

scan_status read_back_poison(const buffers *b, uint64_t n, size_t width, fault *fault_p)
{
    const bool filled = b->plugin->memory && !b->in_place;
    for (int i = 0; filled && n > 0 && i < WORDS; i++) {
        const uint64_t index = choose(n, i);
        any_element got = {0};
        const scan_status status = buffers_get_output(b, (size_t)index * width, &got, width);
        if (status != SCAN_OK)
            return status;
        if (is_poisoned(&got, width))
            continue;
        *fault_p = (fault){.code = FAULT_NOT_FILLED, .buffer = FAULT_OUTPUT, .index = index};
        return SCAN_OK;
    }
    return SCAN_OK;
}
