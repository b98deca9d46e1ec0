/* names_test.c - converts words and values both ways, and says what is a word */
#include "tap.h"

#include "problem/names.h"

typedef const char *name_of(uint32_t value);
typedef int find_of(const char *word);

static int round_trips(name_of *name, find_of *find, uint32_t count)
{
    for (uint32_t value = 0; value < count; value++)
        if (find(name(value)) != (int)value)
            return 0;
    return strcmp(name(count), "?") == 0 && find("?") == -1 && find("") == -1;
}

static void check_words(void)
{
    ok(round_trips(dtype_name, dtype_find, SCAN_DTYPE_COUNT), "dtypes are found by their words");
    ok(round_trips(op_name, op_find, SCAN_OP_COUNT), "ops are found by their words");
    ok(round_trips(kind_name, kind_find, SCAN_KIND_COUNT), "kinds are found by their words");
    ok(round_trips(role_name, role_find, SCAN_ROLE_COUNT), "roles are found by their words");
    is_text(dtype_name(SCAN_DTYPE_U32X2), "u32x2", "the dtype 6 is u32x2");
    is_text(op_name(SCAN_OP_AFFINE), "affine", "the op 3 is affine");
    is_text(kind_name(SCAN_KIND_INCLUSIVE), "inclusive", "the kind 1 is inclusive");
    is_text(role_name(SCAN_ROLE_CEILING), "ceiling", "the role 3 is ceiling");
    is_text(dtype_name(UINT32_MAX), "?", "an unknown dtype is ?");
    ok(dtype_find("I32") == -1, "words are lower case");
    ok(dtype_find("i3") == -1 && dtype_find("i321") == -1, "a part of a word is not the word");
}

static void check_status(void)
{
    is_text(status_text(SCAN_OK), "ok", "the status 0 is ok");
    is_text(status_text(SCAN_NO_MEMORY), "not enough memory", "the status 3 says no memory");
    ok(strcmp(status_text(SCAN_INVALID), "?") != 0, "the last status has a text");
}

static void check_is_word(void)
{
    ok(names_is_word("a", 1) && names_is_word("cpu_2_scan", 63),
       "letters, digits and _ make a word");
    ok(!names_is_word("", 63), "an empty text is not a word");
    ok(!names_is_word("2nd", 63) && !names_is_word("_a", 63), "a word begins with a letter");
    ok(!names_is_word("Cpu", 63) && !names_is_word("a-b", 63) && !names_is_word("a b", 63) &&
           !names_is_word("\xc3\xa4", 63),
       "nothing else is in it");
    ok(names_is_word("abc", 3) && !names_is_word("abcd", 3), "it is as long as it may be at most");
    ok(!names_is_word((const char[]){'a', 'b', 'c'}, 2), "what is longer is not read to its end");
}

int main(void)
{
    tap_plan(20);
    check_words();
    check_status();
    check_is_word();
    return tap_done();
}
