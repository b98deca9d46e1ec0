/* number_test.c - numbers are written as users write them, and can be read again */
#include "tap.h"
#include "text/number.h"

#include <string.h>

int main(void)
{
    static const struct {
        uint64_t n;
        const char *text;
    } numbers[] = {{0, "0"},
                   {7, "7"},
                   {1000, "1e3"},
                   {999, "999"},
                   {100, "100"},
                   {1500, "1500"},
                   {3000000, "3e6"},
                   {123123123, "123123123"},
                   {UINT64_C(9000000000000000000), "9e18"},
                   {INT64_MAX, "9223372036854775807"}};
    enum { NUMBERS = sizeof numbers / sizeof *numbers };
    tap_plan(2 * NUMBERS);
    for (size_t i = 0; i < NUMBERS; i++) {
        char text[NUMBER_TEXT_BYTES];
        number back = {.value = -1};
        is_text(number_text(numbers[i].n, text), numbers[i].text, "is written short");
        ok(number_parse(text, &back, NULL) == SCAN_OK && (uint64_t)back.value == numbers[i].n,
           "%s is read again", text);
    }
    return tap_done();
}
