#!/bin/sh
# The phase graph: the time of one run among many that a device launches from one graph. Only a plugin
# that says so is asked for it, and the instance that was is timed no more.
# slow
# about: core harness tests/fixtures plugins/common reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv

# sweep PLUGIN ARGUMENTS...: its rows are in $csv.
sweep() {
    plugin=$1
    shift
    "$scanbench" -q --plugins "$mocks/$plugin.so" --time-limit 0.3 --overwrite --csv "$csv" "$@"
}

# holds EXPRESSION: it is true of the rows by phase, p, with numbers as floats.
holds() {
    python3 - "$csv" "$1" <<'END'
import csv, sys
def value(text):
    try:
        return float(text)
    except ValueError:
        return text
rows = csv.DictReader(open(sys.argv[1]))
p = {r["phase"]: {c: value(r[c]) for c in r} for r in rows if r["role"] != "calibrator"}
for phase, r in p.items():
    print(phase, [r[c] for c in "status reason median_ns rounds samples pct_copy flags".split()])
sys.exit(not (p and all(r["status"] == "ok" for r in p.values()) and eval("(" + sys.argv[2] + ")")))
END
}

# An instance that has been captured takes a millisecond longer in every other run.
measured() {
    for _ in 1 2 3; do
        sweep in_a_graph --sizes 1e5 || return 1
        holds 'p["graph"]["rounds"] == p["device"]["rounds"] >= 6 and p["graph"]["samples"] >= 12 and
               0.5 < p["graph"]["median_ns"] / p["device"]["median_ns"] < 2 and
               p["run"]["max_ns"] < 1e6 and p["device"]["max_ns"] < 1e6 and p["graph"]["pct_copy"] == ""' &&
            return 0
    done
    return 1
}

# As of an older contract, or where a run cannot be captured.
without() {
    sweep "$@" --sizes 1e4 && holds '"graph" not in p and "device" in p'
}

compared() {
    sweep in_a_graph --sizes 1e5 && cp "$csv" "$work/before.csv" && sweep in_a_graph --sizes 1e5 &&
        exits 0 "graph" "$scanbench" compare "$work/before.csv" "$csv" --phase graph --threshold 90% --json - &&
        "$scanbench" report "$csv" -o "$work/report.html" >/dev/null && grep -q '"graph"' "$work/report.html"
}

sampled() {
    sweep in_a_graph --sizes 1e4 --samples "$work/samples.csv" && grep ",graph," "$work/samples.csv"
}

# PoCL's device without threads runs commands as they are enqueued, and hangs behind a gate.
without_threads() {
    POCL_DEVICES=basic "$scanbench" -q --plugins opencl_copy,opencl_rows --sizes 1003 --time-limit 0.2 --timeout 30 \
        --overwrite --csv "$csv" && holds '"device" in p'
}

plan 7
claim "it has a row, of all rounds, and no other time changes by it" measured
claim "a run that cannot be captured has none" without no_graph
claim "a plugin for 1.1 is asked for none" without not_asked_for_graphs
claim "behind the first run of a graph no cache is cold: cold rows have none" without in_a_graph --cache cold
claim "two files are compared by it, and a page has it" compared
claim "its samples are told, too" sampled
if POCL_DEVICES=basic "$scanbench" list --plugins opencl_copy 2>/dev/null | grep -q basic-; then
    claim "an OpenCL device without threads is measured, too" without_threads
else
    skip 1 "there is no device of PoCL without threads"
fi
