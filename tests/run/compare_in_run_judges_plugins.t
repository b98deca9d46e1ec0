#!/bin/sh
# compare --in-run: two plugins, or two settings, in the same rounds. What is slower is found, what is
# the same is not called slower, and a plugin that fails is told.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH

# within ARGUMENTS...: its output is in $work/told; not bound to a core, which other tests share.
within() {
    status=0
    "$scanbench" compare --in-run "$@" --pin none --time-limit 0.2 >"$work/told" 2>&1 || status=$?
    cat "$work/told"
    echo "exit status $status"
}

# one_of N CLAIM: holds in one of N tries; for what a busy machine can hide.
one_of() {
    left=$1
    shift
    while [ "$left" -gt 0 ]; do
        "$@" && return 0
        left=$((left - 1))
    done
    return 1
}

# A copy of the baseline, and one whose loop does 5 % more. Both are made by one command line, so
# that their loops are aligned alike.
build_pair() {
    for more in 0 5; do
        cat >"$work/work$more.c" <<'TEXT'
#include "scan_plugin.h"
#include <stdlib.h>
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
static scan_status run(void *self, scan_buffer in, scan_buffer out)
{
    const uint64_t n = *(uint64_t *)self;
    const uint32_t *from = scan_host_pointer(in);
    uint32_t *to = scan_host_pointer(out), sum = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t next = sum + from[i];
        to[i] = sum;
        sum = next;
        __asm__ volatile("" : "+r"(sum));
    }
    sum = 0;
    for (uint64_t i = 0; i < n * MORE / 100; i++) {
        sum += from[i];
        __asm__ volatile("" : "+r"(sum));
        to[i] = to[i];
    }
    return SCAN_OK;
}
static const scan_plugin work = {
    .struct_size = sizeof(scan_plugin), .role = SCAN_ROLE_ALGORITHM, .id = "work", .name = "work",
    .version = "1", .summary = "a serial scan", .reference = "", .backend = "cpu",
    .ops = {{SCAN_OP_SUM, SCAN_BIT(SCAN_KIND_EXCLUSIVE), SCAN_BIT(SCAN_DTYPE_I32)}},
    .create = create, .run = run, .destroy = free};
SCAN_EXPORT_PLUGINS(&work);
TEXT
        cc -std=c11 -O2 -falign-functions=64 -falign-loops=64 -shared -fPIC -DMORE=$((more * 2)) \
            -I "$root/core/include" "$work/work$more.c" -o "$work/work$more.so" || return 1
    done
    cp "$work/work0.so" "$work/again.so"
}

same() { within "$work/work0.so" "$work/again.so" --sizes 1e5 && [ $status -eq 0 ] && ! grep -q "hidden" "$work/told"; }
slower() { within "$work/work0.so" "$work/work5.so" --sizes 1e5 && [ $status -eq 4 ] && grep -q " slower" "$work/told"; }
faster() { within "$work/work5.so" "$work/work0.so" --sizes 1e5 && [ $status -eq 0 ] && grep -q " faster" "$work/told"; }
settings() {
    within "$mocks/known_time.so:us=100,block=64" "$mocks/known_time.so:us=5000,block=64" --sizes 1000 &&
        [ $status -eq 4 ] && grep -q " [2-5][0-9]\.[0-9]x" "$work/told"
}
sweeps() {
    within "$mocks/known_time.so:us=1" "$mocks/known_time.so:us=1" --sizes 1000,2000 --set block=32,64 \
        --json "$work/pairs.json" && grep -o '"n"' "$work/pairs.json" | wc -l | grep -qx 4
}
wrong() { within "$mocks/right.so" "$mocks/tail_unwritten.so" --sizes 1000 && [ $status -eq 1 ] && grep -q "missing" "$work/told"; }
one() { exits 2 "needs two plugins" "$scanbench" compare --in-run cpu_serial; }
no_setting() { exits 2 "is no setting" "$scanbench" compare --in-run cpu_serial "cpu_serial:a=1,b"; }
unknown() { exits 2 "none of these plugins has such a tunable" "$scanbench" compare --in-run cpu_serial cpu_serial:vt=1; }
numbers() {
    exits 2 "one setting (PLUGIN:NAME=VALUE) of each" "$scanbench" compare --in-run "$mocks/right.so:block=32" \
        "$mocks/right.so" --sizes 1000 --set block=64,96 --set block=32,64,128
}
needs_it() { exits 2 "with --in-run only" "$scanbench" compare --sizes 1e5 a.csv b.csv; }

plan 10
if build_pair; then
    claim "a plugin and its copy are not told apart" one_of 3 same
    claim "one that takes longer is slower, and the exit status says so" one_of 5 slower
    claim "the other way round it is faster" one_of 5 faster
else
    skip 3 "the C compiler does not build plugins"
fi
claim "two settings of one plugin" one_of 3 settings
claim "a sweep is compared setting by setting" sweeps
claim "a wrong plugin is missing, and the exit status says so" wrong
claim "one plugin is too few" one
claim "what is no setting is named" no_setting
claim "an unknown tunable is named" unknown
claim "an option that needs --in-run says so" needs_it
