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

typedef enum field_type {
    FIELD_WORD, /* uint32_t, shown as one of some words */
    FIELD_NUMBER,
    FIELD_ELEMENT, /* uint64_t, shown as the dtype says */
    FIELD_TIME,
    FIELD_TEXT,
} field_type;

typedef struct field {
    const char *name;
    field_type type;
    size_t offset;
    const char *const *words; /* for FIELD_WORD: the words, or NULL and the function */
    const char *(*word)(uint32_t value);
    uint32_t count;
} field;

static const char *pattern_word(uint32_t pattern)
{
    return pattern_name(pattern);
}

#define FIELD(type, name)                                 \
    {                                                     \
#name, type, offsetof(fault, name), NULL, NULL, 0 \
    }
#define WORDS(name, words)                                                                  \
    {                                                                                       \
#name, FIELD_WORD, offsetof(fault, name), words, NULL, sizeof words / sizeof *words \
    }
#define NAMES(name, word, count)                                    \
    {                                                               \
#name, FIELD_WORD, offsetof(fault, name), NULL, word, count \
    }
static const field fields[] = {
    WORDS(step, step_words),
    WORDS(buffer, buffer_words),
    WORDS(place, place_words),
    WORDS(part, part_words),
    NAMES(pattern, pattern_word, INPUT_PATTERN_COUNT),
    NAMES(dtype, dtype_name, SCAN_DTYPE_COUNT),
    FIELD(FIELD_NUMBER, status),
    FIELD(FIELD_NUMBER, count),
    FIELD(FIELD_NUMBER, total),
    FIELD(FIELD_NUMBER, index),
    FIELD(FIELD_NUMBER, bytes),
    FIELD(FIELD_ELEMENT, got),
    FIELD(FIELD_ELEMENT, expected),
    FIELD(FIELD_NUMBER, last),
    FIELD(FIELD_ELEMENT, last_got),
    FIELD(FIELD_NUMBER, seed),
    FIELD(FIELD_TIME, ns),
    FIELD(FIELD_TIME, copy_ns),
    FIELD(FIELD_TIME, expected_ns),
    FIELD(FIELD_TEXT, text),
};
enum { FIELDS = sizeof fields / sizeof *fields };

static const void *at(const fault *f, const field *one)
{
    return (const char *)f + one->offset;
}

static uint32_t word_at(const fault *f, const field *one)
{
    uint32_t value;
    memcpy(&value, at(f, one), sizeof value);
    return value;
}

static uint64_t number_at(const fault *f, const field *one)
{
    uint64_t value;
    memcpy(&value, at(f, one), sizeof value);
    return value;
}

static double time_at(const fault *f, const field *one)
{
    double value;
    memcpy(&value, at(f, one), sizeof value);
    return value;
}

static const char *word_of(const field *one, uint32_t value)
{
    if (value >= one->count)
        return "?";
    return one->words ? one->words[value] : one->word(value);
}

/* ---- the protocol -------------------------------------------------------- */

void fault_write(FILE *out, const fault *f)
{
    message_put_text(out, "fault", fault_word(f->code));
    for (size_t i = 0; i < FIELDS; i++) {
        const field *one = &fields[i];
        if (one->type == FIELD_WORD && word_at(f, one) != 0)
            message_put_text(out, one->name, word_of(one, word_at(f, one)));
        else if (one->type == FIELD_TIME && fpclassify(time_at(f, one)) != FP_ZERO)
            message_put_double(out, one->name, time_at(f, one));
        else if (one->type == FIELD_TEXT && *f->text)
            message_put_text(out, one->name, f->text);
        else if ((one->type == FIELD_NUMBER || one->type == FIELD_ELEMENT) && number_at(f, one))
            message_put_u64(out, one->name, number_at(f, one));
    }
}

static bool read_word(const field *one, const char *text, char *to)
{
    for (uint32_t i = 0; i < one->count; i++)
        if (strcmp(word_of(one, i), text) == 0) {
            memcpy(to, &i, sizeof i);
            return true;
        }
    return false;
}

/* false if the field is present and malformed. */
static bool read_field(const protocol_message *m, const field *one, fault *f)
{
    const char *text = message_text(m, one->name);
    char *to = (char *)f + one->offset;
    uint64_t number;
    double time;
    if (!text)
        return true;
    switch (one->type) {
    case FIELD_WORD:
        return read_word(one, text, to);
    case FIELD_TEXT:
        message_line(m, one->name, f->text, sizeof f->text);
        return true;
    case FIELD_TIME:
        if (!message_double(m, one->name, &time))
            return false;
        time += 0.0; /* makes -0 0, which is not sent */
        memcpy(to, &time, sizeof time);
        return true;
    default:
        if (!message_u64(m, one->name, &number))
            return false;
        memcpy(to, &number, sizeof number);
        return true;
    }
}

bool fault_read(const protocol_message *m, fault *f_p)
{
    const char *word = message_text(m, "fault");
    fault f = {.code = FAULT_NONE};
    size_t code = 0;
    while (word && code < FAULT_COUNT && strcmp(codes[code].word, word) != 0)
        code++;
    if (!word || code == FAULT_COUNT || codes[code].finder != FAULT_BY_WORKER)
        return false;
    f.code = (fault_code)code;
    for (size_t i = 0; i < FIELDS; i++)
        if (!read_field(m, &fields[i], &f))
            return false;
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

static void put_field(sentence *s, const fault *f, const field *one)
{
    char shown[80];
    switch (one->type) {
    case FIELD_WORD:
        put(s, "%s", word_of(one, word_at(f, one)));
        break;
    case FIELD_NUMBER:
        put(s, "%" PRIu64, number_at(f, one));
        break;
    case FIELD_ELEMENT:
        put(s, "%s", element_text(f->dtype, at(f, one), shown, sizeof shown));
        break;
    case FIELD_TIME:
        put_time(s, time_at(f, one));
        break;
    case FIELD_TEXT:
        put(s, "%s", f->text);
        break;
    }
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
    for (size_t i = 0; i < FIELDS; i++)
        if (strlen(fields[i].name) == length && strncmp(fields[i].name, name, length) == 0) {
            put_field(s, f, &fields[i]);
            if (fields[i].offset == offsetof(fault, pattern) && f->seed)
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
           f->code == FAULT_TIMED_WRONG || f->code == FAULT_TIMED_UNWRITTEN;
}
