/*
 * number.h - one exact number as users write it, read and written
 *
 *     value  = ["-"] number [suffix] | base "^" exponent
 *     number = digits ["." digits] [("e" | "E") ["+"] digits]
 *     suffix = "k" | "M" | "G" (10^3, 10^6, 10^9) | "Ki" | "Mi" | "Gi" (2^10, 2^20, 2^30)
 */
#ifndef SCANBENCH_TEXT_NUMBER_H
#define SCANBENCH_TEXT_NUMBER_H

#include "scan_plugin.h"
#include "text/errmsg.h"

#include <stddef.h>
#include <stdint.h>

typedef struct number {
    int64_t value;
    uint64_t base; /* of base^exponent, else 0 */
} number;

/* Reads all of `word`. SCAN_OK and *number_p; or SCAN_INVALID if it is not a number, not a
 * whole number, has an unknown suffix or needs more than 64 bits, and what to write
 * instead. */
scan_status number_parse(const char *word, number *number_p, errmsg *error);

/* Reads all of `word`, digits ["." digits], as a positive factor that need not be
 * whole. SCAN_OK and *factor_p, or SCAN_INVALID without a message. */
scan_status number_parse_factor(const char *word, long double *factor_p);

/* Writes it as short as users do, if that is exact: "3e6", "1234". Returns `text`. */
enum { NUMBER_TEXT_BYTES = 24 };
const char *number_text(uint64_t n, char text[NUMBER_TEXT_BYTES]);

#endif
