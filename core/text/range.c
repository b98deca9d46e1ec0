/*
 * range.c - the grammar of range.h, one item at a time
 *
 * Whole factors, powers of ten and summands are computed in checked 64-bit
 * arithmetic. Other factors and the points inside a decade go through long double,
 * each from the start of the range rather than from the point before.
 */
#include "text/range.h"

#include "text/errmsg.h"
#include "text/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { ITEM_SIZE = 128, NOTE_SIZE = 256 };

typedef struct stepping {
    enum { STEP_ADD, STEP_MULTIPLY, STEP_DECADES } by;
    uint64_t whole;     /* summand, whole factor (0: not whole) or points per decade */
    long double factor; /* if not whole */
} stepping;

/* A value and its position in the list. */
typedef struct point {
    int64_t value;
    size_t position;
} point;

/* The list so far, the item being read, and where error messages go. */
typedef struct reading {
    range_rule rule;
    char item[ITEM_SIZE];
    errmsg *error;
    point *points;
    size_t count, capacity;
    size_t steps; /* of ranges that multiply; many steps may round to one point */
} reading;

#define WRONG(list, ...) errmsg_set(list->error, SCAN_INVALID, __VA_ARGS__)

static scan_status parse_value(const reading *list, const char *word, number *number_p)
{
    errmsg note;
    scan_status status = number_parse(word, number_p, &note);
    if (status != SCAN_OK && strcmp(word, list->item) != 0)
        return WRONG(list, "in '%s': %s", list->item, note.text);
    return status == SCAN_OK ? SCAN_OK : WRONG(list, "%s", note.text);
}

/* The number after `sign`, as in *2, /4 or +8. */
static scan_status parse_stepping(const reading *list, char sign, const char *word,
                                  stepping *stepping_p)
{
    long double factor;
    bool is_factor = sign == '*' && number_parse_factor(word, &factor) == SCAN_OK;
    if (is_factor && factor <= 1)
        return WRONG(list, "in '%s': the factor %s is not above 1", list->item, word);
    if (is_factor && factor > floorl(factor)) {
        *stepping_p = (stepping){.by = STEP_MULTIPLY, .factor = factor};
        return SCAN_OK;
    }
    number step;
    scan_status status = parse_value(list, word, &step);
    if (status != SCAN_OK)
        return status;
    if (step.value < (sign == '*' ? 2 : 1))
        return WRONG(list, "in '%s': %s after '%c' is too small", list->item, word, sign);
    stepping_p->by = sign == '*' ? STEP_MULTIPLY : sign == '/' ? STEP_DECADES : STEP_ADD;
    stepping_p->whole = (uint64_t)step.value;
    return SCAN_OK;
}

/* The steps of a range without * / or +. */
static stepping default_stepping(range_rule rule, const number *from, const number *to)
{
    if (from->base != 0 && from->base == to->base)
        return (stepping){.by = STEP_MULTIPLY, .whole = from->base};
    if (rule == RANGE_DOUBLING)
        return (stepping){.by = STEP_MULTIPLY, .whole = 2};
    if (rule == RANGE_STEP_ONE)
        return (stepping){.by = STEP_ADD, .whole = 1};
    return (stepping){.by = STEP_DECADES, .whole = 1};
}

static scan_status add_point(reading *list, int64_t value)
{
    if (list->count == RANGE_MAX_POINTS)
        return WRONG(list, "at '%s': the list has more than %d points; take larger steps",
                     list->item, RANGE_MAX_POINTS);
    if (list->count == list->capacity) {
        size_t capacity = list->capacity ? 2 * list->capacity : 64;
        point *points = realloc(list->points, capacity * sizeof *points);
        if (!points)
            return errmsg_set(list->error, SCAN_NO_MEMORY, "out of memory for the list");
        list->points = points;
        list->capacity = capacity;
    }
    list->points[list->count] = (point){.value = value, .position = list->count};
    list->count++;
    return SCAN_OK;
}

/* start * factor^i for a whole factor; UINT64_MAX if that needs more than 64 bits. */
static uint64_t multiply_power(uint64_t start, uint64_t factor, uint64_t i)
{
    for (; i > 0; i--) {
        if (start > UINT64_MAX / factor)
            return UINT64_MAX;
        start *= factor;
    }
    return start;
}

/* The nearest integer; UINT64_MAX if that needs more than 64 bits. */
static uint64_t round_point(long double value)
{
    return value < 9.2e18L ? (uint64_t)roundl(value) : UINT64_MAX;
}

/* The i-th point of a range that multiplies. A range ends when a point passes 64 bits, so
 * i is small for whole factors. */
static uint64_t multiplied_point(uint64_t start, const stepping *step, uint64_t i)
{
    if (step->by == STEP_MULTIPLY && step->whole)
        return multiply_power(start, step->whole, i);
    if (step->by == STEP_MULTIPLY)
        return round_point((long double)start * powl(step->factor, (long double)i));
    uint64_t decade = multiply_power(start, 10, i / step->whole);
    uint64_t part = i % step->whole;
    if (part == 0 || decade == UINT64_MAX)
        return decade;
    return round_point((long double)decade *
                       powl(10, (long double)part / (long double)step->whole));
}

static scan_status add_multiplied(reading *list, int64_t from, int64_t to, const stepping *step)
{
    uint64_t last = 0;
    if (from < 1)
        return WRONG(list, "'%s' multiplies, so it cannot start at %lld; write it like 0,1..8",
                     list->item, (long long)from);
    for (uint64_t i = 0;; i++) {
        uint64_t value = multiplied_point((uint64_t)from, step, i);
        if (value >= (uint64_t)to)
            return add_point(list, to);
        if (++list->steps > RANGE_MAX_POINTS)
            return WRONG(list, "at '%s': more than %d steps; take larger ones", list->item,
                         RANGE_MAX_POINTS);
        scan_status status = value > last ? add_point(list, (int64_t)value) : SCAN_OK;
        if (status != SCAN_OK)
            return status;
        last = value;
    }
}

static scan_status add_summed(reading *list, int64_t from, int64_t to, uint64_t step)
{
    while (from < to) {
        scan_status status = add_point(list, from);
        if (status != SCAN_OK)
            return status;
        if ((uint64_t)to - (uint64_t)from <= step)
            break;
        from += (int64_t)step;
    }
    return add_point(list, to);
}

/* The first of * / + in a range's end and step, past the + of 1e+6. */
static char *find_sign(char *text)
{
    char *sign = text + strcspn(text, "*/+");
    while (*sign == '+' && sign > text && (sign[-1] == 'e' || sign[-1] == 'E'))
        sign += 1 + strcspn(sign + 1, "*/+");
    return *sign ? sign : NULL;
}

static scan_status add_range(reading *list, char *first, char *second)
{
    number from, to;
    char sign = '\0';
    char *sign_at = find_sign(second);
    if (sign_at) {
        sign = *sign_at;
        *sign_at = '\0';
    }
    scan_status status = parse_value(list, first, &from);
    if (status == SCAN_OK)
        status = parse_value(list, second, &to);
    if (status != SCAN_OK)
        return status;
    stepping step = default_stepping(list->rule, &from, &to);
    if (sign_at)
        status = parse_stepping(list, sign, sign_at + 1, &step);
    if (status != SCAN_OK)
        return status;
    if (from.value > to.value)
        return WRONG(list, "'%s' counts down; write %s..%s", list->item, second, first);
    return step.by == STEP_ADD ? add_summed(list, from.value, to.value, step.whole)
                               : add_multiplied(list, from.value, to.value, &step);
}

static scan_status add_item(reading *list)
{
    char words[ITEM_SIZE];
    memcpy(words, list->item, strlen(list->item) + 1);
    char *dots = strstr(words, "..");
    if (dots) {
        *dots = '\0';
        return add_range(list, words, dots + 2);
    }
    number single;
    scan_status status = parse_value(list, words, &single);
    return status == SCAN_OK ? add_point(list, single.value) : status;
}

static scan_status add_items(reading *list, const char *text)
{
    for (size_t place = 1;; place++) {
        size_t length = strcspn(text, ",");
        size_t start = strspn(text, " ");
        size_t end = length;
        while (end > start && text[end - 1] == ' ')
            end--;
        if (start >= end)
            return WRONG(list, "item %zu of the list is empty; write one like 1e3..1e8", place);
        if (end - start >= sizeof list->item)
            return WRONG(list, "item %zu of the list, '%.20s...', is too long for a number", place,
                         text + start);
        memcpy(list->item, text + start, end - start);
        list->item[end - start] = '\0';
        scan_status status = add_item(list);
        if (status != SCAN_OK || text[length] == '\0')
            return status;
        text += length + 1;
    }
}

static int by_position(const void *a, const void *b)
{
    const point *one = a, *other = b;
    return one->position < other->position ? -1 : 1;
}

static int by_value(const void *a, const void *b)
{
    const point *one = a, *other = b;
    if (one->value == other->value)
        return by_position(a, b);
    return one->value < other->value ? -1 : 1;
}

/* Keeps the first of equal values, in the order of the list. */
static void drop_duplicates(reading *list)
{
    size_t kept = 1;
    qsort(list->points, list->count, sizeof *list->points, by_value);
    for (size_t i = 1; i < list->count; i++)
        if (list->points[i].value != list->points[kept - 1].value)
            list->points[kept++] = list->points[i];
    list->count = kept;
    qsort(list->points, kept, sizeof *list->points, by_position);
}

static scan_status hand_over(const reading *list, range_list *list_p)
{
    int64_t *values = malloc(list->count * sizeof *values);
    if (!values)
        return errmsg_set(list->error, SCAN_NO_MEMORY, "out of memory for the list");
    for (size_t i = 0; i < list->count; i++)
        values[i] = list->points[i].value;
    *list_p = (range_list){.values = values, .count = list->count};
    return SCAN_OK;
}

scan_status range_parse(const char *text, range_rule rule, range_list *list_p, errmsg *error)
{
    reading list = {.rule = rule, .error = error};
    scan_status status = add_items(&list, text);
    if (status == SCAN_OK && list.count > 0) {
        drop_duplicates(&list);
        status = hand_over(&list, list_p);
    }
    free(list.points);
    return status;
}

void range_free(range_list *list)
{
    free(list->values);
    *list = (range_list){0};
}
