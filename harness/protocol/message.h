/*
 * message.h - one message between the supervisor and a worker
 *
 * Each message is a line: a verb, then fields `key=value`, separated by tabs. In a value, tab,
 * newline, carriage return, '%' and NUL are written %XX. A reader ignores fields it does not know.
 *
 * Before a command the supervisor sends `number serial=`, a number that cannot be guessed. Every
 * message that a worker sends after it has the same serial=; the supervisor takes one without it,
 * which may be old or written by a plugin, as garbage. `loaded` and `failed` have none: they come
 * before any command.
 */
#ifndef SCANBENCH_PROTOCOL_MESSAGE_H
#define SCANBENCH_PROTOCOL_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The file descriptors with which a worker is started. */
enum { WORKER_COMMANDS = 3, WORKER_RESULTS = 4 };

/* The environment variable that names the interpreter of plugins in Python (--python). */
#define WORKER_PYTHON "SCANBENCH_PYTHON"

/* How many bytes of a plugin's output are kept: enough to recognise it. */
enum { WORKER_PRINTED_BYTES = 80 };

enum { MESSAGE_FIELDS = 32 };

typedef struct protocol_message {
    const char *verb;
    size_t field_count;
    struct {
        const char *key;
        const char *value;
    } fields[MESSAGE_FIELDS];
} protocol_message;

/* Parses `line` (without its newline) in place; the message points into it. false if it is
 * malformed: no verb, a field without '=', a bad escape, or too many fields. */
bool message_parse(char *line, protocol_message *parsed_p);

/* Does the message have that verb? */
bool message_is(const protocol_message *m, const char *verb);
/* The value of a field, or NULL. */
const char *message_text(const protocol_message *m, const char *key);
/* The value of a field, or "", as one line for people, cut if it is too long; control characters
 * become spaces, bytes that are not UTF-8 become '?'. */
void message_line(const protocol_message *m, const char *key, char *to, size_t size);
/* Numbers: false, and *value_p is unchanged, if the field is missing or not such a number. */
bool message_u64(const protocol_message *m, const char *key, uint64_t *value_p);
bool message_double(const protocol_message *m, const char *key, double *value_p);
/* Comma-separated numbers into values[0 ... capacity-1]; the count, or -1 if one
 * is malformed or there are more than capacity. A missing or empty field is 0. */
long message_i64_list(const protocol_message *m, const char *key, int64_t *values, size_t capacity);

/* Writing: begin, fields, end. ferror reports errors. */
void message_begin(FILE *out, const char *verb);
/* Begins an answer to the command of that number. */
void message_answer(FILE *out, const char *verb, uint64_t serial);
void message_put_text(FILE *out, const char *key, const char *value);
void message_put_u64(FILE *out, const char *key, uint64_t value);
void message_put_double(FILE *out, const char *key, double value);
void message_put_i64_list(FILE *out, const char *key, const int64_t *values, size_t count);
/* Ends the line and flushes it; false if it could not be written. */
bool message_end(FILE *out);

/* ---- structs: one table of members serves those who write them and those who read them ---- */

typedef enum message_form {
    MESSAGE_NUMBER, /* uint32_t or uint64_t, from `least` to `most` */
    MESSAGE_WORD,   /* uint32_t up to `most`, sent as its word */
    MESSAGE_REAL,   /* double */
    MESSAGE_TIME,   /* the same, finite and not below 0 */
    MESSAGE_TEXT    /* char[], read as message_line does */
} message_form;

typedef struct message_member {
    const char *key;
    size_t at, bytes;
    message_form form;
    uint64_t least, most;
    bool sparse;              /* zeros, and "", are not sent */
    const char *const *words; /* MESSAGE_WORD: these, or NULL and */
    const char *(*word)(uint32_t value);
} message_member;

typedef struct message_members {
    const message_member *list;
    size_t count;
} message_members;

/* What a member and a table of them begin with, within braces. */
#define MESSAGE_MEMBER(type, name, member) \
    .key = (name), .at = offsetof(type, member), .bytes = sizeof((const type *)NULL)->member
#define MESSAGE_MEMBERS(table) .list = (table), .count = sizeof(table) / sizeof *(table)

void message_put_members(FILE *out, const message_members *members, const void *object);
/* false if one is malformed, out of range or missing, unless it is sparse: then *object_p, which
 * must be zeros, is filled in in part. A text that is missing is "". */
bool message_read_members(const protocol_message *m, const message_members *members,
                          void *object_p);

/* The word of a value; "?" for one that has none. */
const char *message_word(const message_member *one, uint32_t value);

#endif
