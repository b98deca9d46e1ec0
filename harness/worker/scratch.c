#include "worker/scratch.h"

#include "problem/guard.h"

#include <stdlib.h>
#include <string.h>

/* The header directly in front of a block's memory. Behind the memory is another guard of the same
 * length. */
typedef struct scratch_block {
    struct scratch_block *next, *before;
    void *base; /* as posix_memalign gave it */
    size_t bytes;
    unsigned char guard[32];
} scratch_block;

enum { GUARD_KEY = 3, FRONT_BYTES = 64 };
_Static_assert(sizeof(scratch_block) <= FRONT_BYTES, "a block's head fits in front of it");

void *scratch_allocate(scratch *s, size_t bytes, size_t alignment)
{
    if (s->fail > 0 && --s->fail == 0)
        return NULL;
    const size_t front = alignment < FRONT_BYTES ? FRONT_BYTES : alignment;
    void *base = NULL;
    if (bytes > SIZE_MAX - 2 * front || posix_memalign(&base, front, front + bytes + front) != 0)
        return NULL;
    topology_place_memory(s->machine, base, front + bytes + front);
    unsigned char *memory = (unsigned char *)base + front;
    scratch_block *block = (scratch_block *)(void *)(memory - sizeof *block);
    *block = (scratch_block){.next = s->blocks, .base = base, .bytes = bytes};
    guard_arm(block->guard, sizeof block->guard, GUARD_KEY);
    guard_arm(memory + bytes, sizeof block->guard, GUARD_KEY);
    if (s->blocks)
        s->blocks->before = block;
    s->blocks = block;
    s->count++;
    if (s->poison)
        memset(memory, SCRATCH_BYTE, bytes);
    return memory;
}

/* Notes a write outside `block`; was there none? */
static bool inspect(scratch *s, const scratch_block *block)
{
    const unsigned char *memory = (const unsigned char *)(block + 1);
    const bool front = guard_intact(block->guard, sizeof block->guard, GUARD_KEY, NULL);
    const bool behind = guard_intact(memory + block->bytes, sizeof block->guard, GUARD_KEY, NULL);
    const bool intact = front && behind;
    if (s->damage.code == FAULT_NONE && !intact)
        s->damage = (fault){.code = front ? FAULT_SCRATCH_OVERRUN : FAULT_SCRATCH_UNDERRUN,
                            .bytes = block->bytes};
    return intact;
}

bool scratch_is_intact(scratch *s)
{
    for (const scratch_block *block = s->blocks; block && s->damage.code == FAULT_NONE;
         block = block->next)
        inspect(s, block);
    return s->damage.code == FAULT_NONE;
}

void scratch_release(scratch *s, void *memory)
{
    if (!memory)
        return;
    scratch_block *block = (scratch_block *)memory - 1;
    const bool intact = inspect(s, block);
    if (block->next)
        block->next->before = block->before;
    if (block->before)
        block->before->next = block->next;
    else
        s->blocks = block->next;
    s->count--;
    if (s->poison)
        memset(memory, SCRATCH_BYTE, block->bytes);
    /* Around a block that was overrun, the heap may be broken: free would end the process before it
     * can say why. */
    if (intact)
        free(block->base);
}
