#include "commands/list_words.h"

#include "cli/option_table.h"
#include "commands/template.h"
#include "proof/proof.h"
#include "text/comma_list.h"

#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 64 };

/* The words printed so far, and the output. */
typedef struct word_list {
    FILE *out;
    char (*words)[WORD_BYTES];
    size_t count;
    scan_status status;
} word_list;

/* Prints a word that was not printed yet. about: a description, or "". */
static void put_word(word_list *list, const char *word, const char *about)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->words[i], word) == 0)
            return;
    char(*words)[WORD_BYTES] = realloc(list->words, (list->count + 1) * sizeof *words);
    if (!words) {
        list->status = SCAN_NO_MEMORY;
        return;
    }
    list->words = words;
    snprintf(words[list->count++], WORD_BYTES, "%s", word);
    fprintf(list->out, "%s%s%s\n", word, *about ? "\t" : "", about);
}

static void put_claims(word_list *list)
{
    for (size_t i = 0; i < proof_claim_count; i++)
        put_word(list, proof_claims[i].name, proof_claims[i].text);
}

static void put_templates(word_list *list)
{
    const char *names[NEW_TEMPLATE_WORDS];
    const size_t count = new_template_backends(names);
    for (size_t i = 0; i < count; i++)
        put_word(list, names[i], "");
}

static void put_roles(word_list *list)
{
    const char *names[NEW_TEMPLATE_WORDS];
    const size_t count = new_template_roles(NULL, names);
    for (size_t i = 0; i < count; i++)
        put_word(list, names[i], "");
}

static void put_tunables(word_list *list, const plugin_info *p)
{
    for (size_t i = 0; i < p->tunable_count; i++)
        put_word(list, p->tunables[i].name, p->tunables[i].summary);
}

/* Prints a device as --device accepts it: "opencl:1". */
static void put_device(word_list *list, const session *l)
{
    char word[WORD_BYTES];
    if (!l->plugin->device_memory || l->status != ROW_OK)
        return;
    snprintf(word, sizeof word, "%s:%u", l->plugin->backend, (unsigned)l->device_index);
    put_word(list, word, l->device.name);
}

static void put_kind(word_list *list, const char *kind, const session_set *r)
{
    if (strcmp(kind, ASK_CLAIMS) == 0)
        put_claims(list);
    else if (strcmp(kind, ASK_TEMPLATES) == 0)
        put_templates(list);
    else if (strcmp(kind, ASK_ROLES) == 0)
        put_roles(list);
    for (size_t i = 0; i < r->count; i++) {
        const plugin_info *p = r->sessions[i].plugin;
        if (strcmp(kind, ASK_PLUGINS) == 0)
            put_word(list, p->id, p->problem ? p->problem : p->summary);
        else if (strcmp(kind, ASK_BACKENDS) == 0 && *p->backend)
            put_word(list, p->backend, "");
        else if (strcmp(kind, ASK_TUNABLES) == 0)
            put_tunables(list, p);
        else if (strcmp(kind, ASK_DEVICES) == 0)
            put_device(list, &r->sessions[i]);
    }
}

scan_status list_words(const session_config *config, const char *kinds, FILE *out, errmsg *error)
{
    char kind[WORD_BYTES];
    bool plugins = false, devices = false;
    for (const char *rest = kinds; comma_list_next(&rest, kind, sizeof kind);) {
        plugins |= strcmp(kind, ASK_CLAIMS) != 0 && strcmp(kind, ASK_TEMPLATES) != 0 &&
                   strcmp(kind, ASK_ROLES) != 0;
        devices |= strcmp(kind, ASK_DEVICES) == 0;
    }
    session_set r = {0};
    scan_status status = devices   ? session_set_open(config, &r, error)
                         : plugins ? session_set_select(config, &r, error)
                                   : SCAN_OK;
    if (status != SCAN_OK)
        return status;
    word_list list = {.out = out};
    while (comma_list_next(&kinds, kind, sizeof kind))
        put_kind(&list, kind, &r);
    free(list.words);
    for (size_t i = 0; i < r.count; i++)
        worker_process_stop(&r.sessions[i].worker, true);
    session_set_close(&r);
    return list.status == SCAN_OK ? SCAN_OK : errmsg_set(error, list.status, "out of memory");
}
