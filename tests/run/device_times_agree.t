#!/bin/sh
# What `device` says of a GPU: two runs say the same of scans and copies that take microseconds, and
# of CUB's scan the same as a program that times it without scanbench.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
nvcc=$(sed -n 's/^CMAKE_CUDA_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt" 2>/dev/null)
unset SCANBENCH_PLUGIN_PATH

# device_times FILE ARGUMENTS...: runs, and writes lines "PLUGIN/N/PARAMS NANOSECONDS" to FILE.
device_times() {
    times=$1
    shift
    "$scanbench" -q --kinds exclusive --types i32 --csv "$times.csv" "$@" || return 1
    python3 - "$times.csv" >"$times" <<'TEXT'
import csv, sys
with open(sys.argv[1], newline="") as file:
    for row in csv.DictReader(file):
        if row["status"] != "ok":
            print(row["plugin"], row["n"], row["status"], row["reason"], file=sys.stderr)
        elif row["phase"] == "device":
            print(f"{row['plugin']}/{row['n']}/{row['params']}", row["median_ns"])
TEXT
    [ -s "$times" ]
}

# agree COUNT PERCENT FILE FILE: the same COUNT names in both, with times so close.
agree() {
    cat "$3"
    echo "and"
    cat "$4"
    awk -v count="$1" -v percent="$2" '
        NR == FNR { first[$1] = $2; next }
        !($1 in first) { print $1 " is in one file only"; bad++; next }
        {
            both++
            apart = 100 * ($2 - first[$1]) / first[$1]
            if (apart > percent || apart < -percent) {
                printf "%s: %.2f %% apart\n", $1, apart
                bad++
            }
        }
        END {
            if (both != count) print both + 0 " of " count " times are in both"
            exit bad > 0 || both != count
        }' "$3" "$4"
}

# The fastest of the ways to copy is told apart, so five rows: CUB and four copies.
two_runs() {
    for run in first second; do
        device_times "$work/$run" --plugins cuda_cub,cuda_memcpy --sizes 1e3 || return 1
    done
    agree 5 3 "$work/first" "$work/second"
}

independent() {
    "$nvcc" -std=c++17 -O3 -arch=native "$root/tests/fixtures/cub_times.cu" -o "$work/cub_times" ||
        return 1
    device_times "$work/plugin" --plugins cuda_cub --sizes "$1" || return 1
    # shellcheck disable=SC2046 # one word a size
    "$work/cub_times" $(echo "$1" | tr ',' ' ') | sed 's|^\([0-9]*\) |cuda_cub/\1/ |' >"$work/alone"
    agree "$2" 2 "$work/alone" "$work/plugin"
}

# in_one_of_three COMMAND...: the clock of a GPU that wakes up is not yet steady.
in_one_of_three() {
    "$@" || "$@" || "$@"
}

plan 2
why=$("$scanbench" list --plugins cuda_cub | sed -n 's/^ *unavailable: //p')
if [ -n "$why" ]; then
    skip 2 "no GPU for CUDA: $why"
elif ! command -v python3 >/dev/null; then
    skip 2 "python3 is not installed"
elif [ -z "${SCANBENCH_ALONE:-}" ]; then
    skip 2 "other tests may use the GPU now: .ci/device makes these claims"
else
    claim "two runs at n = 1000 agree within 3 % in the device's time" in_one_of_three two_runs
    claim "the time of CUB's scan is within 2 % of what a program of its own measures" \
        in_one_of_three independent 1e5,1e7,1e9 3
fi
