#include "output/csv_resume.h"

#include "text/errmsg.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

/* Does the file go on like the header at `offset`, as far as both reach? */
static bool is_header(const char *chunk, size_t count, size_t offset, const char *header,
                      size_t bytes)
{
    size_t left = offset < bytes ? bytes - offset : 0;
    return memcmp(chunk, header + (bytes - left), count < left ? count : left) == 0;
}

scan_status csv_resume(int fd, const char *header, size_t bytes, off_t *end_p, errmsg *error)
{
    char chunk[16384];
    size_t offset = 0;
    size_t end = 0;
    bool quoted = false; /* a doubled quote toggles twice */
    for (;;) {
        ssize_t got = pread(fd, chunk, sizeof chunk, (off_t)offset);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errmsg_set(error, SCAN_ERROR, "reading it: %s", strerror(errno));
        if (got == 0)
            break;
        if (!is_header(chunk, (size_t)got, offset, header, bytes))
            return errmsg_set(error, SCAN_INVALID,
                              "its header is not this version's; give another file name");
        for (size_t i = 0; i < (size_t)got; i++) {
            quoted = quoted != (chunk[i] == '"');
            if (chunk[i] == '\n' && !quoted)
                end = offset + i + 1;
        }
        offset += (size_t)got;
    }
    *end_p = (off_t)end;
    return SCAN_OK;
}
