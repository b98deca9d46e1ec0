#include "results/run_info.h"

#include "output/metadata.h"
#include "system/json.h"
#include "text/array_room.h"
#include "text/shell_quote.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

static const char default_baseline[] = "cpu_serial";

/* Keeps the text of a value; "" if it has none, NULL without memory. */
static const char *keep(run_info *info, char *text)
{
    if (!text)
        return "";
    char **texts =
        array_room(info->texts, &info->text_capacity, info->text_count, 1, sizeof *texts);
    if (!texts) {
        free(text);
        return NULL;
    }
    info->texts = texts;
    utf8_clean(text);
    return info->texts[info->text_count++] = text;
}

static size_t count_elements(json_value of)
{
    size_t count = 0;
    for (json_walk w = json_begin(of); json_next(&w);)
        count++;
    return count;
}

/* The arguments as a command, and what two of them say. */
static scan_status take_command(run_info *info, json_value argv)
{
    char *command = NULL;
    size_t bytes;
    FILE *out = open_memstream(&command, &bytes);
    bool good = out != NULL;
    bool baseline_next = false, order_next = false, any = false;
    for (json_walk w = json_begin(argv); good && json_next(&w); any = true) {
        const char *word = keep(info, json_text(w.value));
        good = word != NULL;
        if (!good)
            break;
        if (any)
            fputc(' ', out);
        shell_quote_put(out, word);
        if (baseline_next || strncmp(word, "--baseline=", 11) == 0)
            info->baseline = baseline_next ? word : word + 11;
        if (order_next || strncmp(word, "--order=", 8) == 0)
            info->sequential = strcmp(order_next ? word : word + 8, "sequential") == 0;
        baseline_next = strcmp(word, "--baseline") == 0;
        order_next = strcmp(word, "--order") == 0;
    }
    if (out && fclose(out) != 0)
        good = false;
    if (!good) {
        free(command);
        return SCAN_NO_MEMORY;
    }
    info->command = keep(info, command);
    return info->command ? SCAN_OK : SCAN_NO_MEMORY;
}

static scan_status take_plugins(run_info *info, json_value plugins)
{
    info->plugins = calloc(count_elements(plugins) + 1, sizeof *info->plugins);
    bool good = info->plugins != NULL;
    for (json_walk w = json_begin(plugins); good && json_next(&w);) {
        run_info_plugin *p = &info->plugins[info->plugin_count++];
#define TAKE(member)                                                  \
    p->member = keep(info, json_text(json_member(w.value, #member))); \
    good = good && p->member;
        RUN_INFO_PLUGIN_MAP(TAKE)
#undef TAKE
        const json_value sha256 = json_member(w.value, "sha256");
        p->hash = keep(info, json_text(sha256.text ? sha256 : json_member(w.value, "fnv1a64")));
        good = good && p->hash;
    }
    return good ? SCAN_OK : SCAN_NO_MEMORY;
}

static scan_status take_warnings(run_info *info, json_value from)
{
    const char **texts = calloc(count_elements(from) + 1, sizeof *texts);
    bool good = texts != NULL;
    for (json_walk w = json_begin(from); good && json_next(&w);) {
        texts[info->warning_count] = keep(info, json_text(w.value));
        good = texts[info->warning_count++] != NULL;
    }
    info->warnings = texts;
    return good ? SCAN_OK : SCAN_NO_MEMORY;
}

#define NOTHING(member) .member = "",

scan_status run_info_take(const char *json, run_info *info_p)
{
    run_info info = {RUN_INFO_TEXT_MAP(NOTHING).command = "", .baseline = default_baseline};
    metadata_walk runs = metadata_begin(json ? json : "", json ? strlen(json) : 0);
    json_value whole;
    scan_status status = SCAN_OK;
    info.known = metadata_next(&runs, &whole);
    if (info.known) {
#define TAKE(member)                                                   \
    info.member = keep(&info, json_text(json_member(whole, #member))); \
    if (!info.member)                                                  \
        status = SCAN_NO_MEMORY;
        RUN_INFO_TEXT_MAP(TAKE)
#undef TAKE
        for (json_value other; metadata_next(&runs, &other);)
            info.earlier++;
        if (status == SCAN_OK)
            status = take_command(&info, json_member(whole, "argv"));
        if (status == SCAN_OK)
            status = take_plugins(&info, json_member(whole, "plugins"));
        if (status == SCAN_OK)
            status = take_warnings(&info, json_member(whole, "warnings"));
    }
    if (status == SCAN_OK)
        *info_p = info;
    else
        run_info_free(&info);
    return status;
}

void run_info_free(run_info *info)
{
    for (size_t i = 0; i < info->text_count; i++)
        free(info->texts[i]);
    free(info->texts);
    free(info->plugins);
    free(info->warnings);
    *info = (run_info){0};
}
