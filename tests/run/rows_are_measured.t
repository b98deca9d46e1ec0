#!/bin/sh
# --rows, --inner and --elements: every form of output says the shape, rates count all elements, and
# a file goes on where it was interrupted.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_memcpy plugins/cpu_serial plugins/cpu_simd reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH
cd "$work" || exit 1

# sweep FILE ARGUMENTS...
sweep() {
    csv=$1
    shift
    "$scanbench" --plugins "cpu_serial,cpu_memcpy,$mocks/right.so" --set threads=1 --pin none --time-limit 0.1 \
        --csv "$csv" "$@" >table 2>err
}

# cells FILE COLUMN...: of its rows of the run.
cells() {
    file=$1
    shift
    awk -F, -v wanted="$*" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 && $at["phase"] == "run" && $at["role"] != "calibrator" {
            line = ""
            for (i = 1; i <= split(wanted, columns, " "); i++) line = line (i > 1 ? " " : "") $at[columns[i]]
            print line
        }' "$file"
}

shapes() {
    sweep rows.csv --sizes 10,1000 --rows 7,30 --inner 1,3 --json rows.jsonl --samples samples.csv --resume
    cat err
    cells rows.csv plugin n rows inner status | sort -u | tee found
    for n in 10 1000; do
        for rows in 7 30; do
            for inner in 1 3; do
                echo "cpu_memcpy $n $rows $inner ok"
                echo "cpu_serial $n $rows $inner ok"
                echo "right $n $rows $inner unsupported"
            done
        done
    done | sort >expected
    cmp found expected
}
# Of 7 rows of 1000, three side by side, 168,000 bytes are read and written.
rates() {
    cells rows.csv plugin n rows inner median_ns elems_per_s bytes_per_s | grep '^cpu_serial 1000 7 3 ' | tee found
    awk '{ off = $6 * $5 / (21000 * 1e9); bytes = $7 * $5 / (168000 * 1e9); good = off > 0.999 && off < 1.001 && bytes > 0.999 && bytes < 1.001 }
        END { exit !good }' found
}
tells() { cat table && grep -qx "n = 1,000, rows = 30, inner = 3" table && grep -qx "n = 10, rows = 7" table; }
lists() {
    "$scanbench" list -v --plugins "cpu_serial,$mocks/rows_f64_carry_on.so,$mocks/right.so" | grep ' flags ' | tee found
    [ "$(sed 's/ *flags *//' found)" = "in place, rows, inner > 1
rows" ]
}
refusal() { cells rows.csv plugin reason | grep -q "^right right does not take rows (SCAN_FLAG_ROWS)"; }
inner_refusal() { cells rows.csv plugin reason | grep -q "^right right does not take inner > 1 (SCAN_FLAG_INNER)"; }
other_forms() {
    grep -q '"plugin": *"cpu_serial".*"rows": *30, *"inner": *3' rows.jsonl &&
        head -n 1 samples.csv | grep -q ',rows,inner,result$' &&
        grep -q '^1,.*,cpu_serial,.*,30,3,i32$' samples.csv
}
# Nothing is measured twice, and what is missing is measured.
goes_on() {
    cp rows.csv whole.csv
    grep -v ',1000,.*,30,3,[^,]*,i32$' whole.csv >rows.csv
    sweep rows.csv --sizes 10,1000 --rows 7,30 --inner 1,3 --resume
    cat err
    cells rows.csv plugin n rows inner status | sort -u >found
    cmp found expected && grep -q "configurations: .*kept" err
}
as_many_rows() {
    sweep elements.csv --sizes 8,100,3000,2e5 --elements 1e5 --dry-run
    sort -u table | sed -n 's/^cpu_serial i32 sum exclusive //p' | sort >found
    cat found
    printf '%s\n' "n=100 rows=1000" "n=200000" "n=3000 rows=33" "n=8 rows=12500" >expected2
    cmp found expected2
}
both() { exits 2 "leave out --rows" "$scanbench" --rows 2 --elements 1e5 --sizes 10; }
none() { exits 2 "0 is too small" "$scanbench" --rows 0 --sizes 10 && exits 2 "0 is too small" "$scanbench" --elements 0 --sizes 10; }
several() { exits 2 "write one number" "$scanbench" --elements 10,20 --sizes 10; }
empty() {
    sweep empty.csv --sizes 0 --rows 1e12
    cells empty.csv plugin status | grep -qx "cpu_serial ok"
}
too_many() {
    sweep many.csv --sizes 2^40 --rows 2^30
    cells many.csv plugin status | grep -qx "cpu_serial skipped" && grep -q "is past 64 bits" many.csv
}
compares() {
    "$scanbench" compare --in-run cpu_serial cpu_memcpy --rows 20 --inner 2 --sizes 100 --time-limit 0.1 | tee found
    grep -q " 20x100x2 " found
}
repeats() {
    "$scanbench" validate "$mocks/rows_carry_on.so" --claims rows --max-n 1000 >found
    cat found
    command=$(sed -n "s/^ *repeat: '.*scanbench \(validate .*\)'$/\1/p" found | head -n 1)
    [ -n "$command" ] && grep -q "first at index 0 of row 1: got" found || return 1
    # shellcheck disable=SC2086 # several words
    "$scanbench" $command | grep -q "^not ok 1 - rows_carry_on i32 sum is right as given"
}

plan 16
claim "rows of each shape say it, in the CSV" shapes
claim "rates count the elements of all rows" rates
claim "the table says the shape" tells
claim "list -v says who takes rows, and who scans along any axis" lists
claim "a plugin that takes no rows says so" refusal
claim "and one that takes no others side by side" inner_refusal
claim "JSON and samples have the shape" other_forms
claim "--resume keeps rows by their shape" goes_on
claim "--elements makes as many rows as are about so many elements" as_many_rows
claim "but not beside --rows" both
claim "there is at least one row" none
claim "--elements is one number" several
claim "many rows without elements take no time" empty
claim "more elements than 64 bits count are a row with that reason" too_many
claim "compare --in-run shows the shape" compares
claim "a failed claim about rows can be repeated alone" repeats
