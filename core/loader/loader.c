#include "loader/loader.h"

#include "loader/check_parts.h"
#include "loader/copy_tables.h"
#include "loader/exports.h"
#include "loader/missing_library.h"
#include "text/errmsg.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* The file being loaded. */
typedef struct loading {
    const char *path; /* as the user wrote it, for messages */
    struct stat about;
    loader_step step;
    errmsg *error;
} loading;

SCAN_PRINTF(2, 3)
static scan_status refuse(const loading *file, const char *format, ...)
{
    char why[ERRMSG_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, sizeof why, format, arguments);
    va_end(arguments);
    return errmsg_set(file->error, SCAN_INVALID, "%s: %s", file->path, why);
}

/* Maps the open file and looks at its ELF headers. */
static scan_status check_image(const loading *file, int fd)
{
    errmsg note;
    size_t bytes = (size_t)file->about.st_size;
    if (bytes == 0)
        return refuse(file, "not a shared object: expected an ELF file, found an empty file");
    void *image = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (image == MAP_FAILED)
        return refuse(file, "mmap: %s", strerror(errno));
    scan_status status = loader_check_elf(image, bytes, &note);
    munmap(image, bytes);
    return status == SCAN_OK ? SCAN_OK : refuse(file, "%s", note.text);
}

static scan_status check_file(loading *file, const char *path)
{
    /* O_NONBLOCK because the path may name a FIFO. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return refuse(file, "%s", strerror(errno));
    scan_status status;
    if (fstat(fd, &file->about) != 0)
        status = refuse(file, "fstat: %s", strerror(errno));
    else if (S_ISDIR(file->about.st_mode))
        status = refuse(file, "this is a folder; name a .so file in it");
    else if (!S_ISREG(file->about.st_mode))
        status = refuse(file, "not a regular file");
    else
        status = check_image(file, fd);
    close(fd);
    return status;
}

/*
 * Checks that `symbol` is defined in this file: dlsym also searches the libraries that the
 * file links, and dlopen returns a file that is already loaded under the same name.
 */
static scan_status check_origin(const loading *file, const struct link_map *opened,
                                const void *symbol)
{
    void *owner = NULL;
    Dl_info info;
    struct stat about;
    if (dladdr1(symbol, &info, &owner, RTLD_DL_LINKMAP) == 0)
        return refuse(file, "dladdr1 does not know where its scan_entry lies");
    if (owner != opened)
        return refuse(file,
                      "it exports no scan_entry of its own; dlsym found that of %s, which it "
                      "links. Load that file instead, or define scan_entry with "
                      "SCAN_EXPORT_PLUGINS",
                      info.dli_fname);
    if (stat(opened->l_name, &about) != 0 || about.st_dev != file->about.st_dev ||
        about.st_ino != file->about.st_ino)
        return refuse(file, "the file was replaced while it was loaded (found %s); try again",
                      opened->l_name);
    return SCAN_OK;
}

/* The size of the data symbol; 0 if it is a function or if dladdr1 does not know. */
static size_t symbol_bytes(const void *symbol)
{
    void *found = NULL;
    Dl_info info;
    if (dladdr1(symbol, &info, &found, RTLD_DL_SYMENT) == 0 || !found || info.dli_saddr != symbol)
        return 0;
    const ElfW(Sym) *entry = found;
    return ELF64_ST_TYPE(entry->st_info) == STT_OBJECT ? entry->st_size : 0;
}

/* Finds scan_entry in the open file. NULL if it is not there; the message says why. */
static const void *find_symbol(const loading *file, void *handle)
{
    dlerror(); /* clears it: NULL from dlsym is an error only if dlerror has a text */
    const void *symbol = dlsym(handle, "scan_entry");
    if (!symbol) {
        const char *why = dlerror();
        refuse(file,
               "not a plugin: it exports no scan_entry (dlsym: %s); define it with "
               "SCAN_EXPORT_PLUGINS",
               why ? why : "the symbol is NULL");
    }
    return symbol;
}

/* Finds scan_entry in the open file and checks it. On success its tables may be copied. */
static scan_status find_entry(loading *file, void *handle, const scan_entry_table **entry_p,
                              loader_module *module)
{
    errmsg note;
    struct link_map *opened = NULL;
    file->step = LOADER_ENTRY;
    const void *symbol = find_symbol(file, handle);
    if (!symbol)
        return SCAN_INVALID;
    file->step = LOADER_ORIGIN;
    if (dlinfo(handle, RTLD_DI_LINKMAP, &opened) != 0)
        return refuse(file, "dlinfo: %s", dlerror());
    scan_status status = check_origin(file, opened, symbol);
    if (status != SCAN_OK)
        return status;
    module->exports =
        loader_count_exports(opened, "scan_entry", module->export, sizeof module->export);
    file->step = LOADER_CONTRACT;
    const size_t bytes = symbol_bytes(symbol);
    if (loader_check_head(symbol, bytes, &note) != SCAN_OK)
        return refuse(file, "%s", note.text);
    file->step = LOADER_TABLES;
    if (loader_check_entry(symbol, bytes, &note) != SCAN_OK)
        return refuse(file, "%s", note.text);
    *entry_p = symbol;
    return SCAN_OK;
}

/* Asks every plugin for its extensions: the first calls into the file, once its tables are known to
 * be good. */
static scan_status ask_extensions(loader_module *module, errmsg *error)
{
    scan_status status = SCAN_OK;
    for (size_t i = 0; status == SCAN_OK && i < module->count; i++) {
        const scan_plugin *plugin = &module->plugins[i], *exported = module->exported[i];
        scan_parts *parts = &module->parts[i];
        status = check_parts(plugin, exported, parts, error);
        if (status == SCAN_OK)
            status = check_ranks(plugin, exported, parts, &module->ranks[i], error);
    }
    if (status != SCAN_OK)
        loader_release(module);
    return status;
}

/* What is missing is told without the file's name, so that files that miss the same are told
 * together. */
static scan_status explain_dlopen(const loading *file, const char *path)
{
    const char *why = dlerror();
    if (!loader_misses_library(path, why))
        return refuse(file, "dlopen: %s", why);
    return errmsg_set(file->error, SCAN_UNAVAILABLE,
                      "%s; install what is missing, or name its folder in LD_LIBRARY_PATH", why);
}

/* Opens `path`, the file's real path. */
static scan_status open_module(loading *file, const char *path, loader_module *module_p)
{
    const scan_entry_table *entry = NULL;
    loader_module module = {0};
    scan_status status = check_file(file, path);
    if (status != SCAN_OK)
        return status;
    file->step = LOADER_LOAD;
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return explain_dlopen(file, path);
    status = find_entry(file, handle, &entry, &module);
    if (status != SCAN_OK)
        return status;
    status = copy_tables(entry, &module);
    if (status != SCAN_OK)
        return errmsg_set(file->error, status, "%s: out of memory for its tables", file->path);
    errmsg note;
    if (ask_extensions(&module, &note) != SCAN_OK)
        return refuse(file, "%s", note.text);
    *module_p = module;
    return SCAN_OK;
}

scan_status loader_adopt(const scan_entry_table *entry, loader_module *module_p, errmsg *error)
{
    loader_module module = {0};
    scan_status status = loader_check_head(entry, sizeof *entry, error);
    if (status == SCAN_OK)
        status = loader_check_entry(entry, sizeof *entry, error);
    if (status == SCAN_OK && copy_tables(entry, &module) != SCAN_OK)
        status = errmsg_set(error, SCAN_NO_MEMORY, "out of memory for tables");
    if (status == SCAN_OK)
        status = ask_extensions(&module, error);
    if (status == SCAN_OK)
        *module_p = module;
    return status;
}

scan_status loader_open(const char *path, loader_module *module_p, loader_step *step_p,
                        errmsg *error)
{
    loading file = {.path = path, .step = LOADER_FILE, .error = error};
    char *real = realpath(path, NULL); /* has a slash, so dlopen does not search */
    scan_status status =
        real ? open_module(&file, real, module_p) : refuse(&file, "%s", strerror(errno));
    free(real);
    if (status != SCAN_OK)
        *step_p = file.step;
    return status;
}
