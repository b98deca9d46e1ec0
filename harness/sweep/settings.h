/*
 * settings.h - the lists of the command line, parsed into values
 */
#ifndef SCANBENCH_SWEEP_SETTINGS_H
#define SCANBENCH_SWEEP_SETTINGS_H

#include "text/errmsg.h"

#include "cli/options.h"
#include "loader/loader.h"
#include "problem/names.h"
#include "protocol/phase.h"
#include "text/range.h"

typedef struct tunable_setting {
    char name[LOADER_TUNABLE_LENGTH + 1];
    range_list values;
} tunable_setting;

/* Among the kinds: whichever a plugin has, all in one ranking. */
enum { SETTINGS_ANY_KIND = SCAN_KIND_COUNT };

typedef struct settings {
    range_list sizes, rows, inner;
    uint64_t elements; /* unless 0: rows follow from it */
    /* --block-sizes is the set named "block", and --parts that named "parts" */
    tunable_setting sets[OPTIONS_SETS + 2];
    size_t set_count;
    /* words in the order given */
    uint32_t types[SCAN_DTYPE_COUNT], ops[SCAN_OP_COUNT], kinds[SCAN_KIND_COUNT + 1];
    size_t type_count, op_count, kind_count;
    uint32_t results[SCAN_DTYPE_COUNT + 2]; /* settings_result_word */
    size_t result_count;
    uint32_t caches[CACHE_STATE_COUNT]; /* cache_state, of run */
    size_t cache_count;
    const char *pattern; /* --pattern as given, or NULL */
    uint64_t seed;
    bool race; /* tunables that are not set take every value worth trying: candidates_of;
                  not those that are asked for, "parts" and "accurate" */
} settings;

/* SCAN_OK and *settings_p, released with settings_free; or SCAN_INVALID or
 * SCAN_NO_MEMORY, and `error` says which option is wrong and what to write. */
scan_status settings_parse(const grid_options *o, settings *settings_p, errmsg *error);
void settings_free(settings *s);

/* How many values of rows there are at each n. */
size_t settings_rows(const settings *s);
/* The i-th of them, where n and inner are these. */
uint64_t settings_rows_at(const settings *s, size_t i, uint64_t n, uint64_t inner);

/* What --results asks for of inputs of a dtype, as dtype.h writes results, each once. Returns how
 * many; 0 where the dtype has none of what is asked for. */
enum { SETTINGS_RESULTS = SCAN_DTYPE_COUNT + 1 };
size_t settings_results(const settings *s, uint32_t dtype, uint32_t results[SETTINGS_RESULTS]);

/* Is --kinds any asked for? */
bool settings_any_kind(const settings *s);

/* The words of --results that are no dtypes, and the text of any word. */
enum { SETTINGS_SAME = SCAN_DTYPE_COUNT, SETTINGS_WIDE, SETTINGS_RESULT_WORDS };
const char *settings_result_word(uint32_t word);

/* The values set for a tunable, or NULL. */
const range_list *settings_find(const settings *s, const char *name);

#endif
