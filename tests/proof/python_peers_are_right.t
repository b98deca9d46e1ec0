#!/bin/sh
# The program's plugins in Python are proved where what they import is there, and are unavailable, with the
# reason, where it is not.
# slow
# about: core harness plugins/numpy_cumsum plugins/torch_cumsum plugins/cupy_cumsum plugins/jax_cumsum plugins/numba_scan plugins/triton_scan
set -u
. "$(dirname -- "$0")/../lib/python_plugins.sh"

plan_with_python 13

# missing PLUGIN PACKAGE: its absence, which a folder in front of the others fakes.
missing() {
    mkdir -p "$work/$1" && echo "raise ImportError('no module named $2')" >"$work/$1/$2.py" &&
        PYTHONPATH=$work/$1 "$scanbench" --plugins "$1" --sizes 10 --csv "$work/$1.csv" >"$work/said" 2>&1
    cat "$work/said" "$work/$1.csv"
    grep -q ",$1,.*,run,unavailable,\"\{0,1\}ImportError: no module named $2" "$work/$1.csv"
}

# proved_there PLUGIN PACKAGE: in its types of 32 bits, if there are a GPU and the package.
proved_there() {
    if [ -e /dev/nvidiactl ] && python3 -c "import $2" 2>/dev/null; then
        claim "$1 is proved on this GPU" exits 0 'is right in rows' "$scanbench" validate "$1" --types i32,f32 --max-n 20000
    else
        skip 1 "there is no GPU, or no $2"
    fi
}

proved() {
    "$scanbench" validate numpy_cumsum --types i32,f32,i8 --max-n 20000 >"$work/proof" 2>&1
    found=$?
    cat "$work/proof"
    [ $found = 0 ] && grep -q '^ok .* - numpy_cumsum is right in rows' "$work/proof" && ! grep -q '^not ok' "$work/proof"
}

all_types() {
    "$scanbench" -q --plugins numpy_cumsum --sizes 0,1000 --rows 3 --inner 2 --ops sum,max,min --kinds exclusive,inclusive \
        --types all --results same,wide --time-limit 0.02 --overwrite --csv "$work/all.csv"
    cat "$work/all.csv"
    for type in i8 u8 i16 u16 i32 u32 i64 u64 f16 f32 f64; do
        for op in sum max min; do
            [ $type$op != f16sum ] || continue
            grep -q ",numpy_cumsum,.*,exclusive,$op,$type,1000,.*,run,ok," "$work/all.csv" || return 1
        done
    done
    ! grep -q ',run,\(wrong\|error\|crashed\),' "$work/all.csv"
}

claim "numpy_cumsum is unavailable where NumPy is missing, and says so" missing numpy_cumsum numpy
if python3 -c 'import numpy' 2>/dev/null; then
    claim "it is proved where NumPy is there" proved
    claim "and right in each of its types, in rows and along an axis" all_types
else
    skip 2 "there is no NumPy"
fi
while read -r plugin package; do
    claim "$plugin is unavailable where $package is missing, and says so" missing "$plugin" "$package"
    proved_there "$plugin" "$package"
done <<END
torch_cumsum torch
cupy_cumsum cupy
jax_cumsum jax
numba_scan numba
triton_scan triton
END
