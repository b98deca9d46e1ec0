#!/bin/sh
# A plugin whose threads share the one core that it has is flagged, with one warning; plugins that
# need no other core are not.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
mocks=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH

# measured ARGUMENTS...: into $work/rows, a line of JSON each.
measured() {
    "$build/scanbench" --json "$work/rows" --overwrite --time-limit 0.1 --sizes "${sizes:-1e5}" "$@" >"$work/table" \
        2>"$work/errors"
    status=$?
    cat "$work/errors" "$work/rows"
    [ "$status" -eq 0 ] && [ -s "$work/rows" ]
}

# How many rows of run have the flag.
flagged() {
    grep '"phase":"run"' "$work/rows" | grep -cE '"flags":"([^"]*;)?threads[;"]'
}

rows() {
    grep -c '"phase":"run"' "$work/rows"
}

# would_use WAY...: ways of uses_threads, each of which is flagged.
would_use() {
    for way in "$@"; do
        measured --plugins "$mocks/uses_threads.so" --set "way=$way" && [ "$(flagged)" -eq 1 ] ||
            return 1
    done
}

needs_none() {
    measured --plugins "$mocks/uses_threads.so" --set "way=0,1" "$@" && [ "$(flagged)" -eq 0 ] &&
        [ "$(rows)" -ge 2 ] && ! grep -q SCAN_TUNABLE_THREADS "$work/errors"
}

warned() {
    measured --csv "$work/rows.csv" --plugins "$mocks/uses_threads.so" --set way=3 &&
        [ "$(grep -c '^scanbench: warning: .*(uses_threads: [2-9] threads on 1 core).*SCAN_TUNABLE_THREADS' "$work/errors")" -eq 1 ] &&
        grep -q '"warnings": \[.*flagged threads' "$work/rows.csv-metadata.json"
}

# With the tunable, on as many cores as there are and on one; at the second size, too, before which the
# worker itself has asked where threads may run.
declared() {
    sizes=1e4,1e5
    measured --plugins cpu_chained,cpu_memcpy,cpu_serial,cpu_simd --set threads=0,1 &&
        [ "$(flagged)" -eq 0 ] && [ "$(rows)" -ge 8 ]
    result=$?
    sizes=
    return $result
}

# A busy machine may leave a row a single round.
cold() {
    for _ in 1 2 3 4 5; do
        cold_once && return
    done
    return 1
}

cold_once() {
    measured --plugins "$mocks/uses_threads.so" --set way=0,1,3 --cache cold &&
        [ "$(flagged)" -eq 1 ] && grep -q 'way=3.*"flags":"[^"]*threads' "$work/rows"
}

plan 6
claim "threads that a run starts and joins share the core, and are flagged" would_use 3 4
claim "so is a plugin that asks how many cores it may use" would_use 5 6 7
claim "one thread, and one beside it that sleeps, are not" needs_none
claim "nor are plugins with a tunable for threads" declared
claim "with cold caches the others are flagged alike" cold
claim "one warning, in the metadata too, says what to declare" warned
