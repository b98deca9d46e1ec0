#!/bin/sh
# A plugin that works in place only says so in its rows, is held against a pass in place over the same
# bytes, and is ranked by itself.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_memcpy plugins/cpu_serial plugins/cpu_simd reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
only=$mocks/in_place_only.so
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv

# sweep PLUGINS ARGUMENTS...
sweep() {
    plugins=$1
    shift
    "$scanbench" --plugins "$plugins" --sizes 20000 --time-limit 0.1 --set threads=1 --csv "$csv" "$@" \
        >"$work/table" 2>"$work/err"
}

# cells PLUGIN COLUMN...: of its rows of the run, separated by spaces; "-" where a cell is empty.
cells() {
    name=$1
    shift
    awk -F, -v name="$name" -v wanted="$*" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR > 1 && $at["plugin"] == name && $at["phase"] == "run" {
            line = ""
            for (i = 1; i <= split(wanted, columns, " "); i++)
                line = line (i > 1 ? " " : "") ($at[columns[i]] == "" ? "-" : $at[columns[i]])
            print line
        }' "$csv"
}

says_in_place() {
    sweep "cpu_serial,cpu_memcpy,$only,$root/README.md" || true
    cat "$csv"
    [ "$(cells in_place_only in_place)" = 1 ] && [ "$(cells cpu_serial in_place)" = 0 ] &&
        [ "$(cells cpu_in_place in_place | sort -u)" = 1 ] &&
        [ "$(cells cpu_memcpy in_place | sort -u)" = 0 ] && grep -q ',README.md,.*,exclusive,,1,,,1,1,' "$csv" &&
        head -n 1 "$csv" | grep -q ',in_place,'
}

# held_against PLUGIN CEILING: the plugin's pct_copy is 100 times the ceiling's least time over its
# own, as the medians stand in the rows.
held_against() {
    cells "$1" median_ns pct_copy >"$work/own"
    cells "$2" median_ns | sort -g | head -n 1 >"$work/least"
    cat "$work/own" "$work/least"
    paste -d ' ' "$work/own" "$work/least" |
        awk '{ found = 1; off = $2 * $1 / (100 * $3); exit !(off > 0.999 && off < 1.001) } END { if (!found) exit 1 }'
}

# One after another, ratios are those of the medians.
each_has_its_own() {
    sweep "cpu_serial,cpu_memcpy,$only" --order sequential &&
        held_against in_place_only cpu_in_place && held_against cpu_serial cpu_memcpy
}

resumed() {
    sweep "cpu_serial,cpu_memcpy,cpu_in_place" --order sequential &&
        sweep "cpu_serial,cpu_memcpy,cpu_in_place,$only" --order sequential --resume &&
        held_against in_place_only cpu_in_place
}

# The copy does not bound it.
no_ceiling() {
    sweep "cpu_serial,cpu_memcpy,$only,!cpu_in_place" && [ "$(cells in_place_only pct_copy flags | cut -c1)" = - ] &&
        [ "$(cells cpu_serial pct_copy)" != - ]
}

# Each problem of the closing table has its own winner, and no row of the other placement.
ranked() {
    sweep "cpu_serial,cpu_memcpy,cpu_simd,$only,$mocks/in_place_only_too.so" || return 1
    cat "$work/table"
    awk '/^i32 sum/ { block = $0 ~ /in place/ ? "in place" : "apart" }
        /^\* [a-z]/ && NF > 4 { winners[block]++ }
        / in_place_only| cpu_in_place/ && block != "in place" { wrong = 1 }
        / cpu_serial| cpu_memcpy/ && block == "in place" { wrong = 1 }
        END { exit !(winners["apart"] == 1 && winners["in place"] == 1 && !wrong) }' "$work/table" &&
        grep -q '^in place: the input is lost' "$work/table"
}

reported() {
    sweep "cpu_serial,cpu_memcpy,cpu_simd,$only" || return 1
    "$scanbench" report "$csv" >"$work/report" && "$scanbench" report "$csv" --markdown >"$work/markdown" &&
        "$scanbench" report "$csv" -o "$work/page.html" || return 1
    cat "$work/report"
    sed -n '/sum, processor, in place$/,/^$/p' "$work/report" >"$work/heading"
    sed -n '/sum, processor$/,/sum, processor, in place$/p' "$work/report" >"$work/apart"
    [ -s "$work/heading" ] && [ -s "$work/apart" ] && ! grep -q in_place_only "$work/apart" &&
        grep -q 'in_place_only.*fastest' "$work/report" && grep -q 'processor, in place' "$work/markdown" &&
        grep -q '"inPlace":true' "$work/page.html" && grep -q '"place":"processor, in place"' "$work/page.html"
}

# Nor does a claim mix them up.
claimed() {
    cat >"$work/claims.recipe" <<'RECIPE'
title   Ceilings
measure --plugins cpu_memcpy

claim   The copy is the ceiling.
expect  best(role=ceiling) / best(cpu_memcpy) >= 1
claim   That in place is, where it is asked for.
expect  best(role=ceiling, in_place=1) / best(cpu_in_place) >= 1
claim   Scans in place do not compete, unless they are named.
expect  best() / best(cpu_serial) >= 1
expect  best(in_place_only) > 1 ns
RECIPE
    sweep "cpu_serial,cpu_memcpy,$only" || return 1
    exits 0 "" "$scanbench" report --claims "$work/claims.recipe" "$csv" && ! grep -qi 'does not hold\|cannot be' "$work/output"
}

# joins PLUGINS COUNT: how many configurations of the ceiling in place are planned.
joins() {
    "$scanbench" --dry-run --plugins "$1" --sizes 1000 --set threads=1 >"$work/plan" 2>/dev/null
    found=$(grep -c 'cpu_in_place' "$work/plan")
    echo "$found configurations"
    [ "$found" = "$2" ]
}

plan 14
claim "a row says whether it is in place" says_in_place
claim "the ceiling of each is of its own kind" each_has_its_own
claim "also in another run" resumed
claim "a copy bounds no scan in place" no_ceiling
claim "the closing table ranks them apart" ranked
claim "so do the report, its Markdown and its page" reported
claim "claims do not mix them up" claimed
claim "the ceiling in place comes with the copy and a plugin in place" joins "cpu_memcpy,$only" 3
claim "with all, too" joins "all,!cuda_*,!opencl_*,$only" 3
claim "not with others" joins "all" 0
claim "not without the copy" joins "$only" 0
claim "and where it is named" joins cpu_in_place 3
claim "a ceiling in place that does nothing is wrong" exits 1 "elements are wrong" "$scanbench" -q \
    --plugins "$mocks/in_place_ceiling_idle.so" --sizes 1000 --csv -
claim "the ceilings are proved" exits 0 "cpu_in_place: right in" "$scanbench" validate cpu_in_place \
    --max-n 20000 --types i32,f64
