#include "protocol/cache_state.h"

#define WORD(name, word) [CACHE_##name] = word,
const char *cache_state_word(uint32_t state)
{
    static const char *const words[] = {CACHE_STATE_MAP(WORD)};
    return words[state];
}
#undef WORD
