#!/bin/sh
# The time of a report grows as the number of rows does, whatever it is that they differ by.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH

"$scanbench" -q --plugins cpu_serial --sizes 1000 --min-samples 1 --max-samples 2 --time-limit 0.01 \
    --csv "$work/base.csv" || exit 1

# grows COLUMN: processor time of 32000 rows that differ by it over that of 4000; where each row is
# compared with all before it, that is 64.
grows() {
    python3 - "$scanbench" "$work" "$1" <<'PYTHON'
import csv
import os
import subprocess
import sys

scanbench, work, column = sys.argv[1:]
FEW, TIMES, TRIES, MOST = 4000, 8, 3, 24
WORDS = {"phase": "kernel:k%d", "n": "%d", "params": "a=%d"}
with open(work + "/base.csv", newline="", encoding="utf-8") as file:
    header, *rows = csv.reader(file)
row = next(r for r in rows if r[header.index("phase")] == "run")
at = header.index(column)


def seconds(count):
    path = f"{work}/{column}.csv"
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerow(row)
        for i in range(1, count):
            one = list(row)
            one[header.index("backend")] = "cuda" if column == "device" else "cpu"
            one[at] = WORDS.get(column, "a%d") % i
            out.writerow(one)
    best = None
    for _ in range(TRIES):
        before = os.times()
        subprocess.run([scanbench, "report", path], check=True, stdout=subprocess.DEVNULL)
        after = os.times()
        took = after.children_user - before.children_user
        best = took if best is None or took < best else best
    return max(best, 0.01)


few, many = seconds(FEW), seconds(FEW * TIMES)
print(f"{FEW} rows: {few:.3f} s, {FEW * TIMES}: {many:.3f} s")
sys.exit(many > MOST * few)
PYTHON
}

plan 5
if command -v python3 >/dev/null 2>&1; then
    for column in device phase plugin n params; do
        claim "rows that differ by $column" grows "$column"
    done
else
    skip 5 "python3 is not installed"
fi
