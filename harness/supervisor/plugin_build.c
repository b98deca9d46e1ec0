#include "supervisor/plugin_build.h"

#include "system/file_identity.h"

#include <string.h>

file_mark file_mark_of(const char *path)
{
    file_mark mark = {.known = false};
    mark.known = stat(path, &mark.about) == 0;
    return mark;
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Is it one file that was not touched in between? */
static bool is_untouched(const file_mark *a, const file_mark *b)
{
    return a->known && b->known && file_identity_is_one(&a->about, &b->about) &&
           a->about.st_size == b->about.st_size &&
           same_time(&a->about.st_mtim, &b->about.st_mtim) &&
           same_time(&a->about.st_ctim, &b->about.st_ctim);
}

plugin_build plugin_build_of(const char *file, const file_mark *mark)
{
    plugin_build b = {.mark = *mark};
    file_hash(file, b.hash);
    const file_mark now = file_mark_of(file);
    if (mark->known && !is_untouched(&now, mark))
        *b.hash = '\0'; /* it changed meanwhile, so the hash may be that of another build */
    return b;
}

/* Does the file, whose mark is `now`, have the content of the build? */
static bool has_content(const plugin_build *b, const char *file, const file_mark *now)
{
    char hash[FILE_HASH_BYTES];
    file_hash(file, hash);
    const file_mark after = file_mark_of(file);
    return *hash && strcmp(hash, b->hash) == 0 && is_untouched(&after, now);
}

build_change plugin_build_check(plugin_build *b, const char *file)
{
    const file_mark now = file_mark_of(file);
    if (!b->mark.known || is_untouched(&now, &b->mark))
        return BUILD_SAME;
    if (!now.known)
        return BUILD_REMOVED;
    if (has_content(b, file, &now)) {
        b->mark = now;
        return BUILD_SAME;
    }
    return file_identity_is_one(&now.about, &b->mark.about) ? BUILD_OVERWRITTEN : BUILD_REPLACED;
}
