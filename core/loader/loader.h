/*
 * loader.h - opens a plugin file and checks its tables as data, before any of its functions is
 * called
 *
 * A file is never closed: threads and runtimes that a plugin started may still use it.
 * The worker process ends instead.
 */
#ifndef SCANBENCH_LOADER_LOADER_H
#define SCANBENCH_LOADER_LOADER_H

#include "scan_ranks.h"
#include "text/errmsg.h"

#include <stddef.h>

enum {
    LOADER_MAX_PLUGINS = 256,
    LOADER_MAX_TUNABLES = 64,
    LOADER_MAX_VALUES = 4096,   /* of one tunable */
    LOADER_ID_LENGTH = 63,      /* longest id, without the final 0 */
    LOADER_TUNABLE_LENGTH = 23, /* longest name of a tunable */
    LOADER_EXPORT_BYTES = 96,   /* for a symbol's name; a longer one is cut */
};

/* The steps of loading, in order. */
typedef enum loader_step {
    LOADER_FILE,     /* a complete shared object for this machine */
    LOADER_LOAD,     /* dlopen, with every symbol it needs */
    LOADER_ENTRY,    /* scan_entry is there */
    LOADER_ORIGIN,   /* and is defined in this file */
    LOADER_CONTRACT, /* its magic, version and size */
    LOADER_TABLES,   /* what its plugins declare */
} loader_step;

/*
 * What a file holds. The structs (plugins, tunables, memory vtables) are the host's own copies:
 * complete, with zeros in the fields that an older plugin lacks, so no reader needs to look at
 * struct_size. Strings, value tables and functions are the plugin's.
 */
typedef struct loader_module {
    scan_plugin *plugins;               /* in the file's order, ids distinct */
    const scan_plugin *const *exported; /* the file's own structs, which its functions expect */
    size_t count;                       /* at least 1 */
    scan_parts *parts;                  /* of each plugin; zeros if it does not know of parts */
    scan_ranks *ranks;                  /* likewise */
    void *copies;                       /* what the plugins' tunables and memory point into */
    size_t exports;                     /* symbols it exports besides scan_entry */
    char export[LOADER_EXPORT_BYTES];   /* the first of them */
} loader_module;

/*
 * Loads `path` (never searched for: "x.so" is ./x.so) with RTLD_NOW | RTLD_LOCAL
 * and checks it. SCAN_OK and *module_p, given back with loader_release; SCAN_INVALID
 * for a file that is missing, damaged or breaks the contract, SCAN_UNAVAILABLE if a library that
 * it needs is not on this machine, or not as new, or SCAN_NO_MEMORY; then *step_p is the step that
 * failed, and the message names the file, what was expected, what was found and what to do.
 */
scan_status loader_open(const char *path, loader_module *module_p, loader_step *step_p,
                        errmsg *error);

/* Takes a table inside the program as loader_open takes that of a file. SCAN_OK and
 * *module_p, given back with loader_release; SCAN_INVALID; or SCAN_NO_MEMORY. */
scan_status loader_adopt(const scan_entry_table *entry, loader_module *module_p, errmsg *error);

/* Frees the host's copies; the file stays loaded. A zeroed module is allowed. */
void loader_release(loader_module *module);

/*
 * Is image[0 ... bytes-1], the content of a file, a complete shared object for this machine? This
 * is checked before dlopen, because dlopen crashes on some truncated files. SCAN_OK, or
 * SCAN_INVALID and the reason (without the file's name).
 */
scan_status loader_check_elf(const unsigned char *image, size_t bytes, errmsg *error);

/* Checks only the head of `entry`, which says whether the rest can be read. Returns the same as
 * loader_check_entry. */
scan_status loader_check_head(const scan_entry_table *entry, size_t symbol_bytes, errmsg *error);

/*
 * Checks that everything `entry` points to keeps the contract. The symbol is symbol_bytes long.
 * SCAN_OK, or SCAN_INVALID and the reason (without the file's name).
 */
scan_status loader_check_entry(const scan_entry_table *entry, size_t symbol_bytes, errmsg *error);

#endif
