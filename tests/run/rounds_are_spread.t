#!/bin/sh
# Samples are taken in rounds across plugins and settings: a known time is found, the order
# changes with the round and the seed, and what fails in a round costs its row alone.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_serial reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
known=$mocks/known_time.so
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv
raw=$work/raw.csv

# sweep ARGUMENTS...: into $csv and $raw; its status is kept.
sweep() {
    status=0
    "$scanbench" -q --csv "$csv" --samples "$raw" "$@" 2>"$work/errors" || status=$?
    cat "$work/errors"
}

# cell COLUMN CONDITION...: of the row of the run of a plugin that holds column=value.
cell() {
    python3 - "$csv" "$@" <<'END'
import csv, sys
path, column, *conditions = sys.argv[1:]
for row in csv.DictReader(open(path)):
    if row["phase"] == "run" and row["role"] != "calibrator" and all(row[c.split("=", 1)[0]] == c.split("=", 1)[1] for c in conditions):
        print(row[column])
END
}

# finds US [N]: within a hundredth, or 50 ns, in one of twelve tries. Never less; on a busy machine,
# which only adds time, the fastest sample may stand for the median. Not bound to a core, since
# other workers are bound to the same one.
finds() {
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
        sweep --plugins "$known" --sizes "${2:-100}" --set "us=$1" --time-limit 0.3 --pin none
        echo "$(cell median_ns "params=us=$1;crash_at=0")" "$(cell min_ns "params=us=$1;crash_at=0")" |
            awk -v us="$1" '
                function near(ns, off) {
                    off = ns - us * 1000
                    if (off < 0) off = -off
                    return off <= us * 10 || off <= 50
                }
                { print "median " $1 " ns, least " $2 " ns"; exit !(near($1) || ($1 > $2 && near($2))) }' &&
            return 0
    done
    return 1
}

# shuffled SEED: the order of the rounds, in $work/order.SEED.
shuffled() {
    sweep --plugins "$mocks/right.so,$known,$mocks/in_place_only.so,cpu_serial" --sizes 1000 \
        --time-limit 0.05 --seed "$1"
    python3 "$root/tests/lib/rows.py" "$raw" rounds >"$work/order.$1"
    changed=$?
    cat "$work/order.$1"
    [ $changed -eq 0 ]
}

# agrees OTHER: every round that order.1 and that one have visits the plugins of both in one order.
# On a busy machine a run may have fewer rounds, and a round may leave a slow plugin out.
agrees() {
    python3 - "$work/order.1" "$work/order.$1" <<'END'
import sys
runs = [[line.split()[2:] for line in open(path)] for path in sys.argv[1:]]
rounds = list(zip(*runs))
same = [[p for p in a if p in b] == [p for p in b if p in a] for a, b in rounds]
print(len(rounds), "rounds,", sum(same), "the same")
sys.exit(len(rounds) < 2 or not all(same))
END
}

same_order() {
    cp "$work/order.1" "$work/order.before"
    shuffled 1 && agrees before && ! agrees 2
}

sequential() {
    sweep --plugins "$mocks/right.so,cpu_serial" --sizes 1000 --time-limit 0.02 --order sequential
    awk -F, 'NR > 1 && $14 == "run" && $3 != last { turns++; last = $3 } END { exit turns != 2 }' \
        "$raw" && [ "$(cell speedup_lo plugin=right)" = "" ] && [ "$(cell speedup plugin=right)" != "" ]
}

# With 5 ms a run the 22nd is in the fifth visit: a comparison, an estimate, four runs a visit,
# and two more in the first, which show that nothing is recorded.
crashes() {
    sweep --plugins "$known,$mocks/right.so" --sizes 1000 --set us=5000 --set crash_at=0,22
    cut -d, -f5,17,20,21,45 "$csv"
    [ "$status" -eq 1 ] && [ "$(cell status 'params=us=5000;crash_at=22')" = crashed ] &&
        [ "$(cell status 'params=us=5000;crash_at=0')" = ok ] &&
        [ "$(cell status plugin=right)" = ok ]
}

# The other setting was in the worker that crashed.
others_keep_theirs() {
    [ "$(cell rounds 'params=us=5000;crash_at=0')" -ge 20 ] &&
        [ "$(cell rounds plugin=right)" -ge 20 ] &&
        [ "$(cut -d, -f 19 "$csv" | grep -c '^create$')" -eq 2 ]
}

# 5 arrays of 4 MB and 64 MiB are less than three plugins take.
little_memory() {
    sweep --plugins "cpu_serial,$mocks/right.so,$mocks/in_place_only.so,$known" --sizes 1e6 \
        --time-limit 0.2 --mem-limit 90M
    cut -d, -f5,20,45 "$csv"
    [ "$status" -eq 0 ] && [ "$(cell status | grep -c ok)" -eq 4 ] &&
        [ "$(cell rounds plugin=right)" -ge 2 ]
}

# Interrupted in the second size: rows of the first alone are there, of all its plugins.
interrupted_group() {
    csv=$work/group.csv
    # What a shell's background ignores is not ignored here.
    # shellcheck disable=SC2016 # it is perl's
    perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$scanbench" -q --csv "$csv" --sizes 1000,2000 \
        --plugins "cpu_serial,$mocks/right.so" --min-samples 1000000 --max-samples 1000000 \
        --time-limit 1 2>"$work/errors" &
    supervisor=$!
    for _ in $(seq 3000); do
        grep -qs ',run,ok,' "$csv" && break
        sleep 0.05
    done
    sleep 0.3
    kill -s INT "$supervisor"
    wait "$supervisor"
    [ "$(cell n | tr '\n' ' ')" = "1000 1000 " ] || return 1
    "$scanbench" -q --csv "$csv" --resume --sizes 1000,2000 --time-limit 0.02 \
        --plugins "cpu_serial,$mocks/right.so" || return 1
    [ "$(cell n | tr '\n' ' ')" = "1000 1000 2000 2000 " ]
}

plan 13
if ! command -v python3 >/dev/null 2>&1; then
    skip 13 "python3 is not installed"
    exit 0
fi
for us in 1 10 100 10000; do
    claim "a run of $us us is found" finds $us
done
claim "a run of 100000 us is found" finds 100000 12345
claim "the order changes from round to round" shuffled 1
claim "another seed has orders too" shuffled 2
claim "the same seed has the same orders, another one others" same_order
claim "--order sequential measures one configuration after the other" sequential
claim "a plugin that crashes in its fifth visit costs its row alone" crashes
claim "another configuration in its worker is opened again and keeps its rounds" others_keep_theirs
claim "a group that does not fit --mem-limit gives buffers back and takes them again" little_memory
claim "an interrupted group leaves no row, and --resume measures it" interrupted_group
