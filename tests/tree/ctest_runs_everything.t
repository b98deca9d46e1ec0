#!/bin/sh
# ctest runs everything that prove runs, and fails where prove fails.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}

has_entries() {
    ctest --test-dir "$build" -N >"$work/entries"
    (cd "$root/tests" && ls ./*/*.t) | sed 's|^\./||' >"$work/expected"
    printf '%s\n' core_range.t harness_job.t cpu_serial.so template_cpu.so >>"$work/expected"
    while read -r name; do
        grep -q ": $name\$" "$work/entries" || echo "$name is no entry"
    done <"$work/expected" >"$work/missing"
    cat "$work/missing"
    [ ! -s "$work/missing" ]
}

# The template's entry alone, with the plugin that is named in its place.
entry_of() { # PLUGIN
    mkdir -p "$work/entry"
    grep 'template_cpu\.so' "$build/CTestTestfile.cmake" |
        sed "s|/plugins/template_cpu\.so|/$1|" >"$work/entry/CTestTestfile.cmake"
    ctest --test-dir "$work/entry" --output-on-failure
}

plan 3
if [ ! -e "$build/CTestTestfile.cmake" ] || ! command -v ctest >/dev/null; then
    skip 3 "there is no ctest, or the build has no tests"
    exit 0
fi
claim "each test and plugin is an entry of ctest" has_entries
claim "an entry holds where the proof does" exits 0 "100% tests passed" entry_of plugins/template_cpu.so
claim "an entry fails where the proof does, and shows how" exits 8 "not ok" entry_of tests/fixtures/plugins/total_dropped.so
