#!/bin/sh
# A kernel without a barrier passes on PoCL, which says so; the installed check-kernels finds it on a
# simulator, and finds nothing in a right one.
# slow
# about: core/include plugins/common/opencl plugins/opencl_* tools *CMakeLists.txt
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
. "$(dirname -- "$0")/../lib/plugin.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
prefix="$work/a prefix"
check="$prefix/lib/scanbench/check-kernels"
common="$prefix/share/scanbench/common/opencl"
unset SCANBENCH_PLUGIN_PATH
cd "$root" || exit 1

# builds ID: $work/ID/ID.c as $work/ID.so, by the guide's command.
builds() {
    cc -O3 -shared -fPIC -fvisibility=hidden -I "$prefix/include" -I "$common" \
        "$work/$1/$1.c" "$common"/*.c -lOpenCL -o "$work/$1.so"
}

# The template without the barrier that lets all be written before one is read.
without_barrier() {
    source_of races opencl && grep -q 'barrier.*all are written' "$work/races/races.c" &&
        sed -i '/barrier.*all are written/d' "$work/races/races.c" && builds races &&
        source_of right opencl && builds right
}

# proves ID: with all that a missing barrier may change here; its output in $work/proof.
proves() {
    "$prefix/bin/scanbench" validate "$work/$1.so" --claims exports,sizes \
        --types i32 --max-n 2000 >"$work/proof" 2>&1
    status=$?
    cat "$work/proof"
    return $status
}

on_pocl() {
    "$prefix/bin/scanbench" list --plugins "$work/right.so" | grep -q 'on \(pthread\|cpu\).*Portable Computing'
}

says_so() {
    proves right && grep -q '^# not tested: barriers .*check-kernels' "$work/proof"
}

# A plugin that needs no barrier is not told of any.
silent_elsewhere() {
    "$prefix/bin/scanbench" validate cpu_serial --claims exports >"$work/proof" &&
        ! grep -i barrier "$work/proof"
}

# On a device that says it is a CPU.
refused_setting() {
    "$check" opencl_rows -- --sizes 17 --types i32 --ops sum --set block=16
}

checks() {
    "$check" "$work/$1.so" -- --sizes 17 --types i32 --ops sum --kinds inclusive --set block=16
}

plan 10
claim "the build installs" cmake --install "$build" --prefix "$prefix"
claim "a plugin on the CPU is told nothing of barriers" silent_elsewhere
if [ ! -e "$build/plugins/template_opencl.so" ]; then
    skip 8 "this build has no OpenCL"
    exit 0
fi
claim "check-kernels is installed, and says how it is called" exits 0 "usage: check-kernels" "$check" --help
claim "without a plugin it says so" exits 2 "which plugins?" "$check"
claim "a kernel without a barrier builds, and one with it" without_barrier
if on_pocl; then
    claim "on PoCL the proof says that barriers are not tested" says_so
else
    skip 1 "OpenCL runs on something else than PoCL"
fi
if command -v oclgrind >/dev/null 2>&1; then
    claim "check-kernels finds nothing in the kernel that is right" checks right
    claim "and the barrier that is missing in the other" exits 1 "data race" checks races
    claim "of a setting that is refused it says that nothing was run" exits 1 "and nothing was run" refused_setting
    skip 1 "oclgrind is installed"
else
    skip 3 "oclgrind is not installed"
    claim "without oclgrind check-kernels says what to install" exits 3 "apt install oclgrind" \
        checks right
fi
