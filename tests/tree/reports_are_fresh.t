#!/bin/sh
# What is told of the committed CSVs is written by reports/generate, and is no older than they are;
# every number in its tables, and in the README's, is found in one of them.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
numbers=$root/tests/lib/numbers.py

# The README's table alone: others show what a terminal would.
sed -n '/<!-- results: begin/,/<!-- results: end/p' "$root/README.md" >"$work/readme.md"

# catches OLD NEW PAGE CSV...: with NEW in the place of OLD the page has a number that no CSV has.
catches() {
    sed "s|$1|$2|" "$3" >"$work/altered.md"
    shift 2
    ! cmp -s "$1" "$work/altered.md" || { echo "the page does not have it" && return 1; }
    shift
    ! python3 "$numbers" "$work/altered.md" "$@"
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

plan 11
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
set -- "$root"/reports/h200/*.csv
claim "an altered time would be seen" catches '| 272 µs |' '| 282 µs |' "$work/readme.md" "$@"
claim "an altered share of the copy would be seen" catches '| 73.5 |' '| 74.5 |' "$work/readme.md" "$@"
claim "an altered margin would be seen" catches '10.5 %' '18.5 %' "$work/readme.md" "$@"
claim "an altered setting would be seen" catches 'vt=16' 'vt=19' "$work/readme.md" "$@"
claim "an altered value of a formula would be seen" catches '| 1.58 |' '| 1.68 |' \
    "$root/reports/README.md" "$@" "$root"/reports/cpu-2-cores/*.csv
