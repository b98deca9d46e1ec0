#include "output/csv_end.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

scan_status csv_find_end(int fd, off_t *end_p, errmsg *error)
{
    char chunk[4096];
    off_t offset = 0;
    off_t end = 0;
    bool quoted = false; /* a doubled quote toggles this twice */
    for (;;) {
        const ssize_t got = pread(fd, chunk, sizeof chunk, offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errmsg_set(error, SCAN_ERROR, "%s", strerror(errno));
        if (got == 0)
            break;
        for (ssize_t i = 0; i < got; i++) {
            quoted = quoted != (chunk[i] == '"');
            if (chunk[i] == '\n' && !quoted)
                end = offset + i + 1;
        }
        offset += got;
    }
    *end_p = end;
    return SCAN_OK;
}
