/* session_options_test.c - which sessions a command line asks for */
#include "commands/study.h"
#include "tap.h"

static errmsg error;

static bool reads(const char *pin, session_config *c_p)
{
    const plugin_options o = {
        .list = "all", .device = "cuda:1", .pin = pin, .require = "none", .timeout_s = 7};
    error.text[0] = '\0';
    return session_options_read(&o, true, c_p, &error) == SCAN_OK;
}

static void test_pins(void)
{
    static const struct {
        const char *text;
        bool pinned;
        int core;
    } pins[] = {{"auto", true, -1}, {"none", false, -1}, {"0", true, 0}, {"17", true, 17}};
    for (size_t i = 0; i < sizeof pins / sizeof *pins; i++) {
        session_config c = {.core = 99};
        ok(reads(pins[i].text, &c) && c.pinned == pins[i].pinned && c.core == pins[i].core,
           "--pin %s", pins[i].text);
    }
}

static void test_refused(void)
{
    static const char *const wrong[] = {"-1", "1x", "", "fast", "1000001"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        session_config c = {.core = 99};
        ok(!reads(wrong[i], &c) && c.core == 99 &&
               strstr(error.text, "write auto, none, or the number of a core"),
           "refused: %s", error.text);
    }
}

int main(void)
{
    session_config c;
    tap_plan(1 + 4 + 5);
    ok(reads("auto", &c) && strcmp(c.plugins, "all") == 0 && strcmp(c.device, "cuda:1") == 0 &&
           c.timeout_s > 6 && c.timeout_s < 8 && c.verbose,
       "what is not --pin is taken as it is");
    test_pins();
    test_refused();
    return tap_done();
}
