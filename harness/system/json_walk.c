#include "system/json_walk.h"

#include <string.h>

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && strchr(" \t\r\n", *at) && *at)
        at++;
    return at;
}

/* Behind the string, or NULL. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at < end ? at + 1 : NULL;
}

/* Behind the object or array, or NULL. */
static const char *skip_brackets(const char *at, const char *end)
{
    size_t depth = 0;
    while (at && at < end) {
        if (*at == '"') {
            at = skip_string(at, end);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
        if (depth == 0)
            return at;
    }
    return NULL;
}

/* Behind the value at `at`, or NULL. */
static const char *skip_value(const char *at, const char *end)
{
    if (at >= end)
        return NULL;
    if (*at == '"')
        return skip_string(at, end);
    if (*at == '{' || *at == '[')
        return skip_brackets(at, end);
    const char *start = at;
    while (at < end && (strchr("+-.", *at) || (*at >= '0' && *at <= '9') ||
                        ((*at | 0x20) >= 'a' && (*at | 0x20) <= 'z')))
        at++;
    return at > start ? at : NULL;
}

json_value json_whole(const char *text, size_t bytes)
{
    const char *end = text + bytes;
    const char *start = skip_space(text, end);
    const char *behind = skip_value(start, end);
    if (!behind || skip_space(behind, end) != end)
        return (json_value){0};
    return (json_value){start, (size_t)(behind - start)};
}

json_walk json_begin(json_value of)
{
    const bool walks = of.text && of.bytes > 1 && (*of.text == '{' || *of.text == '[');
    return (json_walk){.at = walks ? of.text + 1 : NULL,
                       .end = walks ? of.text + of.bytes - 1 : NULL,
                       .in_object = walks && *of.text == '{'};
}

bool json_next(json_walk *w)
{
    if (!w->at)
        return false;
    const char *at = skip_space(w->at, w->end);
    w->at = NULL;
    if (w->in_object) {
        const char *behind = at < w->end && *at == '"' ? skip_string(at, w->end) : NULL;
        if (!behind)
            return false;
        w->name = (json_value){at, (size_t)(behind - at)};
        at = skip_space(behind, w->end);
        if (at >= w->end || *at != ':')
            return false;
        at = skip_space(at + 1, w->end);
    }
    const char *behind = skip_value(at, w->end);
    if (!behind)
        return false;
    w->value = (json_value){at, (size_t)(behind - at)};
    at = skip_space(behind, w->end);
    w->at = at < w->end && *at == ',' ? at + 1 : w->end;
    return true;
}

json_value json_member(json_value of, const char *name)
{
    for (json_walk w = json_begin(of); json_next(&w);)
        if (w.in_object && json_is(w.name, name))
            return w.value;
    return (json_value){0};
}

bool json_is(json_value value, const char *text)
{
    const size_t length = strlen(text);
    return value.text && value.bytes == length + 2 && *value.text == '"' &&
           memcmp(value.text + 1, text, length) == 0;
}
