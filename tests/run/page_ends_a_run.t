#!/bin/sh
# `scanbench run --page` and `scanbench report -o`: the page is written, and mistakes are found before
# anything is measured or overwritten. What the page shows is in tests/page.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
scanbench=${SCANBENCH_BUILD:-$root/build}/scanbench
unset SCANBENCH_PLUGIN_PATH
cd "$work" || exit 1

measure() { # ARGUMENTS...
    "$scanbench" --plugins cpu_serial --sizes 1e3 --time-limit 0.01 "$@"
}

page_of_a_run() {
    exits 0 "page.html shows the results" measure --csv out.csv --page page.html &&
        grep -q '"plugin":"cpu_serial"' page.html && grep -q '</html>' page.html
}

quiet_says_nothing_of_it() {
    measure -q --csv out.csv --page quiet.html 2>log && ! grep -q 'quiet.html' log && [ -s quiet.html ]
}

mistake_comes_first() {
    exits 2 "none/page.html: cannot be created: No such file or directory" measure --csv late.csv --page none/page.html &&
        [ ! -e late.csv ]
}

csv_is_kept() {
    cp out.csv before.csv && exits 2 "would overwrite" "$scanbench" report out.csv -o out.csv && cmp before.csv out.csv
}

page_of_a_file() {
    "$scanbench" report out.csv -o - >stdout.html && grep -q '</html>' stdout.html
}

plan 7
claim "a run with --page ends with a page of its rows" page_of_a_run
claim "--quiet does not speak of it" quiet_says_nothing_of_it
claim "without --csv there is nothing to make it of" exits 2 "--page needs --csv FILE" measure --page page.html
claim "page and CSV are two files" exits 2 "--csv and --page would both write same" measure --csv same --page same
claim "a page that cannot be written is found before anything is measured" mistake_comes_first
claim "report writes a page to stdout" page_of_a_file
claim "report does not overwrite the CSV" csv_is_kept
