/* comma_list_test.c - the words of a comma-separated list, one after the other */
#include "tap.h"

#include "text/comma_list.h"

/* The words of a list, each in parentheses. */
static const char *words(const char *list)
{
    static char text[64];
    char word[8];
    size_t used = 0;
    text[0] = '\0';
    while (comma_list_next(&list, word, sizeof word))
        used += (size_t)snprintf(text + used, sizeof text - used, "(%s)", word);
    return text;
}

static void check_words(void)
{
    is_text(words("cpu,cuda,opencl"), "(cpu)(cuda)(opencl)", "words come in their order");
    is_text(words("cpu"), "(cpu)", "a list may be of one word");
    is_text(words(""), "", "an empty list has no words");
    is_text(words(NULL), "", "no list has none either");
    is_text(words("a,,b"), "(a)()(b)", "between two commas is an empty word");
    is_text(words(",a"), "()(a)", "and so is before the first");
    is_text(words("a,b,"), "(a)(b)", "but not behind the last");
    is_text(words("a, b"), "(a)( b)", "spaces belong to the words");
    is_text(words("abcdefghij,k"), "(abcdefg)(k)", "a word is cut to its place, and no other");
}

static void check_end(void)
{
    const char *list = "a";
    char word[8] = "";
    ok(comma_list_next(&list, word, sizeof word) && *list == '\0',
       "the list is used up by its last word");
    ok(!comma_list_next(&list, word, sizeof word), "then there is no other");
    is_text(word, "a", "and nothing is written");
}

int main(void)
{
    tap_plan(12);
    check_words();
    check_end();
    return tap_done();
}
