/* fit_test.c - text is shortened to the columns of a terminal, and numbers are not cut */
#include "tap.h"
#include "text/fit.h"

#include <stdbool.h>

typedef void (*fitter)(const char *text, size_t columns, char *fitted, size_t size);

static const char *fitted(fitter fit, const char *text, size_t columns)
{
    static char to[256];
    fit(text, columns, to, sizeof to);
    return to;
}

/* Each with every number of columns. */
static bool stays_within(fitter fit, const char *text)
{
    for (size_t columns = 0; columns < 40; columns++)
        if (fit_width(fitted(fit, text, columns)) > columns)
            return false;
    return true;
}

static const char *printed(const char *text)
{
    static char to[1024];
    FILE *out = fmemopen(to, sizeof to, "w");
    if (!out)
        return NULL;
    fit_print(text, 2, 4, FIT_PAGE, out);
    fclose(out);
    return to;
}

static void test_grouped(void)
{
    char text[FIT_GROUPED_BYTES];
    is_text(fit_grouped(0, text), "0", "0 has no comma");
    is_text(fit_grouped(999, text), "999", "nor has 999");
    is_text(fit_grouped(1000, text), "1,000", "1000 has one");
    is_text(fit_grouped(UINT64_MAX, text), "18,446,744,073,709,551,615", "2^64-1 has six");
}

static void test_print(void)
{
    is_text(printed("a b"), "  a b\n", "short text is one line");
    is_text(
        printed("0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 9"),
        "  0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 9\n",
        "80 columns are one line");
    is_text(
        printed("0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 99"),
        "  0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789\n    99\n",
        "81 are two");
    char word[100] = "";
    memset(word, 'x', 99);
    const char *line = printed(word), *end = strchr(line, '\n');
    ok(end == line + FIT_PAGE && strspn(end + 1, " ") == 4 &&
           strcspn(line + 2, "\n") + strcspn(end + 5, "\n") == strlen(word),
       "a word longer than a line is broken, and nothing of it is lost");
}

int main(void)
{
    tap_plan(6 + 4 + 3 + 4);
    is_text(fitted(fit_middle, "opencl_blelloch", 15), "opencl_blelloch", "what fits is kept");
    is_text(fitted(fit_middle, "opencl_blelloch", 10), "openc…loch", "a name loses its middle");
    is_text(fitted(fit_end, "out of memory", 8), "out of …", "a sentence loses its end");
    is_text(fitted(fit_words, "block=256 vt=16", 14), "block=256 …", "a setting loses whole items");
    is_text(fitted(fit_words, "block=256", 8), "…", "and no digits");
    is_text(fitted(fit_middle, "µµµµµµ", 4), "µµ…µ", "characters are counted, not bytes");
    test_grouped();
    ok(stays_within(fit_middle, "a name of µ and ± that is long"), "no name is too long");
    ok(stays_within(fit_end, "a reason of µ and ± that is long"), "no reason is too long");
    ok(stays_within(fit_words, "a=1 b=22 c=333 ddddddddddd=4"), "no setting is too long");
    test_print();
    return tap_done();
}
