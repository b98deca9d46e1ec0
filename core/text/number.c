/*
 * number.c - parses exact decimal numbers by hand, because strtod follows the locale and
 * rounds
 */
#include "text/number.h"

#include "text/errmsg.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* mantissa * 10^(exponent - decimals), and the text that follows the number */
typedef struct decimal {
    uint64_t mantissa;
    unsigned decimals;
    unsigned exponent;
    bool too_large;
    const char *rest;
} decimal;

static bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

static bool multiply(uint64_t a, uint64_t b, uint64_t *product_p)
{
    if (b != 0 && a > UINT64_MAX / b)
        return false;
    *product_p = a * b;
    return true;
}

static void add_digit(decimal *read, char digit)
{
    uint64_t value = (uint64_t)(digit - '0');
    uint64_t tenfold;
    if (!multiply(read->mantissa, 10, &tenfold) || tenfold > UINT64_MAX - value)
        read->too_large = true;
    else
        read->mantissa = tenfold + value;
}

/* Reads digits [. digits] [e digits]; false if the text does not begin with a digit. */
static bool read_decimal(const char *text, decimal *decimal_p)
{
    enum { EXPONENT_LIMIT = 1000 }; /* beyond every 64-bit value, far from overflow */
    decimal read = {0};
    if (!is_digit(*text))
        return false;
    for (; is_digit(*text); text++)
        add_digit(&read, *text);
    if (*text == '.' && is_digit(text[1])) {
        for (text++; is_digit(*text); text++) {
            add_digit(&read, *text);
            read.decimals++;
        }
    }
    if (*text == 'e' || *text == 'E') {
        const char *digits = text + 1 + (text[1] == '+');
        if (is_digit(*digits)) {
            for (text = digits; is_digit(*text); text++)
                if (read.exponent < EXPONENT_LIMIT)
                    read.exponent = read.exponent * 10 + (unsigned)(*text - '0');
        }
    }
    read.rest = text;
    *decimal_p = read;
    return true;
}

/* The scale of a suffix, 0 if it is unknown. */
static uint64_t suffix_scale(const char *suffix)
{
    static const struct {
        const char *suffix;
        uint64_t scale;
    } suffixes[] = {{"", 1},           {"k", 1000},       {"M", 1000000},   {"G", 1000000000},
                    {"Ki", 1u << 10u}, {"Mi", 1u << 20u}, {"Gi", 1u << 30u}};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        if (strcmp(suffix, suffixes[i].suffix) == 0)
            return suffixes[i].scale;
    return 0;
}

/* The suffix that was probably meant: the right case, or without a B for bytes. Otherwise NULL. */
static const char *suffix_meant(const char *suffix)
{
    static const char *const known[] = {"k", "M", "G", "Ki", "Mi", "Gi"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t length = strlen(known[i]);
        if (strncasecmp(suffix, known[i], length) == 0 &&
            (suffix[length] == '\0' || strcasecmp(suffix + length, "b") == 0))
            return known[i];
    }
    return NULL;
}

static scan_status wrong_suffix(const char *word, const char *suffix, errmsg *error)
{
    const char *meant = suffix_meant(suffix);
    int digits = (int)(suffix - word);
    if (meant)
        return errmsg_set(error, SCAN_INVALID, "%s: unknown suffix '%s'; write %.*s%s", word,
                          suffix, digits, word, meant);
    return errmsg_set(error, SCAN_INVALID,
                      "%s: unknown suffix '%s'; the suffixes are k M G (powers of "
                      "1000) and Ki Mi Gi (powers of 1024)",
                      word, suffix);
}

static scan_status out_of_range(const char *word, errmsg *error)
{
    if (*word == '-')
        return errmsg_set(error, SCAN_INVALID,
                          "%s is too small; the least value is -9223372036854775808", word);
    return errmsg_set(error, SCAN_INVALID,
                      "%s is too large; the greatest value is 9223372036854775807", word);
}

/* base^exponent, the ^ being at `caret` */
static scan_status parse_power(const char *word, const char *caret, number *number_p, errmsg *error)
{
    decimal base;
    decimal power;
    bool good = read_decimal(word, &base) && base.rest == caret && base.decimals == 0 &&
                base.exponent == 0 && read_decimal(caret + 1, &power) && *power.rest == '\0' &&
                power.decimals == 0 && power.exponent == 0;
    if (!good || base.mantissa < 2)
        return errmsg_set(error, SCAN_INVALID, "'%s' is not a power; write it like 2^20", word);
    uint64_t value = 1;
    bool fits = !base.too_large && !power.too_large;
    for (uint64_t i = 0; fits && i < power.mantissa; i++)
        fits = multiply(value, base.mantissa, &value);
    if (!fits || value > INT64_MAX)
        return out_of_range(word, error);
    *number_p = (number){.value = (int64_t)value, .base = base.mantissa};
    return SCAN_OK;
}

scan_status number_parse(const char *word, number *number_p, errmsg *error)
{
    const char *caret = strchr(word, '^');
    if (caret)
        return parse_power(word, caret, number_p, error);
    bool negative = *word == '-';
    decimal read;
    if (!read_decimal(word + negative, &read))
        return errmsg_set(error, SCAN_INVALID,
                          "'%s' is not a number; write it like 1000, 1e6, 64Ki or 2^20", word);
    uint64_t scale = suffix_scale(read.rest);
    if (scale == 0)
        return wrong_suffix(word, read.rest, error);

    uint64_t value = 0;
    bool fits = !read.too_large && multiply(read.mantissa, scale, &value);
    for (unsigned i = read.decimals; fits && i < read.exponent && value > 0; i++)
        fits = multiply(value, 10, &value);
    if (!fits)
        return out_of_range(word, error);
    for (unsigned i = read.exponent; i < read.decimals; i++) {
        if (value % 10 != 0)
            return errmsg_set(error, SCAN_INVALID, "%s is not a whole number", word);
        value /= 10;
    }
    const uint64_t most = (uint64_t)INT64_MAX + negative;
    if (value > most)
        return out_of_range(word, error);
    /* Two's complement: the least value has no positive one. */
    *number_p = (number){.value = (int64_t)(negative ? -value : value)};
    return SCAN_OK;
}

scan_status number_parse_factor(const char *word, long double *factor_p)
{
    decimal read;
    if (!read_decimal(word, &read) || *read.rest != '\0' || read.exponent > 0 || read.too_large)
        return SCAN_INVALID;
    *factor_p = (long double)read.mantissa / powl(10, (long double)read.decimals);
    return SCAN_OK;
}

const char *number_text(uint64_t n, char text[NUMBER_TEXT_BYTES])
{
    unsigned exponent = 0;
    uint64_t digit = n;
    for (; digit >= 10 && digit % 10 == 0; exponent++)
        digit /= 10;
    if (digit < 10 && exponent >= 3)
        snprintf(text, NUMBER_TEXT_BYTES, "%ue%u", (unsigned)digit, exponent);
    else
        snprintf(text, NUMBER_TEXT_BYTES, "%" PRIu64, n);
    return text;
}
