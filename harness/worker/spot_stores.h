/*
 * spot_stores.h - the changes before a run that is looked at, as stores into the host's memory
 *
 * They are prepared before anything is timed and take some nanoseconds, so that a plugin which asks
 * how long ago it was called last cannot tell that run from any other.
 */
#ifndef SCANBENCH_WORKER_SPOT_STORES_H
#define SCANBENCH_WORKER_SPOT_STORES_H

#include "problem/element.h"

#include <stddef.h>
#include <string.h>

enum { SPOT_STORES = 16 };

typedef struct spot_store {
    void *to;
    any_element value;
} spot_store;

typedef struct spot_stores {
    size_t count, width; /* of an element, in bytes */
    spot_store stores[SPOT_STORES];
} spot_stores;

static inline void spot_stores_add(spot_stores *s, void *to, const any_element *value)
{
    if (s->count < SPOT_STORES)
        s->stores[s->count++] = (spot_store){to, *value};
}

/* Constant widths, so that no store is a call. */
static inline void spot_stores_make(const spot_stores *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const spot_store *one = &s->stores[i];
        if (s->width == 4)
            memcpy(one->to, &one->value, 4);
        else if (s->width == 8)
            memcpy(one->to, &one->value, 8);
        else
            memcpy(one->to, &one->value, s->width);
    }
}

#endif
