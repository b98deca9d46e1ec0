#!/bin/sh
# A plugin in Python whose arrays lie in a GPU's memory: the worker lends it by IPC handles, copies and
# compares; the driver's functions are those of tests/fixtures/cuda, on the host.
# slow
# about: core harness tests/fixtures/python tests/fixtures/cuda
set -u
. "$(dirname -- "$0")/../lib/python_plugins.sh"
files=$root/tests/fixtures/python
unset SCANBENCH_PYTHON VIRTUAL_ENV
export LD_LIBRARY_PATH="$build/tests/fixtures/cuda"

plan_with_python 12

# sweep FILE ARGUMENTS...: its rows are in $work/rows.csv.
sweep() {
    file=$1
    shift
    env "$gpu" "$scanbench" -q --plugins "$file" --types u32 --overwrite --csv "$work/rows.csv" --time-limit 0.05 "$@" >"$work/said" 2>&1
    cat "$work/said" "$work/rows.csv"
}

gpu=CUDA_ON_HOST=whole

# gives TEXT FILE ARGUMENTS...: the row of run has that text.
gives() {
    text=$1
    shift
    sweep "$@"
    grep ',run,' "$work/rows.csv" | grep -qF -- "$text"
}

listed() {
    "$scanbench" list --plugins "$files/on_gpu.py" >"$work/list"
    cat "$work/list"
    grep -q '^on CUDA on the host (CUDA driver 13.0)' "$work/list" && grep -q 'on_gpu .*algorithm .*cuda' "$work/list"
}

proved() {
    "$scanbench" validate "$files/on_gpu.py" --types i8,u32x2 --max-n 2000 >"$work/proof" 2>&1
    found=$?
    cat "$work/proof"
    [ $found = 0 ] && grep -q '^ok .* - on_gpu is right in results wider than the input' "$work/proof"
}

# Copies have times of their own, and the time of the device is about that of the host, in other samples.
measured() {
    sweep "$files/on_gpu.py" --sizes 1000 --rows 2
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { ns[$at["phase"]] = $at["min_ns"] }
        END { exit !(ns["device"] > ns["run"] / 4 && ns["device"] < 2 * ns["run"] && ns["h2d"] > 0 && ns["d2h"] > 0) }' "$work/rows.csv"
}

unknown() {
    printf 'ARRAYS = "pillow"\nSCANS = {"sum": "u32"}\n' >"$work/unknown.py"
    gives "ValueError: ARRAYS is 'pillow', expected one of torch, cupy, numba, jax, cuda" "$work/unknown.py" --sizes 10
}

# on GPU...: what gives says on such a GPU.
on() {
    gpu=$1
    shift
    gives "$@"
    found=$?
    gpu=CUDA_ON_HOST=whole
    return $found
}

# The driver's file is there, but no library.
no_driver() {
    mkdir -p "$work/broken" && : >"$work/broken/libcuda.so.1" &&
        LD_LIBRARY_PATH=$work/broken gives ',unavailable,no NVIDIA driver is there: ' "$files/on_gpu.py" --sizes 10
}

claim "it is listed with the GPU" listed
claim "it is proved, with guards around its arrays" proved
claim "it is measured in rows, by the host and the GPU" measured
claim "it runs with cold caches" gives ',run,ok,' "$files/on_gpu.py" --sizes 1000 --cache cold
claim "an array that run returns becomes the output" gives ',run,ok,' "$files/returns_array.py" --sizes 1000
claim "unless it has another type" gives 'ValueError: run returned an array with typestr <i4, expected <u4' \
    "$files/returns_array.py" --sizes 1000 --set wrong=1
claim "arrays of an unknown library are told" unknown
claim "without a driver it is unavailable" no_driver
claim "and without a GPU, in the driver's words" \
    on CUDA_ON_HOST=absent ',unavailable,cuInit: no CUDA-capable device is detected (CUDA_ERROR_NO_DEVICE)' \
    "$files/on_gpu.py" --sizes 10
claim "and where memory cannot be handed to another process" \
    on CUDA_ON_HOST=alone ',unavailable,memory cannot be lent to Python: cuIpcGetMemHandle: operation not supported' \
    "$files/on_gpu.py" --sizes 10
claim "arrays that the GPU has no room for are skipped" \
    on CUDA_ON_HOST_BYTES=20000000 'of device memory, CUDA on the host has 19.1 MiB' "$files/on_gpu.py" --sizes 1e7
claim "no interpreter is left" nobody_runs '[o]n_gpu.py'
