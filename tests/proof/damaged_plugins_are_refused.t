#!/bin/sh
# `scanbench list` over real plugins with damaged headers, symbols, relocations and
# tables, and over pieces of them: each is a plugin or says what is wrong with it.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}

make_mutants() {
    mkdir "$work/mutants" &&
        for name in plugins/cpu_serial tests/fixtures/plugins/right; do
            perl "$root/tests/lib/mutants.pl" "$build/$name.so" "$work/mutants" || return
        done
    find "$work/mutants" -name '*.so' | sort >"$work/files"
    [ "$(wc -l <"$work/files")" -ge 150 ] && grep -q dynamic-flip "$work/files"
}

# Mocks too, which only a pattern names.
lists() {
    found=0
    SCANBENCH_PLUGIN_PATH=$work/mutants "$build/scanbench" list -v --plugins '*' --timeout 2 \
        >"$work/list" 2>"$work/warnings" || found=$?
    tail -n 3 "$work/warnings"
    echo "exit status $found"
    [ "$found" -eq 0 ]
}

# The ids of a list, sorted.
ids() {
    sed -n 's/^  \([a-z][^ ]*\) .*/\1/p' "$1" | sort -u
}

others_listed() {
    env -u SCANBENCH_PLUGIN_PATH "$build/scanbench" list --plugins '*' >"$work/alone"
    ids "$work/alone" >"$work/before"
    ids "$work/list" >"$work/after"
    grep cpu_serial "$work/before" && [ -z "$(comm -23 "$work/before" "$work/after")" ]
}

# A row of its own, or the id of a plugin that is there already.
all_listed() {
    {
        sed -n 's/^      file *//p' "$work/list"
        sed -n 's/.* warning: .* of \(.*\) is hidden by .*/\1/p' "$work/warnings"
    } | sort -u >"$work/rows"
    comm -23 "$work/files" "$work/rows" | tee "$work/missing"
    [ ! -s "$work/missing" ]
}

# reasons PATTERN [NOT]: the rows of files that match and say nothing of use, or more
# than a refusal if they must be refused.
reasons() {
    awk -v of="$work/mutants/" -v files="$1" -v refused="${2:-}" '
        /^[a-z]+: / || /^on / { said = refused && /^on / ? "" : $0 }
        /^      file / && index($2, of) == 1 && $2 ~ files {
            error = index(said, "error: " $2 ": ") == 1 &&
                    length(said) > length($2) + 30
            if (!(error || (!refused && said ~ /^((crashed|timeout|unavailable): .*[a-z]+ [a-z]+|on )/)))
                print $2 ":" said
            seen++
        }
        END { if (!seen) print "no row at all" }' "$work/list" | tee "$work/bad"
    [ ! -s "$work/bad" ]
}

nobody_left() {
    for _ in $(seq 100); do
        left=$(grep -als "$work/mutant[s]" /proc/[0-9]*/cmdline)
        [ -z "$left" ] && return 0
        sleep 0.1
    done
    echo "left: $left"
    return 1
}

quick() {
    echo "$1 s"
    [ "$1" -lt 20 ]
}

if [ "$(od -An -tx1 -j4 -N2 "$build/scanbench")" != " 02 01" ]; then
    plan 1
    skip 1 "this is no 64-bit, little-endian machine"
    exit 0
fi
plan 8
claim "plugins can be damaged in every part a loader reads" make_mutants
began=$(date +%s)
claim "a list over them ends well" lists
took=$(($(date +%s) - began))
claim "the plugins beside them are listed" others_listed
claim "each of them is a row or a hidden plugin" all_listed
claim "a row without a plugin says what is wrong" reasons '.'
claim "what is cut short is refused before it is loaded" reasons '-cut-' refused
claim "no worker is left" nobody_left
claim "it takes less than 20 seconds" quick "$took"
