#include "problem/names.h"

#include "scan_parts.h"

#include <string.h>

#define WORD_OF_TYPE(name, value, word, bytes) [value] = word,
static const char *const dtype_words[] = {SCAN_DTYPE_MAP(WORD_OF_TYPE)};
#undef WORD_OF_TYPE
#define WORD(name, value, word) [value] = word,
static const char *const op_words[] = {SCAN_OP_MAP(WORD)};
static const char *const kind_words[] = {SCAN_KIND_MAP(WORD)};
static const char *const role_words[] = {SCAN_ROLE_MAP(WORD)};
static const char *const layout_words[] = {SCAN_LAYOUT_MAP(WORD)};
static const char *const status_words[] = {SCAN_STATUS_MAP(WORD)};
#undef WORD
#define COUNT(table) (sizeof(table) / sizeof(table)[0])

static const char *word_at(const char *const *words, size_t count, uint32_t value)
{
    return value < count ? words[value] : "?";
}

const char *dtype_name(uint32_t dtype)
{
    return word_at(dtype_words, COUNT(dtype_words), dtype);
}

const char *op_name(uint32_t op)
{
    return word_at(op_words, COUNT(op_words), op);
}

const char *kind_name(uint32_t kind)
{
    return word_at(kind_words, COUNT(kind_words), kind);
}

const char *role_name(uint32_t role)
{
    return word_at(role_words, COUNT(role_words), role);
}

const char *layout_name(uint32_t layout)
{
    return word_at(layout_words, COUNT(layout_words), layout);
}

const char *status_text(scan_status status)
{
    return word_at(status_words, COUNT(status_words), (uint32_t)status);
}

bool names_is_word(const char *text, size_t most)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
    static const char others[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    size_t length = strnlen(text, most + 1);
    return length > 0 && length <= most && strchr(letters, text[0]) &&
           strspn(text, others) == length;
}
