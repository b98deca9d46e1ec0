/* hash_map_test.c - values are found by their keys, however many there are */
#include "tap.h"
#include "text/hash_map.h"

static void test_many(hash_map *map)
{
    enum { COUNT = 5000 };
    char key[32];
    size_t wrong = 0;
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(key, sizeof key, "key %zu", i);
        const size_t *value = hash_map_add(map, key, i);
        wrong += !value || *value != i;
    }
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(key, sizeof key, "key %zu", i);
        const size_t *value = hash_map_find(map, key);
        wrong += !value || *value != i;
    }
    ok(wrong == 0, "thousands of keys are told apart");
}

int main(void)
{
    tap_plan(8);
    hash_map *map = hash_map_new();
    ok(!hash_map_find(map, "one"), "an empty map has no value");
    size_t *one = hash_map_add(map, "one", 1);
    ok(one && *one == 1, "a new key has its initial value");
    if (one)
        *one = 11;
    const size_t *again = hash_map_add(map, "one", 111);
    ok(again && *again == 11, "a key that is there keeps its value");
    const size_t *found = hash_map_find(map, "one");
    ok(found && *found == 11, "and is found");
    ok(!hash_map_find(map, "on") && !hash_map_find(map, "one "), "only under the whole text");
    const size_t *empty = hash_map_add(map, "", 2);
    ok(empty && *empty == 2, "an empty text is a key too");
    test_many(map);
    ok(found == hash_map_find(map, "one"), "values stay where they are while the map grows");
    hash_map_free(map);
    hash_map_free(NULL);
    return tap_done();
}
