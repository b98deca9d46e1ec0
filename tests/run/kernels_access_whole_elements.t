#!/bin/sh
# The CUDA kernels load and store whole elements. A compiler that cannot tell how a struct is aligned
# takes it apart into bytes; the results are right, but slow. So it is the code in PTX that is looked
# at, of every file of kernels. Nor may it take apart the stores of 16 bytes of whole rows, beside which
# the same elements are stored one by one at the ends of a tile. Of elements of 8 and 16 bits only that is asked: at
# the ends these are less than words.
# slow
# about: core/include plugins/common/cuda plugins/cuda_* plugins/modern_gpu_vt
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
cd "$root" || exit 1
nvcc=$(sed -n 's/^CMAKE_CUDA_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")

ptx() {
    "$nvcc" -std=c++17 -O3 -ptx -arch=compute_90 -I core/include -I plugins/common/cuda -I plugins/cuda_lookahead "$1" -o "$work/ptx"
}

# The accesses to memory of less than 4 bytes, less those to a kernel's parameters.
small_accesses() {
    grep -nE '(ld|st)(\.[a-z0-9_:]+)*\.[bsu](8|16)[[:space:]]' "$work/ptx" | grep -vE 'ld\.param'
}

finds_bytes() {
    cat >"$work/bytes.cu" <<'CU'
#include <cstring>
struct pair { int a, b; };
__global__ void copy(const unsigned char *in, pair *out)
{
    pair whole;
    memcpy(&whole, in + sizeof whole * threadIdx.x, sizeof whole);
    out[threadIdx.x] = whole;
}
CU
    ptx "$work/bytes.cu" && small_accesses
}

has_none() {
    ptx "$1" && grep -q '\.entry' "$work/ptx" && ! small_accesses
}

# Each kernel of whole rows has four stores of 16 bytes, and so has each of linked tiles.
stores_vectors() {
    ptx "$1" || return 1
    kernels=$(grep -c '\.entry .*rows_tile_scan' "$work/ptx")
    stores=$(grep -cE 'st\.global(\.[a-z0-9_]+)*\.v4\.' "$work/ptx")
    echo "$stores stores in $kernels kernels"
    [ "$kernels" -gt 0 ] && [ "$stores" -ge $((4 * kernels)) ]
}

files='plugins/cuda_lookback/lookback_*.cu plugins/cuda_lookahead/lookahead_*.cu plugins/cuda_cyclic/cyclic_*.cu plugins/cuda_rows/rows_*.cu plugins/cuda_single/single_kernels.cu plugins/cuda_wave/wave_kernels.cu'
# shellcheck disable=SC2046,SC2086 # patterns
set -- $(printf '%s\n' $files | grep -vE '_(narrow|halves|wide)\.cu$')
plan $(($# + 3))
if [ ! -x "$nvcc" ]; then
    skip $(($# + 3)) "this build has no CUDA compiler"
    exit 0
fi
claim "accesses to bytes are found where there are some" finds_bytes
for file in "$@"; do
    claim "$file has none" has_none "$file"
done
claim "whole rows are stored by accesses of 16 bytes" stores_vectors plugins/cuda_rows/rows_integers.cu
claim "and those of narrow elements, too" stores_vectors plugins/cuda_rows/rows_narrow.cu
