/*
 * exports.c - the symbols that a loaded file exports: from its DT_GNU_HASH table, which
 * lists exports, or from DT_HASH, which counts all symbols
 */
#include "loader/exports.h"

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* A loaded file's tables of symbols. */
typedef struct symbol_tables {
    const ElfW(Sym) * symbols;
    const char *names;
    const uint32_t *gnu_hash; /* NULL if there is none */
    const uint32_t *hash;     /* of System V, NULL if there is none */
} symbol_tables;

static symbol_tables find_tables(const struct link_map *file)
{
    symbol_tables t = {0};
    for (const ElfW(Dyn) *entry = file->l_ld; entry && entry->d_tag != DT_NULL; entry++) {
        /* On some machines the dynamic linker has already made these addresses. */
        ElfW(Addr) at = entry->d_un.d_ptr;
        if (at < file->l_addr)
            at += file->l_addr;
        const void *table = (const void *)at;
        if (entry->d_tag == DT_SYMTAB)
            t.symbols = table;
        else if (entry->d_tag == DT_STRTAB)
            t.names = table;
        else if (entry->d_tag == DT_GNU_HASH)
            t.gnu_hash = table;
        else if (entry->d_tag == DT_HASH)
            t.hash = table;
    }
    return t;
}

/* One past the last symbol of the GNU hash table, which is where the last chain ends. */
static size_t end_of_gnu_hash(const uint32_t *table)
{
    const uint32_t buckets = table[0], first = table[1], words = table[2];
    const uint32_t *bucket = table + 4 + words * (sizeof(ElfW(Addr)) / sizeof *table);
    const uint32_t *chain = bucket + buckets;
    uint32_t last = 0;
    for (uint32_t i = 0; i < buckets; i++)
        if (bucket[i] > last)
            last = bucket[i];
    if (last < first)
        return 0;
    while (!(chain[last - first] & 1))
        last++;
    return (size_t)last + 1;
}

/* Symbols that the plugin's author did not write: older linkers mark the ends of sections
 * with symbols, and the address sanitizer marks each variable. */
static bool is_linker_symbol(const char *name)
{
    static const char sanitizer[] = "__odr_asan";
    if (strncmp(name, sanitizer, sizeof sanitizer - 1) == 0)
        return true;
    static const char *const known[] = {"_init", "_fini", "__bss_start", "_edata", "_end"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return false;
}

/* Weak or unique symbols of the C++ library: instances of its templates and their statics.
 * No option hides them, and files may share them. */
static bool is_of_libstdcxx(const ElfW(Sym) * symbol, const char *name)
{
    const unsigned bind = ELF64_ST_BIND(symbol->st_info);
    return (bind == STB_WEAK || bind == STB_GNU_UNIQUE) && strncmp(name, "_Z", 2) == 0 &&
           strstr(name, "St");
}

size_t loader_count_exports(const struct link_map *file, const char *allowed, char *first,
                            size_t size)
{
    const symbol_tables t = find_tables(file);
    size_t count = 0, end = 0;
    snprintf(first, size, "%s", "");
    if (t.symbols && t.names && t.gnu_hash)
        end = end_of_gnu_hash(t.gnu_hash);
    else if (t.symbols && t.names && t.hash)
        end = t.hash[1];
    for (size_t i = 1; i < end; i++) {
        const char *name = t.names + t.symbols[i].st_name;
        if (t.symbols[i].st_shndx == SHN_UNDEF ||
            t.symbols[i].st_shndx == SHN_ABS || /* the name of a version */
            ELF64_ST_BIND(t.symbols[i].st_info) == STB_LOCAL || strcmp(name, allowed) == 0 ||
            is_linker_symbol(name) || is_of_libstdcxx(&t.symbols[i], name))
            continue;
        if (count++ == 0)
            snprintf(first, size, "%s", name);
    }
    return count;
}
