/* recipe_test.c - what recipes may say, and what is said of mistakes in them */
#include "recipes/recipe.h"
#include "tap.h"

#include <math.h>
#include <stdlib.h>

static const char good[] = "# a comment\n"
                           "title   Padding\n"
                           "measure --plugins a,b\n"
                           "        --sizes 1e6\n"
                           "source  A book\n"
                           "\n"
                           "claim   It is faster.\n"
                           "source  page 5\n"
                           "expect  for each n:\n"
                           "        median(a, block!=32) / best(b, pad=1)\n"
                           "          > 1.5\n"
                           "expect  median(a) < 20 ms\n"
                           "claim   Another.\n"
                           "expect  from n = 1e6 on: best(a) <= best(b)\n";

static void test_good(void)
{
    recipe r = {.count = 0};
    errmsg error = {""};
    if (!ok(recipe_parse(good, "t", &r, &error) == SCAN_OK, "a recipe is read")) {
        printf("# %s\n", error.text);
        return;
    }
    is_text(r.title, "Padding", "its title");
    is_text(r.measure, "--plugins a,b --sizes 1e6", "what to measure, in one line");
    is_text(r.source, "A book", "the source of all claims");
    is_text(r.claims[0].source, "page 5", "that of one");
    ok(r.count == 2 && r.claims[0].count == 2 && r.claims[1].count == 1,
       "two claims with their expectations");
    const formula *f = &r.claims[0].expectations[0].formula;
    ok(f->loop_count == 1 && strcmp(f->loops[0], "n") == 0 && f->from_n == 0, "a loop");
    ok(f->count == 2 && !f->selectors[0].is_best && !f->selectors[0].divides &&
           f->selectors[1].is_best && f->selectors[1].divides,
       "a time above the line and one below");
    ok(f->selectors[0].count == 2 && strcmp(f->selectors[0].conditions[0].name, "plugin") == 0 &&
           strcmp(f->selectors[0].conditions[1].name, "block") == 0 &&
           f->selectors[0].conditions[1].negated,
       "its conditions");
    is_text(f->selectors[0].text, "median(a, block!=32)", "as it is written");
    ok(f->compare == FORMULA_MORE && fabs(f->limit - 1.5) < 1e-12, "and the limit");
    ok(fabs(r.claims[0].expectations[1].formula.limit - 20e6) < 1e-3, "a limit with a unit");
    f = &r.claims[1].expectations[0].formula;
    ok(f->from_n == 1000000 && f->loop_count == 1 && f->count == 2 && f->selectors[1].divides &&
           f->compare == FORMULA_AT_MOST && fabs(f->limit - 1) < 1e-12,
       "sizes from one on; a time on the right goes below the line");
    recipe_free(&r);
}

/* The limit of a formula whose times are all median(a), and how many are below the line. */
static void limit_is(const char *text, double limit, size_t below)
{
    static formula f;
    errmsg error = {""};
    const formula_source source = {.name = "t", .text = text, .end = strlen(text)};
    const scan_status status = formula_parse(&source, &f, &error);
    size_t divides = 0;
    for (size_t i = 0; status == SCAN_OK && i < f.count; i++)
        divides += f.selectors[i].divides;
    if (!ok(status == SCAN_OK && fabs(f.limit / limit - 1) < 1e-12 && divides == below, "%s", text))
        printf("# %s, limit %g, %zu below\n", error.text, status == SCAN_OK ? f.limit : 0, divides);
}

typedef struct mistake {
    const char *text, *message;
} mistake;

#define CLAIM "title T\nclaim C\nexpect "

#define TEN(text) text text text text text text text text text text

static const mistake mistakes[] = {
    {"claim C\nexpect median(a) < 1\n", "t, line 1, column 1: a line \"title TEXT\" comes first"},
    {"title T\n", "t, line 2, column 1: there is no line \"claim\""},
    {"title\n", "t, line 1, column 1: a text is missing behind the keyword"},
    {"title T\ntitle U\n", "t, line 2, column 1: there is a title already"},
    {"title T\nclame C\n", "t, line 2, column 1: \"clame\" is no keyword; did you mean claim?"},
    {"title T\nclaim C\n", "t, line 3, column 1: the last claim has no line \"expect\""},
    {"title T\nexpect median(a) < 1\n",
     "t, line 2, column 1: \"expect\" belongs below a line \"claim\""},
    {"title T\n\n  lost\n",
     "t, line 3, column 3: nothing to go on with; a keyword begins its line"},
    {CLAIM "median(a) = 1\n", "t, line 3, column 18: found \"=\"; expected one of * / < <= > >="},
    {CLAIM "1 < 2\n", "t, line 3, column 8: found \"1\"; a formula needs a time: median(...) or "
                      "best(...)"},
    {CLAIM "median(a < 1\n", "t, line 3, column 17: found \"<\"; expected \",\" or \")\""},
    {CLAIM "mean(a) < 1\n",
     "t, line 3, column 8: found \"mean\"; expected median(...), best(...) or a number"},
    {CLAIM "median(a)\n  <\n",
     "t, line 4, column 4: found the end of the formula; expected median(...), best(...) or a "
     "number"},
    {CLAIM "median(a) < 1 2\n",
     "t, line 3, column 22: found \"2\"; expected the end of the formula"},
    {CLAIM "for n: median(a) < 1\n",
     "t, line 3, column 12: found \"n:\"; expected \"each\"; write \"for each n: ...\""},
    {CLAIM "from n = x on: median(a) < 1\n",
     "t, line 3, column 17: found \"x\"; expected a number of elements, as 1e6 or 2^20"},
    {CLAIM "for each n median(a) < 1\n",
     "t, line 3, column 19: found \"median\"; expected \":\" behind the loop, as in \"for each n: "
     "...\""},
    {CLAIM "median(a, block=) < 1\n",
     "t, line 3, column 24: found \")\"; expected a value, as in block=256"},
    {CLAIM "median(a, dtype=i23) < 1\n",
     "t, line 3, column 24: found \"i23\"; dtype is one of i32 u32 i64 u64 f32 f64 u32x2 f32x2"},
    {CLAIM "median(a, op!= som) < 1\n",
     "t, line 3, column 23: found \"som\"; op is one of sum max min affine"},
    {CLAIM "median(a) < 0\n", "t, line 3, column 20: found \"0\"; expected a number above 0, as "
                              "1.5 or 1e6"},
    {CLAIM "((((((((((median(a)))))))))) < 1\n",
     "t, line 3, column 16: found \"(\"; parentheses are at most 8 deep"},
    {CLAIM "median(a" TEN(TEN(",b=1")) ") < 1\n",
     "t, line 3, column 333: found \"b\"; there are at most 80 conditions"},
};
enum { MISTAKES = sizeof mistakes / sizeof *mistakes };

static void test_mistake(const mistake *m)
{
    recipe r = {.count = 0};
    errmsg error = {"accepted"};
    if (recipe_parse(m->text, "t", &r, &error) == SCAN_OK)
        recipe_free(&r);
    is_text(error.text, m->message, "%s", m->message);
}

int main(void)
{
    tap_plan(13 + 6 + MISTAKES);
    test_good();
    limit_is("median(a) / median(a) > 1.5", 1.5, 1);
    limit_is("2 * median(a) > 3 * median(a)", 1.5, 1);
    limit_is("median(a) / (2 * median(a)) < 4", 8, 1);
    limit_is("median(a) / (median(a) / median(a)) < 6 / (2 * 3)", 1, 1);
    limit_is("1 / median(a) > 1 / (4 us)", 1.0 / 4000, 1);
    limit_is(
        "median(a, n=1, dtype=i32, op=sum, kind=exclusive, cache=hot, block=8, rows=8, stages=0, "
        "reducers=0, ctas=0, evict=1, even=0) < 2",
        2, 0);
    for (size_t i = 0; i < MISTAKES; i++)
        test_mistake(&mistakes[i]);
    return tap_done();
}
