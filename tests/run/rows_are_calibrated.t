#!/bin/sh
# Each row says its time in units of the harness's own work, measured in the same rounds.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv

# holds TEXT: the Python expression, of the row r of each run.
holds() {
    python3 - "$csv" "$1" <<'END'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["phase"] == "run"]
bad = [r for r in rows if not eval(sys.argv[2], {"r": r})]
print(len(rows), "rows")
for r in bad:
    print({k: v for k, v in r.items() if k.startswith("time_per") or k in ("plugin", "n", "rounds")})
sys.exit(1 if bad or not rows else 0)
END
}

sweep() {
    "$scanbench" -q --csv "$csv" --plugins cpu_serial,cpu_memcpy --set way=0 --sizes 1e3,1e5 \
        --time-limit 0.1 "$@"
}

# The scan beside the same scan takes about as long; a factor of four covers compilers and load.
calibrated() {
    sweep && holds 'all(0 < float(r[c + "_lo"]) <= float(r[c]) <= float(r[c + "_hi"])
        for c in ("time_per_spin", "time_per_scan", "time_per_copy"))'
}
alike() { holds 'r["plugin"] != "cpu_serial" or 0.25 < float(r["time_per_scan"]) < 4'; }
no_rows() { ! grep -q frozen "$csv"; }
sequential() { sweep --order sequential && holds 'r["time_per_scan"] == "" == r["time_per_copy"]'; }
few() { sweep --min-samples 2 --max-samples 2 && holds 'r["time_per_scan"] == "" == r["time_per_spin_lo"]'; }

# Ends each calibrator's worker as soon as it is there; the rows of the plugins are all kept.
survives() {
    "$scanbench" -q --csv "$csv" --plugins cpu_serial,cpu_memcpy --set way=0 --sizes 1e3..1e6 \
        --time-limit 0.5 &
    supervisor=$!
    ended=0
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        read -r children <"/proc/$supervisor/task/$supervisor/children"
        for pid in $children; do
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
    [ $ended -gt 0 ] && [ $status -eq 0 ] && holds 'r["status"] == "ok"'
}

plan 6
claim "each row has its time in spins, frozen scans and frozen copies" calibrated
claim "the serial scan takes about as long as the frozen one" alike
claim "the calibrators have no rows" no_rows
claim "one configuration after the other has none to compare with" sequential
claim "nor have rounds too few for an interval" few
claim "a run outlives its calibrators" survives
