#!/bin/sh
# compare --in-run: both sides find their arrays in the same memory, and a run that other programs
# interrupt counts by the time in which it had the processor, unless it waits by itself.
# slow
# about: core harness tests/fixtures reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH

# build_fair NAME BUSY WAIT
build_fair() {
    cc -std=gnu11 -O2 -shared -fPIC -DBUSY="$2" -DWAIT="$3" -I "$root/core/include" \
        "$work/fair.c" -o "$work/$1.so"
}

# A plugin that says where its input lies; or that takes BUSY ms of processor time and
# waits for as long: WAIT ms.
build_plugins() {
    cat >"$work/fair.c" <<'TEXT'
#include "scan_plugin.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
static scan_status create(const scan_host *host, const scan_plugin *plugin, void *context,
                          const scan_problem *problem, void **self_p)
{
    uint64_t *n = malloc(sizeof *n);
    if (!n)
        return host->fail(host, SCAN_NO_MEMORY, "malloc");
    *n = problem->n;
    *self_p = n;
    return SCAN_OK;
}
/* The file and its inode, as the kernel lists the mapping. */
static void say_where(const void *at)
{
    static int said;
    char line[512], file[256];
    uintptr_t first, end;
    unsigned long inode;
    FILE *maps = said++ ? NULL : fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        *file = '\0';
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %*s %*s %*s %lu %255s", &first, &end, &inode,
                   file) >= 3 && first <= (uintptr_t)at && (uintptr_t)at < end)
            fprintf(stderr, "input in %lu %s\n", inode, file);
    }
    if (maps)
        fclose(maps);
}
static void spend(void)
{
    struct timespec now, wait = {.tv_nsec = WAIT * 1000000L};
    double start = -1, ms;
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        ms = (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
        start = start < 0 ? ms : start;
    } while (ms - start < BUSY);
    if (WAIT)
        nanosleep(&wait, NULL);
}
static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const uint64_t n = *(uint64_t *)self;
    const uint32_t *from = scan_host_pointer(in);
    uint32_t *to = scan_host_pointer(out), sum = 0;
    say_where(from);
    for (uint64_t i = 0; i < n; i++) {
        to[i] = sum;
        sum += from[i];
    }
    spend();
    return SCAN_OK;
}
static const scan_plugin fair = {
    .struct_size = sizeof(scan_plugin), .role = SCAN_ROLE_ALGORITHM, .id = "fair", .name = "fair",
    .version = "1", .summary = "a serial scan", .reference = "", .backend = "cpu",
    .ops = {{SCAN_OP_SUM, SCAN_BIT(SCAN_KIND_EXCLUSIVE), SCAN_BIT(SCAN_DTYPE_I32)}},
    .create = create, .run = run, .destroy = free};
SCAN_EXPORT_PLUGINS(&fair);
TEXT
    build_fair copy 0 0 && build_fair busy 16 0 && build_fair wait 8 8 || return 1
    cp "$work/copy.so" "$work/again.so"
    cp "$work/busy.so" "$work/busy_too.so"
    cp "$work/wait.so" "$work/wait_too.so"
}

same_memory() {
    "$scanbench" compare --in-run "$work/copy.so" "$work/again.so" --sizes 1e6 --pin none \
        --time-limit 0.1 >"$work/told" 2>&1
    cat "$work/told"
    [ "$(grep -c "input in .*memfd:scanbench" "$work/told")" -eq 2 ] &&
        [ "$(grep "input in" "$work/told" | sort -u | wc -l)" -eq 1 ]
}
own_memory() {
    "$scanbench" -q --plugins "$work/copy.so" --sizes 1e6 --pin none \
        --time-limit 0.1 >"$work/told" 2>&1
    cat "$work/told"
    grep -q "input in" "$work/told" && ! grep -q "memfd" "$work/told"
}

# took SIDE: the time of a run in ms, while another program has the same processing unit.
took() {
    unit=$(taskset -cp $$ | sed 's/.*[ ,-]//')
    taskset -c "$unit" sh -c 'while :; do :; done' &
    other=$!
    taskset -c "$unit" "$scanbench" compare -q --in-run "$work/$1.so" "$work/$1_too.so" --sizes 1000 --pin none \
        --time-limit 0.2 --json "$work/pairs.json" >"$work/told" 2>&1
    kill $other
    cat "$work/told"
    sed -n 's/.*"first_ns": *\([0-9]*\)[0-9]\{6\}[^0-9].*/\1/p' "$work/pairs.json" | tee "$work/ms"
}
interrupted() {
    took busy
    [ "$(cat "$work/ms")" -ge 15 ] && [ "$(cat "$work/ms")" -lt 20 ]
}
waiting() {
    took wait
    [ "$(cat "$work/ms")" -ge 15 ]
}

plan 4
if build_plugins; then
    claim "both sides have their arrays in the same memory" same_memory
    claim "plugins of an ordinary run have their own" own_memory
    if command -v taskset >/dev/null; then
        claim "what interrupts a run does not count" interrupted
        claim "what a run waits for does" waiting
    else
        skip 2 "there is no taskset"
    fi
else
    skip 4 "the C compiler does not build plugins"
fi
