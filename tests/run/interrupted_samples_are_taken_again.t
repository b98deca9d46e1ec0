#!/bin/sh
# A sample during which another program had the core is taken again, and asking for that costs
# the run nothing; a plugin that sleeps by nature is sampled as it is.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv
raw=$work/raw.csv

sweep() {
    "$scanbench" -q --csv "$csv" --samples "$raw" "$@" 2>"$work/errors"
    status=$?
    cat "$work/errors"
    return $status
}

# slept: how many samples of the run took more than 1.8 ms, of how many.
slept() {
    awk -F, 'NR > 1 && $14 == "run" { n++; slow += $17 > 1.8e6 } END { print slow + 0, n + 0 }' "$raw"
}

# Without another try every seventh run would be a sample: a tenth of them all. Other programs
# may have the core too, so it is tried a few times.
replaced() {
    for _ in 1 2 3 4 5; do
        sweep --plugins "$mocks/interrupted.so" --sizes 100 --set sleep_every=7 \
            --time-limit 0.5 || return 1
        slept
        slept | awk '{ exit !($2 >= 50 && $1 <= 0.05 * $2) }' && return 0
    done
    return 1
}

# The first visit takes each sample three times, later ones once: samples, an untimed run before
# those of a round, and what it takes to open and close.
left_alone() {
    sweep -v --plugins "$mocks/interrupted.so" --sizes 100 --set sleep_every=1 \
        --time-limit 0.5 || return 1
    # Each of its instances tells how often it ran.
    runs=$(sed -n 's/.* \([0-9]*\) runs$/\1/p' "$work/errors" | awk '{ n += $1 } END { print n + 0 }')
    slept
    slept | awk -v runs="$runs" '{ exit !($2 >= 50 && $1 == $2 && runs > 0 && runs < 2 * $2 + 20) }'
}

# A run of no elements does nothing: its time is what the harness adds.
cheap() {
    for _ in 1 2 3 4 5; do
        sweep --plugins "$mocks/right.so" --sizes 0 --time-limit 0.05 || return 1
        sed -n 's/^/# /p' "$csv"
        awk -F, 'NR > 1 && $19 == "run" && $25 < 1000 { found = 1 } END { exit !found }' "$csv" &&
            return 0
    done
    return 1
}

plan 3
claim "a sample that was interrupted is taken again" replaced
claim "a plugin that sleeps in every run is sampled as often as any other" left_alone
claim "the harness adds less than a microsecond to a run" cheap
