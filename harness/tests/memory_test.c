/* memory_test.c - sizes as text, and a plausible amount of memory */
#include "system/memory.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/stat.h>

static char root[] = "/tmp/scanbench-memory-XXXXXX";

/* Writes a file below the root, with its folders. */
static void put(const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", root, name);
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *out = fopen(path, "w");
    if (!out || fputs(text, out) < 0 || fclose(out) != 0)
        printf("Bail out! writing %s\n", path);
}

static void test_groups(void)
{
    char command[80];
    if (!mkdtemp(root))
        printf("Bail out! no folder for files\n");
    ok(memory_group_room(root) == UINT64_MAX, "without groups there is no limit");
    put("proc/self/cgroup", "4:memory:/a/b\n0::/\n");
    put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "1000\n");
    put("sys/fs/cgroup/memory/a/memory.usage_in_bytes", "300\n");
    put("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/a/b/memory.usage_in_bytes", "200\n");
    ok(memory_group_room(root) == 700, "version 1: the group above has less");
    put("sys/fs/cgroup/memory/a/memory.stat", "cache 900\ntotal_inactive_file 100\n");
    ok(memory_group_room(root) == 800, "files that can be dropped are not used");
    put("proc/self/cgroup", "0::/../outside\n");
    put("sys/fs/cgroup/memory.max", "5000\n");
    put("sys/fs/cgroup/memory.current", "1000\n");
    ok(memory_group_room(root) == 4000, "version 2, in a container: its folder is the group");
    put("proc/self/cgroup", "0::/a/b\n");
    put("sys/fs/cgroup/a/memory.max", "max\n");
    put("sys/fs/cgroup/a/b/memory.max", "2000\n");
    put("sys/fs/cgroup/a/b/memory.current", "2500\n");
    ok(memory_group_room(root) == 0, "a group past its limit leaves nothing");
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    if (system(command) != 0)
        printf("# %s stays\n", root);
}

int main(void)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } texts[] = {
        {0, "0 bytes"},
        {1, "1 bytes"},
        {1023, "1023 bytes"},
        {1024, "1.0 KiB"},
        {1536, "1.5 KiB"},
        {1048576, "1.0 MiB"},
        {147108864, "140.3 MiB"},
        {UINT64_C(1) << 30, "1.0 GiB"},
        {UINT64_C(17179869240), "16.0 GiB"},
        {UINT64_C(3) << 40, "3.0 TiB"},
        {UINT64_C(1) << 50, "1.0 PiB"},
        {UINT64_MAX, "16.0 EiB"},
    };
    enum { TEXTS = sizeof texts / sizeof *texts };
    char text[32], tight[4];
    tap_plan(TEXTS + 8);
    for (size_t i = 0; i < TEXTS; i++)
        is_text(memory_text(texts[i].bytes, text, sizeof text), texts[i].text, "%llu bytes",
                (unsigned long long)texts[i].bytes);
    is_text(memory_text(1024, tight, sizeof tight), "1.0", "a text without room is cut");
    const uint64_t available = memory_available();
    ok(available > 1 << 20, "there is more than a MiB of memory: %llu",
       (unsigned long long)available);
    ok(available < UINT64_C(1) << 50, "and less than a PiB");
    test_groups();
    return tap_done();
}
