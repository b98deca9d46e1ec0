/*
 * comparison_json.c - a comparison as one JSON object: the files, what else differs, the pairs in
 * the order of the table, their number by verdict
 */
#include "compare/comparison_print.h"
#include "compare/differences.h"
#include "system/json.h"
#include "version.h"

#include <inttypes.h>

static void put_text(FILE *out, const char *key, const char *text)
{
    fprintf(out, ", \"%s\": ", key);
    json_string(out, text);
}

static void put_number(FILE *out, const char *key, double value, bool known)
{
    if (known)
        fprintf(out, ", \"%s\": %.10g", key, value);
    else
        fprintf(out, ", \"%s\": null", key);
}

/* A whole number as text: "-007" is no number of JSON. */
static void put_whole(FILE *out, const char *key, const char *digits)
{
    int64_t value = 0;
    if (sscanf(digits, "%" SCNd64, &value) == 1)
        fprintf(out, ", \"%s\": %" PRId64, key, value);
    else
        fprintf(out, ", \"%s\": null", key);
}

/* The keys of a side of a pair. */
typedef struct side_keys {
    const char *file, *ns, *device, *plugin, *kind, *block, *vt, *params, *plugin_file;
} side_keys;

#define SIDE_KEYS(side)                                                                            \
    {                                                                                              \
        side, side "_ns", side "_device", side "_plugin", side "_kind", side "_block", side "_vt", \
            side "_params", side "_plugin_file"                                                    \
    }

static void put_side(FILE *out, const side_keys *keys, const result_file *file,
                     const result_row *row, const char *plugin_file)
{
    put_text(out, keys->file, file->path);
    put_number(out, keys->ns, row ? row->median_ns : 0, row && row->median_ns > 0);
    put_text(out, keys->device, row ? row->device : "");
    put_text(out, keys->plugin, row ? row->plugin : "");
    put_text(out, keys->kind, row ? row->kind : "");
    put_whole(out, keys->block, row ? row->block : "");
    put_whole(out, keys->vt, row ? row->vt : "");
    put_text(out, keys->params, row ? row->params : "");
    if (plugin_file)
        put_text(out, keys->plugin_file, plugin_file);
}

static void put_pair(FILE *out, const compared_pair *pair)
{
    char reason[COMPARED_REASON_BYTES];
    const result_row *row = compared_row(pair);
    const verdict_outcome *o = &pair->outcome;
    fputs("\n  {\"plugin\": ", out);
    json_string(out, row->plugin);
    fprintf(out, ", \"n\": %" PRIu64, row->n);
    put_text(out, "dtype", row->dtype);
    put_text(out, "op", row->op);
    put_text(out, "kind", row->kind);
    put_whole(out, "block", row->block);
    put_whole(out, "vt", row->vt);
    put_text(out, "params", row->params);
    put_text(out, "cache", row->cache);
    put_text(out, "phase", row->phase);
    put_number(out, "ratio", o->ratio, pair->has_ratio);
    put_number(out, "lo", o->lo, o->has_interval);
    put_number(out, "hi", o->hi, o->has_interval);
    put_number(out, "p", o->p, o->has_interval);
    put_text(out, "verdict", verdict_word(o->verdict));
    put_text(out, "reason", compared_reason(pair, reason, sizeof reason));
    fprintf(out, ", \"regression\": %s", pair->regression ? "true" : "false");
    static const side_keys first = SIDE_KEYS("first"), second = SIDE_KEYS("second");
    put_side(out, &first, pair->first_file, pair->first, pair->first_plugin_file);
    put_side(out, &second, pair->second_file, pair->second, pair->second_plugin_file);
    fputc('}', out);
}

/* Where the list of differences stands. */
typedef struct json_list {
    FILE *out;
    size_t count;
} json_list;

static void put_difference(void *to, const char *text)
{
    json_list *list = to;
    fputs(list->count++ > 0 ? ", " : "", list->out);
    json_string(list->out, text);
}

static scan_status put_files(const comparison *c, FILE *out)
{
    scan_status status = SCAN_OK;
    for (size_t i = 0; i < c->file_count && status == SCAN_OK; i++) {
        const result_file *file = &c->files[i];
        json_list list = {.out = out};
        fprintf(out, "%s\n  {\"path\": ", i > 0 ? "," : "");
        json_string(out, file->path);
        put_text(out, "run_id", file->count > 0 ? file->rows[0].run_id : "");
        put_text(out, "host", file->count > 0 ? file->rows[0].host : "");
        fputs(", \"remarks\": [", out);
        if (i > 0)
            status = differences_tell(c, file, put_difference, &list);
        fputs("]}", out);
    }
    return status;
}

#define PUT_COUNT(name, word) \
    fprintf(out, ", \"%s\": %zu", word, comparison_count(c, VERDICT_##name));

scan_status comparison_print_json(const comparison *c, FILE *out)
{
    fprintf(out, "{\"schema\": 1, \"scanbench\": \"%s\", \"threshold\": %.10g, \"files\": [",
            SCANBENCH_VERSION, c->threshold);
    const scan_status status = put_files(c, out);
    fputs("\n], \"pairs\": [", out);
    for (size_t i = 0; i < c->count; i++) {
        fputs(i > 0 ? "," : "", out);
        put_pair(out, &c->pairs[i]);
    }
    fprintf(out, "\n], \"summary\": {\"pairs\": %zu", c->count);
    VERDICT_MAP(PUT_COUNT)
    fprintf(out, ", \"regressions\": %zu}}\n", c->regressions);
    return status;
}
