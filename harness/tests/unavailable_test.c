/* unavailable_test.c - plugins that are unavailable for one reason share a line */
#include "output/warnings.h"
#include "tap.h"
#include "text/fit.h"

static plugin_info plugins[] = {
    {.id = (char[]){"a"}}, {.id = (char[]){"b"}}, {.id = (char[]){"c"}}, {.id = (char[]){"d"}}};

static session on(size_t plugin, const char *reason)
{
    session s = {.plugin = &plugins[plugin], .status = reason ? ROW_UNAVAILABLE : ROW_OK};
    snprintf(s.reason, sizeof s.reason, "%s", reason ? reason : "");
    return s;
}

static const char *printed(const session *sessions, size_t count)
{
    static char text[4096];
    memset(text, 0, sizeof text);
    FILE *out = fmemopen(text, sizeof text, "w");
    if (!out)
        return NULL;
    unavailable_print(sessions, count, FIT_PAGE, out);
    fclose(out);
    return text;
}

int main(void)
{
    tap_plan(6);
    static session two[2], three[3], mixed[5];
    two[0] = on(0, NULL);
    two[1] = on(1, NULL);
    is_text(printed(two, 2), "", "nothing is said of what is available");
    two[0] = on(0, "no device");
    two[1] = on(1, "no driver");
    is_text(printed(two, 2), "\nUnavailable:\n  a: no device\n  b: no driver\n",
            "each reason has a line");
    two[1] = on(0, "no device");
    is_text(printed(two, 2), "\nUnavailable:\n  a: no device\n", "a plugin is named once");
    for (size_t i = 0; i < 3; i++)
        three[i] = on(i, "no device");
    is_text(printed(three, 3), "\nUnavailable:\n  a, b and c: no device\n", "three are named");
    for (size_t i = 0; i < 4; i++)
        mixed[i + (i > 1)] = on(i, "no device");
    mixed[2] = on(0, "no driver");
    is_text(printed(mixed, 5), "\nUnavailable:\n  a, b and 2 more: no device\n  a: no driver\n",
            "of four the first two are named");
    two[0] = on(0, "a reason of many words that does not fit in one line of eighty columns: it has "
                   "two");
    two[1] = on(1, NULL);
    const char *text = printed(two, 2);
    const char *last = strstr(text, "\n    ");
    ok(last && strlen(last) < FIT_PAGE, "a long reason is wrapped");
    return tap_done();
}
