/*
 * cache_state.h - the state of the caches in which a run is timed
 */
#ifndef SCANBENCH_PROTOCOL_CACHE_STATE_H
#define SCANBENCH_PROTOCOL_CACHE_STATE_H

#include <stdint.h>

/* X(name, word): the word stands in the column cache and in --cache. */
#define CACHE_STATE_MAP(X)                              \
    X(HOT, "hot")   /* as the run before leaves them */ \
    X(COLD, "cold") /* displaced, so that the data is in memory alone */

#define CACHE_STATE_ENUMERATOR(name, word) CACHE_##name,
typedef enum cache_state { CACHE_STATE_MAP(CACHE_STATE_ENUMERATOR) CACHE_STATE_COUNT } cache_state;
#undef CACHE_STATE_ENUMERATOR

/* The word of a state below CACHE_STATE_COUNT. Static text. */
const char *cache_state_word(uint32_t state);

#endif
