#!/bin/sh
# A machine without MPI builds everything else: the plugins that need MPI are listed as not built, with the
# reason, and asking for them is an unavailable row, not a failure.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
unset SCANBENCH_PLUGIN_PATH
without=$work/without

configures() {
    cmake -S "$root" -B "$without" -DCMAKE_CUDA_COMPILER= -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON -DSCANBENCH_TESTS=OFF
}

builds_none() {
    grep -rq cpu_serial.so "$without/plugins" && ! grep -r mpi_scan.so "$without/plugins"
}

# The program beside what that configuration would build.
lists() {
    cp "$build/scanbench" "$build/plugins/cpu_serial.so" "$without" && mv "$without/cpu_serial.so" "$without/plugins" &&
        "$without/scanbench" list >"$work/list" 2>&1
    cat "$work/list"
    for id in mpi_scan mpi_copy; do
        grep -A 1 "not built: no MPI found; install libopenmpi-dev and openmpi-bin" "$work/list" | grep -qw "$id" || return 1
    done
}

has_rows() {
    "$without/scanbench" -q --plugins 'mpi_scan,cpu_serial' --sizes 10 --time-limit 0.02 --csv "$work/rows.csv"
    found=$?
    cut -d, -f5,20,21 "$work/rows.csv"
    [ $found = 0 ] && grep -q ',mpi_scan,.*,unavailable,"*not built: no MPI found' "$work/rows.csv" &&
        grep -q ',cpu_serial,.*,run,ok,' "$work/rows.csv"
}

plan 4
claim "without MPI, configuring succeeds" configures
claim "and builds nothing that needs MPI" builds_none
claim "the plugins that need it are listed with the reason" lists
claim "their rows are unavailable, and the sweep goes on" has_rows
