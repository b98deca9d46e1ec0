/* range_test.c - the values of lists and ranges, and the messages for bad ones */
#include "tap.h"
#include "text/range.h"

#include <inttypes.h>
#include <stdlib.h>

/* The values of `text` as "1 2 3", or "error: " and the message. */
static const char *read_list(const char *text, range_rule rule)
{
    static char result[4096];
    errmsg error;
    range_list list = {0};
    if (range_parse(text, rule, &list, &error) != SCAN_OK) {
        snprintf(result, sizeof result, "error: %.900s", error.text);
        return result;
    }
    size_t used = 0;
    result[0] = '\0';
    for (size_t i = 0; i < list.count && used + 24 < sizeof result; i++)
        used += (size_t)snprintf(result + used, sizeof result - used, "%s%" PRId64, i ? " " : "",
                                 list.values[i]);
    range_free(&list);
    return result;
}

typedef struct sample {
    range_rule rule;
    const char *text;
    const char *expected;
} sample;

static const sample right[] = {
    {RANGE_DECADES, "1000", "1000"},
    {RANGE_DECADES, "0", "0"},
    {RANGE_DECADES, "123123123", "123123123"},
    {RANGE_DECADES, "1e3", "1000"},
    {RANGE_DECADES, "1E+3", "1000"},
    {RANGE_DECADES, "1.5e6", "1500000"},
    {RANGE_DECADES, "2.0", "2"},
    {RANGE_DECADES, "10k,10M,10G", "10000 10000000 10000000000"},
    {RANGE_DECADES, "1Ki,1Mi,1Gi", "1024 1048576 1073741824"},
    {RANGE_DECADES, "1.5Ki", "1536"},
    {RANGE_DECADES, "2^0,2^10,2^62,3^3", "1 1024 4611686018427387904 27"},
    {RANGE_DECADES, "9223372036854775807", "9223372036854775807"},
    {RANGE_DECADES, "0e999", "0"},
    {RANGE_DECADES, "1e3..1e8", "1000 10000 100000 1000000 10000000 100000000"},
    {RANGE_DECADES, "1e3..5e4", "1000 10000 50000"},
    {RANGE_DECADES, "123..12345", "123 1230 12300 12345"},
    {RANGE_DECADES, "1e6..1e7/4", "1000000 1778279 3162278 5623413 10000000"},
    {RANGE_DECADES, "1..10/100", "1 2 3 4 5 6 7 8 9 10"},
    {RANGE_DECADES, "1k..16k*2", "1000 2000 4000 8000 16000"},
    {RANGE_DECADES, "100..500*1.5", "100 150 225 338 500"},
    {RANGE_DECADES, "1..1000*1e1", "1 10 100 1000"},
    {RANGE_DECADES, "2^10..2^13", "1024 2048 4096 8192"},
    {RANGE_DECADES, "2^10..1e5", "1024 10240 100000"},
    {RANGE_DECADES, "2^10..2^14*4", "1024 4096 16384"},
    {RANGE_DECADES, "1e3..1e+4*2", "1000 2000 4000 8000 10000"},
    {RANGE_DECADES, "7..7", "7"},
    {RANGE_DECADES, "0,1..100", "0 1 10 100"},
    {RANGE_DECADES, " 1 , 2 ", "1 2"},
    {RANGE_DECADES, "5,3,5,1..10,3", "5 3 1 10"},
    {RANGE_DECADES, "1e18..9223372036854775807", "1000000000000000000 9223372036854775807"},
    {RANGE_DECADES, "2^61..2^62", "2305843009213693952 4611686018427387904"},
    {RANGE_DOUBLING, "32..1024", "32 64 128 256 512 1024"},
    {RANGE_DOUBLING, "32..1000", "32 64 128 256 512 1000"},
    {RANGE_DOUBLING, "96,128", "96 128"},
    {RANGE_STEP_ONE, "1..8", "1 2 3 4 5 6 7 8"},
    {RANGE_STEP_ONE, "1,3,7", "1 3 7"},
    {RANGE_STEP_ONE, "0..3", "0 1 2 3"},
    {RANGE_STEP_ONE, "-2..2", "-2 -1 0 1 2"},
    {RANGE_STEP_ONE, "1..10+4", "1 5 9 10"},
    {RANGE_STEP_ONE, "2^0..2^4", "1 2 4 8 16"},
    {RANGE_STEP_ONE, "9223372036854775805..9223372036854775807",
     "9223372036854775805 9223372036854775806 9223372036854775807"},
    {RANGE_STEP_ONE, "-9223372036854775808", "-9223372036854775808"},
    {RANGE_STEP_ONE, "-9223372036854775808..-9223372036854775806",
     "-9223372036854775808 -9223372036854775807 -9223372036854775806"},
    {RANGE_STEP_ONE, "-9223372036854775807..9223372036854775807+9223372036854775807",
     "-9223372036854775807 0 9223372036854775807"},
};

static const sample wrong[] = {
    {RANGE_DECADES, "", "item 1 of the list is empty; write one like 1e3..1e8"},
    {RANGE_DECADES, "1,,2", "item 2 of the list is empty; write one like 1e3..1e8"},
    {RANGE_DECADES, "1,", "item 2 of the list is empty; write one like 1e3..1e8"},
    {RANGE_DECADES, "1.50", "1.50 is not a whole number"},
    {RANGE_DECADES, "10K", "10K: unknown suffix 'K'; write 10k"},
    {RANGE_DECADES, "10m", "10m: unknown suffix 'm'; write 10M"},
    {RANGE_DECADES, "10KiB", "10KiB: unknown suffix 'KiB'; write 10Ki"},
    {RANGE_DECADES, "1.5gb", "1.5gb: unknown suffix 'gb'; write 1.5G"},
    {RANGE_DECADES, "10x",
     "10x: unknown suffix 'x'; the suffixes are k M G (powers of 1000) and Ki Mi Gi "
     "(powers of 1024)"},
    {RANGE_DECADES, "1..10K", "in '1..10K': 10K: unknown suffix 'K'; write 10k"},
    {RANGE_DECADES, "abc", "'abc' is not a number; write it like 1000, 1e6, 64Ki or 2^20"},
    {RANGE_DECADES, "1..", "in '1..': '' is not a number; write it like 1000, 1e6, 64Ki or 2^20"},
    {RANGE_DECADES, "1...5",
     "in '1...5': '.5' is not a number; write it like 1000, 1e6, 64Ki or 2^20"},
    {RANGE_DECADES, "1e8..1e3", "'1e8..1e3' counts down; write 1e3..1e8"},
    {RANGE_DECADES, "0..1e3", "'0..1e3' multiplies, so it cannot start at 0; write it like 0,1..8"},
    {RANGE_DECADES, "1e3..1e8*1", "in '1e3..1e8*1': the factor 1 is not above 1"},
    {RANGE_DECADES, "32..1024*21^0", "in '32..1024*21^0': 21^0 after '*' is too small"},
    {RANGE_DECADES, "1e3..1e8*0.5", "in '1e3..1e8*0.5': the factor 0.5 is not above 1"},
    {RANGE_DECADES, "1e3..1e8/0", "in '1e3..1e8/0': 0 after '/' is too small"},
    {RANGE_DECADES, "1e3..1e8*",
     "in '1e3..1e8*': '' is not a number; write it like 1000, 1e6, 64Ki or 2^20"},
    {RANGE_STEP_ONE, "1..5+0", "in '1..5+0': 0 after '+' is too small"},
    {RANGE_STEP_ONE, "1..5+-1", "in '1..5+-1': -1 after '+' is too small"},
    {RANGE_STEP_ONE, "-9223372036854775809",
     "-9223372036854775809 is too small; the least value is -9223372036854775808"},
    {RANGE_STEP_ONE, "-1e30", "-1e30 is too small; the least value is -9223372036854775808"},
    {RANGE_DECADES, "9223372036854775808",
     "9223372036854775808 is too large; the greatest value is 9223372036854775807"},
    {RANGE_DECADES, "99999999999999999999999",
     "99999999999999999999999 is too large; the greatest value is 9223372036854775807"},
    {RANGE_DECADES, "1e19", "1e19 is too large; the greatest value is 9223372036854775807"},
    {RANGE_DECADES, "1e99999999999",
     "1e99999999999 is too large; the greatest value is 9223372036854775807"},
    {RANGE_DECADES, "2^63", "2^63 is too large; the greatest value is 9223372036854775807"},
    {RANGE_DECADES, "2^9999999999999",
     "2^9999999999999 is too large; the greatest value is 9223372036854775807"},
    {RANGE_DECADES, "1^5", "'1^5' is not a power; write it like 2^20"},
    {RANGE_DECADES, "2^", "'2^' is not a power; write it like 2^20"},
    {RANGE_STEP_ONE, "1..1000000",
     "at '1..1000000': the list has more than 100000 points; take larger steps"},
    {RANGE_DECADES, "1..10/9223372036854775807",
     "at '1..10/9223372036854775807': more than 100000 steps; take larger ones"},
    {RANGE_DECADES, "1..1e18*1.0000001",
     "at '1..1e18*1.0000001': more than 100000 steps; take larger ones"},
    {RANGE_DECADES, "1..10/60000,1..10/60000",
     "at '1..10/60000': more than 100000 steps; take larger ones"},
};

enum { RIGHT = sizeof right / sizeof right[0], WRONG = sizeof wrong / sizeof wrong[0] };

static void test_limits(void)
{
    errmsg error;
    range_list list = {0};
    ok(range_parse("1..100000", RANGE_STEP_ONE, &list, &error) == SCAN_OK &&
           list.count == RANGE_MAX_POINTS,
       "a list may have as many points as RANGE_MAX_POINTS says");
    range_free(&list);
    ok(list.values == NULL && list.count == 0, "range_free leaves an empty list");

    char longest[400];
    memset(longest, '1', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    ok(range_parse(longest, RANGE_DECADES, &list, &error) == SCAN_INVALID,
       "an item of 399 digits is refused: %s", error.text);
    char endless[2 * ERRMSG_BYTES];
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    errmsg_set(&error, SCAN_INVALID, "%s", endless);
    ok(strlen(error.text) == ERRMSG_BYTES - 1, "a message is cut to the size of its buffer");
    ok(range_parse("nonsense", RANGE_DECADES, &list, NULL) == SCAN_INVALID,
       "no message buffer is fine too");
    ok(list.values == NULL, "a refused list is not written");
}

int main(void)
{
    tap_plan(RIGHT + WRONG + 6);
    for (int i = 0; i < RIGHT; i++)
        is_text(read_list(right[i].text, right[i].rule), right[i].expected, "'%s' under rule %d",
                right[i].text, (int)right[i].rule);
    for (int i = 0; i < WRONG; i++) {
        char expected[512];
        snprintf(expected, sizeof expected, "error: %s", wrong[i].expected);
        is_text(read_list(wrong[i].text, wrong[i].rule), expected, "'%s' is refused with advice",
                wrong[i].text);
    }
    test_limits();
    return tap_done();
}
