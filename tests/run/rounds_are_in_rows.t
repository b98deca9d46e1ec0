#!/bin/sh
# The rows have the values of their rounds, as --samples tells them, and what the closing table says of
# ratios and ties follows from them.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_chained plugins/cpu_memcpy plugins/cpu_serial plugins/cpu_simd reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv
samples=$work/samples.csv
table=$work/table

sweep() {
    "$scanbench" --csv "$csv" --samples "$samples" --overwrite --plugins cpu_serial,cpu_simd,cpu_chained,cpu_memcpy \
        --set way=0 --set threads=1 --time-limit 0.2 "$@" >"$table" 2>"$work/log" || { cat "$work/log" && return 1; }
}

# rows CLAIM...: of rounds_in_rows.py, about these files.
rows() { python3 "$root/tests/lib/rounds_in_rows.py" "$@" "$csv" "$samples" "$table"; }

either_kind() { sweep --sizes 1e3,3e5 --ops sum,max --kinds any --cache hot,cold; }
sequential() { sweep --sizes 1e3 --order sequential && rows alone && rows samples; }
few() { sweep --sizes 1e3 --min-samples 3 --max-samples 3 && rows samples && rows unknown; }

# A plugin whose visits are too long for each round leaves places empty.
slow() {
    "$scanbench" --csv "$csv" --samples "$samples" --overwrite --sizes 1000 --set us=5000 --time-limit 0.03 \
        --plugins "cpu_serial,$build/tests/fixtures/plugins/known_time.so" >"$table" 2>"$work/log" &&
        rows samples && rows gaps
}

plan 9
claim "a sweep over sizes writes rows and samples" sweep --sizes 1e3,1e5,1e6
claim "each round's value is the median of its samples" rows samples
claim "speedups and shares of the copy are those of the rounds" rows ratios
claim "the closing table marks what is tied, and nothing else, by the ratios of the rounds" rows ties
claim "a sweep of several operators, either kind and both caches writes them, too" either_kind
claim "whose rounds are those of the samples, and whose ratios follow" rows samples ratios
claim "one after the other, each configuration has a group of its own, and nothing is tied" sequential
claim "with rounds too few for an interval it is not known who is tied" few
claim "a round without a value keeps its place" slow
