#!/bin/sh
# libscan_cuda.a as it is installed: a project in C finds it, and the examples, which are such a
# project, build and scan. Without a GPU the examples say so.
set -u

. "$(dirname -- "$0")/../lib/tap.sh"
. "$(dirname -- "$0")/../lib/plugin.sh"
build=${SCANBENCH_BUILD:-$root/build}
prefix="$work/a prefix"
nvcc=$(sed -n 's/^CMAKE_CUDA_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")

installs() {
    cmake --install "$build/plugins/cuda_scan" --prefix "$prefix" --component cuda &&
        cp -r "$prefix/share/doc/scanbench/examples/scan_cuda" "$work/example"
}

# stands_alone COMPILER LANGUAGE STANDARD: the header needs nothing but CUDA's.
stands_alone() {
    echo '#include "scan_cuda.h"' >"$work/alone.$1"
    "$1" -x "$2" -std="$3" -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I "$prefix/include" \
        -isystem "$(dirname -- "$nvcc")/../include" "$work/alone.$1"
}

builds() {
    rm -rf "$work/example/build"
    PATH=$PATH:$(dirname -- "$nvcc") cmake_builds example "$@"
}

# Of one element, few and many, whose last sum is their number.
sums() {
    if ! has_gpu; then
        exits 1 "cudaMallocManaged: " "$work/example/build/running_sum"
        return
    fi
    for n in 1 1000 50000 1000001 20000003; do
        [ "$("$work/example/build/running_sum" "$n")" = "$n" ] || return 1
    done
}

# Rows that a block holds, longer ones, and other axes.
cumsums() {
    if ! has_gpu; then
        exits 1 "cudaMalloc: " "$work/example/build/cumsum"
        return
    fi
    for shape in "1024 4096 1" "3 1 1" "7 100003 1" "2 10000000 1" "1000000 3 1" "5 1000 7" "1 1000000 2"; do
        # shellcheck disable=SC2086 # three words
        [ "$("$work/example/build/cumsum" $shape)" = 0 ] || { echo "$shape" && return 1; }
    done
}

has_gpu() { ls /dev/nvidia[0-9]* >/dev/null 2>&1; }

plan 8
if [ ! -e "$build/plugins/cuda_scan/libscan_cuda.a" ]; then
    skip 8 "this build has no CUDA"
    exit 0
fi
claim "the library, its header and its example are installed" installs
claim "the header stands alone in C" stands_alone cc c c11
claim "the header stands alone in C++" stands_alone c++ c++ c++17
claim "a project in C finds the library and builds" builds
claim "its program sums, or says that there is no GPU" sums
claim "another sums along axes, or says that there is no GPU" cumsums
claim "it builds with the shared CUDA runtime" builds -Dscan_cuda_RUNTIME=CUDA::cudart
mv "$prefix" "$work/moved"
prefix=$work/moved
claim "moved elsewhere, the library is found and builds" builds
