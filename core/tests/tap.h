/*
 * tap.h - the Test Anything Protocol, version 13, for tests in C
 *
 *     int main(void) { tap_plan(2); ok(1 + 1 == 2, "one and one is two"); ...; return tap_done(); }
 */
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int tap_planned, tap_count, tap_failed;

static inline void tap_plan(int count)
{
    tap_planned = count;
    printf("TAP version 13\n1..%d\n", count);
    fflush(stdout);
}

/* One claim; `text` is a printf format and reads as a sentence. Returns `good`. */
#define ok(good, ...) tap_ok((good) != 0, __FILE__, __LINE__, #good, __VA_ARGS__)

__attribute__((format(printf, 5, 6))) static inline int
tap_ok(int good, const char *file, int line, const char *claim, const char *text, ...)
{
    va_list arguments;
    printf("%s %d - ", good ? "ok" : "not ok", ++tap_count);
    va_start(arguments, text);
    vprintf(text, arguments);
    va_end(arguments);
    putchar('\n');
    if (!good) {
        tap_failed++;
        printf("  ---\n  at: '%s:%d'\n  claim: '%s'\n  ...\n", file, line, claim);
    }
    fflush(stdout);
    return good;
}

/* Two strings are the same; NULL is printed as such. */
#define is_text(got, expected, ...) tap_is_text((got), (expected), __FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 5, 6))) static inline int tap_is_text(const char *got,
                                                                    const char *expected,
                                                                    const char *file, int line,
                                                                    const char *text, ...)
{
    char name[256];
    va_list arguments;
    va_start(arguments, text);
    vsnprintf(name, sizeof name, text, arguments);
    va_end(arguments);
    int good = got && expected ? strcmp(got, expected) == 0 : got == expected;
    tap_ok(good, file, line, "the texts are the same", "%s", name);
    if (!good)
        printf("# got:      %s\n# expected: %s\n", got ? got : "NULL",
               expected ? expected : "NULL");
    return good;
}

static inline void tap_skip(int count, const char *why)
{
    for (int i = 0; i < count; i++)
        printf("ok %d # SKIP %s\n", ++tap_count, why);
}

/* The exit status: 0 if every planned claim was made and held. */
static inline int tap_done(void)
{
    return tap_failed == 0 && tap_count == tap_planned ? 0 : 1;
}

#endif
