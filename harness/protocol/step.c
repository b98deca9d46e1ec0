#include "protocol/step.h"

#include <stddef.h>
#include <string.h>

#define WORD(name, word) [STEP_##name] = word,
static const char *const words[] = {STEP_MAP(WORD)};
#undef WORD

const char *step_word(worker_step step)
{
    return (size_t)step < STEP_COUNT ? words[step] : "?";
}

bool step_find(const char *word, worker_step *step_p)
{
    for (size_t i = 0; word && i < STEP_COUNT; i++)
        if (strcmp(words[i], word) == 0) {
            *step_p = (worker_step)i;
            return true;
        }
    return false;
}
