/* progress_test.c - the bar fits the terminal, and shortens names rather than digits */
#include "commands/progress.h"
#include "tap.h"
#include "text/fit.h"

/* The bar 62 s after the beginning, with so much time left. */
static const char *drawn(double left_s, const char *name, const char *problem, size_t columns)
{
    static char line[512];
    progress p = {.start_s = 1000, .end_s = 1062 + left_s};
    snprintf(p.name, sizeof p.name, "%s", name);
    snprintf(p.problem, sizeof p.problem, "%s", problem);
    progress_draw(&p, 1062, columns, line, sizeof line);
    return line;
}

static void test_durations(void)
{
    char text[DURATION_BYTES];
    is_text(duration_clock(59.6, text), "1:00", "seconds are rounded");
    is_text(duration_clock(3723, text), "1:02:03", "an hour has minutes and seconds");
    is_text(duration_clock(-5, text), "0:00", "nothing lasts less than no time");
    is_text(duration_words(9.4, text), "9 s", "seconds in words");
    is_text(duration_words(260, text), "4 min 20 s", "minutes in words");
    is_text(duration_words(7790, text), "2 h 10 min", "hours in words");
}

static void test_bar(void)
{
    is_text(drawn(62, "cpu_serial", "n=1,000 i32 sum exclusive", 79),
            "[#####.....]  50 % 1:02, 1:02 left  cpu_serial n=1,000 i32 sum exclusive",
            "half of the time is half of the bar");
    is_text(drawn(62, "opencl_hillis_steele", "n=1,000,000 i32 sum exclusive", 79),
            "[#####.....]  50 % 1:02, 1:02 left  opencl…steele n=1,000,000 i32 sum exclusive",
            "a name is shortened");
    is_text(drawn(62, "opencl_hillis_steele", "n=1,000,000 i32 sum exclusive block=256", 79),
            "[#####.....]  50 % 1:02, 1:02 left  openc…eele n=1,000,000 i32 sum exclusive …",
            "and then the last words are left out");
    is_text(drawn(62, "opencl_hillis_steele", "n=1,000,000 i32", 30),
            " 50 % 1:02, 1:02 left  ope…ele", "a narrow terminal has no bar");
    ok(strstr(drawn(-10, "a", "b", 79), "99 % 1:02, 0:00 left"),
       "what takes longer than expected is not finished");
    ok(strncmp(drawn(0, "a", "b", 100), "[####################]  99 %", 28) == 0,
       "a wide terminal has a wide bar");
    bool fits = true;
    for (size_t columns = 0; columns < 200; columns++)
        fits &= fit_width(drawn(1e7, "opencl_hillis_steele",
                                "n=1,000,000 i32 sum exclusive block=256", columns)) <= columns;
    ok(fits, "it is never wider than the terminal");
}

int main(void)
{
    tap_plan(6 + 7);
    test_durations();
    test_bar();
    return tap_done();
}
