#!/bin/sh
# The process around a run and a proof: what the program is started with, what happens to
# its file meanwhile, and that nothing of a plugin outlives it.
set -u
. "$(dirname -- "$0")/lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
broken=$build/tests/broken_plugins
right=$broken/right.so
unset SCANBENCH_PLUGIN_PATH
sizes=$(seq -s , 1001 1012)
# A configuration takes a tenth of a second, however precise it is.
slowly='--min-samples 1000000 --max-samples 1000000 --time-limit 0.1'

# How a build beside a run does it: the name goes, then another file has it.
replaced() {
    mkdir "$work/copy" && cp "$scanbench" "$work/copy/scanbench" || return 1
    "$work/copy/scanbench" validate "$right" --max-n 5000 >"$work/replaced.tap" 2>&1 &
    proof=$!
    for _ in $(seq 200); do
        grep -qs '^ok 1 ' "$work/replaced.tap" && break
        sleep 0.02
    done
    rm "$work/copy/scanbench" && cp "$scanbench" "$work/copy/scanbench"
    wait "$proof"
    found=$?
    cat "$work/replaced.tap"
    [ "$found" -eq 0 ] && ! grep -q '^not ok' "$work/replaced.tap"
}

plan 1
claim "a proof goes on when the program's file is replaced" replaced
