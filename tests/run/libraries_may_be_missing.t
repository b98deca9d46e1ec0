#!/bin/sh
# A plugin whose shared library is not on this machine, or not as new, is unavailable in the loader's
# words, as one whose driver is missing; one whose file or library is faulty is an error.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
fixtures=$build/tests/fixtures/libraries
files=$build/tests/fixtures/loader
unset SCANBENCH_PLUGIN_PATH LD_LIBRARY_PATH
missing='libscanbench_identity.so.1: cannot open shared object file: No such file or directory'

# Any command line, with the libraries where they are found.
with_libraries() {
    env LD_LIBRARY_PATH="$fixtures/lib:$fixtures/new" "$@"
}

# run_has STATUS WORD TEXT FILE ARGUMENTS...: the row of that file has the status and the reason.
run_has() {
    status=$1 word=$2 text=$3 file=$4
    shift 4
    name=$(basename "$file" .so)
    found=0
    "$scanbench" -q --plugins "$file,cpu_serial" --sizes 100 --max-samples 3 --time-limit 0.01 \
        --csv "$work/rows.csv" "$@" || found=$?
    cat "$work/rows.csv"
    [ "$found" = "$status" ] &&
        grep -q ",cpu_serial,.*,run,ok," "$work/rows.csv" &&
        grep -F -- "$text" "$work/rows.csv" | grep -q ",$name,.*,run,$word,"
}

# The row of a file that could not be loaded gives way to those of its plugin.
resumes() {
    run_has 0 unavailable "$missing" "$fixtures/needs_library.so" &&
        with_libraries "$scanbench" -q --plugins "$fixtures/needs_library.so,cpu_serial" --sizes 100 \
            --max-samples 3 --time-limit 0.01 --csv "$work/rows.csv" --resume || return 1
    cat "$work/rows.csv"
    [ "$(grep -c ',needs_library,.*,run,' "$work/rows.csv")" = 1 ] &&
        grep -q ',needs_library,.*,run,ok,' "$work/rows.csv"
}

# Files that lack the same are told together, without their names in the reason.
told_together() {
    "$scanbench" --plugins "$fixtures/needs_library.so,$fixtures/needs_indirectly.so" --sizes 10 \
        --csv "$work/both.csv" >"$work/both" 2>&1
    cat "$work/both"
    grep -qF "needs_indirectly and needs_library: libscanbench_identity.so.1:" "$work/both"
}

reported() {
    run_has 0 unavailable "$missing" "$fixtures/needs_library.so" || return 1
    exits 0 "needs_library: unavailable: libscanbench_identity.so.1: " "$scanbench" report "$work/rows.csv"
}

plan 14
claim "a library that is not there makes its plugin unavailable" run_has 0 unavailable "$missing" \
    "$fixtures/needs_library.so"
claim "so does one that a library needs" run_has 0 unavailable "$missing" "$fixtures/needs_indirectly.so"
claim "and one that is older than the plugin needs" run_has 0 unavailable \
    "version \`FIXTURE_2' not found (required by" "$fixtures/needs_version.so"
for name in library indirectly version; do
    claim "needs_$name is right where the libraries are found" exits 0 "on " with_libraries \
        "$scanbench" list --plugins "$fixtures/needs_$name.so" --require "needs_$name"
done
claim "a library without the symbol is an error" run_has 1 error "undefined symbol: nobody_defines_this" \
    "$fixtures/needs_symbol.so"
claim "so is a plugin without it" run_has 1 error "undefined symbol: nobody_defines_this" \
    "$files/undefined_symbol.so"
claim "and a file that is none" run_has 1 error "expected an ELF file" "$root/README.md"
claim "the proof of the plugin is a skip in the loader's words" exits 0 "# SKIP $missing" \
    "$scanbench" validate "$fixtures/needs_library.so"
claim "unless the plugin is required" exits 3 "$missing" "$scanbench" validate \
    "$fixtures/needs_library.so" --require needs_library
claim "--resume measures it once the library is there" resumes
claim "the closing table tells those together that lack the same" told_together
claim "a report names what is missing" reported
