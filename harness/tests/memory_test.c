/* memory_test.c - sizes as text, and a plausible amount of memory */
#include "system/memory.h"
#include "tap.h"

int main(void)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } texts[] = {
        {0, "0 bytes"},
        {1, "1 bytes"},
        {1023, "1023 bytes"},
        {1024, "1.0 KiB"},
        {1536, "1.5 KiB"},
        {1048576, "1.0 MiB"},
        {147108864, "140.3 MiB"},
        {UINT64_C(1) << 30, "1.0 GiB"},
        {UINT64_C(17179869240), "16.0 GiB"},
        {UINT64_C(3) << 40, "3.0 TiB"},
        {UINT64_C(1) << 50, "1.0 PiB"},
        {UINT64_MAX, "16.0 EiB"},
    };
    enum { TEXTS = sizeof texts / sizeof *texts };
    char text[32], tight[4];
    tap_plan(TEXTS + 3);
    for (size_t i = 0; i < TEXTS; i++)
        is_text(memory_text(texts[i].bytes, text, sizeof text), texts[i].text, "%llu bytes",
                (unsigned long long)texts[i].bytes);
    is_text(memory_text(1024, tight, sizeof tight), "1.0", "a text without room is cut");
    const uint64_t available = memory_available();
    ok(available > 1 << 20, "there is more than a MiB of memory: %llu",
       (unsigned long long)available);
    ok(available < UINT64_C(1) << 50, "and less than a PiB");
    return tap_done();
}
