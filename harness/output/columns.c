#include "output/columns.h"

#include "problem/names.h"
#include "text/json.h"
#include "text/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The kinds of cells. Each "_if" is empty where the value is not known. */
static row_cell text(const char *value)
{
    return (row_cell){.kind = CELL_TEXT, .text = value};
}

static row_cell count_if(bool known, uint64_t value)
{
    return (row_cell){.kind = known ? CELL_COUNT : CELL_EMPTY, .count = value};
}

static row_cell count(uint64_t value)
{
    return count_if(true, value);
}

static row_cell whole_if(bool known, int64_t value)
{
    return (row_cell){.kind = known ? CELL_WHOLE : CELL_EMPTY, .whole = value};
}

static row_cell real_if(bool known, double value)
{
    return (row_cell){.kind = known ? CELL_REAL : CELL_EMPTY, .real = value};
}

static row_cell positive(double value)
{
    return real_if(value > 0, value);
}

static const plugin_info *plugin_of(const measured_row *r)
{
    return r->m->session->plugin;
}

static const configuration *setting_of(const measured_row *r)
{
    return r->m->configuration;
}

static const job *job_of(const measured_row *r)
{
    return &r->m->configuration->job;
}

static const char *role_of(const measured_row *r)
{
    if (r->calibrator)
        return "calibrator";
    return plugin_of(r)->problem ? "" : role_name(plugin_of(r)->role);
}

/* A copy, and what calibrates any of them, has no kind and no operator. */
static bool has_op(const measured_row *r)
{
    return !r->calibrator && !measurement_is_ceiling(r->m);
}

/* The tunables without columns; of a calibrator what it works on. */
static const char *params_of(measured_row *r)
{
    if (!r->calibrator)
        return setting_of(r)->params;
    snprintf(r->text, sizeof r->text, "dtype=%s;n=%" PRIu64, dtype_name(job_of(r)->dtype),
             job_of(r)->n);
    return r->text;
}

/* A number of the samples, or of the rounds, of a row with numbers. */
#define OF_SAMPLES(member) (r->p ? r->p->summary.member : 0)
#define OF_ROUNDS(member) (r->p ? r->p->interval.member : 0)

static row_cell most_of(const measured_row *r, watch_value_name name)
{
    const circumstance *one = &r->m->circumstances.values[name];
    return count_if(r->p && one->visits > 0, one->most);
}

/* Switches and faults are counted while run is sampled. */
static bool is_watched(const measured_row *r)
{
    return r->p && r->p->name.kind == PHASE_RUN && r->m->circumstances.visits > 0;
}

static const char *throttle_of(measured_row *r)
{
    const circumstance *one = &r->m->circumstances.values[WATCH_GPU_THROTTLE];
    return r->p && one->visits > 0 ? throttle_text(one->bits, r->text) : "";
}

/* The measured clock of the device; 0 if unknown. */
static double device_mhz(const measurement *m)
{
    const session *one = m->session;
    const unsigned gpu = circumstances_mean(&m->circumstances, WATCH_GPU_MHZ);
    const bool is_cpu =
        !one->plugin->device_memory || one->device.flags & SCAN_DEVICE_SHARES_HOST_MEMORY;
    return gpu > 0 || !is_cpu ? gpu : circumstances_mean(&m->circumstances, WATCH_CPU_MHZ);
}

static void add_flag(measured_row *r, const char *flag)
{
    const size_t used = strlen(r->text);
    if (*flag)
        snprintf(r->text + used, sizeof r->text - used, "%s%s", used ? ";" : "", flag);
}

#define COARSE "coarse_clock"

/* The remarks on a row: whether its time is doubtful, those on its configuration, on the machine,
 * and on its rate. */
static const char *flags_of(measured_row *r)
{
    *r->text = '\0';
    if (r->p && r->p->stop != STOP_ONCE && r->p->interval.noisy)
        add_flag(r, "noisy");
    if (r->p && r->p->interval.spread)
        add_flag(r, "spread");
    add_flag(r, r->m->result.flags);
    if (r->m->has_zero_phase && !strstr(r->text, COARSE))
        add_flag(r, COARSE);
    for (int i = 0; i < FLAGS && r->p; i++) {
        /* Faults are counted while run is sampled, and say nothing of the others. */
        const bool told = i != FLAG_FAULTS || r->p->name.kind == PHASE_RUN;
        if (told && circumstances_are(&r->m->circumstances, (circumstance_flag)i))
            add_flag(r, circumstance_flag_word((circumstance_flag)i));
    }
    if (r->above_copy)
        add_flag(r, "above_copy");
    return r->text;
}

static row_cell times(const double *values, size_t how_many)
{
    return (row_cell){
        .kind = how_many > 0 ? CELL_TIMES : CELL_EMPTY, .times = values, .count = how_many};
}

static row_cell rounds_of(const measured_row *r)
{
    return times(r->p ? r->p->values : NULL,
                 r->p && r->p->name.kind != PHASE_CREATE ? r->p->value_count : 0);
}

/* Of the phases by the host's clock, whose times follow the frequency of its core. */
static row_cell spins_of(const measured_row *r)
{
    const measurement_spins *spins = &r->m->spins;
    const bool on_core = r->p && phase_clock_of(r->p->name.kind) == PHASE_BY_HOST &&
                         phase_scope_of(r->p->name.kind) == PHASE_WHOLE && job_of(r)->n > 0;
    const size_t rounds = on_core ? r->p->value_count : 0;
    return times(spins->chain_ns, rounds < spins->count ? rounds : spins->count);
}

/* clang-format off */
#define GETTER(section, name, type, unit, meaning, empty, get) \
    static row_cell get_##name(measured_row *r) { (void)r; return get; }
COLUMN_MAP(GETTER)
#define ENTRY(section, name, type, unit, meaning, empty, get) \
    {#name, SECTION_##section, COLUMN_##type, unit, meaning, empty, get_##name},
static const column_entry of_rows[] = {COLUMN_MAP(ENTRY)};

#define OWN_GETTER(name, type, unit, meaning, get) \
    static row_cell get_sample_##name(measured_row *r) { return get; }
SAMPLE_OWN_MAP(OWN_GETTER)
#define OWN_ENTRY(name, type, unit, meaning, get) \
    {#name, SECTION_STATISTICS, COLUMN_##type, unit, meaning, NULL, get_sample_##name},
static const column_entry of_samples[] = {SAMPLE_OWN_MAP(OWN_ENTRY)};

#define OF_ROWS(section, name, ...) &of_rows[COLUMN_AT_##name],
static const column_entry *const row_entries[] = {COLUMN_MAP(OF_ROWS)};
const column_list row_columns = {row_entries, ROW_COLUMNS};
#define SHARED(name) &of_rows[COLUMN_AT_##name],
#define OWN(name, ...) &of_samples[SAMPLE_AT_##name - SAMPLE_AT_batch],
static const column_entry *const sample_entries[] = {
    SAMPLE_SHARED_MAP(SHARED) SAMPLE_OWN_MAP(OWN) SAMPLE_LATER_MAP(SHARED)};
const column_list sample_columns = {sample_entries, SAMPLE_COLUMNS};
/* clang-format on */

static void print_reals(FILE *out, const double *values, size_t how_many)
{
    size_t known = 0;
    for (size_t i = 0; i < how_many; i++)
        known += isfinite(values[i]) ? 1 : 0;
    for (size_t i = 0; known > 0 && i < how_many; i++) {
        fputs(i ? " " : "", out);
        if (isfinite(values[i]))
            fprintf(out, CELL_REAL_FORMAT, values[i]);
        else
            fputc('-', out);
    }
}

void cell_print(FILE *out, const row_cell *c)
{
    switch (c->kind) {
    case CELL_EMPTY:
        break;
    case CELL_TEXT:
        utf8_put(out, c->text);
        break;
    case CELL_COUNT:
        fprintf(out, "%" PRIu64, c->count);
        break;
    case CELL_WHOLE:
        fprintf(out, "%" PRId64, c->whole);
        break;
    case CELL_REAL:
        print_reals(out, &c->real, 1);
        break;
    case CELL_TIMES:
        print_reals(out, c->times, c->count);
        break;
    }
}

static const struct {
    const char *datatype; /* as JSON, with what follows it */
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

/* A list with null for what is not there. */
static void print_array(FILE *out, const char *cell)
{
    char before = '[';
    for (const char *at = cell; *at; at += strcspn(at, " "), at += *at == ' ') {
        const bool none = *at == '-' && (at[1] == ' ' || at[1] == '\0');
        fprintf(out, "%c%.*s", before, none ? 4 : (int)strcspn(at, " "), none ? "null" : at);
        before = ',';
    }
    fputc(']', out);
}

static void print_value(FILE *out, column_type type, const char *cell)
{
    if (!*cell)
        fputs("null", out);
    else if (type == COLUMN_TIMES)
        print_array(out, cell);
    else if (type == COLUMN_FLAG)
        fputs(*cell == '1' ? "true" : "false", out);
    else if (types[type].is_number)
        fputs(cell, out);
    else
        json_string(out, cell);
}

void columns_print_json(FILE *out, const column_list *columns, const char *const *cells)
{
    for (size_t i = 0; i < columns->count; i++) {
        fprintf(out, "%s\"%s\":", i ? "," : "", columns->entries[i]->name);
        print_value(out, columns->entries[i]->type, cells[i]);
    }
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
static void print_plain(FILE *out, const char *markdown)
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

static void print_column(FILE *out, const column_entry *c, bool first)
{
    fprintf(out, "%s\n      {\"name\": \"%s\", \"datatype\": %s", first ? "" : ",", c->name,
            types[c->type].datatype);
    if (!c->empty)
        fputs(", \"required\": true", out);
    if (*c->unit) {
        fputs(", \"schema:unitText\": ", out);
        json_string(out, c->unit);
    }
    fputs(", \"dc:description\": ", out);
    print_plain(out, c->meaning);
    fputc('}', out);
}

void columns_print_schema(FILE *out, const column_list *columns)
{
    fputs("  \"tableSchema\": {\n    \"columns\": [", out);
    for (size_t i = 0; i < columns->count; i++)
        print_column(out, columns->entries[i], i == 0);
    fputs("\n    ]\n  }", out);
}

/* A cell of a table, in which a bar would end it. */
static void print_cell(FILE *out, const char *markdown)
{
    for (; *markdown; markdown++)
        fprintf(out, *markdown == '|' ? "\\%c" : "%c", *markdown);
}

static void print_line(FILE *out, const column_entry *c)
{
    fprintf(out, "| `%s` | %s%s%s | ", c->name, types[c->type].word, *c->unit ? ", " : "", c->unit);
    print_cell(out, c->meaning);
    fputs(" | ", out);
    print_cell(out, c->empty ? c->empty : "never");
    fputs(" |\n", out);
}

void columns_print_markdown(FILE *out)
{
    for (size_t section = 0; section < sizeof headings / sizeof *headings; section++) {
        fprintf(out, "%s### %s\n\n| column | type | meaning | empty |\n| --- | --- | --- | --- |\n",
                section ? "\n" : "", headings[section]);
        for (size_t i = 0; i < ROW_COLUMNS; i++)
            if (of_rows[i].section == section)
                print_line(out, &of_rows[i]);
    }
}
