#include "system/file_hash.h"

#include <sha2.h>
#include <sys/stat.h>

_Static_assert((int)FILE_HASH_BYTES == (int)SHA256_DIGEST_STRING_LENGTH, "digits of a SHA-256");

const char *file_hash(const char *path, char text[FILE_HASH_BYTES])
{
    struct stat about; /* a FIFO would wait for its writer, a device may never end */
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode) || !SHA256File(path, text))
        *text = '\0';
    return text;
}
