#include "text/shell_words.h"

#include <string.h>

static const char blanks[] = " \t\n";

/* Moves one word to *to_p, without its quotes. Returns what follows it, or NULL if a quote is open
 * at the end. */
static char *take_word(char *from, char **to_p)
{
    char *to = *to_p, quote = '\0';
    for (; *from && (quote || !strchr(blanks, *from)); from++) {
        const char c = *from;
        if (c == quote) {
            quote = '\0';
        } else if (!quote && (c == '\'' || c == '"')) {
            quote = c;
        } else {
            if (c == '\\' && quote != '\'' && from[1])
                from++;
            *to++ = *from;
        }
    }
    *to_p = to;
    return quote ? NULL : from;
}

scan_status shell_words_split(char *text, char *words[SHELL_WORDS_MOST], size_t *count_p,
                              errmsg *error)
{
    size_t count = 0;
    char *from = text + strspn(text, blanks), *to = text;
    while (*from) {
        if (count == SHELL_WORDS_MOST)
            return errmsg_set(error, SCAN_INVALID, "more than %d words", SHELL_WORDS_MOST);
        words[count++] = to;
        from = take_word(from, &to);
        if (!from)
            return errmsg_set(error, SCAN_INVALID, "a quote is not closed");
        from += strspn(from, blanks); /* before the end of the word is written over them */
        *to++ = '\0';
    }
    *count_p = count;
    return count > 0 ? SCAN_OK : errmsg_set(error, SCAN_INVALID, "there is no command");
}
