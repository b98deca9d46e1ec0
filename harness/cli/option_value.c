#include "cli/option_value.h"

#include "text/comma_list.h"
#include "text/range.h"
#include "text/suggest.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT_MOST = 1000000, WORDS_MOST = 32 };

/* Parses a whole number, with the suffixes of sizes. */
static bool read_number(const char *text, uint64_t *value_p)
{
    errmsg error;
    range_list list = {0};
    if (range_parse(text, RANGE_STEP_ONE, &list, &error) != SCAN_OK)
        return false;
    bool good = list.count == 1 && list.values[0] >= 0;
    if (good)
        *value_p = (uint64_t)list.values[0];
    range_free(&list);
    return good;
}

static scan_status store_form(help_form *form_p, const option_entry *entry, const char *value,
                              errmsg *error)
{
    static const char *const forms[] = {[HELP_MAN] = "man",
                                        [HELP_BASH] = "bash",
                                        [HELP_ZSH] = "zsh",
                                        [HELP_FISH] = "fish",
                                        [HELP_COLUMNS] = "columns"};
    if (!value) {
        *form_p = HELP_TEXT;
        return SCAN_OK;
    }
    for (size_t i = HELP_MAN; i <= HELP_COLUMNS; i++)
        if (strcmp(value, forms[i]) == 0) {
            *form_p = (help_form)i;
            return SCAN_OK;
        }
    return errmsg_set(error, SCAN_INVALID, "--%s=%s: write one of %s", entry->name, value,
                      entry->words);
}

/* Is it one of the words of the entry? */
static scan_status check_word(const option_entry *entry, const char *value, errmsg *error)
{
    char words[256], suggestion[SUGGEST_BYTES];
    const char *known[WORDS_MOST];
    size_t count = 0;
    snprintf(words, sizeof words, "%s", entry->words);
    for (char *rest = words, *word; count < WORDS_MOST && (word = strsep(&rest, " "));) {
        if (strcmp(word, value) == 0)
            return SCAN_OK;
        known[count++] = word;
    }
    suggest_text(value, known, count, suggestion, sizeof suggestion);
    if (*suggestion)
        return errmsg_set(error, SCAN_INVALID, "--%s: \"%s\" is unknown%s", entry->name, value,
                          suggestion);
    return errmsg_set(error, SCAN_INVALID, "--%s: \"%s\" is unknown; write one of %s", entry->name,
                      value, entry->words);
}

/* Checks one word or, if the argument is a list, several. */
static scan_status check_words(const option_entry *entry, const char *value, errmsg *error)
{
    char word[64] = "";
    if (strcmp(entry->argument, "LIST") != 0)
        return check_word(entry, value, error);
    scan_status status = *value ? SCAN_OK : check_word(entry, value, error);
    while (status == SCAN_OK && comma_list_next(&value, word, sizeof word))
        status = check_word(entry, word, error);
    return status;
}

static scan_status store_set(option_sets *sets, const char *value, errmsg *error)
{
    if (sets->count == OPTIONS_SETS || !strchr(value, '='))
        return errmsg_set(error, SCAN_INVALID,
                          "--set %s: write NAME=LIST, as vt=1,3,7, at most %d times", value,
                          OPTIONS_SETS);
    sets->items[sets->count++] = value;
    return SCAN_OK;
}

static scan_status store_count(uint32_t *count_p, const option_entry *entry, const char *value,
                               errmsg *error)
{
    uint64_t number;
    if (!read_number(value, &number) || number == 0 || number > COUNT_MOST)
        return errmsg_set(error, SCAN_INVALID, "--%s %s: not a whole number from 1 to %d",
                          entry->name, value, COUNT_MOST);
    *count_p = (uint32_t)number;
    return SCAN_OK;
}

static scan_status store_seconds(double *seconds_p, const option_entry *entry, const char *value,
                                 errmsg *error)
{
    char *end;
    const double seconds = strtod(value, &end);
    if (end == value || *end || !(seconds > 0 && seconds < 1e9))
        return errmsg_set(error, SCAN_INVALID, "--%s %s: not a number above 0 and below 1e9",
                          entry->name, value);
    *seconds_p = seconds;
    return SCAN_OK;
}

static scan_status store_percent(double *percent_p, const option_entry *entry, const char *value,
                                 errmsg *error)
{
    char *end;
    const double percent = strtod(value, &end);
    if (end == value || (*end && strcmp(end, "%") != 0) || !(percent > 0 && percent <= 100))
        return errmsg_set(error, SCAN_INVALID, "--%s %s: not a percentage above 0, up to 100",
                          entry->name, value);
    *percent_p = percent;
    return SCAN_OK;
}

scan_status option_value_store(options *o, const option_entry *entry, const char *value,
                               errmsg *error)
{
    void *member = (char *)o + entry->offset;
    scan_status status = SCAN_OK;
    switch (entry->type) {
    case OPTION_FLAG:
        *(OPTION_FLAG_VALUE *)member = true;
        break;
    case OPTION_WORD:
        status = check_words(entry, value, error);
        *(OPTION_WORD_VALUE *)member = value;
        break;
    case OPTION_TEXT:
        *(OPTION_TEXT_VALUE *)member = value;
        break;
    case OPTION_FORM:
        return store_form(member, entry, value, error);
    case OPTION_SET:
        return store_set(member, value, error);
    case OPTION_COUNT:
        return store_count(member, entry, value, error);
    case OPTION_SECONDS:
        return store_seconds(member, entry, value, error);
    case OPTION_PERCENT:
        return store_percent(member, entry, value, error);
    case OPTION_U64:
        if (!read_number(value, member))
            status = errmsg_set(
                error, SCAN_INVALID,
                "--%s %s: not a whole number of 0 or more and below 2^63, such as 1000 or 8Gi",
                entry->name, value);
        break;
    }
    return status;
}
