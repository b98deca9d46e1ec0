/*
 * hash_map.h - numbers under texts: a lookup takes the same time however many there are
 */
#ifndef SCANBENCH_SYSTEM_HASH_MAP_H
#define SCANBENCH_SYSTEM_HASH_MAP_H

#include <stddef.h>

typedef struct hash_map hash_map;

/* Empty; NULL without memory. Released with hash_map_free, which takes NULL. */
hash_map *hash_map_new(void);
void hash_map_free(hash_map *map);

/* The value under `key`, or NULL. Valid until hash_map_free. */
const size_t *hash_map_find(const hash_map *map, const char *key);

/* The value under `key`, to be read or written; where there was none, it is `initial` now.
 * The key is copied. NULL without memory. Valid until hash_map_free. */
size_t *hash_map_add(hash_map *map, const char *key, size_t initial);

#endif
