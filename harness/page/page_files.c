#include "page/page_json.h"
#include "page/page_members.h"
#include "system/json.h"

/* What is not known is left out. */
static void put_known(FILE *out, const char *key, const char *text)
{
    if (*text)
        page_text(out, key, text);
}

static void put_texts(FILE *out, const char *key, const char *const *texts, size_t count)
{
    fprintf(out, ",\"%s\":[", key);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? "," : "", out);
        json_string(out, texts[i]);
    }
    fputc(']', out);
}

#define PUT_MEMBER(member) put_known(out, #member, p->member);

static void put_plugin(FILE *out, const run_info_plugin *p)
{
    fputs("{\"of\":\"plugin\"", out);
    RUN_INFO_PLUGIN_MAP(PUT_MEMBER)
    put_known(out, "hash", p->hash);
    fputc('}', out);
}

static void put_info(FILE *out, const run_info *p)
{
    fprintf(out, "{\"known\":%s,\"sequential\":%s", p->known ? "true" : "false",
            p->sequential ? "true" : "false");
    RUN_INFO_TEXT_MAP(PUT_MEMBER)
    put_known(out, "command", p->command);
    put_known(out, "baseline", p->baseline);
    put_texts(out, "warnings", p->warnings, p->warning_count);
    fputs(",\"plugins\":[", out);
    for (size_t i = 0; i < p->plugin_count; i++) {
        fputs(i > 0 ? "," : "", out);
        put_plugin(out, &p->plugins[i]);
    }
    fputs("]}", out);
}

void page_files_write(const report *r, FILE *out)
{
    size_t first = 0;
    fputs("\"files\":[", out);
    for (size_t i = 0; i < r->file_count; i++) {
        const report_file *file = &r->files[i];
        const result_file *results = file->results;
        fputs(i > 0 ? ",\n{\"path\":" : "{\"path\":", out);
        json_string(out, results->path);
        put_known(out, "label", file->label);
        put_known(out, "host", results->count > 0 ? results->rows[0].host : "");
        put_known(out, "time", results->count > 0 ? results->rows[0].timestamp_utc : "");
        fprintf(out, ",\"first\":%zu,\"count\":%zu,\"info\":", first, results->count);
        put_info(out, &file->info);
        fputc('}', out);
        first += results->count;
    }
    fputc(']', out);
}
