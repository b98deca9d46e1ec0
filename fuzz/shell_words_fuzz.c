/* words_fuzz.c - any text is refused, or split into words that have room in it */
#include "text/shell_words.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *text = fuzz_text(data, bytes), *words[SHELL_WORDS_MOST];
    size_t count = 0;
    errmsg error = {""};
    if (text && shell_words_split(text, words, &count, &error) == SCAN_OK) {
        size_t used = 0;
        for (size_t i = 0; i < count; i++)
            used += strlen(words[i]) + 1;
        ALWAYS(count >= 1 && count <= SHELL_WORDS_MOST && used <= bytes + 1);
    } else if (text) {
        ALWAYS(*error.text);
    }
    free(text);
    return 0;
}
