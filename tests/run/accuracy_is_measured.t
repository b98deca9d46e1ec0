#!/bin/sh
# max_ulps: in rows of floats and of no other type; what --set accurate=1 makes of it; a plugin that does not keep what
# that promises gets a row that says so.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_chained plugins/cpu_serial plugins/cpu_simd reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH
cd "$work" || exit 1

# Of 600,001 elements, which cpu_chained deals out to threads where there are two cores.
measured() {
    "$scanbench" --plugins "cpu_serial,cpu_simd,cpu_chained,$mocks/accurate_in_tiles.so" --types i32,f32,f64 --ops sum,max \
        --sizes 600001 --set accurate=0,1 --time-limit 0.1 --csv rows.csv --quiet 2>err
    [ $? -eq 1 ]
}

# holds CLAIM: an expression of Python about `rows`, those of the run; a row's `accurate` is "", "0" or "1".
holds() {
    python3 - "$1" <<'PYTHON'
import csv, sys
rows = [r for r in csv.DictReader(open("rows.csv")) if r["phase"] == "run" and r["role"] != "calibrator"]
for r in rows:
    r["accurate"] = dict(p.split("=") for p in r["params"].split(";") if p).get("accurate", "")
    print("#", *(r[c] for c in "plugin dtype op accurate status max_ulps max_rel_error reason".split()))
ok = [r for r in rows if r["status"] == "ok"]
assert ok
sys.exit(not eval(f"({sys.argv[1]})"))
PYTHON
}

plan 9
claim "a run in which a promise is broken fails" measured
claim "rows of floats have the error, those of integers do not" \
    holds 'all((r["max_ulps"] != "") == (r["dtype"][0] == "f") for r in ok)'
claim "maxima have none" holds 'all(float(r["max_ulps"]) == 0 for r in ok if r["dtype"][0] == "f" and r["op"] == "max")'
sums='[r for r in ok if r["dtype"][0] == "f" and r["op"] == "sum"]'
claim "sums are off by many units in the last place" \
    holds "all(float(r['max_ulps']) > 10 for r in $sums if r['accurate'] in ('', '0'))"
claim "by half a one where f32 is added in f64" \
    holds "[float(r['max_ulps']) for r in $sums if r['accurate'] == '1'] == [0.5, 0.5]"
claim "what f64 cannot keep is refused, what is exact is not" \
    holds 'all(r["status"] == ("unsupported" if (r["dtype"], r["op"]) == ("f64", "sum") else "ok")
               for r in rows if r["accurate"] == "1" and r["plugin"] != "accurate_in_tiles")'
claim "a carry that is rounded breaks the promise" \
    holds '[(r["status"], "within one unit in the last place" in r["reason"]) for r in rows
            if r["plugin"] == "accurate_in_tiles" and r["accurate"] == "1" and r["dtype"] == "f32" and r["op"] == "sum"]
           == [("wrong", True)]'
told() {
    "$scanbench" report rows.csv | tee told
    grep -q "Speed against accuracy at n = 600001" told
}
tuned() {
    "$scanbench" tune cpu_simd --types f32 --sizes 1e4 --set way=1 --set isa=0 --time-limit 0.1 --csv tuned.csv --quiet
    cat tuned.csv
    grep -q "accurate=0" tuned.csv && ! grep -q "accurate=1" tuned.csv
}
claim "a race is run in the usual setting" tuned
claim "the report holds speed against accuracy" told
