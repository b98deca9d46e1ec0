/*
 * array_room.h - arrays that grow
 */
#ifndef SCANBENCH_TEXT_ARRAY_ROOM_H
#define SCANBENCH_TEXT_ARRAY_ROOM_H

#include <stddef.h>

/* Room for `more` elements of `size` bytes behind the first `used` of *capacity_p. The array, which
 * may lie elsewhere now; or NULL if out of memory, and then it is as it was. `array` may be NULL,
 * with a capacity of 0. */
void *array_room(void *array, size_t *capacity_p, size_t used, size_t more, size_t size);

#endif
