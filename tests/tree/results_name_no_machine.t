#!/bin/sh
# Committed results name plugins relative to the repository: an absolute path is of one machine.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"

all_relative() {
    ! git -C "$root" grep -nE '"file": "/' -- '*-metadata.json' | cut -c 1-120 | grep .
}

# names FILE: a run in this folder writes that it found the plugin there.
names() {
    SCANBENCH_PLUGIN_PATH=$work "$build/scanbench" -q --plugins cpu_serial --sizes 10 --max-samples 3 \
        --csv here.csv && grep -F "\"file\": \"$1\"" here.csv-metadata.json
}

# A plugin below the folder where a run is started is named from there, others by their whole path.
seen_from_here() {
    cp "$build/plugins/cpu_serial.so" "$work/" && mkdir -p "$work/elsewhere" && cd "$work" || return 1
    names cpu_serial.so && cd elsewhere && names "$work/cpu_serial.so"
}

build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
plan 2
claim "metadata hold no absolute path of a plugin" all_relative
claim "a run names plugins as seen from its folder" seen_from_here
