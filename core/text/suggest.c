#include "text/suggest.h"

#include <stdio.h>
#include <string.h>

/* The Levenshtein distance of two words of at most 63 characters. */
static size_t edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 63 };
    size_t row[LONGEST + 1];
    size_t columns = strnlen(b, LONGEST);
    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 0; i < LONGEST && a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 1; j <= columns; j++) {
            size_t change = diagonal + (a[i] != b[j - 1]);
            size_t shorter = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
            diagonal = row[j];
            row[j] = change < shorter ? change : shorter;
        }
    }
    return row[columns];
}

const char *suggest_nearest(const char *word, const char *const *words, size_t count)
{
    const char *best = NULL;
    size_t best_distance = 1 + strlen(word) / 3 + 1; /* a third of the word may be wrong */
    for (size_t i = 0; i < count; i++) {
        size_t distance = edit_distance(word, words[i]);
        if (distance < best_distance) {
            best_distance = distance;
            best = words[i];
        }
    }
    return best;
}

const char *suggest_text(const char *word, const char *const *words, size_t count, char *text,
                         size_t size)
{
    const char *near = suggest_nearest(word, words, count);
    snprintf(text, size, "%s%s%s", near ? "; did you mean " : "", near ? near : "",
             near ? "?" : "");
    return text;
}

const char *suggest_among(const char *word, const char *const *words, size_t count, char *text,
                          size_t size)
{
    size_t used = strlen(suggest_text(word, words, count, text, size));
    if (used > 0)
        return text;
    used = (size_t)snprintf(text, size, "; write one of");
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, " %s", words[i]);
    return text;
}
