/*
 * phase.h - the phases that are timed, as data: the word in the CSV, what is timed, and which rates
 * such a time allows; and the states of the caches
 */
#ifndef SCANBENCH_PROTOCOL_PHASE_H
#define SCANBENCH_PROTOCOL_PHASE_H

#include <stdbool.h>
#include <stdint.h>

/* What a phase covers, which decides the rates and comparisons of its time. */
typedef enum phase_scope {
    PHASE_WHOLE,    /* the whole scan: has rates and a speedup */
    PHASE_PART,     /* a part of the scan: has rates */
    PHASE_TRANSFER, /* a copy between host and device: has only elements per second */
    PHASE_SETUP,    /* what precedes the scan: has no rates */
} phase_scope;

/* Whose clock took the time. The device's times are what a plugin records. */
typedef enum phase_clock { PHASE_BY_HOST, PHASE_BY_DEVICE } phase_clock;

/* X(name, word, scope, clock). docs/csv.md says what each covers. A word that ends in ':' is
 * followed by a name. */
#define PHASE_MAP(X)                                  \
    X(RUN, "run", PHASE_WHOLE, PHASE_BY_HOST)         \
    X(DEVICE, "device", PHASE_WHOLE, PHASE_BY_DEVICE) \
    X(KERNEL, "kernel:", PHASE_PART, PHASE_BY_DEVICE) \
    X(GRAPH, "graph", PHASE_WHOLE, PHASE_BY_DEVICE)   \
    X(H2D, "h2d", PHASE_TRANSFER, PHASE_BY_HOST)      \
    X(D2H, "d2h", PHASE_TRANSFER, PHASE_BY_HOST)      \
    X(E2E, "e2e", PHASE_WHOLE, PHASE_BY_HOST)         \
    X(CREATE, "create", PHASE_SETUP, PHASE_BY_HOST)

#define PHASE_ENUMERATOR(name, word, scope, clock) PHASE_##name,
typedef enum phase_kind { PHASE_MAP(PHASE_ENUMERATOR) PHASE_COUNT } phase_kind;
#undef PHASE_ENUMERATOR

/* The flag of a row whose configuration has a time under an unknown name. That time is dropped. */
#define PHASE_UNKNOWN_FLAG "unknown_phase"

/* Sizes, with the final 0, of a phase's text and of the name in it. */
enum { PHASE_TEXT_BYTES = 48, PHASE_KERNEL_BYTES = PHASE_TEXT_BYTES - sizeof "kernel:" + 1 };

/* One phase of a row: "run", or "kernel:scan_tile". */
typedef struct phase_name {
    phase_kind kind;
    char kernel[PHASE_KERNEL_BYTES]; /* PHASE_KERNEL: [a-z0-9_]+; else "" */
} phase_name;

/* Reads all of `text` (or NULL). false for any other text: an unknown word, or a kernel whose name
 * is empty, too long or has other characters. */
bool phase_parse(const char *text, phase_name *name_p);
bool phase_equal(const phase_name *a, const phase_name *b);
/* Writes what phase_parse reads; returns `text`. */
const char *phase_print(const phase_name *name, char text[PHASE_TEXT_BYTES]);

/* The word of a kind, "?" for an unknown number, and the other columns of the table. */
const char *phase_word(phase_kind kind);
phase_scope phase_scope_of(phase_kind kind);
phase_clock phase_clock_of(phase_kind kind);

/* The state of the caches in which a run is timed. X(name, word): the word stands in the column
 * cache and in --cache. */
#define CACHE_STATE_MAP(X)                              \
    X(HOT, "hot")   /* as the run before leaves them */ \
    X(COLD, "cold") /* displaced, so that the data is in memory alone */

#define CACHE_STATE_ENUMERATOR(name, word) CACHE_##name,
typedef enum cache_state { CACHE_STATE_MAP(CACHE_STATE_ENUMERATOR) CACHE_STATE_COUNT } cache_state;
#undef CACHE_STATE_ENUMERATOR

/* The word of a state below CACHE_STATE_COUNT. Static text. */
const char *cache_state_word(uint32_t state);

#endif
