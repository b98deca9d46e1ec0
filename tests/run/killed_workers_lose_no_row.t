#!/bin/sh
# A supervisor whose workers are killed at random loses no row, keeps no descriptor open
# and leaves no zombie. With SCANBENCH_SLOW=1 about a thousand workers, else some dozens.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv
if [ "${SCANBENCH_SLOW:-0}" = 1 ]; then cases=2000; else cases=80; fi

# Kills workers at random times, and records the most descriptors and children that the supervisor
# had at once.
kill_workers() {
    most_files=0
    most_children=0
    first_files=0
    while kill -0 "$supervisor" 2>/dev/null; do
        # shellcheck disable=SC2046 # one word each
        set -- $(cat "/proc/$supervisor/task/$supervisor/children" 2>/dev/null)
        [ $# -gt "$most_children" ] && most_children=$#
        for worker; do
            kill -s KILL "$worker" 2>/dev/null
        done
        set -- "/proc/$supervisor/fd/"*
        [ "$first_files" -eq 0 ] && first_files=$#
        [ $# -gt "$most_files" ] && most_files=$#
        read -r pause || pause=0.03
        sleep "$pause"
    done <"$work/pauses"
}

sweep() {
    awk 'BEGIN { srand(7); for (i = 0; i < 100000; i++) print 0.01 + 0.05 * rand() }' >"$work/pauses"
    "$scanbench" -q --plugins cpu_serial --sizes "$(seq -s , 1001 $((1000 + cases)))" \
        --min-samples 1000000 --max-samples 1000000 --time-limit 0.02 --csv "$csv" \
        2>"$work/errors" &
    supervisor=$!
    for _ in $(seq 3000); do # not while the plugin is still asked what it is
        grep -qs ',run,ok,' "$csv" && break
        sleep 0.02
    done
    kill_workers
    status=0
    wait "$supervisor" || status=$?
    crashed=$(grep -c ',run,crashed,' "$csv")
    echo "exit status $status, $crashed of $cases crashed"
    [ "$status" -eq 1 ] && [ "$crashed" -ge $((cases / 4)) ]
}

no_row_lost() {
    awk -F, '$19 == "run" && $7 != "calibrator" { print $14 }' "$csv" | sort -n >"$work/seen"
    seq 1001 $((1000 + cases)) | diff - "$work/seen"
}

told_as_killed() {
    grep ',run,crashed,' "$csv" | grep -v 'killed by signal 9' | head
    ! grep ',run,crashed,' "$csv" | grep -qv 'killed by signal 9'
}

few_files() {
    echo "descriptors: $first_files at first, $most_files at most"
    [ "$most_files" -le $((first_files + 6)) ]
}

no_zombies() {
    echo "children: $most_children at most"
    [ "$most_children" -le 4 ] # two of them the calibrators
}

# A calibrator whose worker dies has a row that says so, and the run does not end with 0.
calibrator_tells() {
    "$scanbench" -q --plugins cpu_serial --sizes 1000 --time-limit 2 --min-samples 1000000 --max-samples 1000000 \
        --csv "$work/calibrator.csv" 2>"$work/errors" &
    supervisor=$!
    killed=
    for _ in $(seq 3000); do
        # shellcheck disable=SC2013 # one word each
        for worker in $(cat "/proc/$supervisor/task/$supervisor/children" 2>/dev/null); do
            grep -qzF .so "/proc/$worker/cmdline" && continue
            sleep 1
            kill -s KILL "$worker" && killed=1 && break 2
        done
        sleep 0.02
    done
    status=0
    wait "$supervisor" || status=$?
    cat "$work/errors" "$work/calibrator.csv"
    [ -n "$killed" ] && [ "$status" -eq 1 ] && grep -q '^scanbench: frozen_.*: crashed: ' "$work/errors" &&
        grep -q ',calibrator,.*,run,crashed,' "$work/calibrator.csv" && grep -q ',baseline,.*,run,ok,' "$work/calibrator.csv"
}

plan 6
claim "a sweep ends though its workers are killed" sweep
claim "each configuration has one row" no_row_lost
claim "the rows of the killed say so" told_as_killed
claim "no descriptor is lost" few_files
claim "no zombie is left" no_zombies
claim "a calibrator that is lost is told, and the run does not end with 0" calibrator_tells
