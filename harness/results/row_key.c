#include "results/row_key.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *row_key_make(row_key *key, const result_row *row, const char *more)
{
    const char *const parts[] = {row->plugin, row->kind,   row->op,    row->dtype, row->block,
                                 row->vt,     row->params, row->cache, more};
    enum { PARTS = sizeof parts / sizeof *parts, N_BYTES = 32 };
    size_t bytes = N_BYTES;
    for (size_t i = 0; i < PARTS; i++)
        bytes += strlen(parts[i]) + 1;
    if (bytes > key->bytes) {
        char *larger = realloc(key->text, 2 * bytes);
        if (!larger)
            return NULL;
        key->text = larger;
        key->bytes = 2 * bytes;
    }
    char *to = key->text + snprintf(key->text, key->bytes, "%" PRIu64, row->n);
    for (size_t i = 0; i < PARTS; i++) {
        *to++ = '\n';
        to = stpcpy(to, parts[i]);
    }
    return key->text;
}
