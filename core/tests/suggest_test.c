/* suggest_test.c - the nearest word, and the message that suggests it */
#include "tap.h"

#include "text/suggest.h"

static void check_nearest(void)
{
    static const char *const words[] = {"cpu_serial", "cpu_memcpy", "cuda_blelloch", "cuda_cub"};
    is_text(suggest_nearest("cpu_seriel", words, 4), "cpu_serial", "one letter wrong");
    is_text(suggest_nearest("cpu_serail", words, 4), "cpu_serial", "two letters swapped");
    is_text(suggest_nearest("cuda_bleloch", words, 4), "cuda_blelloch", "one letter missing");
    is_text(suggest_nearest("cuda_cub", words, 4), "cuda_cub", "the word itself");
    is_text(suggest_nearest("zzzzzzzz", words, 4), NULL, "nothing is close to zzzzzzzz");
    is_text(suggest_nearest("cpu_serial", words, 0), NULL, "nothing is close among no names");
    is_text(suggest_nearest("", words, 4), NULL, "nothing is close to an empty word");
}

static void check_suggest(void)
{
    static const char *const words[] = {"sum", "min", "max"};
    char text[SUGGEST_BYTES], small[8];
    ok(suggest_text("sam", words, 3, text, sizeof text) == text,
       "a suggestion is what is returned");
    is_text(text, "; did you mean sum?", "it is the end of a message");
    is_text(suggest_text("zzzzzz", words, 3, text, sizeof text), "", "without one there is no end");
    is_text(suggest_text("sam", words, 3, small, sizeof small), "; did y",
            "it is cut to its place");
}

int main(void)
{
    tap_plan(11);
    check_nearest();
    check_suggest();
    return tap_done();
}
