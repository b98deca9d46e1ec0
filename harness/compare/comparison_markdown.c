/*
 * comparison_markdown.c - a comparison as a table for an issue or a pull request
 */
#include "compare/comparison_print.h"
#include "compare/comparison_words.h"
#include "text/utf8.h"

#include <inttypes.h>

/* Writes a text so that it means itself: in a cell of a table, as no markup and no tag. */
static void put_text(FILE *out, const char *text)
{
    while (*text) {
        const size_t bytes = utf8_bytes(text);
        const unsigned char first = (unsigned char)*text;
        if (bytes > 0 && utf8_is_control(text, bytes))
            fputc(' ', out);
        else if (bytes == 1 && (first == '|' || first == '\\' || first == '*' || first == '_' ||
                                first == '`' || first == '<' || first == '[' || first == '&' ||
                                first == '~' || first == '@' || first == '#'))
            fprintf(out, "\\%c", *text);
        else if (bytes == 0)
            fputc('?', out);
        else
            fwrite(text, 1, bytes, out);
        text += bytes > 0 ? bytes : 1;
    }
}

static void put_difference(void *to, const char *text)
{
    fputs("- ", to);
    put_text(to, text);
    fputc('\n', to);
}

static void put_pair(FILE *out, const compared_pair *pair, const naming *n)
{
    char name[COMPARED_NAME_BYTES], reason[COMPARED_REASON_BYTES];
    char change[CHANGE_BYTES];
    const result_row *row = compared_row(pair);
    const verdict_outcome *o = &pair->outcome;
    const char *bold = pair->regression ? "**" : "";
    fputs("| ", out);
    put_text(out, naming_name(n, pair, name, sizeof name));
    fprintf(out, " | %" PRIu64 " | %s | ", row->n,
            change_text(pair->has_ratio ? o->ratio : 0, change));
    if (o->has_interval) {
        char lo[CHANGE_BYTES], hi[CHANGE_BYTES];
        fprintf(out, "%s … %s", change_text(o->lo, lo), change_text(o->hi, hi));
    }
    fprintf(out, " | %s%s%s", bold, verdict_word(o->verdict), bold);
    if (*compared_reason(pair, reason, sizeof reason)) {
        fputs(": ", out);
        put_text(out, reason);
    }
    fputs(" |\n", out);
}

scan_status comparison_print_markdown(const comparison *c, FILE *out)
{
    const naming n = naming_of(c);
    char summary[SUMMARY_BYTES];
    scan_status status = SCAN_OK;
    for (size_t i = 1; i < c->file_count && status == SCAN_OK; i++) {
        const result_file *second = &c->files[i];
        fputs(i > 1 ? "\n### " : "### ", out);
        put_text(out, c->files[0].path);
        fputs(" → ", out);
        put_text(out, second->path);
        fputs("\n\n", out);
        char meaning[CHANGE_MEANING_BYTES];
        put_difference(out, change_meaning(c, second, meaning));
        status = differences_tell(c, second, put_difference, out);
        fputs("\n| plugin | n | change | 95 % interval | verdict |\n"
              "| --- | ---: | ---: | :---: | --- |\n",
              out);
        for (size_t k = 0; k < c->count; k++)
            if (c->pairs[k].second_file == second && c->pairs[k].first && c->pairs[k].second)
                put_pair(out, &c->pairs[k], &n);
        fputc('\n', out);
        put_unmatched(c, second, true, put_difference, out);
        put_unmatched(c, second, false, put_difference, out);
    }
    fprintf(out, "\n%s\n", summary_text(c, summary));
    return status;
}
