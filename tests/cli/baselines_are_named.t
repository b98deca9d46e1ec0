#!/bin/sh
# A baseline is a CSV under a name, where the user says: a run writes it, compare compares with it; a name that there is
# not is told with those that there are.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH SCANBENCH_BASELINES
cd "$work" && mkdir kept || exit 1

measures() { # ARGUMENTS...
    "$scanbench" -q --plugins cpu_serial --sizes 10 --min-samples 1 --max-samples 2 --time-limit 0.01 "$@"
}

in_kept() { SCANBENCH_BASELINES=$work/kept "$@"; }

has_rows() { grep -q '^1,.*,ok,' "$1" && [ -e "$1-metadata.json" ]; }

keeps_the_old_one() {
    in_kept measures --baseline-file main && [ "$(find kept -name 'main*.csv' | wc -l)" -eq 2 ]
}

lists_some() {
    mkdir "$work/many" && touch "$work/many/a.txt" || return 1
    for digit in 0 1 2 3 4 5 6 7 8 9; do touch "$work/many/b$digit.csv" "$work/many/c$digit.csv"; done
    exits 2 "choose among b0, b1, b2, b3, b4, b5, b6, b7, b8 and b9, and others" \
        env SCANBENCH_BASELINES="$work/many" "$scanbench" compare --baseline-file main here.csv
}

too_many() {
    # shellcheck disable=SC2046 # words
    exits 2 "there are more than 256 files" in_kept "$scanbench" compare --baseline-file main $(seq 256)
}

plan 26
claim "a run writes the baseline" in_kept measures --baseline-file main
claim "into the folder of the environment" has_rows kept/main.csv
claim "and nothing here" sh -c '! ls -- *.csv'
claim "without the variable it is here" measures --baseline-file here
claim "under its name" has_rows here.csv
claim "a name with a slash is a path" measures --baseline-file kept/other
claim "as it is" has_rows kept/other
claim "so is one that ends so" in_kept measures --baseline-file path.csv
claim "whatever the folder" has_rows path.csv
claim "compare takes the baseline first" exits 0 "$work/kept/main.csv -> here.csv" in_kept "$scanbench" compare --baseline-file main here.csv
claim "with a path too" exits 0 "path.csv -> here.csv" "$scanbench" compare here.csv --baseline-file path.csv
"$scanbench" -q --plugins cpu_serial --sizes 10 --max-samples 2 --time-limit 0.01 --baseline-file=-x
claim "a name may begin with a dash" exits 0 "-x.csv -> here.csv" "$scanbench" compare here.csv --baseline-file=-x
claim "a name that there is not is told, with those that there are" \
    exits 2 "there is no $work/kept/mian.csv; choose among main" in_kept "$scanbench" compare --baseline-file mian here.csv
rm -- *.csv
claim "the first ten of many" lists_some
claim "one file more than fit is refused" too_many
claim "or that there is none" exits 2 "and no other; a run with this option makes it" "$scanbench" compare --baseline-file main kept/main.csv
claim "and a path" exits 2 "no.csv: there is no such file" "$scanbench" compare --baseline-file no.csv kept/main.csv
claim "a folder that is not there is told by both" \
    exits 2 "SCANBENCH_BASELINES is none" env SCANBENCH_BASELINES=none "$scanbench" --plugins cpu_serial --baseline-file main
claim "a name that no path can be is refused" exits 2 "the name is too long" measures --baseline-file "$(printf '%05000d' 0)"
claim "--help comes first" exits 0 "scanbench compare" "$scanbench" compare --baseline-file '' --help
claim "an empty name is refused" exits 2 "this is empty" measures --baseline-file ''
claim "a run has one place for its rows" exits 2 "leave one out" measures --baseline-file main --csv x.csv
claim "compare of plugins has no files" exits 2 "leave it or --in-run out" \
    "$scanbench" compare --in-run --baseline-file main cpu_serial cpu_serial
claim "a baseline alone is not compared" exits 2 "two files of results" in_kept "$scanbench" compare --baseline-file main
claim "nor overwritten by JSON" exits 2 "would overwrite" in_kept "$scanbench" compare --baseline-file main kept/other --json kept/main.csv
claim "another run keeps the old one beside it" keeps_the_old_one
