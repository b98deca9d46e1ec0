#include "system/input_file.h"

#include "system/file_identity.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { WAIT_MS = 10000 };

/* Waits for a writer of the FIFO: true if there is one. *byte_p: the first byte, if it had to be
 * read to see that, else EOF. */
static bool has_writer(int fd, int *byte_p)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};
    unsigned char byte;
    *byte_p = EOF;
    if (poll(&one, 1, WAIT_MS) > 0)
        return true;
    const ssize_t got = read(fd, &byte, 1); /* 0: no writer; EAGAIN: one that has not written yet */
    if (got > 0)
        *byte_p = byte;
    return got > 0 || (got < 0 && errno == EAGAIN);
}

FILE *input_file_open(const char *path)
{
    struct stat about;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    int reason = 0, byte = EOF;
    if (fstat(fd, &about) == 0 && S_ISFIFO(about.st_mode) && !has_writer(fd, &byte))
        reason = ETIMEDOUT;
    else if (fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK) != 0)
        reason = errno;
    FILE *in = reason == 0 ? fdopen(fd, "rb") : NULL;
    if (in) {
        if (byte != EOF)
            ungetc(byte, in);
        return in;
    }
    reason = reason ? reason : errno;
    close(fd);
    errno = reason;
    return NULL;
}

scan_status input_file_read(const char *path, size_t most, char **text_p, errmsg *error)
{
    struct stat about;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT ? SCAN_UNAVAILABLE
                               : errmsg_set(error, SCAN_ERROR, "%s: %s", path, strerror(errno));
    scan_status status = SCAN_OK;
    if (fstat(fd, &about) != 0)
        status = errmsg_set(error, SCAN_ERROR, "%s: %s", path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        status = errmsg_set(error, SCAN_ERROR, "%s is %s", path, file_identity_word(&about));
    else if ((uintmax_t)about.st_size > most)
        status = errmsg_set(error, SCAN_ERROR, "%s is longer than %zu bytes", path, most);
    char *text = status == SCAN_OK ? malloc((size_t)about.st_size + 1) : NULL;
    const ssize_t got = text ? read(fd, text, (size_t)about.st_size) : -1;
    if (status == SCAN_OK && got < 0)
        status = errmsg_set(error, SCAN_ERROR, "%s: %s", path, strerror(errno));
    close(fd);
    if (!text || got < 0) {
        free(text);
        return status;
    }
    text[got] = '\0';
    *text_p = text;
    return SCAN_OK;
}
