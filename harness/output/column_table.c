#include "output/column_table.h"

#include "system/json.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
#define ENTRY(section, name, type, unit, meaning, empty) \
    {#name, SECTION_##section, COLUMN_##type, unit, meaning, empty},
const column_entry column_table[] = {COLUMN_MAP(ENTRY)};
/* clang-format on */
const size_t column_count = sizeof column_table / sizeof *column_table;

/* clang-format off */
#define NAME(name) #name,
#define OWN_NAME(name, type, unit, meaning) #name,
const char *const sample_columns[] = {SAMPLE_SHARED_MAP(NAME) SAMPLE_OWN_MAP(OWN_NAME)
                                             SAMPLE_LATER_MAP(NAME)};
const size_t sample_column_count = sizeof sample_columns / sizeof *sample_columns;
#define OWN_ENTRY(name, type, unit, meaning) \
    {#name, SECTION_STATISTICS, COLUMN_##type, unit, meaning, NULL},
static const column_entry own_of_samples[] = {SAMPLE_OWN_MAP(OWN_ENTRY)};
/* clang-format on */

static const struct {
    const char *datatype; /* as JSON */
    bool is_number;
    const char *word;
} types[] = {
#define TYPE(type, datatype, is_number, word) {datatype, is_number, word},
    COLUMN_TYPE_MAP(TYPE)
#undef TYPE
};

static const char *const headings[] = {
#define HEADING(section, heading) heading,
    SECTION_MAP(HEADING)
#undef HEADING
};

bool column_is_number(column_type type)
{
    return types[type].is_number;
}

/* Behind the link that begins at the bracket, or NULL; its text is up to *end_p. */
static const char *skip_link(const char *at, const char **end_p)
{
    const char *end = *at == '[' ? strstr(at, "](") : NULL;
    const char *behind = end && !memchr(at, ' ', (size_t)(end - at)) ? strchr(end, ')') : NULL;
    *end_p = end;
    return behind ? behind + 1 : NULL;
}

/* The text as JSON, without what only Markdown shows: backquotes, double asterisks, links. */
static void put_plain(FILE *out, const char *markdown)
{
    char *text = calloc(strlen(markdown) + 1, 1);
    size_t used = 0;
    for (const char *at = markdown; text && *at;) {
        const char *end, *behind = skip_link(at, &end);
        if (behind) {
            memcpy(text + used, at + 1, (size_t)(end - at) - 1);
            used += (size_t)(end - at) - 1;
            at = behind;
        } else if (*at == '`' || strncmp(at, "**", 2) == 0) {
            at += *at == '`' ? 1 : 2;
        } else {
            text[used++] = *at++;
        }
    }
    json_string(out, text ? text : "");
    free(text);
}

static void put_column(FILE *out, const column_entry *c)
{
    fprintf(out, "\n      {\"name\": \"%s\", \"datatype\": %s", c->name, types[c->type].datatype);
    if (!c->empty)
        fputs(", \"required\": true", out);
    if (*c->unit) {
        fputs(", \"schema:unitText\": ", out);
        json_string(out, c->unit);
    }
    fputs(", \"dc:description\": ", out);
    put_plain(out, c->meaning);
    fputc('}', out);
}

static const column_entry *find(const char *name)
{
    for (size_t i = 0; i < column_count; i++)
        if (strcmp(column_table[i].name, name) == 0)
            return &column_table[i];
    return NULL;
}

void column_table_schema(FILE *out)
{
    fputs("  \"tableSchema\": {\n    \"columns\": [", out);
    for (size_t i = 0; i < column_count; i++) {
        fputs(i ? "," : "", out);
        put_column(out, &column_table[i]);
    }
    fputs("\n    ]\n  }", out);
}

void column_table_sample_schema(FILE *out)
{
    fputs("  \"tableSchema\": {\n    \"columns\": [", out);
    for (size_t i = 0; i < sample_column_count; i++) {
        const column_entry *c = find(sample_columns[i]);
        fputs(i ? "," : "", out);
        for (size_t k = 0; k < sizeof own_of_samples / sizeof *own_of_samples && !c; k++)
            if (strcmp(own_of_samples[k].name, sample_columns[i]) == 0)
                c = &own_of_samples[k];
        put_column(out, c);
    }
    fputs("\n    ]\n  }", out);
}

/* A cell of a table, in which a bar would end it. */
static void put_cell(FILE *out, const char *text)
{
    for (; *text; text++)
        fprintf(out, *text == '|' ? "\\%c" : "%c", *text);
}

static void put_line(FILE *out, const column_entry *c)
{
    fprintf(out, "| `%s` | %s%s%s | ", c->name, types[c->type].word, *c->unit ? ", " : "", c->unit);
    put_cell(out, c->meaning);
    fputs(" | ", out);
    put_cell(out, c->empty ? c->empty : "never");
    fputs(" |\n", out);
}

void column_table_markdown(FILE *out)
{
    for (size_t section = 0; section < sizeof headings / sizeof *headings; section++) {
        fprintf(out, "%s### %s\n\n| column | type | meaning | empty |\n| --- | --- | --- | --- |\n",
                section ? "\n" : "", headings[section]);
        for (size_t i = 0; i < column_count; i++)
            if (column_table[i].section == section)
                put_line(out, &column_table[i]);
    }
}
