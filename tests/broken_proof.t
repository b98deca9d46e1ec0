#!/bin/sh
# `scanbench validate` finds out every plugin of the corpus (harness/tests/broken), by the
# claim that is meant for it, and none that is right.
set -u
. "$(dirname -- "$0")/lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
broken=$build/tests/broken_plugins
unset SCANBENCH_PLUGIN_PATH
grep -v '^#' "$root/tests/lib/broken.txt" >"$work/table"

# Every claim takes the whole of --timeout where a plugin hangs: one is enough.
prove_one() {
    set -- "$1" "$2" --max-n 70000
    case $1-$2 in
    *hang_in_run-timeout | *hang_in_[scd]*-timeout | hang_deaf-timeout)
        set -- "$@" --timeout 0.7 --claims repeat ;;
    *-timeout) set -- "$@" --timeout 0.7 --claims sizes --types i32 ;;
    esac
    name=$1
    shift 2
    found=0
    "$scanbench" validate "$broken/$name.so" "$@" >"$work/$name.tap" 2>"$work/$name.err" || found=$?
    echo "$found" >"$work/$name.status"
}

# breaks NAME CLAIMS: just those claims, or with + those among others; -: none.
breaks() {
    cat "$work/$1.tap" "$work/$1.err"
    sed -n "s/^  claim: '\(.*\)'/\1/p" "$work/$1.tap" | uniq >"$work/broken"
    echo "broken claims:" && cat "$work/broken"
    lines=$(grep -cE '^(not )?ok ' "$work/$1.tap")
    [ "$(sed -n 's/^1\.\.//p' "$work/$1.tap")" = "$lines" ] || return 1
    case $2 in
    -) [ "$(cat "$work/$1.status")" = 0 ] && [ ! -s "$work/broken" ] ;;
    *+) [ "$(cat "$work/$1.status")" = 1 ] && grep -qx "${2%+}" "$work/broken" ;;
    *) [ "$(cat "$work/$1.status")" = 1 ] && [ "$(cat "$work/broken")" = "$2" ] ;;
    esac
}

# repeats NAME: the command of its first failure fails again.
repeats() {
    sed -n 's/^  repeat: "\(.*\)"$/\1/p' "$work/$1.tap" | head -n 1 >"$work/command"
    cat "$work/command"
    [ -s "$work/command" ] || return 1
    found=0
    PATH=$build:$PATH sh "$work/command" || found=$?
    [ "$found" -eq 1 ]
}

plan $(($(wc -l <"$work/table") + 5))
started=0
while read -r name status _; do
    prove_one "$name" "$status" &
    started=$((started + 1))
    [ $((started % 6)) -eq 0 ] && wait
done <"$work/table"
wait
while read -r name _ claims; do
    case $claims in
    -) text="$name breaks no claim" ;;
    *) text="$name breaks the claim ${claims%+}" ;;
    esac
    claim "$text" breaks "$name" "$claims"
done <"$work/table"
claim "the command for a wrong answer repeats it" repeats spine_of_one_block
claim "the command for a claim about runs repeats it" repeats accumulates
claim "the command for a claim about behaviour repeats it" repeats leaks_threads
claim "a claim can be asked for by name" exits 0 "1..1" "$scanbench" validate "$broken/right.so" \
    --claims manners
claim "a claim that there is not, is not" exits 2 '--claims: "maners" is unknown; did you mean manners?' \
    "$scanbench" validate "$broken/right.so" --claims maners
