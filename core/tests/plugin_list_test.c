/* plugin_list_test.c - which plugins a list chooses, and what is wrong with a bad list */
#include "tap.h"
#include "text/plugin_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const plugin_list_candidate plugins[] = {
    {"cpu_serial", "/lib/cpu_serial.so", false, false},
    {"cpu_memcpy", "/lib/cpu_memcpy.so", false, false},
    {"cuda_blelloch", "/lib/cuda_blelloch.so", false, false},
    {"cuda_blelloch_bca", "/lib/cuda_blelloch.so", false, false},
    {"mock_wrong", "/lib/mock.so", true, false},
    {"mine", "./mine.so", false, false},
    {"nameless", NULL, false, false},
    {"broken", "./broken.so", false, true},
};
enum { COUNT = sizeof plugins / sizeof plugins[0] };

/* The chosen ids, or "error: " and the message. */
static const char *choose(const char *list, size_t count)
{
    static char result[1024];
    errmsg error;
    bool chosen[COUNT] = {false};
    if (plugin_list_choose(list, plugins, count, chosen, &error) != SCAN_OK) {
        snprintf(result, sizeof result, "error: %.900s", error.text);
        return result;
    }
    result[0] = '\0';
    for (size_t i = 0; i < count; i++)
        if (chosen[i])
            snprintf(result + strlen(result), sizeof result - strlen(result), "%s%s",
                     *result ? " " : "", plugins[i].id);
    return result;
}

static void test_choices(void)
{
    is_text(choose("/lib/cuda_blelloch.so:cuda_blelloch", COUNT), "cuda_blelloch",
            "a path and an id: one plugin of the file");
    is_text(choose("/lib/cuda_blelloch.so:*_bca,./mine.so:mine", COUNT), "cuda_blelloch_bca mine",
            "a path and a glob");
    is_text(choose("all,!/lib/cuda_blelloch.so:*_bca", COUNT),
            "cpu_serial cpu_memcpy cuda_blelloch mine nameless broken",
            "one plugin of a file can be taken away");
    is_text(choose("./broken.so:scan", COUNT), "broken",
            "whatever is named of a file that cannot be loaded");
    is_text(choose("all", COUNT),
            "cpu_serial cpu_memcpy cuda_blelloch cuda_blelloch_bca mine nameless broken",
            "'all' is all but the hidden");
    is_text(choose("cuda_blelloch", COUNT), "cuda_blelloch", "an id is that plugin alone");
    is_text(choose("mine,cpu_serial", COUNT), "cpu_serial mine", "ids in any order");
    is_text(choose("cpu_*", COUNT), "cpu_serial cpu_memcpy", "a glob");
    is_text(choose("*_[bs]*", COUNT), "cpu_serial cuda_blelloch cuda_blelloch_bca",
            "a glob with a set");
    is_text(choose("mock_wrong", COUNT), "mock_wrong", "a hidden plugin by its id");
    is_text(choose("mock_*,mine", COUNT), "mock_wrong mine", "a hidden plugin by a glob");
    is_text(choose("all,!cuda_*", COUNT), "cpu_serial cpu_memcpy mine nameless broken",
            "'!' takes away");
    is_text(choose("!cuda_*,all", COUNT), "cpu_serial cpu_memcpy mine nameless broken",
            "'!' takes away wherever it stands");
    is_text(choose("!cuda_*,!mine", COUNT), "cpu_serial cpu_memcpy nameless broken",
            "nothing but '!' starts from all");
    is_text(choose("./mine.so", COUNT), "mine", "a path is the plugins of that file");
    is_text(choose("/lib/cuda_blelloch.so", COUNT), "cuda_blelloch cuda_blelloch_bca",
            "a path may hold several plugins");
    is_text(choose("all,!/lib/cuda_blelloch.so", COUNT),
            "cpu_serial cpu_memcpy mine nameless broken", "a path can be taken away");
    is_text(choose(" cpu_serial , ! mine , all ", COUNT),
            "cpu_serial cpu_memcpy cuda_blelloch cuda_blelloch_bca nameless broken",
            "spaces around items are ignored");
}

/* Two plugins in a folder, one of which is known by another path too. */
static void test_folder(void)
{
    char folder[] = "plugin_list_XXXXXX", file[64], link[64], other[64], colon[64];
    if (!mkdtemp(folder)) {
        ok(false, "a folder: %s", strerror(errno));
        return;
    }
    snprintf(file, sizeof file, "%s/a.so", folder);
    snprintf(link, sizeof link, "%s/b.so", folder);
    snprintf(other, sizeof other, "./%s/../%s/b.so", folder, folder);
    close(open(file, O_CREAT | O_WRONLY, 0666));
    close(open(link, O_CREAT | O_WRONLY, 0666));
    snprintf(colon, sizeof colon, "%s/x,y:z", folder);
    close(open(colon, O_CREAT | O_WRONLY, 0666));
    const plugin_list_candidate known[] = {{"a", file, false, false},
                                           {"b", other, false, false},
                                           {"c", "/none/a.so", false, false},
                                           {"d", NULL, false, false},
                                           {"e", colon, false, false}};
    char lists[6][96];
    snprintf(lists[0], sizeof lists[0], "%s/", folder);
    snprintf(lists[1], sizeof lists[1], "./%s", folder);
    snprintf(lists[2], sizeof lists[2], "all,!./%s", folder);
    snprintf(lists[3], sizeof lists[3], "./%s/b.so", folder);
    snprintf(lists[4], sizeof lists[4], "%s", colon);
    snprintf(lists[5], sizeof lists[5], "%s:e", colon);
    static const bool expected[][5] = {
        {true, true, false, false, true},   {true, true, false, false, true},
        {false, false, true, true, false},  {false, true, false, false, false},
        {false, false, false, false, true}, {false, false, false, false, true}};
    static const char *const claims[] = {"a folder means the plugins in it",
                                         "with or without a slash behind it",
                                         "a folder can be taken away",
                                         "a file by another path is that file",
                                         "a file with a comma and a colon in its name",
                                         "and a plugin of it"};
    for (size_t i = 0; i < 6; i++) {
        bool chosen[5] = {false};
        errmsg error = {""};
        ok(plugin_list_choose(lists[i], known, 5, chosen, &error) == SCAN_OK &&
               memcmp(chosen, expected[i], sizeof chosen) == 0,
           "%s: %s", claims[i], error.text);
    }
    unlink(file);
    unlink(link);
    unlink(colon);
    rmdir(folder);
}

static void test_errors(void)
{
    is_text(choose("cuda_bleloch", COUNT),
            "error: no plugin matches 'cuda_bleloch'; did you mean 'cuda_blelloch'?",
            "the nearest id is suggested");
    is_text(choose("all,!cpu_seriall", COUNT),
            "error: no plugin matches 'cpu_seriall'; did you mean 'cpu_serial'?",
            "what is taken away must exist too");
    is_text(choose("SERIAL", COUNT),
            "error: no plugin matches 'SERIAL'; did you mean 'cpu_serial'?",
            "the id that has the word is suggested, whatever its case");
    is_text(choose("Cuda", COUNT), "error: no plugin matches 'Cuda'; did you mean '*cuda*'?",
            "of several ids that have it their glob is");
    is_text(choose("vulkan_*", COUNT),
            "error: no plugin matches 'vulkan_*'; `scanbench list` shows all",
            "nothing near, nothing suggested");
    is_text(choose("", COUNT),
            "error: the plugin list has an empty item; write it like all,!cuda_*", "an empty list");
    is_text(choose("all,", COUNT),
            "error: the plugin list has an empty item; write it like all,!cuda_*",
            "an empty item at the end");
    is_text(choose("!", COUNT),
            "error: the plugin list has an empty item; write it like all,!cuda_*", "'!' alone");
    is_text(choose("mine,!mine", COUNT),
            "error: 'mine,!mine' leaves no plugin; remove one of the '!' items",
            "a list that leaves nothing");
    is_text(choose("./other.so", COUNT), "error: no plugin was loaded from './other.so'",
            "a path nothing came from");
    is_text(choose("/lib/cuda_blelloch.so:cpu_serial", COUNT),
            "error: no plugin of '/lib/cuda_blelloch.so' is called 'cpu_serial'; it has "
            "cuda_blelloch cuda_blelloch_bca",
            "an id that the file does not have: its ids are named");
    is_text(choose("./mine.so:", COUNT),
            "error: no plugin of './mine.so' is called ''; it has mine",
            "nothing behind the colon");
    is_text(choose("./other.so:mine", COUNT), "error: no plugin was loaded from './other.so'",
            "an id of a path nothing came from");
    is_text(choose("all", 0),
            "error: 'all': no plugins were found beside the program, in plugins/ or "
            "../lib/scanbench/plugins/; install scanbench again, or name their folder in "
            "SCANBENCH_PLUGIN_PATH",
            "all of nothing");
}

static void test_paths(void)
{
    errmsg error;
    plugin_list_files files = {0};
    ok(plugin_list_paths("all,./a.so,!./b.so,x.so,dir/c,./a.so", &files, &error) == SCAN_OK &&
           files.count == 3,
       "paths are picked out once each, without those taken away");
    is_text(files.count == 3 ? files.paths[0] : NULL, "./a.so", "a path with a slash");
    is_text(files.count == 3 ? files.paths[1] : NULL, "x.so", "a path that ends in .so");
    is_text(files.count == 3 ? files.paths[2] : NULL, "dir/c", "a path without .so");
    plugin_list_files_free(&files);
    ok(plugin_list_paths("./a.so:one,./a.so:two,x:y,b.so:*", &files, &error) == SCAN_OK &&
           files.count == 2 && strcmp(files.paths[0], "./a.so") == 0 &&
           strcmp(files.paths[1], "b.so") == 0 && files.id_count == 1,
       "the path is what stands before the colon");
    plugin_list_files_free(&files);
    ok(files.paths == NULL && files.count == 0, "plugin_list_files_free leaves an empty list");
    ok(plugin_list_paths("all,!cuda_*", &files, &error) == SCAN_OK && files.count == 0,
       "a list without paths has none");
    ok(plugin_list_paths("./a.so,,b", &files, &error) == SCAN_INVALID && !files.paths,
       "an empty item is refused before anything is loaded: %s", error.text);
    char longest[5000];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    ok(plugin_list_paths(longest, &files, &error) == SCAN_INVALID,
       "an item of 4999 characters is refused");
}

static void test_endings(void)
{
    plugin_list_files files;
    errmsg error;
    const char *names[] = {"a.so", "a.py", "a.pyc", ".py", "py", ""};
    const size_t stems[] = {1, 1, 0, 0, 0, 0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        ok(plugin_file_stem(names[i], strlen(names[i])) == stems[i], "the stem of '%s'", names[i]);
    ok(plugin_file_is_python("x/a.py") && !plugin_file_is_python("a.so") &&
           !plugin_file_is_python(".py"),
       "a file of Python ends in .py");
    ok(plugin_list_paths("a.py,b.py:b,py", &files, &error) == SCAN_OK && files.count == 2 &&
           strcmp(files.paths[1], "b.py") == 0,
       "and is a path in a list");
    plugin_list_files_free(&files);
}

int main(void)
{
    tap_plan(18 + 6 + 14 + 9 + 8);
    test_choices();
    test_folder();
    test_errors();
    test_paths();
    test_endings();
    return tap_done();
}
