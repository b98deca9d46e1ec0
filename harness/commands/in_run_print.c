#include "commands/in_run_print.h"

#include "problem/names.h"
#include "text/fit.h"
#include "text/json.h"
#include "text/number.h"
#include "text/utf8.h"
#include "version.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_BYTES = 2048, REASON_BYTES = 512, CHANGE_BYTES = 16, LINE_BYTES = 1024 };

static const plugin_info *plugin_of(const compared_side *s)
{
    return s->session->plugin;
}

static bool copies(const compared_side *s)
{
    return plugin_of(s)->role == SCAN_ROLE_CEILING;
}

/* A copy has neither operator nor kind. */
static const char *op_of(const compared_side *s)
{
    return copies(s) ? "" : op_name(s->configuration.job.op);
}

static const char *kind_of(const compared_side *s)
{
    return copies(s) ? "" : kind_name(s->configuration.job.kind);
}

/* Do two words differ? An empty one agrees with all. */
static bool differ(const char *a, const char *b)
{
    return *a && *b && strcmp(a, b) != 0;
}

/* Which properties differ among the pairs, and so are part of their names. */
typedef struct naming {
    bool problem, device;
} naming;

static naming naming_of(const in_run_result *r)
{
    naming n = {.problem = false};
    const compared_side *first = &r->pairs[0].sides[1]; /* that is a scan, if one is */
    for (size_t i = 0; i < r->count && copies(first); i++)
        first = &r->pairs[i].sides[1];
    for (size_t i = 0; i < r->count; i++) {
        const compared_side *s = &r->pairs[i].sides[1];
        n.problem |= s->configuration.job.dtype != first->configuration.job.dtype ||
                     s->configuration.job.result != first->configuration.job.result ||
                     differ(op_of(s), op_of(first)) || differ(kind_of(s), kind_of(first));
        n.device |= strcmp(plugin_of(s)->backend, plugin_of(first)->backend) == 0 &&
                    strcmp(s->session->device.name, first->session->device.name) != 0;
    }
    return n;
}

/* Appends " PREFIXWORD" if there is a word and it is wanted. */
static void append(char text[NAME_BYTES], const char *prefix, const char *word, bool wanted)
{
    const size_t used = strlen(text);
    if (wanted && *word)
        snprintf(text + used, NAME_BYTES - used, "%s%s%s", used ? " " : "", prefix, word);
}

static void append_setting(char text[NAME_BYTES], const naming *n, const compared_side *s)
{
    const configuration *c = &s->configuration;
    char value[24];
    snprintf(value, sizeof value, "%" PRId64, c->block);
    append(text, "block=", value, c->has_block);
    snprintf(value, sizeof value, "%" PRId64, c->vt);
    append(text, "vt=", value, c->has_vt);
    append(text, "", c->params, true);
    append(text, "on ", s->session->device.name, n->device);
}

static bool is_same_setting(const compared_side *a, const compared_side *b)
{
    const configuration *one = &a->configuration, *other = &b->configuration;
    return one->has_block == other->has_block && one->block == other->block &&
           one->has_vt == other->has_vt && one->vt == other->vt &&
           strcmp(one->params, other->params) == 0 &&
           strcmp(a->session->device.name, b->session->device.name) == 0;
}

/* "mine against cpu_x", "cpu_x block=64 against block=32", "cpu_x of after/cpu_x.so". */
static const char *name_of(const naming *n, const in_run_pair *pair, char text[NAME_BYTES])
{
    const compared_side *old = &pair->sides[0], *new = &pair->sides[1];
    const bool other_kind = differ(kind_of(old), kind_of(new));
    const bool same_plugin = strcmp(plugin_of(old)->id, plugin_of(new)->id) == 0 && !other_kind;
    const bool builds = same_plugin && strcmp(plugin_of(old)->file, plugin_of(new)->file) != 0;
    const bool itself = same_plugin && is_same_setting(old, new);
    char types[JOB_TYPES_BYTES];
    *text = '\0';
    append(text, "", plugin_of(new)->id, true);
    append(text, "", kind_of(new), other_kind);
    append_setting(text, n, new);
    append(text, "of ", plugin_of(new)->file, builds);
    append(text, "", itself ? "against itself" : "against", !itself || !builds);
    if (!itself) {
        append(text, "", plugin_of(old)->id, !same_plugin);
        append(text, "", kind_of(old), other_kind);
        append_setting(text, n, old);
        append(text, "of ", plugin_of(old)->file, builds);
    }
    append(text, "", job_types_text(&new->configuration.job, types), n->problem && !other_kind);
    append(text, "", op_of(new), n->problem && !other_kind);
    append(text, "", kind_of(new), n->problem && !other_kind);
    utf8_clean(text);
    return text;
}

/* Why a pair is inconclusive or missing, or "". Builds and settings of one plugin are known by what
 * the command line calls them. */
static const char *reason_of(const in_run_result *r, const in_run_pair *pair,
                             char text[REASON_BYTES])
{
    const size_t at = pair->sides[1].status != ROW_OK;
    const compared_side *failed = &pair->sides[at];
    const bool same_plugin =
        strcmp(plugin_of(&pair->sides[0])->id, plugin_of(&pair->sides[1])->id) == 0;
    *text = '\0';
    if (pair->outcome.verdict == VERDICT_MISSING) {
        char why[FAULT_SENTENCE_BYTES];
        snprintf(text, REASON_BYTES, "%s is %s: %s",
                 same_plugin ? r->operands[at] : plugin_of(failed)->id,
                 row_status_word(failed->status), fault_text(&failed->fault, why, sizeof why));
    } else if (pair->outcome.verdict == VERDICT_INCONCLUSIVE) {
        snprintf(text, REASON_BYTES, "%s", verdict_reason_text(pair->outcome.reason));
    }
    return text;
}

/* A ratio as a change, as words.py has it: "+4.2 %", "2.31x"; "-" for one that is not known. */
static const char *change_text(bool known, double ratio, char text[CHANGE_BYTES])
{
    if (!known || !(ratio > 0))
        snprintf(text, CHANGE_BYTES, "-");
    else if (ratio < 1.995)
        snprintf(text, CHANGE_BYTES, "%+.1f %%", 100 * (ratio - 1));
    else if (ratio < 99.95)
        snprintf(text, CHANGE_BYTES, "%.*fx", ratio < 9.995 ? 2 : 1, ratio);
    else
        snprintf(text, CHANGE_BYTES, ratio < 9.995e9 ? "%.0fx" : "%.2ex", ratio);
    return text;
}

/* "OLD -> NEW" */
static const char *title_of(const in_run_result *r, const char *arrow, char text[LINE_BYTES])
{
    enum { MOST = 400 };
    snprintf(text, LINE_BYTES, "%.*s %s %.*s", MOST, r->operands[0], arrow, MOST, r->operands[1]);
    utf8_clean(text);
    return text;
}

static const char *meaning_of(const in_run_result *r, char text[LINE_BYTES])
{
    enum { MOST = 400 };
    snprintf(text, LINE_BYTES, "change: how much longer %.*s takes than %.*s", MOST, r->operands[1],
             MOST, r->operands[0]);
    utf8_clean(text);
    return text;
}

/* How many pairs have a verdict. */
static size_t count_of(const in_run_result *r, verdict v)
{
    size_t count = 0;
    for (size_t i = 0; i < r->count; i++)
        count += r->pairs[i].outcome.verdict == v;
    return count;
}

static const char *summary_of(const in_run_result *r, char text[LINE_BYTES])
{
    snprintf(text, LINE_BYTES,
             "%zu slower, %zu faster, %zu same, %zu inconclusive, %zu missing; threshold %g %%",
             count_of(r, VERDICT_SLOWER), count_of(r, VERDICT_FASTER), count_of(r, VERDICT_SAME),
             count_of(r, VERDICT_INCONCLUSIVE), count_of(r, VERDICT_MISSING), 100 * r->threshold);
    return text;
}

/* What else differs in a pair: 0 the device, 1 its driver, 2 the version of the plugin; "" where
 * nothing does. Two plugins differ in their own properties; none of these is a change. */
enum { DIFFERENCES = 3 };

static const char *difference_of(const in_run_pair *pair, int which, char text[LINE_BYTES])
{
    const session *a = pair->sides[0].session, *b = pair->sides[1].session;
    const bool same_backend = strcmp(a->plugin->backend, b->plugin->backend) == 0;
    const bool same_plugin = strcmp(a->plugin->id, b->plugin->id) == 0;
    const struct {
        bool asked;
        const char *what, *of, *from, *to;
    } all[DIFFERENCES] = {
        {same_backend, "device", a->plugin->backend, a->device.name, b->device.name},
        {same_backend, "driver", a->plugin->backend, a->device.driver, b->device.driver},
        {same_plugin, "version", a->plugin->id, a->plugin->version, b->plugin->version}};
    *text = '\0';
    if (all[which].asked && differ(all[which].from, all[which].to))
        snprintf(text, LINE_BYTES, "%s of %s: %s -> %s", all[which].what, all[which].of,
                 all[which].from, all[which].to);
    return text;
}

/* Hands on each difference once. */
static void each_difference(const in_run_result *r, void (*sink)(void *to, const char *text),
                            void *to)
{
    char text[LINE_BYTES], earlier[LINE_BYTES];
    for (size_t i = 0; i < r->count; i++)
        for (int which = 0; which < DIFFERENCES; which++) {
            bool told = !*difference_of(&r->pairs[i], which, text);
            for (size_t k = 0; k < i && !told; k++)
                told = strcmp(difference_of(&r->pairs[k], which, earlier), text) == 0;
            if (!told)
                sink(to, text);
        }
}

/* What the table and Markdown say of a pair. */
typedef struct pair_texts {
    char name[NAME_BYTES], reason[REASON_BYTES];
    char change[CHANGE_BYTES], lo[CHANGE_BYTES], hi[CHANGE_BYTES];
} pair_texts;

static void describe(const in_run_result *r, const in_run_pair *pair, const naming *n,
                     pair_texts *t)
{
    const verdict_outcome *o = &pair->outcome;
    name_of(n, pair, t->name);
    reason_of(r, pair, t->reason);
    change_text(pair->has_ratio, o->ratio, t->change);
    change_text(o->has_interval, o->lo, t->lo);
    change_text(o->has_interval, o->hi, t->hi);
}

/*
 * The table. A name that is too long for its column has lines of its own, in a narrow terminal
 * each; reasons stand below the table, by number.
 */

/* All but the name and the size: indentation, three numbers, "inconclusive [12]". Where that leaves
 * less than NAME_LEAST for the name, the table is narrow: without intervals, and with names above.
 */
enum { NUMBER_WIDTH = 8, OTHERS_WIDTH = 2 + 3 * (1 + NUMBER_WIDTH) + 2 + 17, NAME_LEAST = 16 };
enum { INDENT = 4, REASONS_MOST = 99 };

typedef struct table_writer {
    FILE *out;
    size_t width;
    bool narrow;
    int name_width, size_width;
} table_writer;

static void put_difference(void *to, const char *text)
{
    const table_writer *w = to;
    fit_print(text, 0, INDENT, w->width, w->out);
}

static void put_name(const table_writer *w, const char *name)
{
    const int columns = (int)fit_width(name);
    if (w->narrow || columns > w->name_width) {
        fit_print(name, 2, INDENT, w->width, w->out);
        fprintf(w->out, "  %*s", w->name_width, "");
    } else {
        fprintf(w->out, "  %s%*s", name, w->name_width - columns, "");
    }
}

/* The distinct reasons of a table. */
typedef struct reason_list {
    char texts[REASONS_MOST][REASON_BYTES];
    size_t count;
} reason_list;

/* The number of a reason from 1; 0 for none, and if the table has too many. */
static size_t number_of(reason_list *list, const char *reason)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->texts[i], reason) == 0)
            return i + 1;
    if (!*reason || list->count == REASONS_MOST)
        return 0;
    snprintf(list->texts[list->count], REASON_BYTES, "%s", reason);
    return ++list->count;
}

enum { SIZE_TEXT_BYTES = 3 * NUMBER_TEXT_BYTES + 2 };

/* "1000000", or "1024x4096" or "1x4096x2": rows, n and inner. Returns `text`. */
static const char *whole_size_text(const job *j, char text[SIZE_TEXT_BYTES])
{
    if (!job_has_many_scans(j))
        snprintf(text, SIZE_TEXT_BYTES, "%" PRIu64, j->n);
    else if (job_inner(j) == 1)
        snprintf(text, SIZE_TEXT_BYTES, "%" PRIu64 "x%" PRIu64, job_rows(j), j->n);
    else
        snprintf(text, SIZE_TEXT_BYTES, "%" PRIu64 "x%" PRIu64 "x%" PRIu64, job_rows(j), j->n,
                 job_inner(j));
    return text;
}

/* The same, of one scan as short as "1e6". */
static const char *size_text(const job *j, char text[SIZE_TEXT_BYTES])
{
    return job_has_many_scans(j) ? whole_size_text(j, text) : number_text(j->n, text);
}

static void put_pair(const table_writer *w, const pair_texts *t, const in_run_pair *pair,
                     reason_list *reasons)
{
    char size[SIZE_TEXT_BYTES];
    const size_t note = number_of(reasons, t->reason);
    put_name(w, t->name);
    fprintf(w->out, " %*s %*s", w->size_width, size_text(&pair->sides[1].configuration.job, size),
            NUMBER_WIDTH, t->change);
    if (!w->narrow)
        fprintf(w->out, " %*s %*s", NUMBER_WIDTH, t->lo, NUMBER_WIDTH, t->hi);
    fprintf(w->out, "  %s", verdict_word(pair->outcome.verdict));
    if (note > 0)
        fprintf(w->out, " [%zu]", note);
    fputc('\n', w->out);
}

static table_writer writer_of(const in_run_result *r, size_t width, FILE *out)
{
    table_writer w = {.out = out, .width = width, .size_width = 3};
    char size[SIZE_TEXT_BYTES];
    for (size_t i = 0; i < r->count; i++) {
        const job *j = &r->pairs[i].sides[1].configuration.job;
        const int length = (int)strlen(size_text(j, size));
        w.size_width = length > w.size_width ? length : w.size_width;
    }
    w.name_width = (int)width - OTHERS_WIDTH - 1 - w.size_width;
    w.narrow = w.name_width < NAME_LEAST;
    if (w.narrow)
        w.name_width = 1;
    return w;
}

scan_status in_run_print_table(const in_run_result *r, size_t columns, FILE *out)
{
    const naming n = naming_of(r);
    table_writer w = writer_of(r, columns, out);
    char text[LINE_BYTES];
    reason_list *reasons = calloc(1, sizeof *reasons);
    if (!reasons)
        return SCAN_NO_MEMORY;
    fit_print(title_of(r, "->", text), 0, INDENT, columns, out);
    fit_print(meaning_of(r, text), 0, INDENT, columns, out);
    each_difference(r, put_difference, &w);
    if (r->count > 0)
        fprintf(out, "\n  %s%-*s %*s %*s %*s  verdict\n", w.narrow ? "plugin\n  " : "",
                w.name_width, w.narrow ? "" : "plugin", w.size_width, "n", NUMBER_WIDTH, "change",
                w.narrow ? 0 : 2 * NUMBER_WIDTH + 1, w.narrow ? "" : "95 % interval");
    for (size_t i = 0; i < r->count; i++) {
        pair_texts t;
        describe(r, &r->pairs[i], &n, &t);
        put_pair(&w, &t, &r->pairs[i], reasons);
    }
    fputc('\n', out);
    for (size_t i = 0; i < reasons->count; i++) {
        const int used = fprintf(out, "[%zu] ", i + 1);
        fit_print_behind((size_t)used, reasons->texts[i], INDENT, columns, out);
    }
    fit_print(summary_of(r, text), 0, INDENT, columns, out);
    free(reasons);
    return SCAN_OK;
}

/* Writes a text so that it means itself in Markdown: in a cell of a table, as no markup and no
 * tag. */
static void put_plain(FILE *out, const char *text)
{
    while (*text) {
        const size_t bytes = utf8_bytes(text);
        if (bytes > 0 && utf8_is_control(text, bytes))
            fputc(' ', out);
        else if (bytes == 1 && strchr("|\\*_`<[&~@#", *text))
            fprintf(out, "\\%c", *text);
        else if (bytes == 0)
            fputc('?', out);
        else
            fwrite(text, 1, bytes, out);
        text += bytes > 0 ? bytes : 1;
    }
}

static void put_item(void *to, const char *text)
{
    fputs("- ", to);
    put_plain(to, text);
    fputc('\n', to);
}

static void put_line(FILE *out, const pair_texts *t, const in_run_pair *pair)
{
    const char *bold = pair->regression ? "**" : "";
    char size[SIZE_TEXT_BYTES];
    fputs("| ", out);
    put_plain(out, t->name);
    fprintf(out, " | %s | %s | ", whole_size_text(&pair->sides[1].configuration.job, size),
            t->change);
    if (pair->outcome.has_interval)
        fprintf(out, "%s … %s", t->lo, t->hi);
    fprintf(out, " | %s%s%s%s", bold, verdict_word(pair->outcome.verdict), bold,
            *t->reason ? ": " : "");
    put_plain(out, t->reason);
    fputs(" |\n", out);
}

void in_run_print_markdown(const in_run_result *r, FILE *out)
{
    const naming n = naming_of(r);
    char text[LINE_BYTES];
    fputs("### ", out);
    put_plain(out, title_of(r, "→", text));
    fputs("\n\n", out);
    put_item(out, meaning_of(r, text));
    each_difference(r, put_item, out);
    fputs("\n| plugin | n | change | 95 % interval | verdict |\n"
          "| --- | ---: | ---: | :---: | --- |\n",
          out);
    for (size_t i = 0; i < r->count; i++) {
        pair_texts t;
        describe(r, &r->pairs[i], &n, &t);
        put_line(out, &t, &r->pairs[i]);
    }
    fprintf(out, "\n\n%s\n", summary_of(r, text));
}

/* A member of an object behind another one; its name is made of two parts. */
static void put_text(FILE *out, const char *side, const char *key, const char *text)
{
    fprintf(out, ", \"%s%s\": ", side, key);
    json_string(out, text);
}

static void put_number(FILE *out, const char *side, const char *key, double value, bool known)
{
    fprintf(out, known ? ", \"%s%s\": %.10g" : ", \"%s%s\": null", side, key, value);
}

static void put_whole(FILE *out, const char *side, const char *key, int64_t value, bool known)
{
    fprintf(out, known ? ", \"%s%s\": %" PRId64 : ", \"%s%s\": null", side, key, value);
}

static void put_setting(FILE *out, const char *side, const compared_side *s)
{
    const configuration *c = &s->configuration;
    put_text(out, side, "kind", kind_of(s));
    put_whole(out, side, "block", c->block, c->has_block);
    put_whole(out, side, "vt", c->vt, c->has_vt);
    put_text(out, side, "params", c->params);
}

static void put_object(FILE *out, const in_run_result *r, const in_run_pair *pair)
{
    static const char *const sides[STUDY_SIDES][2] = {{"first", "first_"}, {"second", "second_"}};
    const compared_side *new = &pair->sides[1];
    const verdict_outcome *o = &pair->outcome;
    char reason[REASON_BYTES];
    fputs("\n  {\"plugin\": ", out);
    json_string(out, plugin_of(new)->id);
    fprintf(out, ", \"n\": %" PRIu64 ", \"rows\": %" PRIu64 ", \"inner\": %" PRIu64,
            new->configuration.job.n, job_rows(&new->configuration.job),
            job_inner(&new->configuration.job));
    put_text(out, "", "dtype", dtype_name(new->configuration.job.dtype));
    put_text(out, "", "result", dtype_name(job_result_type(&new->configuration.job)));
    put_text(out, "", "op", op_of(new));
    put_setting(out, "", new);
    put_text(out, "", "cache", "hot");
    put_text(out, "", "phase", phase_word(PHASE_RUN));
    put_number(out, "", "ratio", o->ratio, pair->has_ratio);
    put_number(out, "", "lo", o->lo, o->has_interval);
    put_number(out, "", "hi", o->hi, o->has_interval);
    put_number(out, "", "p", o->p, o->has_interval);
    put_text(out, "", "verdict", verdict_word(o->verdict));
    put_text(out, "", "reason", reason_of(r, pair, reason));
    fprintf(out, ", \"regression\": %s", pair->regression ? "true" : "false");
    for (size_t i = 0; i < STUDY_SIDES; i++) {
        const compared_side *s = &pair->sides[i];
        put_text(out, "", sides[i][0], r->operands[i]);
        put_number(out, sides[i][1], "ns", s->median_ns, s->median_ns > 0);
        put_text(out, sides[i][1], "device", s->session->device.name);
        put_text(out, sides[i][1], "plugin", plugin_of(s)->id);
        put_setting(out, sides[i][1], s);
        put_text(out, sides[i][1], "plugin_file", plugin_of(s)->file);
    }
    fputc('}', out);
}

/* Where the list of differences stands. */
typedef struct json_list {
    FILE *out;
    size_t count;
} json_list;

static void put_remark(void *to, const char *text)
{
    json_list *list = to;
    fputs(list->count++ > 0 ? ", " : "", list->out);
    json_string(list->out, text);
}

#define PUT_COUNT(name, word) fprintf(out, ", \"%s\": %zu", word, count_of(r, VERDICT_##name));

void in_run_print_json(const in_run_result *r, FILE *out)
{
    fprintf(out, "{\"schema\": 1, \"scanbench\": \"%s\", \"threshold\": %.10g, \"files\": [",
            SCANBENCH_VERSION, r->threshold);
    for (size_t i = 0; i < STUDY_SIDES; i++) {
        json_list list = {.out = out};
        fprintf(out, "%s\n  {\"path\": ", i > 0 ? "," : "");
        json_string(out, r->operands[i]);
        fputs(", \"run_id\": \"\", \"host\": \"\", \"remarks\": [", out);
        if (i > 0)
            each_difference(r, put_remark, &list);
        fputs("]}", out);
    }
    fputs("\n], \"pairs\": [", out);
    for (size_t i = 0; i < r->count; i++) {
        fputs(i > 0 ? "," : "", out);
        put_object(out, r, &r->pairs[i]);
    }
    fprintf(out, "\n], \"summary\": {\"pairs\": %zu", r->count);
    VERDICT_MAP(PUT_COUNT)
    fprintf(out, ", \"regressions\": %zu}}\n", r->regressions);
}
