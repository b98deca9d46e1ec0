#include "report/words.h"

#include "text/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Digits behind the point of a number that is shown with three significant ones. */
static int digits_of(double value)
{
    return value < 0.09995 ? 4 : value < 0.9995 ? 3 : value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
}

const char *words_number(double value, char text[WORDS_NUMBER_BYTES])
{
    if (!(value > 0) || !isfinite(value))
        snprintf(text, WORDS_NUMBER_BYTES, "-");
    else if (value < 0.000995 || value >= 9.995e9)
        snprintf(text, WORDS_NUMBER_BYTES, "%.2e", value);
    else if (value < 0.009995)
        snprintf(text, WORDS_NUMBER_BYTES, "%.5f", value);
    else
        snprintf(text, WORDS_NUMBER_BYTES, "%.*f", digits_of(value), value);
    return text;
}

const char *words_time(double ns, char text[WORDS_NUMBER_BYTES])
{
    static const struct {
        double ns;
        const char *word;
    } units[] = {{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}};
    char digits[WORDS_NUMBER_BYTES];
    size_t unit = 0;
    if (!(ns > 0) || !isfinite(ns)) {
        snprintf(text, WORDS_NUMBER_BYTES, "-");
        return text;
    }
    while (unit < 3 && ns >= 999.5 * units[unit].ns)
        unit++;
    snprintf(text, WORDS_NUMBER_BYTES, "%.20s %s", words_number(ns / units[unit].ns, digits),
             units[unit].word);
    return text;
}

const char *words_rough(double n, char text[WORDS_NUMBER_BYTES])
{
    const double unit = n >= 1 ? pow(10, floor(log10(n))) : 1;
    return number_text((uint64_t)(round(n / unit) * unit), text);
}

const char *words_half_width(const result_row *row, char text[WORDS_NUMBER_BYTES])
{
    if (row->absolute.known)
        snprintf(text, WORDS_NUMBER_BYTES, "%.1f %%",
                 50 * (row->ci_hi_ns - row->ci_lo_ns) / row->median_ns);
    else
        snprintf(text, WORDS_NUMBER_BYTES, "-");
    return text;
}

/* A ratio as a change: "+4.2 %", "2.31x". */
static const char *change(double ratio, bool as_factor, char text[WORDS_NUMBER_BYTES])
{
    if (as_factor) {
        char digits[WORDS_NUMBER_BYTES];
        snprintf(text, WORDS_NUMBER_BYTES, "%.20sx", words_number(ratio, digits));
    } else {
        snprintf(text, WORDS_NUMBER_BYTES, "%+.1f %%", 100 * (ratio - 1));
    }
    return text;
}

const char *words_ratio(const report_ratio *ratio, char text[WORDS_RATIO_BYTES])
{
    char middle[WORDS_NUMBER_BYTES], lo[WORDS_NUMBER_BYTES], hi[WORDS_NUMBER_BYTES];
    const bool as_factor = ratio->ratio >= 1.995;
    if (!(ratio->ratio > 0)) {
        snprintf(text, WORDS_RATIO_BYTES, "-");
        return text;
    }
    change(ratio->ratio, as_factor, middle);
    if (!ratio->has_interval) {
        snprintf(text, WORDS_RATIO_BYTES, "%s (?)", middle);
        return text;
    }
    change(ratio->lo, as_factor, lo);
    change(ratio->hi, as_factor, hi);
    if (!as_factor)
        lo[strcspn(lo, " ")] = hi[strcspn(hi, " ")] = '\0';
    else
        lo[strcspn(lo, "x")] = hi[strcspn(hi, "x")] = '\0';
    snprintf(text, WORDS_RATIO_BYTES, "%.24s (%.24s to %.24s)", middle, lo, hi);
    return text;
}

const char *words_margin(const report_ratio *ratio, char text[WORDS_NUMBER_BYTES])
{
    if (ratio->ratio > 0 && ratio->ratio < 1) {
        /* By its median the other is no faster; within the rounds it was. */
        snprintf(text, WORDS_NUMBER_BYTES, "tie");
    } else if (ratio->ratio > 0) {
        char digits[WORDS_NUMBER_BYTES];
        snprintf(text, WORDS_NUMBER_BYTES, "%.24s%s",
                 change(ratio->ratio, ratio->ratio >= 1.995, digits),
                 ratio->has_interval ? "" : "?");
    } else {
        snprintf(text, WORDS_NUMBER_BYTES, "-");
    }
    return text;
}

const char *words_ties(const report_entry *entry, char text[WORDS_NUMBER_BYTES])
{
    size_t tied = 0, unknown = 0;
    for (size_t i = 1; i < entry->setting_count; i++) {
        tied += entry->settings[i].standing == REPORT_TIED;
        unknown += entry->settings[i].standing == REPORT_UNKNOWN;
    }
    if (unknown > 0)
        snprintf(text, WORDS_NUMBER_BYTES, "? of %zu", entry->setting_count - 1);
    else
        snprintf(text, WORDS_NUMBER_BYTES, "%zu of %zu", tied, entry->setting_count - 1);
    return text;
}

const char *words_plugins(const result_row *const *rows, size_t count, char *text, size_t size)
{
    enum { SHOWN = 4, MOST = 64 };
    const char *names[MOST];
    size_t known = 0;
    *text = '\0';
    for (size_t i = 0; i < count && known < MOST; i++) {
        size_t k = 0;
        while (k < known && strcmp(names[k], rows[i]->plugin) != 0)
            k++;
        if (k == known)
            names[known++] = rows[i]->plugin;
    }
    for (size_t k = 0; k < known && k < SHOWN; k++) {
        const size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", k ? ", " : "", names[k]);
    }
    const size_t used = strlen(text);
    if (known > SHOWN)
        snprintf(text + used, size - used, ", ... (%zu%s plugins)", known,
                 known == MOST ? " or more" : "");
    return text;
}

const char *words_version(const result_row *row)
{
    const bool known = strcmp(row->role, "peer") == 0 && strcmp(row->plugin_version, "1.0") != 0;
    return known ? row->plugin_version : "";
}

/* Appends " PREFIXWORD" if there is a word. */
static void append(char *text, size_t size, const char *prefix, const char *word)
{
    const size_t used = strlen(text);
    if (*word)
        snprintf(text + used, size - used, "%s%s%s", used ? " " : "", prefix, word);
}

const char *words_plugin(const result_row *row, char text[WORDS_PLUGIN_BYTES])
{
    snprintf(text, WORDS_PLUGIN_BYTES, "%.128s", row->plugin);
    append(text, WORDS_PLUGIN_BYTES, "", words_version(row));
    append(text, WORDS_PLUGIN_BYTES, "", result_row_is_other_kind(row) ? "(inclusive)" : "");
    return text;
}

const char *words_setting(const result_row *row, char text[WORDS_SETTING_BYTES])
{
    *text = '\0';
    append(text, WORDS_SETTING_BYTES, "block=", row->block);
    append(text, WORDS_SETTING_BYTES, "vt=", row->vt);
    append(text, WORDS_SETTING_BYTES, "", row->params);
    for (char *at = text; *at; at++)
        if (*at == ';')
            *at = ' ';
    return text;
}

const char *words_sheet(const report_sheet *sheet, char text[WORDS_SETTING_BYTES])
{
    *text = '\0';
    const bool any_kind = strcmp(sheet->kind, RESULT_ANY_KIND) == 0;
    append(text, WORDS_SETTING_BYTES, "", any_kind ? "exclusive or inclusive" : sheet->kind);
    append(text, WORDS_SETTING_BYTES, "", sheet->dtype);
    append(text, WORDS_SETTING_BYTES, "", *sheet->op ? sheet->op : "copy");
    if (strcmp(sheet->cache, "cold") == 0)
        append(text, WORDS_SETTING_BYTES - 1, "", "with cold caches");
    return text;
}

const char *words_place(const report_problem *p, char text[WORDS_SETTING_BYTES])
{
    const char *how = p->in_place ? ", in place" : "";
    if (p->view == REPORT_FROM_HOST)
        snprintf(text, WORDS_SETTING_BYTES, "any device, %s%s", report_view_word(p->view), how);
    else if (strcmp(p->place, REPORT_PROCESSOR) == 0)
        snprintf(text, WORDS_SETTING_BYTES, "processor%s", how);
    else
        snprintf(text, WORDS_SETTING_BYTES, "%.200s, %s%s", p->place, report_view_word(p->view),
                 how);
    return text;
}
