/*
 * formula.h - what a claim expects of the rows of a file
 *
 *     formula   = [ loop { "," loop } ":" ] product compare product
 *     loop      = "for" "each" name { "," name } | "from" "n" "=" size "on"
 *     compare   = "<" | "<=" | ">" | ">="
 *     product   = factor { ( "*" | "/" ) factor }
 *     factor    = number [ "ns" | "us" | "ms" | "s" ] | selector | "(" product ")"
 *     selector  = ( "median" | "best" ) "(" [ condition { "," condition } ] ")"
 *     condition = plugin | name ( "=" | "!=" ) value
 *
 *     median(cuda_blelloch, n=123123123) / median(cuda_blelloch_bca, n=123123123) > 1
 *     from n = 1e6 on: best(mine) / best(cuda_cub) < 1.03
 *     for each op, block: median(opencl_blelloch, pad=1) < median(opencl_blelloch, pad=0)
 *
 * A condition names a plugin (or a glob, as opencl_*), or a column and its value: n, block, vt,
 * op, kind, kinds, dtype, cache, device, backend, role, in_place, phase (run where it is not said),
 * or a setting of `params`. Copies take part where the role or the plugin is named, rows in place
 * where in_place or the plugin is. A value is a word or a glob; numbers are written as for --sizes.
 * median() means the one row that matches, best() the fastest of those that do. The name of a loop
 * stands for each of its values, except where a selector has a condition of that name; rows that
 * have no such column match all of them.
 *
 * Numbers in a product are moved to the right, medians to the left: value compare limit.
 */
#ifndef SCANBENCH_RECIPES_FORMULA_H
#define SCANBENCH_RECIPES_FORMULA_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FORMULA_WORD_BYTES = 64,
    FORMULA_CONDITIONS = 80, /* a plugin has at most 64 tunables */
    FORMULA_FACTORS = 8,
    FORMULA_LOOPS = 4,
    FORMULA_DEPTH = 8 /* of parentheses */
};

typedef struct formula_condition {
    char name[FORMULA_WORD_BYTES]; /* "plugin" for a plugin */
    char value[FORMULA_WORD_BYTES];
    bool negated;
} formula_condition;

typedef struct formula_selector {
    bool is_best;
    bool divides; /* it is below the line */
    formula_condition conditions[FORMULA_CONDITIONS];
    size_t count;
    char text[256]; /* as it is written; cut where it is longer */
} formula_selector;

typedef enum formula_compare {
    FORMULA_LESS,
    FORMULA_AT_MOST,
    FORMULA_MORE,
    FORMULA_AT_LEAST
} formula_compare;

typedef struct formula {
    char loops[FORMULA_LOOPS][FORMULA_WORD_BYTES]; /* names */
    size_t loop_count;
    uint64_t from_n; /* 0: all */
    formula_selector selectors[FORMULA_FACTORS];
    size_t count; /* at least 1 */
    formula_compare compare;
    double limit; /* of the product of the selectors */
} formula;

/* A part of a text, which knows where in its file it begins. */
typedef struct formula_source {
    const char *name; /* of the file */
    const char *text; /* of the whole file */
    size_t begin, end;
} formula_source;

/* Reads a formula; ends of line count as blanks. SCAN_OK and *formula_p; or SCAN_INVALID, and
 * `error` names line and column and says what to write. */
scan_status formula_parse(const formula_source *source, formula *formula_p, errmsg *error);

/* "FILE, line 3, column 9" of an offset of the text. */
const char *formula_place(const formula_source *source, size_t at, char *text, size_t size);

/* Is the product of its selectors a time: one more above the line than below? */
bool formula_is_time(const formula *f);

const char *formula_compare_word(formula_compare compare);

/* The value of a number as the formula language writes it, as text of digits, or "" if the text is
 * none: "1e6" and "1000000" are alike. */
enum { FORMULA_NUMBER_BYTES = 24 };
const char *formula_number(const char *text, char digits[FORMULA_NUMBER_BYTES]);

#endif
