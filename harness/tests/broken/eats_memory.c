/* Takes memory until there is none and then uses what it did not get. At most 4 GiB,
 * for tests that do not limit it. */
#include "mock.h"

enum { PIECE = 16 << 20, PIECES = 256 };

static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    for (int i = 0; i < PIECES; i++) {
        char *volatile piece = malloc(PIECE);
        memset(piece, 1, PIECE);
    }
    return mock_run(self, in, out);
}

MOCK_PLUGIN(.run = run);
