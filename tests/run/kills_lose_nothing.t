#!/bin/sh
# A supervisor that is killed at random writes, and resumed each time, leaves the rows and samples of
# an uninterrupted run. With SCANBENCH_SLOW=1 it is killed a thousand times, else twenty.
# slow
# about: core harness tests/fixtures reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
if [ "${SCANBENCH_SLOW:-0}" = 1 ]; then wanted=1000; else wanted=20; fi
kills=0
random=7


plain() {
    "$scanbench" -q --plugins "$build/tests/fixtures/plugins/right.so" --sizes 10,20,30,40 \
        --types i32,f32 --max-samples 4 --min-samples 4 --time-limit 0.01 \
        --csv "$csv" --samples "$raw" "$@" 2>>"$work/errors"
}

# One file, with kills until a run ends by itself; sets status to how that ended.
with_kills() {
    csv=$work/$1.csv
    raw=$work/$1-raw.csv
    while :; do
        random=$(((random * 1103515245 + 12345) % 2147483648))
        status=0
        (
            LD_PRELOAD=$build/tests/fixtures/kill/kill_at_write.so
            KILL_AT=$((1 + random / 65536 % 60))
            export LD_PRELOAD KILL_AT
            plain --resume
        ) 2>/dev/null || status=$?
        [ "$status" -eq 137 ] || break
        kills=$((kills + 1))
    done
}

uninterrupted() {
    csv=$work/whole.csv
    raw=$work/whole-raw.csv
    plain
}

killed() {
    round=0
    while [ "$kills" -lt "$wanted" ]; do
        round=$((round + 1))
        [ "$round" -le "$wanted" ] || { echo "only $kills kills" && return 1; }
        with_kills "$round"
        [ "$status" -eq 0 ] || { cat "$work/errors" && return 1; }
        python3 "$root/tests/lib/whole.py" "$work/whole.csv" "$work/whole-raw.csv" "$csv" "$raw" ||
            return 1
        python3 "$root/tests/lib/rows.py" "$csv" clean && python3 "$root/tests/lib/rows.py" "$csv" once ||
            return 1
        rm -f "$csv"* "$raw"*
    done
    echo "$kills kills in $round files"
}

plan 2
claim "a run that nobody kills" uninterrupted
claim "killed $wanted times at random writes, it leaves the same rows and samples" killed
