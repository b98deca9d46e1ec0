#include "text/hash_map.h"

#include <stdlib.h>
#include <string.h>

/* Makes uthash leave the map unchanged when out of memory instead of ending the program. */
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

typedef struct entry {
    UT_hash_handle hh;
    size_t value;
    char key[];
} entry;

struct hash_map {
    entry *entries;
};

hash_map *hash_map_new(void)
{
    return calloc(1, sizeof(hash_map));
}

void hash_map_free(hash_map *map)
{
    if (!map)
        return;
    entry *one = map->entries;
    HASH_CLEAR(hh, map->entries); /* leaves the list of entries as it is */
    while (one) {
        entry *next = one->hh.next;
        free(one);
        one = next;
    }
    free(map);
}

static entry *find(const hash_map *map, const char *key, size_t length)
{
    entry *found = NULL;
    HASH_FIND(hh, map->entries, key, length, found);
    return found;
}

const size_t *hash_map_find(const hash_map *map, const char *key)
{
    const entry *found = find(map, key, strlen(key));
    return found ? &found->value : NULL;
}

size_t *hash_map_add(hash_map *map, const char *key, size_t initial)
{
    const size_t length = strlen(key);
    entry *one = find(map, key, length);
    if (one)
        return &one->value;
    one = calloc(1, sizeof *one + length + 1);
    if (!one)
        return NULL;
    one->value = initial;
    memcpy(one->key, key, length);
    HASH_ADD_KEYPTR(hh, map->entries, one->key, length, one);
    if (!one->hh.tbl) { /* out of memory: it was not added */
        free(one);
        return NULL;
    }
    return &one->value;
}
