/*
 * fuzz.h - the entry of a fuzzer, and claims that hold for every input
 */
#ifndef SCANBENCH_FUZZ_H
#define SCANBENCH_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* Dies where the claim does not hold; assert would be compiled away by NDEBUG. */
#define ALWAYS(claim) \
    ((claim) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #claim), abort()))

/* The input as a string, to be freed; NULL where there is no memory. */
static inline char *fuzz_text(const uint8_t *data, size_t bytes)
{
    char *text = malloc(bytes + 1);
    if (text) {
        if (bytes > 0)
            memcpy(text, data, bytes);
        text[bytes] = '\0';
    }
    return text;
}

#endif
