#include "protocol/phase.h"

#include <stdio.h>
#include <string.h>

typedef struct phase_entry {
    const char *word;
    phase_scope scope;
    phase_clock clock;
} phase_entry;

#define ENTRY(name, word, scope, clock) [PHASE_##name] = {word, scope, clock},
static const phase_entry entries[] = {PHASE_MAP(ENTRY)};
#undef ENTRY

static bool is_kind(phase_kind kind)
{
    return (size_t)kind < PHASE_COUNT;
}

static bool is_family(const char *word)
{
    return word[strlen(word) - 1] == ':';
}

/* Is it [a-z0-9_]+ and short enough? */
static bool is_kernel(const char *text)
{
    const size_t length = strnlen(text, PHASE_KERNEL_BYTES);
    return length > 0 && length < PHASE_KERNEL_BYTES &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_") == length;
}

bool phase_parse(const char *text, phase_name *name_p)
{
    for (size_t i = 0; text && i < PHASE_COUNT; i++) {
        const char *word = entries[i].word;
        const size_t length = strlen(word);
        const char *rest = text + length;
        phase_name name = {.kind = (phase_kind)i};
        if (strncmp(text, word, length) != 0 || (is_family(word) ? !is_kernel(rest) : *rest))
            continue;
        if (is_family(word))
            memcpy(name.kernel, rest, strlen(rest) + 1);
        *name_p = name;
        return true;
    }
    return false;
}

bool phase_equal(const phase_name *a, const phase_name *b)
{
    return a->kind == b->kind && strcmp(a->kernel, b->kernel) == 0;
}

const char *phase_print(const phase_name *name, char text[PHASE_TEXT_BYTES])
{
    snprintf(text, PHASE_TEXT_BYTES, "%s%s", phase_word(name->kind), name->kernel);
    return text;
}

const char *phase_word(phase_kind kind)
{
    return is_kind(kind) ? entries[kind].word : "?";
}

phase_scope phase_scope_of(phase_kind kind)
{
    return is_kind(kind) ? entries[kind].scope : PHASE_SETUP;
}

phase_clock phase_clock_of(phase_kind kind)
{
    return is_kind(kind) ? entries[kind].clock : PHASE_BY_HOST;
}

#define WORD(name, word) [CACHE_##name] = word,
const char *cache_state_word(uint32_t state)
{
    static const char *const words[] = {CACHE_STATE_MAP(WORD)};
    return words[state];
}
#undef WORD
