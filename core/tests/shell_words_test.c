/* words_test.c - commands are split into words as a shell splits them */
#include "tap.h"
#include "text/shell_words.h"

#include <stdio.h>
#include <string.h>

/* The words of `text`, each between brackets, or the reason. */
static void check(const char *text, const char *expected)
{
    char copy[2048], found[2048] = "", *words[SHELL_WORDS_MOST];
    size_t count = 0;
    errmsg error = {""};
    snprintf(copy, sizeof copy, "%s", text);
    if (shell_words_split(copy, words, &count, &error) != SCAN_OK)
        snprintf(found, sizeof found, "%s", error.text);
    for (size_t i = 0; i < count; i++) {
        const size_t used = strlen(found);
        snprintf(found + used, sizeof found - used, "[%s]", words[i]);
    }
    if (!ok(strcmp(found, expected) == 0, "%.60s", text))
        printf("# got: %s\n# expected: %s\n", found, expected);
}

static void test_most(void)
{
    char text[2 * SHELL_WORDS_MOST + 3];
    for (size_t i = 0; i <= SHELL_WORDS_MOST; i++)
        memcpy(text + 2 * i, "a ", 2);
    text[2 * SHELL_WORDS_MOST + 2] = '\0';
    check(text, "more than 256 words");
}

int main(void)
{
    tap_plan(13);
    check("mpirun -n 2", "[mpirun][-n][2]");
    check("  mpirun\t-n  2 ", "[mpirun][-n][2]");
    check("'/a b/mpirun' -n 2", "[/a b/mpirun][-n][2]");
    check("sh -c \"exec 'a b' $0\"", "[sh][-c][exec 'a b' $0]");
    check("/a\\ b/run \\'x", "[/a b/run]['x]");
    check("a '' \"\" b", "[a][][][b]");
    check("x'y'\"z\"", "[xyz]");
    check("\"a\\\"b\" 'c\\d'", "[a\"b][c\\d]");
    check("", "there is no command");
    check("   ", "there is no command");
    check("a 'b", "a quote is not closed");
    check("a \"", "a quote is not closed");
    test_most();
    return tap_done();
}
