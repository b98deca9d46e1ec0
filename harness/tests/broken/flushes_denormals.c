/* What -ffast-math does to whoever loads it: denormal numbers become 0. */
#include "mock.h"

#ifdef __SSE__
#include <xmmintrin.h>
#endif

__attribute__((constructor)) static void load(void)
{
#ifdef __SSE__
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

MOCK_PLUGIN(.name = "flushes_denormals");
