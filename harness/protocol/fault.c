#include "protocol/fault.h"

#include "problem/element.h"
#include "problem/input.h"
#include "problem/names.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

/* ---- steps ----------------------------------------------------------------- */

#define WORD(name, word) word,
static const char *const step_words[] = {STEP_MAP(WORD)};

const char *step_word(worker_step step)
{
    return (size_t)step < STEP_COUNT ? step_words[step] : "?";
}

bool step_find(const char *word, worker_step *step_p)
{
    for (size_t i = 0; word && i < STEP_COUNT; i++)
        if (strcmp(step_words[i], word) == 0) {
            *step_p = (worker_step)i;
            return true;
        }
    return false;
}

typedef struct code_entry {
    const char *word, *template;
    fault_finder finder;
    row_status status;
} code_entry;

#define ENTRY(name, word, finder, status, template) \
    [FAULT_##name] = {word, template, FAULT_##finder, ROW_##status},
static const code_entry codes[] = {FAULT_MAP(ENTRY)};
#undef ENTRY

static bool is_code(fault_code code)
{
    return (size_t)code < FAULT_COUNT;
}

static const char *const buffer_words[] = {FAULT_BUFFER_MAP(WORD)};
static const char *const place_words[] = {FAULT_PLACE_MAP(WORD)};
static const char *const part_words[] = {FAULT_PART_MAP(WORD)};
#undef WORD

/* ---- fields -------------------------------------------------------------- */

#define FIELD(name, of_form) \
    MESSAGE_MEMBER(fault, #name, name), .form = (of_form), .most = UINT64_MAX, .sparse = true
#define WORD(name, how, values)                                                        \
    MESSAGE_MEMBER(fault, #name, name), .form = MESSAGE_WORD, how, .most = (values)-1, \
                                        .sparse = true
#define WORDS(name, table) WORD(name, .words = (table), sizeof table / sizeof *table)
static const message_member fields[] = {
    {WORDS(step, step_words)},
    {WORDS(buffer, buffer_words)},
    {WORDS(place, place_words)},
    {WORDS(part, part_words)},
    {WORD(pattern, .word = pattern_name, INPUT_PATTERN_COUNT)},
    {WORD(dtype, .word = dtype_name, SCAN_DTYPE_COUNT)},
    {FIELD(status, MESSAGE_NUMBER)},
    {FIELD(count, MESSAGE_NUMBER)},
    {FIELD(total, MESSAGE_NUMBER)},
    {FIELD(index, MESSAGE_NUMBER)},
    {FIELD(bytes, MESSAGE_NUMBER)},
    {FIELD(scan_n, MESSAGE_NUMBER)},
    {FIELD(inner, MESSAGE_NUMBER)},
    {FIELD(got, MESSAGE_NUMBER)},
    {FIELD(expected, MESSAGE_NUMBER)},
    {FIELD(last, MESSAGE_NUMBER)},
    {FIELD(last_got, MESSAGE_NUMBER)},
    {FIELD(seed, MESSAGE_NUMBER)},
    {FIELD(ns, MESSAGE_REAL)},
    {FIELD(copy_ns, MESSAGE_REAL)},
    {FIELD(expected_ns, MESSAGE_REAL)},
    {FIELD(text, MESSAGE_TEXT)},
};
static const message_members members = {MESSAGE_MEMBERS(fields)};

/* Is it shown as the dtype says? */
static bool is_element(const message_member *one)
{
    return one->at == offsetof(fault, got) || one->at == offsetof(fault, expected) ||
           one->at == offsetof(fault, last_got);
}

void fault_write(FILE *out, const fault *f)
{
    message_put_text(out, "fault", fault_word(f->code));
    message_put_members(out, &members, f);
}

bool fault_read(const protocol_message *m, fault *f_p)
{
    const char *word = message_text(m, "fault");
    fault f = {.code = FAULT_NONE};
    size_t code = 0;
    while (word && code < FAULT_COUNT && strcmp(codes[code].word, word) != 0)
        code++;
    if (!word || code == FAULT_COUNT || codes[code].finder != FAULT_BY_WORKER ||
        !message_read_members(m, &members, &f))
        return false;
    f.code = (fault_code)code;
    *f_p = f;
    return true;
}

/* ---- words --------------------------------------------------------------- */

/* A sentence as it grows. */
typedef struct sentence {
    char *text;
    size_t size, used;
} sentence;

SCAN_PRINTF(2, 3)
static void put(sentence *s, const char *format, ...)
{
    const size_t left = s->size - s->used;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(s->text + s->used, left, format, arguments);
    va_end(arguments);
    s->used += strnlen(s->text + s->used, left - 1);
}

/* Appends a time in the unit that needs few digits; seconds from 0.1 s on. */
static void put_time(sentence *s, double ns)
{
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {1, "ns"}};
    size_t i = 0;
    while (i < 3 && !(fabs(ns) >= 0.1 * units[i].ns))
        i++;
    put(s, "%.3g %s", ns / units[i].ns, units[i].name);
}

static void put_status(sentence *s, uint64_t status)
{
    if (status < SCAN_STATUS_COUNT)
        put(s, "%s", status_text((scan_status)status));
    else
        put(s, "unknown status %" PRId32, (int32_t)(uint32_t)status);
}

/* "12", or "3 of row 2, column 1". */
static void put_index(sentence *s, const fault *f)
{
    const input_spec spec = {.scan_n = f->scan_n, .inner = f->inner};
    const input_place place = input_place_of(&spec, f->index);
    put(s, "%" PRIu64, place.at);
    if (f->scan_n > 0)
        put(s, " of row %" PRIu64, place.row);
    if (f->inner > 1)
        put(s, ", column %" PRIu64, place.column);
}

static void put_field(sentence *s, const fault *f, const message_member *one)
{
    const void *at = (const char *)f + one->at;
    char shown[80];
    if (one->form == MESSAGE_WORD)
        put(s, "%s", message_word(one, *(const uint32_t *)at));
    else if (one->form == MESSAGE_TEXT)
        put(s, "%s", f->text);
    else if (one->form == MESSAGE_REAL)
        put_time(s, *(const double *)at);
    else if (one->at == offsetof(fault, index))
        put_index(s, f);
    else if (is_element(one))
        put(s, "%s", element_text(f->dtype, at, shown, sizeof shown));
    else
        put(s, "%" PRIu64, *(const uint64_t *)at);
}

/* Appends the field of one {name}; false if there is no such field. */
static bool put_named(sentence *s, const fault *f, const char *name, size_t length)
{
    if (length == 3 && strncmp(name, "why", length) == 0) {
        if (*f->text)
            put(s, "%s", f->text);
        else
            put_status(s, f->status);
        return true;
    }
    for (size_t i = 0; i < members.count; i++)
        if (strlen(fields[i].key) == length && strncmp(fields[i].key, name, length) == 0) {
            put_field(s, f, &fields[i]);
            if (fields[i].at == offsetof(fault, pattern) && f->seed)
                put(s, ", --seed %" PRIu64, f->seed);
            return true;
        }
    return false;
}

const char *fault_text(const fault *f, char *text, size_t size)
{
    sentence s = {.text = text, .size = size};
    *text = '\0';
    if (f->place != FAULT_AT_FIRST)
        put(&s, "%s: ",
            f->place < sizeof place_words / sizeof *place_words ? place_words[f->place] : "?");
    for (const char *from = is_code(f->code) ? codes[f->code].template : "?"; *from;) {
        const char *end = *from == '{' ? strchr(from, '}') : NULL;
        if (end && put_named(&s, f, from + 1, (size_t)(end - from) - 1)) {
            from = end + 1;
            continue;
        }
        const size_t plain = 1 + strcspn(from + 1, "{");
        put(&s, "%.*s", (int)plain, from);
        from += plain;
    }
    return text;
}

/* ---- codes --------------------------------------------------------------- */

fault fault_with_text(fault_code code, const char *text)
{
    fault f = {.code = code};
    snprintf(f.text, sizeof f.text, "%s", text);
    return f;
}

const char *fault_word(fault_code code)
{
    return is_code(code) ? codes[code].word : "?";
}

row_status fault_status(fault_code code)
{
    return is_code(code) ? codes[code].status : ROW_ERROR;
}

fault_finder fault_found(fault_code code)
{
    return is_code(code) ? codes[code].finder : FAULT_BY_SUPERVISOR;
}

bool fault_has_element(const fault *f)
{
    return f->code == FAULT_WRONG_ELEMENTS || f->code == FAULT_UNWRITTEN_ELEMENTS ||
           f->code == FAULT_INACCURATE || f->code == FAULT_TIMED_WRONG ||
           f->code == FAULT_TIMED_UNWRITTEN;
}
