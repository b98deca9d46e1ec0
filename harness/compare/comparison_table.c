/*
 * comparison_table.c - a comparison as a table. A name that is too long for its column has lines of
 * its own, in a narrow terminal each; reasons stand below the table, by number
 */
#include "compare/comparison_print.h"
#include "compare/comparison_words.h"
#include "text/number.h"
#include "text/utf8.h"

#include <stdlib.h>
#include <string.h>

/* All but the name and the size: indentation, three numbers, "inconclusive [12]". Where that leaves
 * less than NAME_LEAST for the name, the table is narrow: without intervals, and with names above.
 */
enum { NUMBER_WIDTH = 7, OTHERS_WIDTH = 2 + 3 * (1 + NUMBER_WIDTH) + 2 + 17, NAME_LEAST = 16 };
enum { NOTES_MOST = 99, WORD_BYTES = 128 };

/* The distinct reasons of a table. */
typedef struct notes {
    char texts[NOTES_MOST][COMPARED_REASON_BYTES];
    size_t count;
} notes;

typedef struct line_writer {
    FILE *out;
    size_t indent, width;
    bool narrow;
    int name_width, size_width;
} line_writer;

/* The next character of a text, as many bytes long as the result says, or "?" for one that could
 * do something to a terminal. */
static size_t next_character(const char *text, const char **shown_p, size_t *shown_bytes_p)
{
    const size_t bytes = utf8_bytes(text);
    const bool plain = bytes > 0 && !utf8_is_control(text, bytes);
    *shown_p = plain ? text : "?";
    *shown_bytes_p = plain ? bytes : 1;
    return bytes > 0 ? bytes : 1;
}

/* The columns of a text whose characters are one column wide. */
static size_t columns_of(const char *text)
{
    const char *shown;
    size_t count = 0, bytes;
    for (; *text; text += next_character(text, &shown, &bytes))
        count++;
    return count;
}

/* Writes at most `most` characters and returns what is left of the text. */
static const char *put_some(FILE *out, const char *text, size_t most)
{
    for (; *text && most > 0; most--) {
        const char *shown;
        size_t bytes;
        const size_t taken = next_character(text, &shown, &bytes);
        fwrite(shown, 1, bytes, out);
        text += taken;
    }
    return text;
}

/* The characters of the first words of a text that fit into `most`; a longer word is cut. */
static size_t words_that_fit(const char *text, size_t most)
{
    size_t fit = 0, at = 0;
    const char *shown;
    size_t bytes;
    for (; *text && at < most; at++) {
        if (*text == ' ' && at > 0)
            fit = at;
        text += next_character(text, &shown, &bytes);
    }
    return *text == '\0' || *text == ' ' || fit == 0 ? at : fit;
}

/* Writes a text, whose first line begins at column `at`, in as many lines as it needs; the others
 * are indented. */
static void put_wrapped(const line_writer *w, size_t at, const char *text)
{
    while (*text) {
        const size_t fit = words_that_fit(text, w->width > at ? w->width - at : 1);
        text = put_some(w->out, text, fit);
        while (*text == ' ')
            text++;
        fputc('\n', w->out);
        at = w->indent;
        if (*text)
            fprintf(w->out, "%*s", (int)w->indent, "");
    }
}

/* The number of a note from 1; 0 if the table has too many. */
static size_t note_of(notes *n, const char *text)
{
    for (size_t i = 0; i < n->count; i++)
        if (strcmp(n->texts[i], text) == 0)
            return i + 1;
    if (n->count == NOTES_MOST)
        return 0;
    snprintf(n->texts[n->count], sizeof n->texts[0], "%s", text);
    return ++n->count;
}

static void put_name(const line_writer *w, const char *name)
{
    const int columns = (int)columns_of(name);
    fputs("  ", w->out);
    if (w->narrow || columns > w->name_width) {
        put_wrapped(w, 2, name);
        fprintf(w->out, "  %*s", w->name_width, "");
    } else {
        put_some(w->out, name, (size_t)columns);
        fprintf(w->out, "%*s", w->name_width - columns, "");
    }
}

static void put_pair(const line_writer *w, const compared_pair *pair, const naming *n,
                     notes *reasons)
{
    char name[COMPARED_NAME_BYTES], reason[COMPARED_REASON_BYTES], size[NUMBER_TEXT_BYTES],
        mark[32] = "";
    char change[CHANGE_BYTES];
    const result_row *row = compared_row(pair);
    const verdict_outcome *o = &pair->outcome;
    put_name(w, naming_name(n, pair, name, sizeof name));
    const size_t note =
        *compared_reason(pair, reason, sizeof reason) ? note_of(reasons, reason) : 0;
    if (note > 0)
        snprintf(mark, sizeof mark, " [%zu]", note);
    fprintf(w->out, " %*s", w->size_width, number_text(row->n, size));
    fprintf(w->out, " %*s", NUMBER_WIDTH, change_text(pair->has_ratio ? o->ratio : 0, change));
    if (!w->narrow) {
        char lo[CHANGE_BYTES], hi[CHANGE_BYTES];
        fprintf(w->out, " %*s %*s", NUMBER_WIDTH, change_text(o->has_interval ? o->lo : 0, lo),
                NUMBER_WIDTH, change_text(o->has_interval ? o->hi : 0, hi));
    }
    fprintf(w->out, "  %s%s\n", verdict_word(o->verdict), mark);
}

/* The lines of the pairs that both files have, below a header if there are any. */
static void put_pairs(const line_writer *w, const comparison *c, const result_file *second,
                      const naming *n, notes *reasons)
{
    bool any = false;
    for (size_t i = 0; i < c->count; i++) {
        const compared_pair *p = &c->pairs[i];
        if (p->second_file != second || !p->first || !p->second)
            continue;
        if (!any)
            fprintf(w->out, "\n  %s%-*s %*s %*s %*s  verdict\n", w->narrow ? "plugin\n  " : "",
                    w->name_width, w->narrow ? "" : "plugin", w->size_width, "n", NUMBER_WIDTH,
                    "change", w->narrow ? 0 : 2 * NUMBER_WIDTH + 1,
                    w->narrow ? "" : "95 % interval");
        any = true;
        put_pair(w, p, n, reasons);
    }
    fputc('\n', w->out);
}

static void put_difference(void *to, const char *text)
{
    put_wrapped(to, 0, text);
}

static scan_status put_table(const comparison *c, const result_file *second, const naming *n,
                             line_writer *w)
{
    char text[2 * WORD_BYTES + 8];
    notes *reasons = calloc(1, sizeof *reasons);
    if (!reasons)
        return SCAN_NO_MEMORY;
    snprintf(text, sizeof text, "%.*s -> %.*s", WORD_BYTES, c->files[0].path, WORD_BYTES,
             second->path);
    put_wrapped(w, 0, text);
    char meaning[CHANGE_MEANING_BYTES];
    put_wrapped(w, 0, change_meaning(c, second, meaning));
    const scan_status status = differences_tell(c, second, put_difference, w);
    put_pairs(w, c, second, n, reasons);
    for (size_t i = 0; i < reasons->count; i++) {
        const int used = fprintf(w->out, "[%zu] ", i + 1);
        put_wrapped(w, (size_t)used, reasons->texts[i]);
    }
    put_unmatched(c, second, true, put_difference, w);
    put_unmatched(c, second, false, put_difference, w);
    free(reasons);
    return status;
}

static line_writer writer_of(const comparison *c, size_t width, FILE *out)
{
    line_writer w = {.out = out, .indent = 4, .width = width, .size_width = 3};
    char size[NUMBER_TEXT_BYTES];
    for (size_t i = 0; i < c->count; i++) {
        const int length = (int)strlen(number_text(compared_row(&c->pairs[i])->n, size));
        w.size_width = length > w.size_width ? length : w.size_width;
    }
    w.name_width = (int)width - OTHERS_WIDTH - 1 - w.size_width;
    w.narrow = w.name_width < NAME_LEAST;
    if (w.narrow)
        w.name_width = 1;
    return w;
}

scan_status comparison_print_table(const comparison *c, size_t columns, FILE *out)
{
    const naming n = naming_of(c);
    line_writer w = writer_of(c, columns, out);
    char summary[SUMMARY_BYTES];
    scan_status status = SCAN_OK;
    for (size_t i = 1; i < c->file_count && status == SCAN_OK; i++) {
        fputs(i > 1 ? "\n" : "", out);
        status = put_table(c, &c->files[i], &n, &w);
    }
    put_wrapped(&w, 0, summary_text(c, summary));
    if (c->never_measured > 0)
        fprintf(out, "%zu without times in either file are not shown\n", c->never_measured);
    return status;
}
