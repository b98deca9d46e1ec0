#!/bin/sh
# --cache cold: before each sample the caches are displaced, on the host and on a device, outside
# the timing; cold rows are compared with cold ones.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_memcpy plugins/cpu_serial reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv

sweep() {
    "$scanbench" -q --csv "$csv" "$@"
}

# holds EXPRESSION [PHASE]: it is true of all pairs of a hot row h and a cold row c of the phase
# (run) that share the rest of their configuration, with numbers as floats; and there are some.
holds() {
    python3 - "$csv" "$@" <<'END'
import csv, sys
path, expression, phase = (sys.argv[1:] + ["run"])[:3]
def value(text):
    try:
        return float(text)
    except ValueError:
        return text
rows = {"hot": {}, "cold": {}}
for row in csv.DictReader(open(path)):
    if row["phase"] == phase and row["role"] != "calibrator":
        key = tuple(row[c] for c in "plugin kind op dtype n block vt params".split())
        rows[row["cache"]][key] = {c: value(row[c]) for c in row}
good = len(rows["hot"]) > 0 and rows["hot"].keys() == rows["cold"].keys()
for key, h in rows["hot"].items():
    c = rows["cold"].get(key, {})
    print(key, [(r.get("status"), r.get("median_ns"), r.get("rounds"), r.get("flags")) for r in (h, c)])
    good = good and bool(eval(expression))
sys.exit(not good)
END
}

# A busy machine may hide it once.
slower() {
    for _ in 1 2 3 4 5; do
        sweep --plugins cpu_serial,cpu_memcpy --set way=0 --sizes 1e4,1e5 --time-limit 0.3 --cache hot,cold || return 1
        holds 'h["plugin"] == "cpu_serial" and c["n"] > 2e4 or c["median_ns"] > 1.2 * h["median_ns"]' && return 0
    done
    return 1
}

# What a run takes anyway is neither more nor less.
untimed() {
    for _ in 1 2 3 4 5; do
        sweep --plugins "$mocks/known_time.so" --set us=5000 --sizes 100 --time-limit 0.3 --cache cold,hot || return 1
        holds '5.0e6 <= c["min_ns"] < 5.1e6 and 5.0e6 <= h["min_ns"] < 5.1e6' && return 0
    done
    return 1
}

device() {
    for _ in 1 2 3; do
        sweep --plugins "$mocks/cached_device.so" --sizes 100 --time-limit 0.5 --cache hot,cold || return 1
        holds 'h["median_ns"] < 1e5 and c["min_ns"] >= 2e5' && return 0
    done
    return 1
}

filled() {
    holds 'h["max_ns"] == 1e3 and c["min_ns"] == c["max_ns"] >= 65e3' device
}

# A short run is no batch of several, of which only the first would be cold.
short() {
    sweep --plugins "$mocks/right.so" --sizes 10 --time-limit 0.2 --cache hot,cold &&
        holds '"batch=" in h["flags"] and "batch" not in c["flags"]' &&
        sweep --plugins "$mocks/right.so" --sizes 0 --time-limit 0.2 --cache hot,cold &&
        holds '"coarse_clock" in c["flags"] and "coarse_clock" not in h["flags"]'
}

enough_rounds() {
    for _ in 1 2 3; do
        sweep --plugins cpu_serial --sizes 1e5 --cache cold,hot || return 1
        holds 'c["rounds"] >= 10 and c["samples"] >= 20' && return 0
    done
    return 1
}

# Each state has a fastest copy, to which it is 100 %, and a baseline, over which it is 1.
own_references() {
    sweep --plugins cpu_serial,cpu_memcpy --sizes 1e5 --time-limit 0.1 --cache hot,cold "$@" && references
}

references() {
    python3 - "$csv" <<'END'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["phase"] == "run"]
for state in "hot", "cold":
    copies = [r for r in rows if r["cache"] == state and r["plugin"] == "cpu_memcpy"]
    serial = [r for r in rows if r["cache"] == state and r["plugin"] == "cpu_serial"]
    print(state, [(r["params"], r["median_ns"], r["pct_copy"], r["speedup"]) for r in copies + serial])
    fastest = min(copies, key=lambda r: float(r["median_ns"]))
    assert float(fastest["pct_copy"]) == 100 and len(serial) == 1 and float(serial[0]["speedup"]) == 1
    expected = 100 * float(fastest["median_ns"]) / float(serial[0]["median_ns"])
    # The copies of the other state take a quarter of that, or four times as long.
    assert expected / 2 < float(serial[0]["pct_copy"]) < expected * 2
END
}

resumed() {
    rm -f "$csv"
    sweep --plugins cpu_serial,cpu_memcpy --sizes 1e5 --time-limit 0.1 &&
        cp "$csv" "$work/before" &&
        sweep --plugins cpu_serial,cpu_memcpy --sizes 1e5 --time-limit 0.1 --cache hot,cold --resume &&
        head -c "$(wc -c <"$work/before")" "$csv" | cmp - "$work/before" && references &&
        python3 "$root/tests/lib/rows.py" "$csv" once &&
        cp "$csv" "$work/before" &&
        sweep --plugins cpu_serial,cpu_memcpy --sizes 1e5 --time-limit 0.1 --cache cold,hot --resume &&
        cmp "$csv" "$work/before"
}

plan 9
if ! command -v python3 >/dev/null 2>&1; then
    skip 9 "python3 is not installed"
    exit 0
fi
claim "a cold run of data that would fit is slower" slower
claim "displacing the caches is no part of the time" untimed
claim "a device's cache is displaced before each sample" device
claim "once before each, and before none where it is hot" filled
claim "a cold sample is one run, however short" short
claim "displacing leaves time for the rounds" enough_rounds
claim "each state has its own copy and baseline, in rounds" own_references
claim "and one after the other" own_references --order sequential
claim "--resume tells the states apart" resumed
