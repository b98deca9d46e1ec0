/* shell_quote_test.c - a shell reads each quoted word as it was */
#include "tap.h"
#include "text/shell_quote.h"

#include <stdio.h>
#include <stdlib.h>

/* What a shell makes of the word. */
static void check(size_t number, const char *word)
{
    char command[512], got[256] = "";
    FILE *out = fmemopen(command, sizeof command, "w");
    if (out) {
        fputs("printf %s ", out);
        shell_quote_put(out, word);
        fclose(out);
    }
    FILE *shell = popen(command, "r"); /* NOLINT(cert-env33-c): the shell is what is asked */
    if (shell) {
        size_t count = fread(got, 1, sizeof got - 1, shell);
        got[count] = '\0';
        pclose(shell);
    }
    is_text(got, word, "a shell takes word %zu as it is", number);
}

int main(void)
{
    static const char *const words[] = {
        "plain/path-1.so",    "with space",   "quote's", "$(echo no) `echo no`",
        "\"double\" \\ back", "*?[a]~#&;|<>", "'",       "",
        "new\nline"};
    const size_t count = sizeof words / sizeof *words;
    tap_plan((int)count);
    for (size_t i = 0; i < count; i++)
        check(i, words[i]);
    return tap_done();
}
