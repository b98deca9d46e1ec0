#!/bin/sh
# A file of Python is a plugin: it is listed, proved, measured, tuned and compared like any other. Where
# it cannot be loaded, its row says why. Nothing here needs NumPy.
# slow
# about: core harness tests/fixtures/python
set -u
. "$(dirname -- "$0")/../lib/python_plugins.sh"
files=$root/tests/fixtures/python
unset SCANBENCH_PYTHON VIRTUAL_ENV

plan_with_python 13

# sweep PLUGINS ARGUMENTS...: its rows are in $work/rows.csv.
sweep() {
    list=$1
    shift
    "$scanbench" -q --plugins "$list" --overwrite --csv "$work/rows.csv" --time-limit 0.05 "$@"
}

# has STATUS COUNT: so many rows of a run have the status, and no others are there.
has() {
    grep -v ',calibrator,' "$work/rows.csv" | grep -c ',run,' >"$work/all"
    cat "$work/rows.csv" "$work/all"
    [ "$(grep -v ',calibrator,' "$work/rows.csv" | grep -c ",run,$1,")" = "$2" ] && grep -qx "$2" "$work/all"
}

listed() {
    "$scanbench" list -v --plugins "$files/right.py" >"$work/list"
    cat "$work/list"
    grep -q 'right .*algorithm .*cpu .*A scan of each row, right in every way.' "$work/list" &&
        grep -q 'i8 -> i32' "$work/list" && grep -q 'bridge  *a call of Python takes at least [0-9.]* us' "$work/list" && grep -q 'step .*one row after the other' "$work/list"
}

proved() {
    "$scanbench" validate "$files/right.py" --types u32,i8,u32x2 --max-n 2000 >"$work/proof" 2>&1
    found=$?
    cat "$work/proof"
    [ $found = 0 ] && grep -q '^ok .* - right u32 sum is right on ones' "$work/proof" &&
        ! grep -q '^ok .* right.py is a complete shared object' "$work/proof"
}

all_types() {
    sweep "$files/right.py" --sizes 0,1,1000 --ops sum,min,affine --kinds exclusive,inclusive --types u32,f64,i8,u32x2 --results wide,same &&
        grep -q ',i8,.*,i32$' "$work/rows.csv" && ! grep -v ',ok,\|,unsupported,\|,skipped,\|,status,' "$work/rows.csv"
}

rows() {
    sweep "$files/right.py" --sizes 100 --rows 7 --types u32 --set step=1,2 && has ok 2
}

refused() {
    sweep "$files/right.py" --sizes 100 --types f64 --set step=1,2
    has ok 1 || [ "$(grep -c ',run,unsupported,step 2 is for integers,' "$work/rows.csv")" = 1 ]
}

# Its time is that of other runs.
compiled() {
    sweep "$files/compiles_in_run.py,$files/right.py" --sizes 10 --types u32
    cat "$work/rows.csv"
    grep -q ',compiles_in_run,.*,run,ok,.*[,;]slow_first_run[,;]' "$work/rows.csv" && ! grep -q ',right,.*slow_first_run' "$work/rows.csv" &&
        awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
            $at["plugin"] == "compiles_in_run" && $at["phase"] == "run" { good = $at["max_ns"] < 1e8 } END { exit !good }' "$work/rows.csv"
}

tuned() {
    exits 0 'step' "$scanbench" tune "$files/right.py" --sizes 100 --types u32 --time-limit 0.05
}

compared() {
    "$scanbench" compare --in-run "$files/right.py:right" cpu_serial --sizes 1000 --types u32 --time-limit 0.1 \
        >"$work/compared" 2>&1
    found=$?
    cat "$work/compared"
    [ $found -le 1 ] && grep -q 'right' "$work/compared"
}

# A module whose name begins with _ is for others.
in_a_folder() {
    mkdir "$work/folder" && cp "$files/right.py" "$work/folder/mine.py" && echo 'raise OSError' >"$work/folder/_mine.py" &&
        SCANBENCH_PLUGIN_PATH=$work/folder "$scanbench" list --words plugins >"$work/words" && cat "$work/words" &&
        grep -q '^mine' "$work/words" && ! grep -q _mine "$work/words"
}

unavailable() {
    sweep "$files/missing.py" --sizes 100
    has unavailable 1 && grep -qF "ModuleNotFoundError: No module named 'scanbench_has_no_such_package' (missing.py:3" "$work/rows.csv" &&
        grep -qF 'install it, or name an interpreter that has it with --python' "$work/rows.csv"
}

# A program that only says that it was called, and becomes python3.
# shellcheck disable=SC2016 # for that program to expand
chosen() {
    mkdir -p "$work/env/bin" && printf '#!/bin/sh\necho "$0" >>%s\nexec python3 "$@"\n' "$work/called" >"$work/env/bin/python3" &&
        chmod +x "$work/env/bin/python3" && VIRTUAL_ENV=$work/env sweep "$files/right.py" --sizes 10 --types u32 &&
        grep -q env/bin/python3 "$work/called" && rm "$work/called" &&
        sweep "$files/right.py" --sizes 10 --types u32 --python "$work/env/bin/python3" && grep -q env/bin/python3 "$work/called"
}

claim "a file of Python is listed with what it declares" listed
claim "it is proved" proved
claim "it is measured in every type, operator and kind that it declares" all_types
claim "in rows, and at each setting" rows
claim "what it refuses is told in its words" refused
claim "a first run that compiles is flagged, and not timed" compiled
claim "it is tuned" tuned
claim "and compared in one run" compared
claim "files of Python are found in folders of plugins" in_a_folder
claim "a package that is missing makes it unavailable, in the words of the import" unavailable
claim "what it declares is checked" exits 1 'its SCANS has "u23", which is unknown' sweep "$files/unknown.py" --sizes 10
claim "an interpreter that is missing makes it unavailable" exits 0 "no_such_python: No such file or directory" \
    "$scanbench" list --plugins "$files/right.py" --python ./no_such_python
claim "the virtual environment's interpreter is taken, or that of --python" chosen
