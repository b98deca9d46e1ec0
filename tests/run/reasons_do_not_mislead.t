#!/bin/sh
# What surroundings lack is named as what it is: a cache, /dev/null, folders of plugins. A driver that is
# there and not registered is found.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
right=$build/tests/fixtures/plugins/right.so
unset SCANBENCH_PLUGIN_PATH OCL_ICD_VENDORS OCL_ICD_FILENAMES OPENCL_VENDOR_PATH

pocl_is_alone() {
    "$scanbench" list --plugins opencl_copy >"$work/opencl" 2>&1 || return 1
    grep '^on ' "$work/opencl" | grep -q 'Portable Computing Language' &&
        ! "$scanbench" list --plugins opencl_copy --device all | grep -q NVIDIA
}

# A folder cannot be made below a file, not even by root.
no_cache() {
    : >"$work/file"
    exits 0 "PoCL cannot write its cache $work/file/cache: Not a directory; set POCL_CACHE_DIR" \
        env POCL_CACHE_DIR="$work/file/cache" "$scanbench" list --plugins opencl_copy || return 1
    ! grep 'install a driver' "$work/output" || return 1
    exits 0 "PoCL cannot write its cache $work/file/.cache/pocl/kcache" env -u POCL_CACHE_DIR \
        -u XDG_CACHE_HOME HOME="$work/file" "$scanbench" list --plugins opencl_copy
}

# Without a call of the plugin that could be blamed. The row says so, too.
no_null() {
    # shellcheck disable=SC2016 # it is the inner shell's
    unshare -rm sh -c 'mount -t tmpfs none /dev && exec "$@"' - "$scanbench" -q --plugins "$right" \
        --sizes 10 --csv - >"$work/null.csv" 2>"$work/null.err"
    cat "$work/null.csv" "$work/null.err"
    grep -q ',run,error,.*cannot start a worker for .*/right.so: opening /dev/null: No such file' "$work/null.csv"
}

# Each of them, in one warning, and those that are there are taken.
no_folders() {
    mkdir "$work/there" && cp "$right" "$work/there/" || return 1
    SCANBENCH_PLUGIN_PATH=$work/one:$work/two:$work/there::$work/three "$scanbench" list -v \
        --plugins right >"$work/folders" 2>&1 || return 1
    cat "$work/folders"
    [ "$(grep -c 'warning' "$work/folders")" = 1 ] &&
        grep -q "warning: SCANBENCH_PLUGIN_PATH names $work/one: No such file or directory, $work/two: No such file or directory, $work/three: No such file or directory; ignored" "$work/folders" &&
        grep -qx "      file       $work/there/right.so" "$work/folders"
}

# A stand-in for NVIDIA's library, which no file in /etc/OpenCL/vendors names.
found() {
    LD_LIBRARY_PATH=$build/tests/fixtures/icd TMPDIR=$work/temporary "$scanbench" list \
        --plugins opencl_copy >"$work/found" 2>&1 || return 1
    cat "$work/found"
    grep -q '^on Stand-in GPU (NVIDIA CUDA' "$work/found" &&
        grep -q '^on .*Portable Computing Language' "$work/found" && left_nothing
}

left_nothing() {
    ls -A "$work/temporary"
    [ -z "$(ls -A "$work/temporary")" ]
}

# Whoever names what is to be loaded has chosen.
not_forced() {
    LD_LIBRARY_PATH=$build/tests/fixtures/icd OCL_ICD_VENDORS=/etc/OpenCL/vendors "$scanbench" list \
        --plugins opencl_copy >"$work/chosen" 2>&1 || return 1
    cat "$work/chosen"
    ! grep 'Stand-in' "$work/chosen"
}

mkdir "$work/temporary"
plan 5
if pocl_is_alone; then
    claim "a cache that PoCL cannot write is named, and no driver is asked for" no_cache
else
    skip 1 "PoCL is not the only OpenCL, or not there"
fi
if unshare -rm true 2>/dev/null; then
    claim "a missing /dev/null is named" no_null
else
    skip 1 "no name space can be made here"
fi
claim "all folders that SCANBENCH_PLUGIN_PATH names and that are not there are named" no_folders
if pocl_is_alone && [ -e "$build/tests/fixtures/icd/libnvidia-opencl.so.1" ] &&
    ! grep -qs nvidia /etc/OpenCL/vendors/*.icd; then
    claim "NVIDIA's OpenCL is found where only PoCL is registered, beside it; no file stays" found
    claim "but not where the registered ones are chosen by a variable" not_forced
else
    skip 2 "PoCL is not the only OpenCL that is registered, or a header is missing"
fi
