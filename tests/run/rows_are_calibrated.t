#!/bin/sh
# The harness's own work is measured in the same rounds as each row, and has rows.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_memcpy plugins/cpu_serial reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv

# holds TEXT: the Python expression, of the row r of each run of a plugin, with the calibrators of its group:
# over(PLUGIN) has the ratios of its rounds to theirs, spins() those to its spins.
holds() {
    python3 - "$csv" "$1" <<'END'
import csv, statistics, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["phase"] == "run"]
frozen = {(r["group_id"], r["cache"], r["plugin"]): r for r in rows if r["role"] == "calibrator"}
rows = [r for r in rows if r["role"] != "calibrator"]

def times(text):
    return [None if t == "-" else float(t) for t in text.split()]

def ratios(over, under):
    return [a / b for a, b in zip(times(over), times(under)) if a and b]

bad = []
for r in rows:
    def over(plugin):
        other = frozen.get((r["group_id"], r["cache"], plugin))
        return other and ratios(r["rounds_ns"], other["rounds_ns"])
    def spins():
        return ratios(r["rounds_ns"], r["spins_ns"])
    names = {"r": r, "over": over, "spins": spins, "frozen": frozen, "median": statistics.median}
    if not eval(sys.argv[2], names):
        bad.append(r)
print(len(rows), "rows,", len(frozen), "of calibrators")
for r in bad:
    print({k: r[k] for k in ("plugin", "n", "cache", "group_id", "rounds", "rounds_ns", "spins_ns")})
sys.exit(1 if bad or not rows else 0)
END
}

limit=0.1
sweep() {
    "$scanbench" -q --csv "$csv" --overwrite --plugins cpu_serial,cpu_memcpy --set way=0 --sizes 1e3,1e5 \
        --time-limit $limit "$@"
}

# in_time COMMAND: in one of three tries, each with more time. A busy machine leaves a row few rounds.
in_time() {
    for limit in 0.1 1 4; do
        "$1" && limit=0.1 && return
    done
    return 1
}

# The scan beside the same scan takes about as long; a factor of four covers compilers and load.
calibrated() {
    sweep && holds 'min(len(spins()), len(over("frozen_scan")), len(over("frozen_copy"))) >= 6 and len(frozen) == 4'
}
alike() { holds 'r["plugin"] != "cpu_serial" or 0.25 < median(over("frozen_scan")) < 4'; }
# Nothing competes with them, and of what they are made stands in params.
no_competitors() {
    python3 - "$csv" <<'END'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["role"] == "calibrator"]
empty = "kind op kinds elems_per_s bytes_per_s pct_copy speedup reason".split()
bad = [r for r in rows if any(r[c] for c in empty) or (r["phase"], r["backend"]) != ("run", "cpu")
       or r["params"] != "dtype=i32;n=" + r["n"]]
print(rows)
sys.exit(1 if bad or len(rows) != 4 else 0)
END
}
not_listed() {
    "$scanbench" list >"$work/listed" && ! grep frozen "$work/listed" &&
        ! "$scanbench" --plugins cpu_serial --sizes 10 --dry-run 2>&1 | grep frozen
}
of_each_cache() { sweep --cache hot,cold && holds 'len(over("frozen_scan")) > 2 and len(frozen) == 8'; }
sequential() { sweep --order sequential && holds 'not frozen and r["rounds_ns"]'; }
few() { sweep --min-samples 2 --max-samples 2 && holds 'not frozen and len(spins()) == 2'; }

# Ends each calibrator's worker as soon as it is there; the rows of the plugins are all kept.
survives() {
    "$scanbench" -q --csv "$csv" --overwrite --plugins cpu_serial,cpu_memcpy --set way=0 --sizes 1e3..1e6 \
        --time-limit 0.5 &
    supervisor=$!
    ended=0
    while grep -q . "/proc/$supervisor/cmdline" 2>/dev/null; do # one that has ended has none
        # shellcheck disable=SC2013 # one word each
        for pid in $(cat "/proc/$supervisor/task/$supervisor/children" 2>/dev/null); do
            # "scanbench worker -q" and an empty file name
            if [ "$(tr '\0' ' ' <"/proc/$pid/cmdline" 2>/dev/null | awk '{ print NF }')" = 3 ]; then
                kill -KILL "$pid" && ended=$((ended + 1))
            fi
        done
        sleep 0.1
    done
    wait "$supervisor"
    status=$?
    echo "$ended workers ended, exit status $status"
    [ $ended -gt 0 ] && [ $status -eq 1 ] && holds 'r["status"] == ("crashed" if r["role"] == "calibrator" and not r["median_ns"] else "ok")'
}

plan 8
claim "each row has its rounds beside those of spins, frozen scans and frozen copies" in_time calibrated
claim "the serial scan takes about as long as the frozen one" alike
claim "a calibrator has neither kind nor operator nor rates, and says what it works on" no_competitors
claim "it is no plugin that is listed or planned" not_listed
claim "hot and cold rows have calibrators of their own" in_time of_each_cache
claim "one configuration after the other has none to compare with" sequential
claim "nor have rounds too few for an interval" few
claim "a run outlives its calibrators" survives
