#include "tables/paper.h"

#include "output/fit.h"
#include "report/words.h"
#include "text/array_room.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const size_t gap = 2;

static void add_cell(paper_table *t, const char *text, size_t name)
{
    paper_text *cells =
        t->failed ? NULL : array_room(t->cells, &t->capacity, t->rows, 1, sizeof *cells);
    char *copy = cells ? strdup(text) : NULL;
    t->cells = cells ? cells : t->cells;
    t->failed = copy == NULL;
    if (copy)
        t->cells[t->rows++] = (paper_text){copy, name};
}

void paper_cell(paper_table *t, const char *text)
{
    add_cell(t, text, strlen(text));
}

void paper_plugin(paper_table *t, const result_row *row)
{
    char text[WORDS_PLUGIN_BYTES];
    words_plugin(row, text);
    const size_t name = strlen(row->plugin), all = strlen(text);
    add_cell(t, text, name < all ? name : all);
}

/* The width of a column; 0 if all of its cells below the header are empty. */
static size_t width_of(const paper_table *t, size_t column)
{
    size_t width = 0;
    bool any = false;
    for (size_t i = column; i < t->rows; i += t->columns) {
        const size_t cell = fit_width(t->cells[i].text);
        any |= i >= t->columns && cell > 0;
        width = cell > width ? cell : width;
    }
    return any ? width : 0;
}

static size_t total_of(const size_t *widths, size_t columns)
{
    size_t total = 0;
    for (size_t i = 0; i < columns; i++)
        total += widths[i] > 0 ? widths[i] + gap : 0;
    return total;
}

/* Leaves columns out until the rest fits; then cuts the last one. */
static void make_fit(size_t *widths, size_t columns, size_t room, const int *give)
{
    for (; *give >= 0 && total_of(widths, columns) > room; give++)
        widths[*give] = 0;
    for (size_t i = columns; i-- > 0 && total_of(widths, columns) > room;) {
        const size_t over = total_of(widths, columns) - room;
        widths[i] = widths[i] > over + 3 ? widths[i] - over : widths[i] > 4 ? 4 : widths[i];
    }
}

static void put_cell(const paper *p, const paper_table *t, size_t at, size_t width, bool last)
{
    char text[4 * 256];
    fit_middle(t->cells[at].text, width < 240 ? width : 240, text, sizeof text);
    const size_t column = at % t->columns, blank = width - fit_width(text);
    const bool bold = p->color && at >= t->columns && t->name[column];
    if (t->right[column])
        fprintf(p->out, "%*s", (int)blank, "");
    /* In a shortened cell the end of the name is not known. */
    const size_t shown = strlen(text);
    const bool whole = shown == strlen(t->cells[at].text);
    const size_t first = !bold ? 0 : whole ? t->cells[at].name_bytes : shown;
    if (bold)
        fprintf(p->out, "\033[1m%.*s\033[0m", (int)first, text);
    fputs(text + first, p->out);
    if (!t->right[column] && !last)
        fprintf(p->out, "%*s", (int)blank, "");
}

static void put_row(const paper *p, const paper_table *t, size_t row, const size_t *widths)
{
    size_t last = 0;
    for (size_t i = 0; i < t->columns; i++)
        last = widths[i] > 0 && *t->cells[row * t->columns + i].text ? i : last;
    for (size_t i = 0; i <= last; i++) {
        if (widths[i] == 0)
            continue;
        fprintf(p->out, "%*s", (int)gap, "");
        put_cell(p, t, row * t->columns + i, widths[i], i == last);
    }
    fputc('\n', p->out);
}

/* What Markdown would take for something else is escaped. */
static void put_escaped(const paper *p, const char *text)
{
    for (; *text; text++) {
        if (strchr("\\`*[]<>|", *text))
            fputc('\\', p->out);
        fputc(*text, p->out);
    }
}

static void put_markdown_row(const paper *p, const paper_table *t, size_t row, const size_t *widths)
{
    fputc('|', p->out);
    for (size_t i = 0; i < t->columns; i++) {
        const paper_text *cell = &t->cells[row * t->columns + i];
        const char *text = cell->text;
        const bool code = t->name[i] && row > 0 && *text && !strpbrk(text, "`|");
        const size_t first = code ? cell->name_bytes : 0;
        if (widths[i] == 0)
            continue;
        fputc(' ', p->out);
        if (code)
            fprintf(p->out, "`%.*s`", (int)first, text);
        put_escaped(p, text + first);
        fputs(" |", p->out);
    }
    fputc('\n', p->out);
}

static void put_markdown(const paper *p, const paper_table *t, const size_t *widths)
{
    put_markdown_row(p, t, 0, widths);
    fputc('|', p->out);
    for (size_t i = 0; i < t->columns; i++)
        if (widths[i] > 0)
            fputs(t->right[i] ? " ---: |" : " --- |", p->out);
    fputc('\n', p->out);
    for (size_t row = 1; row < t->rows / t->columns; row++)
        put_markdown_row(p, t, row, widths);
}

static void put_table(const paper *p, const paper_table *t, const int *give)
{
    size_t widths[PAPER_COLUMNS];
    for (size_t i = 0; i < t->columns; i++)
        widths[i] = width_of(t, i);
    if (p->markdown) {
        put_markdown(p, t, widths);
        return;
    }
    make_fit(widths, t->columns, p->width, give);
    for (size_t row = 0; row < t->rows / t->columns; row++)
        put_row(p, t, row, widths);
}

bool paper_print(const paper *p, paper_table *t, const int *give)
{
    const bool good = !t->failed;
    if (good && t->columns > 0 && t->rows > t->columns)
        put_table(p, t, give);
    for (size_t i = 0; i < t->rows; i++)
        free(t->cells[i].text);
    free(t->cells);
    t->cells = NULL;
    t->rows = t->capacity = 0;
    return good;
}

/* Prints a word, in pieces where it is longer than a line; returns the column behind it. */
static size_t put_word(const paper *p, const char *word, size_t bytes, size_t indent, size_t used)
{
    for (size_t i = 0; i < bytes; i++) {
        const bool begins = ((unsigned char)word[i] & 0xc0) != 0x80;
        if (begins && used >= p->width && p->width > indent) {
            fprintf(p->out, "\n%*s", (int)indent, "");
            used = indent;
        }
        fputc(word[i], p->out);
        used += begins;
    }
    return used;
}

void paper_wrap(const paper *p, size_t indent, const char *text)
{
    const size_t first = indent >= 2 ? indent - 2 : 0;
    size_t used = first;
    bool begins = true;
    if (p->markdown) {
        fputs("- ", p->out);
        put_escaped(p, text);
        fputc('\n', p->out);
        return;
    }
    fprintf(p->out, "%*s", (int)first, "");
    while (*(text += strspn(text, " \n"))) {
        const size_t bytes = strcspn(text, " \n");
        char word[512];
        snprintf(word, sizeof word, "%.*s", (int)bytes, text);
        if (!begins && used + 1 + fit_width(word) > p->width) {
            fprintf(p->out, "\n%*s", (int)indent, "");
            used = indent;
        } else if (!begins) {
            fputc(' ', p->out);
            used++;
        }
        begins = false;
        used = put_word(p, text, bytes, indent, used);
        text += bytes;
    }
    fputc('\n', p->out);
}

void paper_say(const paper *p, size_t indent, const char *format, ...)
{
    enum { TEXT_BYTES = 4096 };
    char text[TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    paper_wrap(p, indent, text);
}

void paper_heading(const paper *p, unsigned level, const char *text)
{
    if (p->markdown) {
        fprintf(p->out, "%.*s ", (int)level + 2, "######");
        put_escaped(p, text);
        fputs("\n\n", p->out);
        return;
    }
    if (p->color)
        fputs("\033[1m", p->out);
    paper_wrap(p, 2, text);
    if (p->color)
        fputs("\033[0m", p->out);
}

void paper_paragraph(const paper *p, const char *bold, const char *text)
{
    char *whole;
    if (p->markdown) {
        fprintf(p->out, "%s%s%s", *bold ? "**" : "", bold, *bold ? "** " : "");
        put_escaped(p, text);
        fputs("\n\n", p->out);
    } else if (asprintf(&whole, "%s%s%s%s%s", *bold && p->color ? "\033[1m" : "", bold,
                        *bold && p->color ? "\033[0m" : "", *bold ? " " : "", text) >= 0) {
        paper_wrap(p, 4, whole);
        free(whole);
    }
}

void paper_code(const paper *p, const char *bold, const char *text)
{
    if (p->markdown && !strchr(text, '`'))
        fprintf(p->out, "**%s** `%s`\n\n", bold, text);
    else
        paper_paragraph(p, bold, text);
}

void paper_command(const paper *p, const char *text)
{
    char *line;
    if (p->markdown)
        fprintf(p->out, "\n```sh\n%s\n```\n", text);
    else if (asprintf(&line, "$ %s", text) >= 0) {
        paper_wrap(p, 4, line);
        free(line);
    }
}

void paper_space(const paper *p)
{
    fputc('\n', p->out);
}
