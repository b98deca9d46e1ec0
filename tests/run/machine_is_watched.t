#!/bin/sh
# What the machine did meanwhile: measured values in the columns of each row, a flag and one warning
# where it disturbed, and nothing where nothing is known.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_serial
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv
metadata=$csv-metadata.json

# sweep ARGUMENTS...: into $csv and $work/errors, which is not empty without -q.
sweep() {
    case " $* " in *" --time-limit "*) ;; *) set -- --time-limit 0.05 "$@" ;; esac
    "$scanbench" --csv "$csv" "$@" >"$work/table" 2>"$work/errors"
    status=$?
    cat "$work/errors"
    return $status
}

# on_gpu ARGUMENTS...: with the stand-in for the library, which the environment tells what to say.
on_gpu() {
    LD_LIBRARY_PATH=$build/tests/fixtures/nvml sweep --plugins "$mocks/watched.so" --sizes 1000 "$@"
}

# cells COLUMN...: of each row of a run of a plugin, separated by spaces; "-" is empty.
cells() {
    python3 - "$csv" "$@" <<'END'
import csv, sys
path, *columns = sys.argv[1:]
for row in csv.DictReader(open(path)):
    if row["phase"] == "run" and row["role"] != "calibrator":
        print(*(row[column] or "-" for column in columns))
END
}

# is TEXT COLUMN...: the only row has these cells.
is() {
    text=$1
    shift
    cells "$@"
    [ "$(cells "$@")" = "$text" ]
}

# flagged FLAG: the rows of all runs.
flagged() {
    cells flags
    ! cells flags | grep -qvE "(^|;)$1(;|\$)"
}

# warned TEXT: one line of stderr, and one entry of the metadata.
warned() {
    cat "$work/errors" "$metadata"
    [ "$(grep -c "^scanbench: warning: .*$1" "$work/errors")" -eq 1 ] &&
        python3 - "$metadata" "$1" <<'END'
import json, sys
found = [text for text in json.load(open(sys.argv[1]))["notes"][0]["warnings"] if sys.argv[2] in text]
sys.exit(len(found) != 1)
END
}

# Idle, applications clocks and sync boost are no throttling.
quiet_gpu() {
    FAKE_NVML_MHZ=1755 FAKE_NVML_CELSIUS=41 FAKE_NVML_REASONS=19 FAKE_NVML_OTHERS=0 on_gpu &&
        is "1755 41 none 0" clock_mhz gpu_temperature_c gpu_throttle gpu_processes &&
        ! flagged throttled && ! flagged gpu_shared && ! grep -q GPU "$work/errors"
}

throttled() {
    FAKE_NVML_MHZ=1200 FAKE_NVML_REASONS=68 on_gpu --set pages=0 --block-sizes 32,64 &&
        flagged throttled && [ "$(cells gpu_throttle | sort -u)" = "power_cap;thermal" ] &&
        [ "$(cells flags | wc -l)" -eq 2 ]
}

shared() {
    FAKE_NVML_OTHERS=2 on_gpu && is 2 gpu_processes && flagged gpu_shared
}

# As in a container with process numbers of its own.
strangers() {
    FAKE_NVML_OTHERS=2 FAKE_NVML_SELF=0 on_gpu && is "-" gpu_processes && ! flagged gpu_shared
}

# The library is there and knows nothing. The mock computes on the processor.
ignorant() {
    on_gpu && is "- - -" gpu_temperature_c gpu_throttle gpu_processes &&
        [ "$(cells clock_mhz)" = "$(cells cpu_mhz)" ] && ! is 999 clock_mhz
}

# A clock stands in the row only where the system measures it.
no_gpu() {
    sweep --plugins cpu_serial --sizes 1000 || return 1
    is "- - -" gpu_temperature_c gpu_throttle gpu_processes || return 1
    cells clock_mhz cpu_mhz
    [ "$(cells clock_mhz)" = "$(cells cpu_mhz)" ] || return 1
    [ -e /sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq ] ||
        grep -q aperfmperf /proc/cpuinfo || is "-" cpu_mhz
}

counted() {
    sweep --plugins cpu_serial --sizes 1000 --time-limit 2 || return 1
    cells load steal_pct involuntary_switches page_faults
    cells load steal_pct involuntary_switches page_faults |
        grep -Eqx '[0-9][0-9.e-]* [0-9][0-9.e-]* [0-9]+ [0-9]+'
}

faults() {
    on_gpu --set pages=0,16 --max-samples 20 || return 1
    cells params samples page_faults flags
    cells params samples page_faults flags | awk '
        /pages=16/ { good += $3 >= 16 * $2 && /;faults/ }
        /pages=0/ { good += $3 < 16 * $2 }
        END { exit good != 2 }'
}

# With processes that want the core of the worker, whose runs last longer than its turns.
measured_beside_others() {
    spinners=
    for _ in 1 2 3; do
        taskset -c "$1" sh -c 'while :; do :; done' &
        spinners="$spinners $!"
    done
    sweep --plugins cpu_serial --sizes 1e7 --pin 0 --time-limit 0.5
    found=$?
    # shellcheck disable=SC2086 # numbers
    kill $spinners
    return $found
}

disturbed() {
    sweep --plugins cpu_serial --sizes 1000 --pin 0 || return 1
    pu=$(cells binding | sed 's/.*pu:\([0-9]*\).*/\1/')
    for _ in 1 2 3; do
        measured_beside_others "$pu" || return 1
        cells involuntary_switches load flags
        flagged busy && [ "$(cells involuntary_switches)" -ge 3 ] && return 0
    done
    return 1
}

quiet() {
    rm -f "$csv"
    FAKE_NVML_OTHERS=2 on_gpu -q && cat "$metadata" && [ ! -s "$work/errors" ] &&
        grep -q '"warnings": \[.*gpu_shared' "$metadata"
}

plan 14
if ! command -v python3 >/dev/null 2>&1; then
    skip 14 "python3 is not installed"
    exit 0
fi
claim "clock, temperature and reasons of a GPU are in its row, and an idle one is not throttled" \
    quiet_gpu
claim "a GPU that lowers its clock has the flag and the reasons" throttled
claim "and one warning, on stderr and in the metadata" warned "lowered its clock"
claim "other processes on the GPU are counted and flagged" shared
claim "and one warning tells them" warned "other processes used the GPU"
claim "process numbers of another namespace tell nothing" strangers
claim "what the library does not tell is empty, and a nominal clock is in no row" ignorant
claim "without a GPU its columns are empty, and the clock is the processor's measured one or none" \
    no_gpu
claim "load, stolen time, switches and faults are numbers" counted
claim "page faults in the timed part are counted and flagged" faults
claim "and one warning tells them" warned "page faults"
if command -v taskset >/dev/null 2>&1; then
    claim "processes on the same core make a row busy" disturbed
    claim "and one warning tells it" warned "other programs disturbed"
else
    skip 2 "taskset is not installed"
fi
claim "-q keeps the warnings to the metadata" quiet
