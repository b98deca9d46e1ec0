/* protocol_test.c - messages come back as they were sent; malformed ones are refused */
#include "protocol/message.h"
#include "tap.h"

#include <stdlib.h>

/* Parses a copy of `text`, which lives until the next call. */
static bool parse(const char *text, protocol_message *m_p)
{
    static char line[4096];
    snprintf(line, sizeof line, "%s", text);
    return message_parse(line, m_p);
}

/* One message, written and read again. */
static void test_round_trip(void)
{
    static const char nasty[] = "tab\there, line\nend\r, 100 %, =, \x01 and \xc3\xa9";
    const int64_t list[] = {INT64_MIN, -1, 0, INT64_MAX};
    int64_t back[4];
    uint64_t number = 0;
    double real = 0;
    char *text = NULL;
    size_t bytes = 0;
    protocol_message m;
    FILE *out = open_memstream(&text, &bytes);
    message_begin(out, "verb");
    message_put_text(out, "text", nasty);
    message_put_text(out, "empty", "");
    message_put_u64(out, "most", UINT64_MAX);
    message_put_double(out, "real", 0.1);
    message_put_i64_list(out, "list", list, 4);
    message_put_i64_list(out, "nothing", list, 0);
    ok(message_end(out), "a message can be written");
    fclose(out);
    ok(bytes > 0 && text[bytes - 1] == '\n' && !memchr(text, '\n', bytes - 1) &&
           !memchr(text, '\r', bytes),
       "it is one line, whatever the values hold");
    text[bytes - 1] = '\0';
    ok(message_parse(text, &m) && m.field_count == 6, "it can be read");
    is_text(m.verb, "verb", "its verb");
    is_text(message_text(&m, "text"), nasty, "a text comes back byte for byte");
    is_text(message_text(&m, "empty"), "", "an empty text comes back");
    ok(message_u64(&m, "most", &number) && number == UINT64_MAX, "the largest number comes back");
    ok(message_double(&m, "real", &real) && real == 0.1, "a double comes back bit for bit");
    ok(message_i64_list(&m, "list", back, 4) == 4 && memcmp(back, list, sizeof list) == 0,
       "a list comes back");
    ok(message_i64_list(&m, "nothing", back, 4) == 0, "so does an empty one");
    free(text);
}

static void test_refused(void)
{
    static const struct {
        const char *line, *why;
    } refused[] = {
        {"", "no verb"},
        {"\ta=1", "an empty verb"},
        {"v\ta", "a field without ="},
        {"v\t=1", "a field without a key"},
        {"v\t", "an empty field"},
        {"v\ta=%", "an escape without digits"},
        {"v\ta=%4", "an escape of one digit"},
        {"v\ta=%4G", "an escape that is not hexadecimal"},
        {"v\ta=%0a", "an escape in small letters"},
        {"v\ta=%00", "an escaped NUL"},
    };
    protocol_message m;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        ok(!parse(refused[i].line, &m), "refused: %s", refused[i].why);
    char many[1024] = "v";
    for (int i = 0; i < MESSAGE_FIELDS; i++)
        strcat(many, "\ta=1");
    ok(parse(many, &m) && m.field_count == MESSAGE_FIELDS, "%d fields are read", MESSAGE_FIELDS);
    strcat(many, "\ta=1");
    ok(!parse(many, &m), "refused: one more than that");
}

static void test_numbers(void)
{
    static const char *const no_u64[] = {
        "", "-1", "+1", " 1", "1 ", "0x10", "1.5", "one", "18446744073709551616"};
    static const char *const no_list[] = {",",   "1,",  ",1", "1,,2",
                                          "1;2", "1.5", "x",  "9223372036854775808"};
    char line[128];
    protocol_message m;
    uint64_t number = 7;
    double real = 7;
    int64_t values[2] = {7, 7};
    for (size_t i = 0; i < sizeof no_u64 / sizeof *no_u64; i++) {
        snprintf(line, sizeof line, "v\ta=%s", no_u64[i]);
        ok(parse(line, &m) && !message_u64(&m, "a", &number) && number == 7,
           "\"%s\" is not a whole number", no_u64[i]);
    }
    for (size_t i = 0; i < sizeof no_list / sizeof *no_list; i++) {
        snprintf(line, sizeof line, "v\ta=%s", no_list[i]);
        ok(parse(line, &m) && message_i64_list(&m, "a", values, 2) == -1, "\"%s\" is not a list",
           no_list[i]);
    }
    ok(parse("v\ta=1,2,3", &m) && message_i64_list(&m, "a", values, 2) == -1,
       "a list longer than its place is refused");
    ok(parse("v\ta=1e400x", &m) && !message_double(&m, "a", &real) && real == 7,
       "1e400x is not a number");
    ok(parse("v\ta=1", &m) && !message_text(&m, "b") && !message_u64(&m, "b", &number) &&
           !message_double(&m, "b", &real) && message_i64_list(&m, "b", values, 2) == 0,
       "a field that is missing is no text, no number, and an empty list");
    ok(parse("v\ta=1\ta=2", &m) && message_u64(&m, "a", &number) && number == 1,
       "of two fields with one key the first counts");
}

static void test_lines(void)
{
    char text[8];
    protocol_message m;
    ok(parse("v\ta=%0Ab%09%1B[1m", &m), "a message of control characters");
    message_line(&m, "a", text, sizeof text);
    is_text(text, " b  [1m", "a line has spaces for them");
    message_line(&m, "a", text, 3);
    is_text(text, " b", "a line is cut where it does not fit");
    message_line(&m, "b", text, sizeof text);
    is_text(text, "", "a missing field is an empty line");
    ok(parse("v\ta=\xff\xc3\xa4\xc3z\xe2\x82\xac", &m), "a message of bytes");
    message_line(&m, "a", text, sizeof text);
    is_text(text, "?\xc3\xa4?z", "what is not UTF-8 is '?', and it is cut between characters");
}

static void test_broken_pipe(void)
{
    FILE *full = fopen("/dev/full", "w");
    if (!full) {
        tap_skip(1, "there is no /dev/full");
        return;
    }
    message_begin(full, "v");
    ok(!message_end(full), "a message that cannot be written is told");
    fclose(full);
}

int main(void)
{
    tap_plan(10 + 12 + 9 + 8 + 4 + 6 + 1);
    test_round_trip();
    test_refused();
    test_numbers();
    test_lines();
    test_broken_pipe();
    return tap_done();
}
