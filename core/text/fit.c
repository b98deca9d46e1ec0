#include "text/fit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#define ELLIPSIS "…"

static bool begins_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

size_t fit_width(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += begins_character(*text);
    return width;
}

/* The bytes of the first `columns` characters. */
static size_t bytes_of(const char *text, size_t columns)
{
    const char *at = text;
    while (*at && (!begins_character(*at) || columns > 0)) {
        columns -= begins_character(*at);
        at++;
    }
    return (size_t)(at - text);
}

/* The first `head` characters, the ellipsis and the last `tail` ones. */
static void join(const char *text, size_t head, size_t tail, char *fitted, size_t size)
{
    const char *end = text + bytes_of(text, fit_width(text) - tail);
    snprintf(fitted, size, "%.*s" ELLIPSIS "%s", (int)bytes_of(text, head), text, end);
}

void fit_middle(const char *text, size_t columns, char *fitted, size_t size)
{
    if (fit_width(text) <= columns)
        snprintf(fitted, size, "%s", text);
    else if (columns == 0)
        *fitted = '\0';
    else
        join(text, columns / 2, (columns - 1) / 2, fitted, size);
}

void fit_end(const char *text, size_t columns, char *fitted, size_t size)
{
    if (fit_width(text) <= columns)
        snprintf(fitted, size, "%s", text);
    else if (columns == 0)
        *fitted = '\0';
    else
        join(text, columns - 1, 0, fitted, size);
}

void fit_words(const char *text, size_t columns, char *fitted, size_t size)
{
    if (fit_width(text) <= columns) {
        snprintf(fitted, size, "%s", text);
        return;
    }
    size_t bytes = columns >= 2 ? bytes_of(text, columns - 1) : 0;
    while (bytes > 0 && text[bytes - 1] != ' ')
        bytes--;
    snprintf(fitted, size, "%.*s%s", (int)bytes, text, columns > 0 ? ELLIPSIS : "");
}

void fit_print_behind(size_t used, const char *text, size_t next_indent, size_t columns, FILE *out)
{
    bool begins = true;
    while (*(text += strspn(text, " \n"))) {
        size_t bytes = strcspn(text, " \n"), wide = 0;
        for (size_t i = 0; i < bytes; i++)
            wide += begins_character(text[i]);
        if (used > next_indent && used + !begins + wide > columns) {
            fprintf(out, "\n%*s", (int)next_indent, "");
            used = next_indent;
            begins = true;
        }
        const size_t taken = used + !begins, room = columns > taken ? columns - taken : 1;
        if (wide > room) {
            bytes = bytes_of(text, room); /* the rest of the word is next */
            wide = room;
        }
        fprintf(out, "%s%.*s", begins ? "" : " ", (int)bytes, text);
        used = taken + wide;
        begins = false;
        text += bytes;
    }
    fputc('\n', out);
}

void fit_print(const char *text, size_t first_indent, size_t next_indent, size_t columns, FILE *out)
{
    fprintf(out, "%*s", (int)first_indent, "");
    fit_print_behind(first_indent, text, next_indent, columns, out);
}

const char *fit_grouped(uint64_t value, char text[FIT_GROUPED_BYTES])
{
    char digits[24];
    const int count = snprintf(digits, sizeof digits, "%" PRIu64, value);
    char *to = text;
    for (int i = 0; i < count; i++) {
        if (i > 0 && (count - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
    return text;
}
