#!/bin/sh
# The ceiling of CPU plugins copies everything, in each way and on one thread and two, where a copy
# is cut into slices and where chunks are dealt out: a timed copy is compared in full before and after.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_memcpy
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv

# copies SIZES WAYS THREADS: every row of `run` is ok and verified, and there are as many as ROWS.
copies() {
    rows=$1
    shift
    "$scanbench" -q --plugins cpu_memcpy --types i8,i32,u32x2 --ops sum,affine --sizes "$1" --set "way=$2" \
        --set "threads=$3" --time-limit 0.002 --csv "$csv" || return 1
    python3 - "$csv" "$rows" <<'END'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1])) if r["phase"] == "run" and r["role"] != "calibrator"]
bad = [r for r in rows if r["status"] != "ok" or r["verified"] != "1"]
for r in bad:
    print(r["dtype"], r["n"], r["params"], r["status"], r["reason"])
print(len(rows), "rows")
sys.exit(bool(bad) or len(rows) != int(sys.argv[2]))
END
}

ways=0
[ "$(uname -m)" != x86_64 ] || ways=0,1,2,3,4,5
count=$(printf '%s\n' "$ways" | tr , '\n' | wc -l)

plan 3
claim "one thread copies everything" \
    copies $((15 * count)) 0,1,1048577,2097152,2097153 "$ways" 1
if [ "$(nproc)" -ge 2 ]; then
    claim "two threads copy everything in slices" \
        copies $((12 * count)) 0,32767,32769,1000003 "$ways" 2
    claim "two threads copy everything in chunks" \
        copies $((9 * count)) 2097152,2097153,2228225 "$ways" 2
else
    skip 2 "one core"
fi
