#!/bin/sh
# Committed results name plugins relative to the repository: an absolute path is of one machine.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"

all_relative() {
    ! git -C "$root" grep -nE '"file": "/' -- '*-metadata.json' | cut -c 1-120 | grep .
}

# A plugin below the folder where a run is started is named from there, others by their whole path.
seen_from_here() {
    cp "$build/plugins/cpu_serial.so" "$work/" && cd "$work" || return 1
    "$build/scanbench" -q --plugins ./cpu_serial.so --sizes 10 --max-samples 3 --csv here.csv &&
        grep -F '"file": "cpu_serial.so"' here.csv-metadata.json || return 1
    mkdir -p elsewhere && cd elsewhere || return 1
    "$build/scanbench" -q --plugins ../cpu_serial.so --sizes 10 --max-samples 3 --csv here.csv &&
        grep -F "\"file\": \"$(cd .. && pwd -P)/cpu_serial.so\"" here.csv-metadata.json
}

build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
plan 2
claim "metadata hold no absolute path of a plugin" all_relative
claim "a run names plugins as seen from its folder" seen_from_here
