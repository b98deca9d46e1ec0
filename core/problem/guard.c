/* guard.c - every word of a guard is a hash of its position */
#include "problem/guard.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { KEY_FRONT = 1, KEY_BEHIND = 2 };

/* A read that goes a vector too far does not fault, unless guarded_fence asks for it. */
enum { LEAST_BEHIND = 64 };

/* Larger buffers are used for the first time by several threads, near which their pages then lie.
 */
enum { POPULATED_BYTES = 1 << 20 };

/* On each side; only addresses, no memory. An index that is off by more than a page still ends
 * here and not in somebody's memory. */
enum { NO_ACCESS_BYTES = 1 << 16 };

/* Of a mapping that a pool keeps, the bytes between those. */
enum { LEAST_KEPT_BYTES = 1 << 16 };

void poison_fill(void *region, size_t bytes)
{
    if (bytes > 0)
        memset(region, (int)POISON_BYTE, bytes);
}

bool is_poisoned(const void *region, size_t bytes)
{
    const unsigned char *at = region;
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != POISON_BYTE)
            return false;
    return true;
}

static uint64_t guard_word(uint64_t key, size_t index)
{
    const uint64_t z = (key * UINT64_C(0x9e3779b97f4a7c15) + index) * UINT64_C(0xd6e8feb86659fd93);
    return (z ^ (z >> 32)) * UINT64_C(0xd6e8feb86659fd93);
}

void guard_arm(void *region, size_t bytes, uint64_t key)
{
    unsigned char *to = region;
    const size_t whole = bytes / sizeof(uint64_t), rest = bytes % sizeof(uint64_t);
    for (size_t i = 0; i < whole; i++) {
        const uint64_t word = guard_word(key, i);
        memcpy(to + i * sizeof word, &word, sizeof word);
    }
    const uint64_t last = guard_word(key, whole);
    memcpy(to + bytes - rest, &last, rest);
}

/* How many bytes of whole words are as they were armed. */
static size_t intact_bytes(const unsigned char *from, size_t bytes, uint64_t key)
{
    size_t at = 0;
    for (; at + sizeof(uint64_t) <= bytes; at += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, from + at, sizeof word);
        if (word != guard_word(key, at / sizeof word))
            break;
    }
    return at;
}

bool guard_intact(const void *region, size_t bytes, uint64_t key, size_t *first_changed_p)
{
    const unsigned char *from = region;
    for (size_t at = intact_bytes(from, bytes, key); at < bytes; at += sizeof(uint64_t)) {
        const uint64_t word = guard_word(key, at / sizeof(uint64_t));
        const size_t length = bytes - at < sizeof word ? bytes - at : sizeof word;
        unsigned char expected[sizeof word];
        memcpy(expected, &word, sizeof word);
        if (memcmp(from + at, expected, length) == 0)
            continue;
        size_t byte = 0;
        while (from[at + byte] == expected[byte])
            byte++;
        if (first_changed_p)
            *first_changed_p = at + byte;
        return false;
    }
    return true;
}

static size_t round_up(size_t bytes, size_t page)
{
    return (bytes + page - 1) / page * page;
}

static size_t page_bytes(void)
{
    const long page_size = sysconf(_SC_PAGESIZE);
    return page_size > 0 ? (size_t)page_size : GUARD_BYTES;
}

/* A new mapping whose first `inner` bytes behind `none` are accessible, and all others are not; or
 * NULL, errno. */
static unsigned char *map_pages(size_t none, size_t inner, size_t whole)
{
    unsigned char *mapping = mmap(NULL, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED)
        return NULL;
    if (mprotect(mapping + none, inner, PROT_READ | PROT_WRITE) != 0) {
        const int why = errno;
        munmap(mapping, whole);
        errno = why;
        return NULL;
    }
    return mapping;
}

/* Has the pages placed that no buffer has used, of those from `used` to `inner`. */
static void use_pages(unsigned char *first, size_t used, size_t inner, guard_place place,
                      void *context)
{
    if (inner <= used)
        return;
    if (place)
        place(context, first + used, inner - used);
#ifdef MADV_POPULATE_WRITE
    /* In one go this takes a third of the time that one fault after the other takes. */
    if (inner - used <= POPULATED_BYTES)
        madvise(first + used, inner - used, MADV_POPULATE_WRITE);
#endif
}

/* The highest of the pool that is long enough, or NULL: so buffers that are made in turn lie in the
 * order in which the system maps them. *kept_p: how long it is, and how much of it was used. */
static unsigned char *take_kept(guarded_pool *pool, size_t none, size_t inner,
                                guarded_mapping *kept_p)
{
    size_t best = GUARDED_KEPT;
    for (size_t i = 0; pool && i < GUARDED_KEPT; i++) {
        const uintptr_t at = (uintptr_t)pool->kept[i].mapping;
        if (at && pool->kept[i].bytes >= none + inner + none &&
            (best == GUARDED_KEPT || at > (uintptr_t)pool->kept[best].mapping))
            best = i;
    }
    if (best == GUARDED_KEPT)
        return NULL;
    unsigned char *mapping = pool->kept[best].mapping;
    if (mprotect(mapping + none, inner, PROT_READ | PROT_WRITE) != 0)
        return NULL;
    *kept_p = pool->kept[best];
    pool->kept[best].mapping = NULL;
    return mapping;
}

/* Keeps the mapping, all inaccessible, in a free place, or in that of the one that was kept
 * longest. */
static bool keep(guarded_pool *pool, const guarded_mapping *m)
{
    if (!pool || m->bytes > GUARDED_KEPT_BYTES || mprotect(m->mapping, m->bytes, PROT_NONE) != 0)
        return false;
    size_t at = 0;
    while (at < GUARDED_KEPT && pool->kept[at].mapping)
        at++;
    if (at == GUARDED_KEPT) {
        at = pool->next++ % GUARDED_KEPT;
        munmap(pool->kept[at].mapping, pool->kept[at].bytes);
    }
    pool->kept[at] = *m;
    return true;
}

/* How long a new mapping is: one that a pool is to keep has a power of two accessible bytes, so
 * that it will do for most buffers of later jobs. */
static size_t bytes_to_map(const guarded_pool *pool, size_t none, size_t inner)
{
    size_t room = LEAST_KEPT_BYTES;
    while (room < inner)
        room *= 2;
    return none + (pool && none + room + none <= GUARDED_KEPT_BYTES ? room : inner) + none;
}

scan_status guarded_create(guarded_buffer *buffer_p, size_t bytes, size_t misalign_bytes,
                           guard_place place, void *context, guarded_pool *pool)
{
    const size_t page = page_bytes();
    const size_t front = round_up(GUARD_BYTES, page), none = round_up(NO_ACCESS_BYTES, page);
    if (misalign_bytes > page || bytes > SIZE_MAX / 2) {
        errno = ENOMEM;
        return SCAN_NO_MEMORY;
    }
    const size_t inner = front + round_up(misalign_bytes + bytes + LEAST_BEHIND, page);
    guarded_mapping whole = {.bytes = bytes_to_map(pool, none, inner)};
    unsigned char *mapping = take_kept(pool, none, inner, &whole);
    if (!mapping)
        mapping = map_pages(none, inner, whole.bytes);
    if (!mapping)
        return SCAN_NO_MEMORY;
    use_pages(mapping + none, whole.used, inner, place, context);
    const guarded_buffer buffer = {
        .data = mapping + none + front + misalign_bytes,
        .bytes = bytes,
        .mapping = mapping,
        .mapping_bytes = whole.bytes,
        .used_bytes = inner > whole.used ? inner : whole.used,
        .front = mapping + none,
        .front_bytes = front + misalign_bytes,
        .behind_bytes = inner - front - misalign_bytes - bytes,
        .pool = pool,
    };
    guard_arm(buffer.front, buffer.front_bytes, KEY_FRONT);
    guard_arm((unsigned char *)buffer.data + bytes, buffer.behind_bytes, KEY_BEHIND);
    *buffer_p = buffer;
    return SCAN_OK;
}

size_t guarded_end_misalign(size_t bytes)
{
    return round_up(bytes, page_bytes()) - bytes;
}

bool guarded_fence(guarded_buffer *buffer, bool front)
{
    unsigned char *end = (unsigned char *)buffer->data + buffer->bytes;
    if (!front &&
        ((uintptr_t)end % page_bytes() != 0 || mprotect(end, buffer->behind_bytes, PROT_NONE) != 0))
        return false;
    if (!front) {
        buffer->behind_bytes = 0;
        return true;
    }
    if ((uintptr_t)buffer->data % page_bytes() != 0 ||
        mprotect(buffer->front, buffer->front_bytes, PROT_NONE) != 0)
        return false;
    buffer->front = buffer->data;
    buffer->front_bytes = 0;
    return true;
}

bool guarded_protect(const guarded_buffer *buffer, int protection)
{
    const size_t inner = buffer->front_bytes + buffer->bytes + buffer->behind_bytes;
    return mprotect(buffer->front, inner, protection) == 0;
}

bool guarded_intact(const guarded_buffer *buffer, ptrdiff_t *offset_p)
{
    size_t changed = 0;
    ptrdiff_t offset = 0;
    if (!guard_intact(buffer->front, buffer->front_bytes, KEY_FRONT, &changed))
        offset = (ptrdiff_t)changed - (ptrdiff_t)buffer->front_bytes;
    else if (!guard_intact((const unsigned char *)buffer->data + buffer->bytes,
                           buffer->behind_bytes, KEY_BEHIND, &changed))
        offset = (ptrdiff_t)(buffer->bytes + changed);
    else
        return true;
    if (offset_p)
        *offset_p = offset;
    return false;
}

void guarded_split(guarded_buffer *buffer, size_t bytes, size_t second_bytes,
                   guarded_buffer *second_p)
{
    unsigned char *between = (unsigned char *)buffer->data + bytes;
    guarded_buffer second = {.data = (unsigned char *)buffer->data + buffer->bytes - second_bytes,
                             .bytes = second_bytes,
                             .front = between,
                             .front_bytes = buffer->bytes - bytes - second_bytes,
                             .behind_bytes = buffer->behind_bytes};
    guard_arm(second.front, second.front_bytes, KEY_FRONT);
    buffer->bytes = bytes;
    buffer->behind_bytes = 0;
    *second_p = second;
}

void guarded_destroy(guarded_buffer *buffer)
{
    const guarded_mapping whole = {buffer->mapping, buffer->mapping_bytes, buffer->used_bytes};
    if (buffer->mapping && !keep(buffer->pool, &whole))
        munmap(buffer->mapping, buffer->mapping_bytes);
    *buffer = (guarded_buffer){0};
}
