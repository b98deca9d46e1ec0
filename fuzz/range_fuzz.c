/* range_fuzz.c - the first byte chooses the rule, the rest is the list. */
#include "text/range.h"

#include "fuzz.h"

static int by_value(const void *a, const void *b)
{
    const int64_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (bytes == 0)
        return 0;
    char *text = fuzz_text(data + 1, bytes - 1);
    errmsg error = {""};
    range_list list = {0};
    if (text && range_parse(text, (range_rule)(data[0] % 3), &list, &error) == SCAN_OK) {
        ALWAYS(list.count >= 1 && list.count <= RANGE_MAX_POINTS);
        qsort(list.values, list.count, sizeof *list.values, by_value);
        for (size_t i = 1; i < list.count; i++)
            ALWAYS(list.values[i - 1] < list.values[i]);
    } else {
        ALWAYS(!list.values && error.text[0] != '\0' && strlen(error.text) < sizeof error.text);
    }
    range_free(&list);
    free(text);
    return 0;
}
