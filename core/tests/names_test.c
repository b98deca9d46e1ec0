/* names_test.c - the words of values, and what is a word */
#include "tap.h"

#include "problem/names.h"

typedef const char *name_of(uint32_t value);

/* Has each value up to `count` a word that no smaller one has, and the next value none? */
static bool has_words(name_of *name, uint32_t count)
{
    for (uint32_t value = 0; value < count; value++)
        for (uint32_t other = 0; other < value; other++)
            if (strcmp(name(value), name(other)) == 0)
                return false;
    return strcmp(name(count - 1), "?") != 0 && strcmp(name(count), "?") == 0;
}

static void check_words(void)
{
    ok(has_words(dtype_name, SCAN_DTYPE_COUNT), "each dtype has a word of its own");
    ok(has_words(op_name, SCAN_OP_COUNT), "so has each op");
    ok(has_words(kind_name, SCAN_KIND_COUNT), "each kind");
    ok(has_words(role_name, SCAN_ROLE_COUNT), "and each role");
    is_text(dtype_name(SCAN_DTYPE_U32X2), "u32x2", "the dtype 6 is u32x2");
    is_text(op_name(SCAN_OP_AFFINE), "affine", "the op 3 is affine");
    is_text(kind_name(SCAN_KIND_INCLUSIVE), "inclusive", "the kind 1 is inclusive");
    is_text(role_name(SCAN_ROLE_CEILING), "ceiling", "the role 3 is ceiling");
    is_text(dtype_name(UINT32_MAX), "?", "an unknown dtype is ?");
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
    tap_plan(18);
    check_words();
    check_status();
    check_is_word();
    return tap_done();
}
