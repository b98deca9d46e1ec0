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

# tells COLUMN CELL TEXT: docs/scans.md with another cell in that column for the padded tree, the one of the
# step before it if CELL is "another".
tells() {
    awk -F '|' -v OFS='|' -v column=" $1 " -v cell=" $2 " '
        !/^\|/ { at = 0 }
        /^\|/ && !at { for (i = 1; i <= NF; i++) if ($i == column) at = i }
        $4 == " `cuda_blelloch` " { another = $at }
        $4 == " `cuda_blelloch_bca` " { $at = cell == " another " ? another : cell }
        { print }' "$root/docs/scans.md" >"$work/altered.md"
    exits 1 "$3" python3 "$numbers" "$work/altered.md" "$root"/reports/*/*.csv
}

# renames SED TEXT: docs/scans.md changed like that, what the text says is found.
renames() {
    sed "$1" "$root/docs/scans.md" >"$work/altered.md"
    ! cmp -s "$root/docs/scans.md" "$work/altered.md" || { echo "the page has no such text" && return 1; }
    exits 1 "$2" python3 "$numbers" "$work/altered.md" "$root"/reports/*/*.csv
}

# refuses SED: of docs/scans.md changed like that, reports/gains makes no page.
refuses() {
    sed "$1" "$root/docs/scans.md" >"$work/altered.md"
    ! cmp -s "$root/docs/scans.md" "$work/altered.md" || { echo "the page has no such text" && return 1; }
    exits 1 "no CSV in reports/h200 has all of" "$root/reports/gains" "$work/altered.md"
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

plan 29
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
for column in time '% copy' 'times as fast' setting; do
    claim "there an altered $column would be seen" catches "$column" "$root/docs/scans.md" "$root"/reports/*/*.csv
done
claim "and that a step has the gain of another one" tells "times as fast" another "times as fast"
claim "and that a gain is called a loss" tells verdict loss "verdict"
# shellcheck disable=SC2016 # the backquotes are those of the page
claim "and another version of a peer" renames 's/`cuda_cub` 3\.0\.1/`cuda_cub` 3.0.2/' "another version"
claim "no table of gains has a line that was not measured" refuses 's/over cuda_blelloch_bca;/over cpu_tbb threads=3;/'
set -- "$root"/reports/h200/*.csv
claim "an altered time would be seen" catches time "$work/readme.md" "$@"
claim "an altered share of the copy would be seen" catches '% copy' "$work/readme.md" "$@"
claim "an altered margin would be seen" catches behind "$work/readme.md" "$@"
claim "an altered setting would be seen" catches setting "$work/readme.md" "$@"
for column in time GB/s '% copy' speedup; do
    claim "another plugin's $column would be seen" swaps "$column" "$@"
done
for column in own 'best %' G/s; do
    claim "an altered $column of several GPUs would be seen" catches "$column" "$root/reports/h200-x4/README.md" \
        "$root"/reports/h200-x4/*.csv
done
claim "an altered value of a formula would be seen" catches value "$root/reports/README.md" \
    "$root"/reports/*/*.csv
