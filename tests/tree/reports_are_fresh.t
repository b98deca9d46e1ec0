#!/bin/sh
# What is told of the committed CSVs is written by reports/generate, and is no older than they are;
# every number in its tables, in the README's and in those of docs/scans.md, is found in one of them.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
numbers=$root/tests/lib/numbers.py

# The README's table alone: others show what a terminal would.
sed -n '/<!-- results: begin/,/<!-- results: end/p' "$root/README.md" >"$work/readme.md"

# catches COLUMN PAGE CSV...: with a 9 before the numbers of that column no CSV has them.
catches() {
    awk -F '|' -v OFS='|' -v column=" $1 " '
        !/^\|/ { at = 0 }
        /^\|/ && !header { for (i = 1; i <= NF; i++) if ($i == column) at = i }
        { header = /^\|/ }
        at && $at ~ /[0-9]/ && match($at, /[0-9]/) { $at = substr($at, 1, RSTART - 1) "9" substr($at, RSTART) }
        { print }' "$2" >"$work/altered.md"
    shift
    ! cmp -s "$1" "$work/altered.md" || { echo "the page has no such column" && return 1; }
    shift
    ! python3 "$numbers" "$work/altered.md" "$@"
}

# swaps COLUMN CSV...: with that cell of two neighbours in the README's table each other's place. Both
# numbers are measured, but of another plugin.
swaps() {
    awk -F '|' -v OFS='|' -v column=" $1 " '
        !/^\|/ { at = 0 }
        /^\|/ && !at { for (i = 1; i <= NF; i++) if ($i == column) at = i }
        at && /cuda_doublebuffer/ { first = $0; kept = $at; next }
        at && kept != "" { moved = $at; $at = kept; last = $0; $0 = first; $at = moved; print; $0 = last; kept = "" }
        { print }' "$work/readme.md" >"$work/altered.md"
    shift
    [ "$(wc -l <"$work/altered.md")" -eq "$(wc -l <"$work/readme.md")" ] || { echo "a line was lost" && return 1; }
    ! cmp -s "$work/readme.md" "$work/altered.md" && ! python3 "$numbers" "$work/altered.md" "$@"
}

# A line of docs/scans.md says of what was measured that it was not.
measured_after_all() {
    sed 's/^\(| h200 | 1e8 | .cuda_blelloch_bca. |\).*\(| .cuda_blelloch. |\)$/\1  | not measured yet |  |  |  \2/' \
        "$root/docs/scans.md" >"$work/altered.md"
    exits 1 "is measured" python3 "$numbers" "$work/altered.md" "$root"/reports/*/*.csv
}

# A line of docs/scans.md has the gain of another one.
exchanged_gains() {
    awk -F '|' -v OFS='|' '
        $4 == " `cuda_doublebuffer` " { gain = $8 }
        $4 == " `cuda_blelloch_bca` " { $8 = gain }
        { print }' "$root/docs/scans.md" >"$work/altered.md"
    exits 1 "gain" python3 "$numbers" "$work/altered.md" "$root"/reports/*/*.csv
}

each_recipe_is_measured() {
    for recipe in "$root"/reports/recipes/*.recipe; do
        grep -q '^measure ' "$recipe" || { echo "$recipe has no line measure" && return 1; }
    done
    for csv in "$root"/reports/*/*.csv; do
        name=$(basename "$csv" .csv)
        [ -e "$root/reports/recipes/$name.recipe" ] || { echo "no recipe measures $csv" && return 1; }
    done
}

plan 22
claim "reports/generate would write what is there" "$root/reports/generate" --check
claim "each CSV has a recipe, and each recipe says what to measure" each_recipe_is_measured
claim "the README's table is measured" python3 "$numbers" "$work/readme.md" "$root"/reports/h200/*.csv
claim "reports/README.md is measured" \
    python3 "$numbers" "$root/reports/README.md" "$root"/reports/*/*.csv
for folder in "$root"/reports/*/README.md; do
    folder=$(dirname "$folder")
    claim "reports/$(basename "$folder")/README.md is measured" \
        python3 "$numbers" "$folder/README.md" "$folder"/*.csv
done
claim "docs/scans.md is measured" python3 "$numbers" "$root/docs/scans.md" "$root"/reports/*/*.csv
for column in time '% copy' gain setting; do
    claim "there an altered $column would be seen" catches "$column" "$root/docs/scans.md" "$root"/reports/*/*.csv
done
claim "and that a step was measured after all" measured_after_all
claim "and that a step has the gain of another one" exchanged_gains
set -- "$root"/reports/h200/*.csv
claim "an altered time would be seen" catches time "$work/readme.md" "$@"
claim "an altered share of the copy would be seen" catches '% copy' "$work/readme.md" "$@"
claim "an altered margin would be seen" catches behind "$work/readme.md" "$@"
claim "an altered setting would be seen" catches setting "$work/readme.md" "$@"
for column in time GB/s '% copy' speedup; do
    claim "another plugin's $column would be seen" swaps "$column" "$@"
done
claim "an altered value of a formula would be seen" catches value "$root/reports/README.md" \
    "$root"/reports/*/*.csv
