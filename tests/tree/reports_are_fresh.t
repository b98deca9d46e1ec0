#!/bin/sh
# What is told of the committed CSVs is written by reports/generate, and is no older than they are.
# slow
set -u
. "$(dirname -- "$0")/../lib/tap.sh"

# refuses SED: of docs/scans.md changed like that, reports/gains makes no page.
refuses() {
    sed "$1" "$root/docs/scans.md" >"$work/altered.md"
    ! cmp -s "$root/docs/scans.md" "$work/altered.md" || { echo "the page has no such text" && return 1; }
    exits 1 "no CSV in reports/h200 has all of" "$root/reports/gains" "$work/altered.md"
}

# Somebody measured what he liked: the command stands in the metadata, which say that it measured all.
was_handed_in() { grep -q '"complete": true' "$1-metadata.json" && grep -q '"argv"' "$1-metadata.json"; }

each_recipe_is_measured() {
    for recipe in "$root"/reports/recipes/*.recipe; do
        grep -q '^measure ' "$recipe" || { echo "$recipe has no line measure" && return 1; }
    done
    for csv in "$root"/reports/*/*.csv; do
        name=$(basename "$csv" .csv)
        [ -e "$root/reports/recipes/$name.recipe" ] || was_handed_in "$csv" ||
            { echo "no recipe measures $csv" && return 1; }
    done
}

# What is not built here for want of a CUDA compiler may be missing, with its tunables.
each_recipe_is_understood() {
    for recipe in "$root"/reports/recipes/*.recipe; do
        SCANBENCH_ARGS=--dry-run "$root/reports/measure" "$work/dry" "$recipe" >"$work/said" 2>&1 ||
            grep -qE 'no plugin matches|has such a tunable' "$work/said" || { cat "$work/said" && return 1; }
    done
}

export SCANBENCH_BUILD="${SCANBENCH_BUILD:-$root/build}"
plan 5
claim "reports/generate would write what is there" "$root/reports/generate" --check
claim "without a build reports/generate says so at once" exits 2 "this tree is not built" \
    env SCANBENCH_BUILD="$work/none" "$root/reports/generate" --check
claim "each CSV has a recipe, unless somebody handed it in, and each recipe says what to measure" each_recipe_is_measured
claim "scanbench understands the arguments of each recipe" each_recipe_is_understood
claim "no table of gains has a line that was not measured" refuses 's/over cuda_blelloch_bca;/over cpu_tbb threads=3;/'
