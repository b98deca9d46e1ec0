/* loader_test.c - files that the loader refuses, at which step and why; where it looks */
#include "loader/loader.h"
#include "loader/search.h"
#include "tap.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is refused, the step, and a part of the message. */
typedef struct refusal {
    const char *file;
    loader_step step;
    const char *expected;
} refusal;

static const refusal refusals[] = {
    {"wrong_magic.so", LOADER_CONTRACT, "expected magic 0x4e414353, found 0x12345678"},
    {"wrong_major.so", LOADER_CONTRACT, "expected contract version 1, found 2.2"},
    {"newer_minor.so", LOADER_CONTRACT,
     "expected contract version 1.2 or older, found 1.3; update scanbench"},
    {"short_entry.so", LOADER_CONTRACT, "expected a struct_size of at least 24, found 8"},
    {"short_plugin.so", LOADER_TABLES, "scan_plugin has struct_size"},
    {"no_plugins.so", LOADER_CONTRACT, "its table of plugins is empty"},
    {"same_id.so", LOADER_TABLES, "plugin 'good': plugins 1 and 2 of the file have the same id"},
    {"bad_id.so", LOADER_TABLES,
     "its id is 'Bad-Id', expected [a-z][a-z0-9_]* of at most 63 characters"},
    {"null_slot.so", LOADER_TABLES,
     "plugin 'good': its run is NULL; create, run and destroy must be there"},
    {"unknown_role.so", LOADER_TABLES, "plugin 'good': its role is 99, expected less than 5"},
    {"missing_symbol.so", LOADER_ENTRY, "not a plugin: it exports no scan_entry (dlsym: "},
    {"missing_symbol.so", LOADER_ENTRY, "undefined symbol: scan_entry)"},
    {"dependency.so", LOADER_ORIGIN, "it exports no scan_entry of its own; dlsym found that of "},
    {"dependency.so", LOADER_ORIGIN, "libbroken_library.so"},
    {"undefined_symbol.so", LOADER_LOAD, "undefined symbol: nobody_defines_this"},
    {"function_symbol.so", LOADER_CONTRACT,
     "expected a data symbol of at least 24 bytes, found 0 (is it a function?)"},
    {"none.so", LOADER_FILE, "none.so: No such file or directory"},
    {"lib", LOADER_FILE, "this is a folder; name a .so file in it"},
    {"text.so", LOADER_FILE, "expected an ELF file, found something else"},
    {"empty.so", LOADER_FILE, "expected an ELF file, found an empty file"},
    {"fifo.so", LOADER_FILE, "not a regular file"},
    {"machine.so", LOADER_FILE, "not built for this machine: expected ELF machine"},
    {"program.so", LOADER_FILE, "expected ELF type 3, found 2; link it with -shared"},
    {"halved.so", LOADER_FILE, "the file is cut short: it has"},
};
enum { REFUSALS = sizeof refusals / sizeof refusals[0] };

static bool read_file(const char *path, char *bytes, size_t capacity, size_t *count_p)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    *count_p = fread(bytes, 1, capacity, file);
    fclose(file);
    return *count_p > 0 && *count_p < capacity;
}

static bool write_file(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    bool good = file && (count == 0 || fwrite(bytes, 1, count, file) == count);
    return file && fclose(file) == 0 && good;
}

/* Makes the damaged files that no linker makes. */
static bool make_files(const char *good, size_t bytes)
{
    static char image[1 << 20];
    ElfW(Ehdr) header;
    unlink("fifo.so");
    bool made = write_file("text.so", "#!/bin/sh\n", 10) && write_file("empty.so", "", 0) &&
                write_file("halved.so", good, bytes / 2) && mkfifo("fifo.so", (mode_t)0600) == 0;
    memcpy(image, good, bytes);
    memcpy(&header, good, sizeof header);
    header.e_machine = (ElfW(Half))(header.e_machine + 1);
    memcpy(image, &header, sizeof header);
    made = made && write_file("machine.so", image, bytes);
    memcpy(&header, good, sizeof header);
    header.e_type = ET_EXEC;
    memcpy(image, &header, sizeof header);
    return made && write_file("program.so", image, bytes);
}

static void test_refusals(void)
{
    for (size_t i = 0; i < REFUSALS; i++) {
        char path[64];
        errmsg error = {""};
        loader_module module = {0};
        loader_step step = LOADER_FILE;
        snprintf(path, sizeof path, "./%s", refusals[i].file);
        scan_status status = loader_open(path, &module, &step, &error);
        bool named = strncmp(error.text, path, strlen(path)) == 0;
        if (!ok(status == SCAN_INVALID && !module.plugins && named && step == refusals[i].step &&
                    strstr(error.text, refusals[i].expected),
                "%s is refused: %s", refusals[i].file, refusals[i].expected))
            printf("# got: %s (step %d)\n", error.text, (int)step);
    }
}

static void test_good(void)
{
    errmsg error = {""};
    loader_step step = LOADER_FILE;
    loader_module module = {0};
    loader_module again = {0};
    ok(loader_open("good.so", &module, &step, &error) == SCAN_OK && module.count == 1,
       "a path without a slash is the file in this folder: %s", error.text);
    const scan_plugin *plugin = module.plugins;
    is_text(plugin ? plugin->id : NULL, "good", "the plugin's id");
    const scan_tunable *tunable = plugin && plugin->tunable_count == 1 ? plugin->tunables : NULL;
    ok(tunable && strcmp(tunable->name, "block") == 0 && tunable->values[1] == 128, "its tunables");
    ok(module.exports == 0 && !*module.export, "it exports nothing besides scan_entry: %s",
       module.export);
    ok(loader_open("../loader/good.so", &again, &step, &error) == SCAN_OK,
       "a file may be opened twice, by different names");
    loader_release(&again);
    loader_release(&module);
    ok(!module.plugins && module.count == 0, "loader_release leaves an empty module");
    ok(loader_open("older_size.so", &module, &step, &error) == SCAN_OK &&
           module.plugins[0].get_extension == NULL &&
           module.plugins[0].struct_size == sizeof(scan_plugin),
       "what lies past an older plugin's struct is not read: %s", error.text);
    loader_release(&module);
    ok(loader_open("before_results.so", &module, &step, &error) == SCAN_OK &&
           module.plugins[0].results[0].dtypes == 0,
       "nor is a table that came later: %s", error.text);
    loader_release(&module);
    ok(loader_open("older_minor.so", &module, &step, &error) == SCAN_OK,
       "a plugin built for version 1.0 is taken: %s", error.text);
    loader_release(&module);
}

static void test_exports(void)
{
    errmsg error = {""};
    loader_step step = LOADER_FILE;
    loader_module module = {0};
    bool loaded = loader_open("extra_exports.so", &module, &step, &error) == SCAN_OK;
    ok(loaded && module.exports == 2 && strstr(module.export, "another_"),
       "what a file exports besides scan_entry is counted: %zu, the first %s", module.exports,
       module.export);
    loader_release(&module);
}

/* A file cut short at any length is refused by its headers, and nothing crashes. */
static void test_cuts(const unsigned char *good, size_t bytes)
{
    errmsg error;
    size_t accepted = 0;
    for (size_t cut = 0; cut < bytes; cut++)
        accepted += loader_check_elf(good, cut, &error) == SCAN_OK;
    ok(accepted == 0, "good.so cut to any of %zu lengths is refused", bytes);
    ok(loader_check_elf(good, bytes, &error) == SCAN_OK, "the whole of it is accepted");
}

static void test_replaced(const char *good, size_t bytes)
{
    loader_step step = LOADER_FILE;
    errmsg error = {""};
    loader_module module = {0};
    bool first = write_file("replaced.so", good, bytes) &&
                 loader_open("./replaced.so", &module, &step, &error) == SCAN_OK;
    loader_release(&module);
    /* A new inode under the old name; the copy keeps the old one from being reused. */
    bool moved =
        rename("replaced.so", "replaced_old.so") == 0 && write_file("replaced.so", good, bytes);
    scan_status status = loader_open("./replaced.so", &module, &step, &error);
    ok(first && moved, "a file is loaded and then replaced: %s", error.text);
    ok(status == SCAN_OK ? module.count == 1 : strstr(error.text, "was replaced") != NULL,
       "the new file is loaded or refused, never taken for the old one: %s", error.text);
    loader_release(&module);
}

static void test_search(void)
{
    errmsg error;
    const char *given[] = {"./good.so", "../loader"};
    const char *missing[] = {"./none.so"};
    search_list list = {0};
    ok(search_plugins(given, 2, NULL, NULL, &list, &error) == SCAN_OK && list.count > 10 &&
           strcmp(list.paths[0], "./good.so") == 0,
       "a path given by hand comes first");
    size_t unsorted = 0;
    size_t good = 0;
    for (size_t i = 0; i < list.count; i++) {
        unsorted += i > 1 && strcmp(list.paths[i - 1], list.paths[i]) >= 0;
        good += strstr(list.paths[i], "/good.so") != NULL;
    }
    ok(unsorted == 0, "the files of a folder are sorted");
    ok(good == 1, "a file named twice is listed once");
    search_free(&list);
    ok(search_plugins(missing, 1, NULL, NULL, &list, &error) == SCAN_INVALID && !list.paths,
       "a path given by hand must be there: %s", error.text);
    const char *empty[] = {"./empty_folder"}, *again[] = {"./good.so", "."};
    mkdir(empty[0], 0777);
    ok(search_plugins(empty, 1, NULL, NULL, &list, &error) == SCAN_INVALID && !list.paths &&
           strstr(error.text, "./empty_folder is a folder without plugins"),
       "a folder given by hand must hold a plugin: %s", error.text);
    rmdir(empty[0]);
    ok(search_plugins(again, 2, NULL, NULL, &list, &error) == SCAN_OK && list.count > 10,
       "one whose plugins are listed before is not empty");
    search_free(&list);
    ok(search_plugins(NULL, 0, "./none::./good.so:./lib", "..", &list, &error) == SCAN_OK &&
           list.count >= 2 && strcmp(list.paths[0], "./good.so") == 0,
       SEARCH_VARIABLE " names files and folders");
    is_text(error.text, SEARCH_VARIABLE " names ./none: No such file or directory; ignored",
            "an entry that is not there is a warning");
    search_free(&list);
    ok(search_plugins(NULL, 0, "./none:./good.so:./nor", NULL, &list, &error) == SCAN_OK &&
           strstr(error.text, "./none: No such file or directory, ./nor: No such"),
       "it names each of them: %s", error.text);
    search_free(&list);
    ok(search_plugins(NULL, 0, NULL, "./lib", &list, &error) == SCAN_OK && list.count == 0 &&
           error.text[0] == '\0',
       "the default folders need not be there");
    search_free(&list);
}

int main(void)
{
    static char good[1 << 20];
    size_t bytes;
    tap_plan(REFUSALS + 8 + 1 + 2 + 2 + 11);
    if (chdir(FIXTURES_DIR) != 0 || !read_file("good.so", good, sizeof good, &bytes) ||
        !make_files(good, bytes)) {
        printf("Bail out! files in %s: %s\n", FIXTURES_DIR, strerror(errno));
        return 1;
    }
    test_refusals();
    test_good();
    test_exports();
    test_cuts((const unsigned char *)good, bytes);
    test_replaced(good, bytes);
    test_search();
    return tap_done();
}
