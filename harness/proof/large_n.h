/*
 * large_n.h - up to which n a proof goes where n no longer fits into 29 to 32 bits, by memory and
 * by time
 */
#ifndef SCANBENCH_PROOF_LARGE_N_H
#define SCANBENCH_PROOF_LARGE_N_H

#include <stddef.h>
#include <stdint.h>

/* Just beyond powers of two: where 4 n overflows 31 and 32 bits, the offset of a byte, and where n
 * does, an index. */
enum { LARGE_STEPS = 4, LARGE_BEYOND = 12289, LARGE_WHY_BYTES = 256 };
uint64_t large_n_step(size_t i);

/* What a proof may take. 0 in `most`, `device_bytes` and `budget_s`: there is no such limit. */
typedef struct large_means {
    uint64_t most;                     /* n */
    uint64_t host_bytes, device_bytes; /* that may be used */
    unsigned host_arrays, device_arrays;
    uint32_t element_bytes;
    double s_per_element; /* of one configuration at a smaller n */
    double first_use_s;   /* of a byte of an array on the host that nobody has used */
    double budget_s;
} large_means;

/* The largest step within the means, 0 if there is none; and why the next one is not, "" if there
 * is none. */
uint64_t large_n_choose(const large_means *m, char why[LARGE_WHY_BYTES]);

/* The seconds that it may take unasked: more where 2^31 elements fit into memory, because less
 * shows fewer mistakes and is not worth the time. */
double large_n_budget_s(const large_means *m);

/* A size of many small tiles that takes at most `seconds`, from `least` on. */
uint64_t large_n_within(uint64_t n, uint64_t least, double s_per_element, double seconds);

#endif
