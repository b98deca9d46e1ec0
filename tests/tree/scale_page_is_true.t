#!/bin/sh
# docs/scale.md: it is what reports/scale prints, with the commands behind its picture, and its model reproduces the measured rows within the error
# that it states.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
scale=$root/reports/scale
points=$root/reports/h200-x4

is_printed() {
    "$scale" >"$work/page" && "$root/reports/commands.py" "$work/page" >"$work/whole" &&
        cat -s "$work/whole" | diff -u "$root/docs/scale.md" -
}

# The error of each line of the measured table, and the one that the page states.
errors_of() { awk -F '|' '/^\| k \|/ { on = 1 } !/^\|/ { on = 0 } on && $8 ~ /%/ { e = $8 + 0; print e < 0 ? -e : e }' "$1"; }
stated_in() { sed -n 's/.*No point is further than \([0-9.]*\) % from the model.*/\1/p' "$1"; }

error_is_stated() {
    "$scale" >"$work/page" || return 1
    worst=$(errors_of "$work/page" | sort -g | tail -1)
    lines=$(errors_of "$work/page" | wc -l)
    [ "$lines" -gt 10 ] || { echo "only $lines points" && return 1; }
    awk -v worst="$worst" -v stated="$(stated_in "$work/page")" 'BEGIN {
        if (worst != stated) print "worst " worst ", stated " stated
        exit worst != stated || !(stated <= 5) }'
}

# Rows of an exact model: launches of 5 and 3 µs, 4 and 5 TB/s, 1 µs a peer. As in a CSV of scanbench, there are others too.
exact_rows() {
    echo "plugin,role,backend,dtype,op,kind,n,cache,phase,status,median_ns,layout,parts"
    awk 'function put(layout, k, n, us) {
            printf "p,algorithm,cuda,i32,sum,exclusive,%.0f,hot,device,ok,%.6f,%s,%s\n", n * k, us * 1000, layout, k == 1 ? "" : k
            printf "p,algorithm,cuda,i32,sum,exclusive,%.0f,hot,run,ok,%.6f,%s,%s\n", n * k, us * 9000, layout, k == 1 ? "" : k }
        BEGIN { for (n = 1000000; n <= 1000000000; n *= 10) for (k = 1; k <= 4; k *= 2) {
            us = 5 + 8 * n / 4e6 + (k - 1)
            put(k > 1 ? "cyclic" : "", k, n, us)
            if (k > 1) put("contiguous", k, n, us + 3 + 4 * n / 5e6) }
            print "q,algorithm,cuda,i32,sum,exclusive,2000000,hot,device,ok,99000,cyclic,2"
            print "q,ceiling,cuda,i32,,,2000000,hot,device,ok,10,cyclic,2"
            print "q,algorithm,cuda,i64,sum,exclusive,2000000,hot,device,ok,10,cyclic,2"
            print "q,algorithm,cuda,i32,max,exclusive,2000000,hot,device,ok,10,cyclic,2"
            print "q,algorithm,cuda,i32,sum,exclusive,2000000,hot,device,wrong,,cyclic,2"
            print "q,algorithm,cpu,i32,sum,exclusive,2000000,hot,device,ok,10,cyclic,2"
            print "q,algorithm,cuda,i32,sum,exclusive,2000,hot,device,ok,10,cyclic,2" }'
}

constants_are_found() {
    exact_rows >"$work/exact.csv"
    "$scale" "$work/exact.csv" >"$work/page" || return 1
    for line in '| launch | 5.0 µs |' '| bandwidth | 4.00 TB/s |' '| second | 3.0 µs |' \
        '| read | 5.00 TB/s |' '| peer | 1.00 µs |' 'over the 20 points' 'further than 0.0 %'; do
        grep -qF -- "$line" "$work/page" || { echo "the page does not say: $line" && return 1; }
    done
}

# A slower pass in the rows makes another page, and its errors are told.
rows_are_used() {
    exact_rows | awk -F, -v OFS=, '$12 == "contiguous" && $13 == 4 { $11 *= 1.5 } { print }' >"$work/slower.csv"
    "$scale" "$work/slower.csv" >"$work/page" || return 1
    ! cmp -s "$work/page" "$root/docs/scale.md" && awk -v e="$(stated_in "$work/page")" 'BEGIN { exit !(e > 10) }'
}

files_are_one() {
    exact_rows >"$work/exact.csv"
    "$scale" "$work/exact.csv" >"$work/one"
    for k in '' 2 4; do
        awk -F, -v k="$k" 'NR == 1 || $13 == k' "$work/exact.csv" >"$work/exact_$k.csv"
    done
    "$scale" "$work"/exact_*.csv | diff "$work/one" -
}

too_few_rows() {
    exits 1 "too few rows" "$scale" "$points/parts_1.csv" && exits 1 "no exclusive sum" "$scale" "$root/reports/cpu-2-cores/sweep.csv"
}

unknown_name() {
    mkdir -p "$work/tree/reports/h200-x4"
    cp "$scale" "$work/tree/reports"
    cp "$points"/parts_*.csv "$work/tree/reports/h200-x4"
    echo 'a {{colour}}' >"$work/tree/reports/scale.in.md"
    exits 1 "asks for colour" "$work/tree/reports/scale"
}

plan 7
claim "docs/scale.md is what reports/scale prints" is_printed
claim "the model reproduces every point within the stated error, 5 % at most" error_is_stated
claim "from rows of an exact model it finds the constants, and leaves other rows out" constants_are_found
claim "other rows make another page" rows_are_used
claim "several files are read as one" files_are_one
claim "too few rows, or none that is meant, are an error" too_few_rows
claim "a name that is no value is an error" unknown_name
