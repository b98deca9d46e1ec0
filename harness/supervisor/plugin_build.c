#include "supervisor/plugin_build.h"

#include <string.h>

plugin_build plugin_build_of(const char *file, const file_mark *mark)
{
    plugin_build b = {.mark = *mark};
    file_hash(file, b.hash);
    const file_mark now = file_mark_of(file);
    if (mark->known && !file_mark_same(&now, mark))
        *b.hash = '\0'; /* of something else: so no content is taken for that of the mark */
    return b;
}

/* Has the file, which has this mark, the content of the build? */
static bool has_content(const plugin_build *b, const char *file, const file_mark *now)
{
    char hash[FILE_HASH_BYTES];
    file_hash(file, hash);
    const file_mark after = file_mark_of(file);
    return *hash && strcmp(hash, b->hash) == 0 && file_mark_same(&after, now);
}

build_change plugin_build_check(plugin_build *b, const char *file)
{
    const file_mark now = file_mark_of(file);
    if (!b->mark.known || file_mark_same(&now, &b->mark))
        return BUILD_SAME;
    if (!now.known)
        return BUILD_REMOVED;
    if (has_content(b, file, &now)) {
        b->mark = now;
        return BUILD_SAME;
    }
    return file_mark_same_inode(&now, &b->mark) ? BUILD_OVERWRITTEN : BUILD_REPLACED;
}
