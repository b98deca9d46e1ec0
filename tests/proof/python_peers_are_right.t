#!/bin/sh
# The program's plugins in Python are proved where what they import is there, and are unavailable, with the
# reason, where it is not.
# slow
# about: core harness plugins/numpy_cumsum
set -u
. "$(dirname -- "$0")/../lib/python_plugins.sh"

plan_with_python 3

# A package's absence, which a folder in front of the others fakes.
missing() {
    mkdir -p "$work/path" && echo 'raise ImportError("no module named numpy")' >"$work/path/numpy.py" &&
        PYTHONPATH=$work/path "$scanbench" --plugins numpy_cumsum --sizes 10 --csv "$work/rows.csv" >"$work/said" 2>&1
    cat "$work/said" "$work/rows.csv"
    grep -q ',numpy_cumsum,.*,run,unavailable,"\{0,1\}ImportError: no module named numpy' "$work/rows.csv"
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

claim "numpy_cumsum is unavailable where NumPy is missing, and says so" missing
if python3 -c 'import numpy' 2>/dev/null; then
    claim "it is proved where NumPy is there" proved
    claim "and right in each of its types, in rows and along an axis" all_types
else
    skip 2 "there is no NumPy"
fi
