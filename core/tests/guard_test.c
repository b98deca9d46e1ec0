/* guard_test.c - each kind of stray write is found where it happened */
#include "tap.h"

#include "problem/guard.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static void check_words(void)
{
    unsigned char region[64 + 5];
    int seen = 1, exact = 1;
    size_t at = 0;
    guard_arm(region, sizeof region, 7);
    ok(guard_intact(region, sizeof region, 7, &at), "a guard just armed is intact");
    ok(!guard_intact(region, sizeof region, 8, NULL), "the pattern of another key is not intact");
    for (size_t i = 0; i < sizeof region; i++) {
        region[i] ^= 1;
        seen &= !guard_intact(region, sizeof region, 7, &at);
        exact &= at == i;
        region[i] ^= 1;
    }
    ok(seen, "one changed bit is seen in each byte, those after the last whole word as well");
    ok(exact, "the offset is that of the changed byte");
    at = 99;
    ok(guard_intact(region, sizeof region, 7, &at) && at == 99, "an intact guard sets no offset");
    guard_arm(region, 0, 7);
    ok(guard_intact(region, 0, 8, NULL), "no bytes are always intact");
}

static void check_pattern(void)
{
    unsigned char region[GUARD_BYTES], other[GUARD_BYTES];
    guard_arm(region, sizeof region, 1);
    guard_arm(other, sizeof other, 1);
    ok(memcmp(region, other, sizeof region) == 0, "a key gives the same pattern each time");
    size_t at = 0;
    memmove(region, region + 8, sizeof region - 8);
    ok(!guard_intact(region, sizeof region, 1, &at) && at < 8, "a shifted pattern is not intact");
    ok(GUARD_BYTES % 4096 == 0, "a guard is a multiple of the contract's unit for views");
    poison_fill(other, sizeof other);
    int poisoned = 1;
    for (size_t i = 0; i < sizeof other; i++)
        poisoned &= other[i] == POISON_BYTE;
    ok(poisoned, "poison fills every byte");
    ok(!guard_intact(other, sizeof other, 1, NULL), "poison over a guard is seen");
}

typedef struct placed {
    int calls;
    uintptr_t address;
    size_t bytes;
    int untouched;
} placed;

static void note_place(void *context, void *address, size_t bytes)
{
    placed *note = context;
    note->calls++;
    note->address = (uintptr_t)address;
    note->bytes = bytes;
    note->untouched = 1;
    for (size_t i = 0; i < bytes; i++)
        note->untouched &= ((unsigned char *)address)[i] == 0;
}

static void check_layout(void)
{
    static const size_t sizes[] = {0, 1, 4, 4092, 4096, 100003};
    static const size_t shifts[] = {0, 4, 8, 1};
    int made = 1, aligned = 1, intact = 1, writable = 1, placed_well = 1;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof shifts / sizeof *shifts; j++) {
            guarded_buffer buffer;
            placed note = {0};
            made &=
                guarded_create(&buffer, sizes[i], shifts[j], note_place, &note, NULL) == SCAN_OK;
            if (!made)
                continue;
            const uintptr_t data = (uintptr_t)buffer.data;
            aligned &= data % 64 == shifts[j];
            placed_well &= note.calls == 1 && note.untouched && note.address % 4096 == 0 &&
                           note.bytes % 4096 == 0 && note.address + GUARD_BYTES <= data &&
                           data + sizes[i] <= note.address + note.bytes;
            poison_fill(buffer.data, sizes[i]);
            writable &= buffer.bytes == sizes[i];
            intact &= guarded_intact(&buffer, NULL);
            guarded_destroy(&buffer);
            writable &= buffer.data == NULL;
        }
    ok(made, "buffers of 0 to 100003 bytes are made");
    ok(aligned, "data is 64-byte-aligned plus the misalignment asked for");
    ok(placed_well, "the caller places all accessible pages, once, before they are touched");
    ok(writable && intact, "writing all of the data leaves the guards intact");
}

static int sees(size_t bytes, size_t shift, ptrdiff_t offset)
{
    guarded_buffer buffer;
    ptrdiff_t found = 0;
    if (guarded_create(&buffer, bytes, shift, NULL, NULL, NULL) != SCAN_OK)
        return 0;
    ((unsigned char *)buffer.data)[offset] ^= 0x80;
    const int seen = !guarded_intact(&buffer, &found) && found == offset;
    guarded_destroy(&buffer);
    return seen;
}

/* Does writing at `offset` from the data end the process with SIGSEGV? */
static int faults_in(guarded_buffer buffer, ptrdiff_t offset)
{
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL); /* otherwise sanitizers catch it */
        ((volatile unsigned char *)buffer.data)[offset] = 1;
        _exit(0);
    }
    int state = 0;
    const pid_t ended = waitpid(child, &state, 0);
    guarded_destroy(&buffer);
    return ended == child && child > 0 && WIFSIGNALED(state) && WTERMSIG(state) == SIGSEGV;
}

/* A destroyed buffer's pages are inaccessible until the next one that they are enough for takes
 * them. */
static void check_pool(void)
{
    static guarded_pool pool;
    guarded_buffer first, second, longer;
    int same = 1, intact = 1, closed = 1, narrow = 1;
    for (size_t misalign = 0; misalign < 8; misalign += 4) {
        guarded_create(&first, 1000, misalign, NULL, NULL, &pool);
        const guarded_buffer was = first;
        poison_fill(first.front, first.front_bytes + first.bytes + first.behind_bytes);
        guarded_destroy(&first);
        closed &= faults_in((guarded_buffer){.data = was.data}, 0);
        guarded_create(&longer, 900000, 0, NULL, NULL, &pool);
        guarded_create(&second, 1200, 0, NULL, NULL, &pool);
        same &= second.mapping == was.mapping && longer.mapping != was.mapping;
        intact &= guarded_intact(&second, NULL) && guarded_intact(&longer, NULL);
        guarded_destroy(&second);
        guarded_create(&second, 9000, 0, NULL, NULL, &pool);
        same &= second.mapping == was.mapping;
        poison_fill(second.data, second.bytes);
        intact &= guarded_intact(&second, NULL);
        guarded_destroy(&second);
        guarded_create(&second, 1200, 0, NULL, NULL, &pool);
        narrow &= faults_in((guarded_buffer){.data = second.data}, 8192);
        guarded_destroy(&second);
        guarded_destroy(&longer);
    }
    ok(closed, "what a pool keeps of a destroyed buffer is inaccessible");
    ok(same && intact,
       "a buffer that they are enough for takes them, another does not, with guards "
       "anew");
    ok(narrow, "the pages that it does not need stay inaccessible");
    static guarded_pool full;
    guarded_buffer many[GUARDED_KEPT + 1];
    size_t kept = 0;
    for (size_t i = 0; i <= GUARDED_KEPT; i++)
        guarded_create(&many[i], 1000, 0, NULL, NULL, &full);
    for (size_t i = 0; i <= GUARDED_KEPT; i++)
        guarded_destroy(&many[i]);
    guarded_create(&longer, GUARDED_KEPT_BYTES, 0, NULL, NULL, &full);
    guarded_destroy(&longer);
    for (size_t i = 0; i < GUARDED_KEPT; i++)
        kept += full.kept[i].mapping && full.kept[i].bytes == full.kept[0].bytes;
    ok(kept == GUARDED_KEPT, "it keeps %d of them, and none that is large", GUARDED_KEPT);
}

static int faults(size_t bytes, ptrdiff_t offset)
{
    guarded_buffer buffer;
    return guarded_create(&buffer, bytes, 0, NULL, NULL, NULL) == SCAN_OK &&
           faults_in(buffer, offset);
}

/* The same with an inaccessible page on one side; inside, there is no fault. */
static int is_fenced(size_t bytes, int front)
{
    const size_t shift = front ? 0 : guarded_end_misalign(bytes);
    const ptrdiff_t outside = front ? -1 : (ptrdiff_t)bytes;
    const ptrdiff_t inside = front ? 0 : (ptrdiff_t)bytes - 1;
    for (int i = 0; i < 2; i++) {
        guarded_buffer buffer;
        if (guarded_create(&buffer, bytes, shift, NULL, NULL, NULL) != SCAN_OK)
            return 0;
        if (!guarded_fence(&buffer, front) || !guarded_intact(&buffer, NULL)) {
            guarded_destroy(&buffer);
            return 0;
        }
        if (faults_in(buffer, i ? inside : outside) == i)
            return 0;
    }
    return 1;
}

/* Of two halves with `gap` bytes between them: is a write there seen by the second, are the others
 * seen by the half that they are beside, and is either half writable without any? */
static int is_divided(size_t gap)
{
    const size_t half = 1000;
    guarded_buffer first, second;
    if (guarded_create(&first, 2 * half + gap, 0, NULL, NULL, NULL) != SCAN_OK)
        return 0;
    unsigned char *data = first.data;
    ptrdiff_t found = 0;
    guarded_split(&first, half, half, &second);
    poison_fill(first.data, first.bytes);
    poison_fill(second.data, second.bytes);
    int good = second.data == data + half + gap && first.bytes == half && second.bytes == half &&
               guarded_intact(&first, NULL) && guarded_intact(&second, NULL);
    if (gap > 0) {
        data[half] ^= 1;
        good &= !guarded_intact(&second, &found) && found == -(ptrdiff_t)gap;
        data[half] ^= 1;
    }
    data[2 * half + gap] ^= 1;
    good &= !guarded_intact(&second, &found) && found == (ptrdiff_t)half;
    data[-1] ^= 1;
    good &= !guarded_intact(&first, &found) && found == -1;
    guarded_destroy(&second);
    guarded_destroy(&first);
    return good;
}

int main(void)
{
    tap_plan(36);
    check_words();
    check_pattern();
    check_layout();
    ok(sees(1000, 0, 1000), "one byte past the end is seen, at its offset");
    ok(sees(1000, 4, 1003), "so it is where the data is misaligned");
    ok(sees(1000, 0, -1), "one byte in front is seen, at its offset");
    ok(sees(1000, 0, -(ptrdiff_t)GUARD_BYTES), "so is the first byte of the front guard");
    ok(sees(1000, 0, 4095), "so is the last byte of the page behind");
    ok(sees(0, 0, -1), "an empty buffer has a guard too");
    ok(sees(4096, 0, 4096), "a write past data that ends with its page is seen");
    ok(is_fenced(1000, 1) && is_fenced(4096, 1), "a fence in front is right in front of the data");
    ok(is_fenced(1000, 0) && is_fenced(4096, 0), "a fence behind is right behind the data");
    guarded_buffer shifted = {0};
    ok(guarded_create(&shifted, 1000, 4, NULL, NULL, NULL) == SCAN_OK &&
           !guarded_fence(&shifted, true),
       "data that does not begin with a page has no fence in front");
    ok(!guarded_fence(&shifted, false), "data that does not end with a page has none behind");
    guarded_destroy(&shifted);
    ok(faults(1000, 4096), "a write beyond the guard behind faults");
    ok(faults(1000, -(ptrdiff_t)GUARD_BYTES - 1), "a write beyond the guard in front faults");
    ok(is_divided(0), "a buffer is divided into two without a gap, with guards around both");
    ok(is_divided(36), "so it is with a gap, which is a guard as well");
    guarded_buffer buffer = {.bytes = 5};
    ok(guarded_create(&buffer, SIZE_MAX - 4096, 0, NULL, NULL, NULL) == SCAN_NO_MEMORY &&
           errno == ENOMEM && buffer.bytes == 5,
       "more than an address space is refused and sets no buffer");
    check_pool();
    guarded_buffer none = {0};
    guarded_destroy(&none);
    ok(none.data == NULL, "destroying an empty buffer is nothing");
    return tap_done();
}
