#include "output/columns.h"

#include "problem/names.h"
#include "system/json.h"

#include <inttypes.h>
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

/* The remarks on a row: whether its time is precise, those on its configuration, on the machine,
 * and on its rate. */
static const char *flags_of(measured_row *r)
{
    *r->text = '\0';
    if (r->p && r->p->stop != STOP_ONCE && !r->p->interval.precise)
        add_flag(r, "noisy");
    if (r->p && !plugin_of(r)->device_memory && measurement_shared_core(r->m))
        add_flag(r, "shared_core");
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
#define COLUMN(section, name, type, unit, meaning, empty, get) \
    {#name, SECTION_##section, COLUMN_##type, unit, meaning, empty, get_##name},
const column_entry column_table[] = {COLUMN_MAP(COLUMN)};
#define NAME(section, name, ...) #name,
const char *const column_names[] = {COLUMN_MAP(NAME)};
const size_t column_count = sizeof column_table / sizeof *column_table;

#define OWN_GETTER(name, type, unit, meaning, get) \
    static row_cell get_sample_##name(measured_row *r) { return get; }
SAMPLE_OWN_MAP(OWN_GETTER)
#define OWN_COLUMN(name, type, unit, meaning, get) \
    {#name, SECTION_STATISTICS, COLUMN_##type, unit, meaning, NULL, get_sample_##name},
static const column_entry own_of_samples[] = {SAMPLE_OWN_MAP(OWN_COLUMN)};
#define SHARED_NAME(name) #name,
#define OWN_NAME(name, ...) #name,
const char *const sample_names[] = {
    SAMPLE_SHARED_MAP(SHARED_NAME) SAMPLE_OWN_MAP(OWN_NAME) SAMPLE_LATER_MAP(SHARED_NAME)};
const size_t sample_column_count = sizeof sample_names / sizeof *sample_names;
#define SHARED_GETTER(name) get_##name,
#define OWN_OF_SAMPLE(name, ...) get_sample_##name,
static row_cell (*const sample_getters[])(measured_row *r) = {
    SAMPLE_SHARED_MAP(SHARED_GETTER) SAMPLE_OWN_MAP(OWN_OF_SAMPLE) SAMPLE_LATER_MAP(SHARED_GETTER)};
/* clang-format on */

static void put(csv_writer *out, const row_cell *c)
{
    switch (c->kind) {
    case CELL_EMPTY:
        csv_empty(out);
        break;
    case CELL_TEXT:
        csv_text(out, c->text);
        break;
    case CELL_COUNT:
        csv_u64(out, c->count);
        break;
    case CELL_WHOLE:
        csv_i64(out, c->whole);
        break;
    case CELL_REAL:
        csv_double(out, c->real);
        break;
    case CELL_TIMES:
        csv_doubles(out, c->times, c->count);
        break;
    }
}

void columns_put_row(csv_writer *out, measured_row *r)
{
    for (size_t i = 0; i < column_count; i++) {
        const row_cell c = column_table[i].get(r);
        put(out, &c);
    }
}

void columns_put_sample(csv_writer *out, measured_row *r)
{
    for (size_t i = 0; i < sample_column_count; i++) {
        const row_cell c = sample_getters[i](r);
        put(out, &c);
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

#define SCHEMA_BEGIN "  \"tableSchema\": {\n    \"columns\": ["
#define SCHEMA_END "\n    ]\n  }"

void columns_print_schema(FILE *out)
{
    fputs(SCHEMA_BEGIN, out);
    for (size_t i = 0; i < column_count; i++)
        print_column(out, &column_table[i], i == 0);
    fputs(SCHEMA_END, out);
}

static const column_entry *find(const char *name, const column_entry *among, size_t how_many)
{
    for (size_t i = 0; i < how_many; i++)
        if (strcmp(among[i].name, name) == 0)
            return &among[i];
    return NULL;
}

void columns_print_sample_schema(FILE *out)
{
    fputs(SCHEMA_BEGIN, out);
    for (size_t i = 0; i < sample_column_count; i++) {
        const column_entry *c = find(sample_names[i], column_table, column_count);
        if (!c)
            c = find(sample_names[i], own_of_samples,
                     sizeof own_of_samples / sizeof *own_of_samples);
        print_column(out, c, i == 0);
    }
    fputs(SCHEMA_END, out);
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
        for (size_t i = 0; i < column_count; i++)
            if (column_table[i].section == section)
                print_line(out, &column_table[i]);
    }
}
