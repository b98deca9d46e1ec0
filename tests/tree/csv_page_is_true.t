#!/bin/sh
# docs/csv.md: its tables of columns are those that the program prints, which come from the one
# table that the CSV and its metadata are made from.
# shellcheck disable=SC2016 # the backquotes are those of the page
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
tool=$root/tools/csv_columns

# stale SED TEXT: a page changed like that is refused, and named.
stale() {
    sed "$1" "$root/docs/csv.md" >"$work/page.md"
    cmp -s "$root/docs/csv.md" "$work/page.md" && return 1
    exits 1 "$2" "$tool" --check "$work/page.md"
}

mends() {
    sed '/^| `median_ns`/d' "$root/docs/csv.md" >"$work/page.md"
    "$tool" "$work/page.md" && cmp "$root/docs/csv.md" "$work/page.md"
}

# No flag of the table is one that no source has.
flags() {
    sed -n '/^### Flags/,/^## /s/^| `\([a-z_]*\).*/\1/p' "$root/docs/csv.md" | sort >"$work/told"
    while read -r flag; do
        grep -rqF "\"$flag" "$root/harness" --include='*.[ch]' || { echo "no source has $flag" && return 1; }
    done <"$work/told"
    [ "$(wc -l <"$work/told")" -ge 14 ]
}

# The header has the columns of all tables.
header() {
    "$build/scanbench" -q --plugins cpu_serial --sizes 1 --max-samples 1 --csv - | head -n 1 | tr , '\n' |
        sort >"$work/header"
    sed -n '/^<!-- columns/,/^<!-- end/s/^| `\([a-z0-9_]*\)` .*/\1/p' "$root/docs/csv.md" | sort | diff - "$work/header"
}

plan 7
claim "the tables are those that the program prints" "$tool" --check
claim "a changed meaning is found" stale '/^| `median_ns`/s/quote/forget/' "is stale"
claim "so is a missing column" stale '/^| `vt`/d' "is stale"
claim "and a renamed heading" stale 's/^### Rates/### Rate/' "no columns under: ### Rate"
claim "the tool mends the page" mends
claim "the header has the columns of the tables, each once" header
claim "every flag of the page is one that rows have" flags
