#include "recipes/loops.h"

#include "text/array_room.h"
#include "text/number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A selector that has a condition of that name is not bound by a loop over it. */
static bool binds(const formula *f, size_t loop, size_t selector)
{
    const formula_selector *s = &f->selectors[selector];
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->conditions[i].name, f->loops[loop]) == 0)
            return false;
    return true;
}

/* Does the row have the values of the loops? One that lacks a column has any. */
static bool is_bound(const formula *f, size_t selector, const result_row *row, const loop_values *b)
{
    char value[SELECTION_VALUE_BYTES];
    for (size_t i = 0; i < f->loop_count; i++)
        if (binds(f, i, selector) && selection_value(row, f->loops[i], value) &&
            strcmp(value, b->values[i]) != 0)
            return false;
    return true;
}

/* The values of the loops that a row has; false if it lacks one, or its n is too small. */
static bool values_of(const formula *f, size_t selector, const result_row *row, loop_values *b)
{
    for (size_t i = 0; i < f->loop_count; i++)
        if (!binds(f, i, selector) || !selection_value(row, f->loops[i], b->values[i]))
            return false;
    return row->n >= f->from_n;
}

static int compare_values(const void *left, const void *right)
{
    const loop_values *a = left, *b = right;
    int order = 0;
    for (size_t i = 0; i < FORMULA_LOOPS && order == 0; i++)
        order = strverscmp(a->values[i], b->values[i]);
    return order;
}

static scan_status add_values(loops *l, const loop_values *b)
{
    loop_values *list = array_room(l->list, &l->capacity, l->count, 1, sizeof *list);
    if (!list)
        return SCAN_NO_MEMORY;
    l->list = list;
    l->list[l->count++] = *b;
    return SCAN_OK;
}

/* Lists what the loops stand for, each once; without loops one of nothing. */
static scan_status list_values(loops *l)
{
    loop_values b = {0};
    if (l->f->loop_count == 0)
        return add_values(l, &b);
    for (size_t s = 0; s < l->f->count; s++)
        for (size_t i = 0; i < l->of[s].count; i++)
            if (values_of(l->f, s, l->of[s].rows[i], &b) && add_values(l, &b) != SCAN_OK)
                return SCAN_NO_MEMORY;
    if (l->count > 0)
        qsort(l->list, l->count, sizeof *l->list, compare_values);
    size_t kept = 0;
    for (size_t i = 0; i < l->count; i++)
        if (kept == 0 || compare_values(&l->list[kept - 1], &l->list[i]) != 0)
            l->list[kept++] = l->list[i];
    l->count = kept;
    return SCAN_OK;
}

static int by_size(const void *left, const void *right)
{
    const result_row *a = *(const result_row *const *)left, *b = *(const result_row *const *)right;
    return a->n != b->n ? (a->n > b->n) - (a->n < b->n) : (a > b) - (a < b);
}

/* The rows are in the order of their sizes, so that few of them need a look. */
const result_row *loops_next(const loops *l, size_t selector, const loop_values *b, size_t *at_p)
{
    const selection *from = &l->of[selector];
    const bool by_n = l->n_loop < FORMULA_LOOPS && binds(l->f, l->n_loop, selector);
    const uint64_t n = by_n ? strtoull(b->values[l->n_loop], NULL, 10) : 0;
    if (*at_p == 0 && n > 0) {
        size_t end = from->count;
        while (*at_p < end) {
            const size_t middle = *at_p + (end - *at_p) / 2;
            if (from->rows[middle]->n < n)
                *at_p = middle + 1;
            else
                end = middle;
        }
    }
    while (*at_p < from->count && (n == 0 || from->rows[*at_p]->n <= n)) {
        const result_row *row = from->rows[(*at_p)++];
        if (is_bound(l->f, selector, row, b))
            return row;
    }
    return NULL;
}

void loops_describe(const formula *f, const loop_values *b, char *text, size_t size)
{
    size_t used = 0;
    *text = '\0';
    for (size_t i = 0; i < f->loop_count && used < size; i++) {
        char digits[NUMBER_TEXT_BYTES];
        const bool is_n = strcmp(f->loops[i], "n") == 0;
        used += (size_t)snprintf(text + used, size - used, "%s%s=%.48s", i ? ", " : "", f->loops[i],
                                 is_n ? number_text(strtoull(b->values[i], NULL, 10), digits)
                                      : b->values[i]);
    }
}

static size_t find_loop(const formula *f, const char *name)
{
    for (size_t i = 0; i < f->loop_count; i++)
        if (strcmp(f->loops[i], name) == 0)
            return i;
    return FORMULA_LOOPS;
}

scan_status loops_make(const report *r, size_t file, const formula *f, loops *loops_p)
{
    loops l = {.f = f, .is_measured = true, .n_loop = find_loop(f, "n")};
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < f->count && status == SCAN_OK; i++) {
        status = selection_make(r, file, &f->selectors[i], &l.of[i]);
        l.is_measured = l.is_measured && l.of[i].count > 0;
        if (l.of[i].count > 0)
            qsort(l.of[i].rows, l.of[i].count, sizeof *l.of[i].rows, by_size);
    }
    if (status == SCAN_OK)
        status = list_values(&l);
    if (status == SCAN_OK)
        *loops_p = l;
    else
        loops_free(&l);
    return status;
}

void loops_free(loops *l)
{
    for (size_t i = 0; i < FORMULA_FACTORS; i++)
        free(l->of[i].rows);
    free(l->list);
    *l = (loops){.f = NULL};
}
