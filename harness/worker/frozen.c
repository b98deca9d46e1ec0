#include "worker/frozen.h"

#include <string.h>

#define CHAIN 5000
#define ADDS 4000

/* Keeps the compiler from computing ahead what the loop is there to wait for. */
#define OPAQUE(x) __asm__ volatile("" : "+r"(x))

typedef uint32_t four __attribute__((vector_size(16)));

__attribute__((aligned(64))) void frozen_scan(const uint32_t *from, uint32_t *to, size_t n)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        const uint32_t next = sum + from[i];
        to[i] = sum;
        sum = next;
        OPAQUE(sum);
    }
}

__attribute__((aligned(64))) void frozen_copy(const uint32_t *from, uint32_t *to, size_t n)
{
    const size_t each = sizeof(four) / sizeof *from;
    size_t i = 0;
    for (; i + each <= n; i += each) {
        four part;
        memcpy(&part, from + i, sizeof part);
        memcpy(to + i, &part, sizeof part);
    }
    for (; i < n; i++)
        to[i] = from[i];
}

__attribute__((aligned(64))) uint64_t frozen_chain(uint64_t x)
{
    x |= 1;
    for (int i = 0; i < CHAIN; i++) {
        x *= x;
        OPAQUE(x);
    }
    return x;
}

__attribute__((aligned(64))) uint64_t frozen_adds(uint64_t x)
{
    uint64_t a = x, b = x, c = x, d = x, e = x, f = x;
    for (int i = 0; i < ADDS; i++) {
        a++, b++, c++, d++, e++, f++;
        __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f));
    }
    return a + b + c + d + e + f;
}
