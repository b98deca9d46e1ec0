/*
 * hash_map.h - a hash map from texts to numbers
 */
#ifndef SCANBENCH_TEXT_HASH_MAP_H
#define SCANBENCH_TEXT_HASH_MAP_H

#include <stddef.h>

typedef struct hash_map hash_map;

/* An empty map; NULL if out of memory. Released with hash_map_free, which accepts NULL. */
hash_map *hash_map_new(void);
void hash_map_free(hash_map *map);

/* The value under `key`, or NULL. Valid until hash_map_free. */
const size_t *hash_map_find(const hash_map *map, const char *key);

/* The value under `key`, which the caller may read and write. A new key, which is copied, gets the
 * value `initial`. NULL if out of memory. Valid until hash_map_free. */
size_t *hash_map_add(hash_map *map, const char *key, size_t initial);

#endif
