#!/bin/sh
# --profile: each configuration has one run in a range of its name, behind one that warms up, and is
# checked as ever; nothing is measured.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
plugin=$build/tests/fixtures/plugins/logs_runs.so
injection=$build/tests/fixtures/nvtx/writes_ranges.so
unset SCANBENCH_PLUGIN_PATH NVTX_INJECTION64_PATH

# logged LINE...: the lines of a profiled run, and nothing on stdout.
logged() {
    printf '%s\n' "$@" >"$work/expected"
    [ ! -s "$work/stdout" ] && diff "$work/expected" "$work/lines"
}

profile() {
    rm -f "$work/lines"
    MOCK_LOG=$work/lines "$scanbench" --profile --plugins "$plugin" "$@" >"$work/stdout" 2>"$work/errors"
    status=$?
    cat "$work/errors" "$work/lines"
    return $status
}

# A run that is compared, one that warms up, the one to look at, and two that are compared.
five_runs() {
    # shellcheck disable=SC2046 # a word is a line
    profile --sizes 100,200 --set block=64,128 &&
        logged $(yes run | head -n 20) && grep -q 'configurations: 4 ok$' "$work/errors"
}

named() {
    NVTX_INJECTION64_PATH=$injection profile --sizes 100 --kinds all --cache hot,cold || return 1
    set --
    for kind in exclusive inclusive; do
        for state in '' ' cache=cold'; do
            set -- "$@" run run "push logs_runs i32 sum $kind n=100 block=64 wrong_at=0$state" run pop run run
        done
    done
    logged "$@"
}

only_when_asked() {
    rm -f "$work/lines"
    NVTX_INJECTION64_PATH=$injection MOCK_LOG=$work/lines "$scanbench" -q --plugins "$plugin" \
        --sizes 100 --time-limit 0.02 >/dev/null && ! grep -v '^run$' "$work/lines"
}

no_files() {
    profile --sizes 100 --csv "$work/rows.csv" --samples "$work/samples.csv" || return 1
    ls "$work"
    grep -q 'no file is written' "$work/errors" && [ ! -e "$work/rows.csv" ] &&
        [ ! -e "$work/samples.csv" ] && [ ! -e "$work/rows.csv-metadata.json" ]
}

# The first run behind the one in the range is wrong.
checked() {
    status=0
    profile --sizes 12345 --set wrong_at=0,4 || status=$?
    [ "$status" -eq 1 ] && grep -q 'wrong_at=4: wrong: ' "$work/errors" &&
        grep -q 'configurations: 1 ok, 1 wrong$' "$work/errors"
}

says_when_absent() {
    profile --sizes 100 || return 1
    found=$(grep -c 'built without NVTX' "$work/errors")
    if [ -e "$injection" ]; then [ "$found" -eq 0 ]; else [ "$found" -eq 1 ]; fi
}

plan 6
claim "a configuration has a run to warm up and one to look at, besides those that check it" five_runs
claim "a wrong answer is reported, with exit status 1" checked
claim "no file is written" no_files
claim "a build without NVTX says so once" says_when_absent
if [ -e "$injection" ]; then
    claim "a profiler finds one run in a range named after its configuration" named
    claim "without --profile there are no ranges" only_when_asked
else
    skip 2 "nvtx3/nvToolsExt.h is not installed"
fi
