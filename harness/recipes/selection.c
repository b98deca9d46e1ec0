#include "recipes/selection.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of a column; NULL if the name is none of them. */
static const char *column_of(const result_row *row, const char *name)
{
    const struct {
        const char *name, *text;
    } columns[] = {{"plugin", row->plugin},
                   {"block", row->block},
                   {"vt", row->vt},
                   {"op", row->op},
                   {"kind", row->kind},
                   {"dtype", row->dtype},
                   {"cache", row->cache},
                   {"device", row->device},
                   {"backend", row->backend},
                   {"role", row->role},
                   {"phase", row->phase},
                   {"kinds", row->kinds},
                   {"in_place", result_row_in_place(row) ? "1" : "0"}};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (strcmp(columns[i].name, name) == 0)
            return columns[i].text;
    return NULL;
}

/* The value of a setting in "pad=1;threads=2". */
static bool find_param(const char *params, const char *name, char value[SELECTION_VALUE_BYTES])
{
    const size_t length = strlen(name);
    for (const char *at = params; *at; at += *at == ';') {
        const size_t whole = strcspn(at, ";");
        if (whole > length && at[length] == '=' && strncmp(at, name, length) == 0) {
            snprintf(value, SELECTION_VALUE_BYTES, "%.*s", (int)(whole - length - 1),
                     at + length + 1);
            return true;
        }
        at += whole;
    }
    return false;
}

bool selection_value(const result_row *row, const char *name, char value[SELECTION_VALUE_BYTES])
{
    *value = '\0';
    if (strcmp(name, "n") == 0) {
        snprintf(value, SELECTION_VALUE_BYTES, "%" PRIu64, row->n);
        return true;
    }
    const char *text = column_of(row, name);
    if (!text)
        return find_param(row->params, name, value);
    snprintf(value, SELECTION_VALUE_BYTES, "%.*s", SELECTION_VALUE_BYTES - 1, text);
    return *text != '\0';
}

bool selection_agrees(const char *value, const char *wanted)
{
    char one[FORMULA_NUMBER_BYTES], other[FORMULA_NUMBER_BYTES];
    if (strcmp(value, wanted) == 0)
        return true;
    if (*formula_number(value, one) && *formula_number(wanted, other))
        return strcmp(one, other) == 0;
    return fnmatch(wanted, value, 0) == 0;
}

static bool meets(const result_row *row, const formula_selector *s)
{
    for (size_t i = 0; i < s->count; i++) {
        const formula_condition *c = &s->conditions[i];
        char value[SELECTION_VALUE_BYTES];
        if (strcmp(c->name, "phase") == 0)
            continue; /* chosen before */
        if (!selection_value(row, c->name, value) ||
            selection_agrees(value, c->value) == c->negated)
            return false;
    }
    return true;
}

static const char *phase_of(const formula_selector *s)
{
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->conditions[i].name, "phase") == 0 && !s->conditions[i].negated)
            return s->conditions[i].value;
    return "run";
}

/* Is the column asked for, or a plugin named? Copies compete only then, and what is in place. */
static bool wants(const formula_selector *s, const char *column)
{
    for (size_t i = 0; i < s->count; i++)
        if (!s->conditions[i].negated && (strcmp(s->conditions[i].name, column) == 0 ||
                                          (strcmp(s->conditions[i].name, "plugin") == 0 &&
                                           !strpbrk(s->conditions[i].value, "*?["))))
            return true;
    return false;
}

scan_status selection_make(const report *r, size_t file, const formula_selector *s,
                           selection *selection_p)
{
    selection made = {.rows = calloc(r->configuration_count + 1, sizeof *made.rows)};
    const char *phase = phase_of(s);
    const bool ceilings = wants(s, "role"), in_place = wants(s, "in_place");
    if (!made.rows)
        return SCAN_NO_MEMORY;
    for (size_t i = 0; i < r->configuration_count; i++) {
        const report_configuration *c = &r->configurations[i];
        const result_row *row = c->file == file ? report_phase(c, phase) : NULL;
        if (row && (ceilings || strcmp(row->role, "ceiling") != 0) &&
            (in_place || !result_row_in_place(row)) && meets(row, s))
            made.rows[made.count++] = row;
    }
    *selection_p = made;
    return SCAN_OK;
}
