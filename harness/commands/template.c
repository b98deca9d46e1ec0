#include "commands/template.h"

#include <stdbool.h>
#include <string.h>

static bool is_for(const new_template *t, const char *backend, const char *role)
{
    return (!backend || strcmp(t->backend, backend) == 0) && (!role || strcmp(t->role, role) == 0);
}

const new_template *new_template_find(const char *backend, const char *role, const char *language)
{
    for (size_t i = 0; i < new_template_count; i++)
        if (is_for(&new_templates[i], backend, role) &&
            (!language || strcmp(new_templates[i].language, language) == 0))
            return &new_templates[i];
    return NULL;
}

/* Adds a word unless it is there already. Returns the new count. */
static size_t add_word(const char *word, const char **words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return count;
    if (count == NEW_TEMPLATE_WORDS)
        return count;
    words[count] = word;
    return count + 1;
}

size_t new_template_words(new_word which, const char *backend, const char *role,
                          const char *words[NEW_TEMPLATE_WORDS])
{
    size_t count = 0;
    for (size_t i = 0; i < new_template_count; i++) {
        const new_template *t = &new_templates[i];
        const char *const all[] = {
            [NEW_BACKEND] = t->backend, [NEW_ROLE] = t->role, [NEW_LANGUAGE] = t->language};
        if (is_for(t, backend, role))
            count = add_word(all[which], words, count);
    }
    return count;
}

void new_template_write(const new_template *t, const char *text, const char *id, FILE *out)
{
    char role[64]; /* as Python has it */
    snprintf(role, sizeof role, "ROLE = \"%s\"", t->role);
    const struct {
        const char *from, *to;
    } words[] = {{t->id, id}, {"SCAN_ROLE_MOCK", t->constant}, {"ROLE = \"mock\"", role}};
    while (*text) {
        size_t skip = 0;
        for (size_t i = 0; i < sizeof words / sizeof *words && skip == 0; i++)
            if (strncmp(text, words[i].from, strlen(words[i].from)) == 0) {
                fputs(words[i].to, out);
                skip = strlen(words[i].from);
            }
        if (skip == 0)
            fputc(*text, out);
        text += skip > 0 ? skip : 1;
    }
}
