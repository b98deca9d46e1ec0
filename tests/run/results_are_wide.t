#!/bin/sh
# --results: rows whose results are wider than the input, what they count, what they are held against, and who refuses
# them; and what is not wider.
# slow
# about: core harness plugins/cpu_memcpy plugins/cpu_serial reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH
cd "$work" || exit 1

measured() {
    "$scanbench" --plugins "cpu_serial,cpu_memcpy,$mocks/right.so" --types i8,i32,f32 --results same,wide --sizes 50001 \
        --time-limit 0.1 --csv rows.csv --samples samples.csv --quiet
}

# holds CLAIM: an expression of Python about `rows`, those of the run.
holds() {
    python3 - "$1" <<'PYTHON'
import csv, sys
rows = [r for r in csv.DictReader(open("rows.csv")) if r["phase"] == "run" and r["role"] != "calibrator"]
for r in rows:
    print("#", *(r[c] for c in "plugin params dtype result status bytes_per_s pct_copy max_ulps reason".split()))
ok = [r for r in rows if r["status"] == "ok"]
width = dict(i8=1, i32=4, i64=8, f32=4, f64=8)
assert ok
sys.exit(not eval(f"({sys.argv[1]})"))
PYTHON
}

resumed() {
    before=$(wc -l <rows.csv)
    "$scanbench" --plugins cpu_serial --types i8 --results wide --sizes 50001 --time-limit 0.1 --csv rows.csv --resume \
        --quiet 2>err
    [ "$(wc -l <rows.csv)" -eq "$before" ]
}

# refuses TEXT ARGUMENT...
refuses() {
    text=$1
    shift
    "$scanbench" "$@" --dry-run 2>err && return 1
    cat err
    grep -qF -- "$text" err
}

shown() {
    "$scanbench" report rows.csv >told || return 1
    cat told
    grep -q "exclusive i8->i32 sum" told && grep -q "exclusive i8 sum" told
}

plan 10
claim "types and wider ones are measured in one run" measured
claim "each row says the type of its results" holds '{(r["dtype"], r["result"]) for r in ok if r["plugin"] == "cpu_serial"} ==
    {("i8", "i8"), ("i8", "i32"), ("i32", "i32"), ("i32", "i64"), ("f32", "f32"), ("f32", "f64")}'
claim "bytes are counted as they are read and written" holds 'all(
    abs(float(r["bytes_per_s"]) * float(r["median_ns"]) / 1e9 / (50001 * (width[r["dtype"]] + width[r["result"]])) - 1) < 1e-6
    for r in ok)'
claim "each has a copy of its own, the fastest of which is 100 %" holds 'all(
    any(abs(float(r["pct_copy"]) - 100) < 1e-6 for r in ok if r["role"] == "ceiling" and (r["dtype"], r["result"]) == pair)
    for pair in {(r["dtype"], r["result"]) for r in ok})'
claim "sums of f32 in f64 are exact" holds '[float(r["max_ulps"]) for r in ok if r["result"] == "f64" and r["op"]] == [0]'
claim "a plugin that does not declare a pair is told so" holds '[(r["status"], "does not declare results of type i64 for i32"
    in r["reason"]) for r in rows if r["plugin"] == "right" and r["result"] == "i64"] == [("unsupported", True)]'
claim "what was measured is not measured again" resumed
claim "results that are not wider are refused, with those that are" \
    refuses "--results i16: no wider type of the same sort (signed, unsigned or float) as --types i32; ask for one of these, or leave the option out: i32 -> i64" --types i32 --results i16
claim "an unknown type is refused" refuses '--results: "i33" is unknown' --results i33
claim "a report tells them apart" shown
