#include "text/array_room.h"

#include <stdlib.h>

void *array_room(void *array, size_t *capacity_p, size_t used, size_t more, size_t size)
{
    if (array && more <= *capacity_p - used)
        return array;
    const size_t capacity = 2 * (used + more) + 32;
    void *larger = realloc(array, capacity * size);
    if (larger)
        *capacity_p = capacity;
    return larger;
}
