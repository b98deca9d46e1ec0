#!/bin/sh
# scanbench tune: settings race, the best one is found, and nothing that is wrong wins silently.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
known=$mocks/known_time.so # runs as long as its tunable says: us, in microseconds
unset SCANBENCH_PLUGIN_PATH

# tunes ARGUMENTS...: the best setting of one size, in $work/told; three tries for a busy machine.
finds() {
    for _ in 1 2 3; do
        "$scanbench" tune -q "$@" --sizes 1000 --time-limit 0.2 --csv "$work/tune.csv" \
            >"$work/told" 2>&1 || return 1
        cat "$work/told"
        grep -q "best.*us=1 " "$work/told" && return 0
    done
    return 1
}

best() { finds "$known" --set us=1,100,5000 --set block=64 --set crash_at=0; }
slower() { grep -q "3 settings: 1 best, 0 tied with it, 2 slower" "$work/told"; }
# The CSV has them all; the winner alone was compared with the reference.
all_measured() {
    awk -F, 'NR > 1 && $19 == "run" && $7 != "calibrator" { rows++; if ($22 == 1) verified++; if ($22 == 0 && $22 != "") bad++ }
        END { print rows " rows, " verified " verified, " bad + 0 " wrong"
              exit !(rows == 3 && verified >= 1 && verified < 3 && !bad) }' "$work/tune.csv"
}
fewer_samples() {
    awk -F, 'NR > 1 && $19 == "run" { n[$17] = $24 }
        END { for (s in n) print s, n[s]
              exit !(n["us=5000;crash_at=0"] < n["us=1;crash_at=0"]) }' "$work/tune.csv"
}
default() {
    "$scanbench" tune -q opencl_hillis_steele --sizes 4096 --set block=16,64 --time-limit 0.05 &&
        "$scanbench" tune -q cpu_serial --sizes 1000 --time-limit 0.05 | grep "no tunables, so nothing to choose"
}
wrong_wins() { exits 1 wrong "$scanbench" tune -q "$mocks/tail_unwritten.so" --sizes 1000 --time-limit 0.05; }
crashed() {
    "$scanbench" tune -q "$known" --set us=1 --set block=64 --set crash_at=0,22 --sizes 1000 --time-limit 0.2 \
        >"$work/told" 2>&1
    status=$?
    cat "$work/told"
    [ $status -eq 1 ] && grep -q "best .*crash_at=0 " "$work/told" && grep -q "1 failed" "$work/told"
}
# tunes_rarely US TEXT: with too little time for us=100000 and its like.
tunes_rarely() {
    "$scanbench" tune -q "$known" --set "us=$1" --set block=64 --set crash_at=0 --sizes 12345 \
        --time-limit 0.03 >"$work/told" 2>&1
    cat "$work/told"
    grep -qF "$2" "$work/told"
}
# Whoever had too few rounds for an interval is neither slower nor tied.
too_few_rounds() {
    tunes_rarely 1,100000 "0 tied with it, 0 slower, 1 measured too rarely to tell (--time-limit)" &&
        tunes_rarely 100000 "no setting was measured often enough to tell: raise --time-limit"
}
unavailable() { "$scanbench" tune -q no_such_plugin 2>&1 | grep -q "no_such_plugin"; }
nothing() { exits 2 "tune needs the plugins" "$scanbench" tune; }

plan 10
claim "the fastest setting is the best" best
claim "the others are slower" slower
claim "the CSV has what was measured, and the best alone was compared" all_measured
claim "who is slower is sampled less" fewer_samples
claim "of a plugin without tunables there is nothing to choose" default
claim "a wrong plugin does not win" wrong_wins
claim "a setting that crashes costs itself alone" crashed
claim "what was measured too rarely is not called slower" too_few_rounds
claim "an unknown plugin is named" unavailable
claim "without a plugin it says what it needs" nothing
