#!/bin/sh
# Devices and requirements that nothing has are mistakes, a full disk behind stdout is told, and
# nothing is bound outside the mask that taskset sets.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_memcpy plugins/cpu_serial reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
right=$build/tests/fixtures/plugins/right.so
unset SCANBENCH_PLUGIN_PATH

# full OPTION...: with stdout on a full disk.
full() {
    status=0
    "$scanbench" "$@" 2>"$work/errors" >/dev/full || status=$?
    cat "$work/errors"
    [ "$status" -eq 2 ] && grep -q 'cannot be written' "$work/errors"
}

bound() {
    cpu=$(taskset -pc $$ | sed 's/.*: \([0-9]*\).*/\1/')
    taskset -c "$cpu" "$scanbench" -q --plugins "$right",cpu_memcpy --sizes 100 --max-samples 2 \
        --csv "$work/bound.csv" || return 1
    cut -d, -f 5,40 "$work/bound.csv"
    ! grep ',run,ok,' "$work/bound.csv" | grep -v "pu:$cpu node"
}

outside() {
    last=$(taskset -pc $$ | sed 's/.*[ ,-]\([0-9]*\)$/\1/')
    first=$(taskset -pc $$ | sed 's/.*: \([0-9]*\).*/\1/')
    exits 2 "taskset or a container leaves" taskset -c "$first" "$scanbench" --plugins "$right" \
        --pin "$last" --sizes 10 --csv -
}

# Files whose plugins have ids of their own.
many() {
    mkdir "$work/many"
    for i in $(seq 100 499); do
        # shellcheck disable=SC2016 # it is perl's
        ID=r$i perl -0pe 's/^right\0$/$ENV{ID}\0\0/' "$right" >"$work/many/r$i.so" || return 1
    done
    (
        # shellcheck disable=SC3045 # every shell there is has -n
        ulimit -n 1024 && "$scanbench" list --plugins "$work/many" >"$work/list" 2>&1
    )
    grep -c '^  r[0-9]* ' "$work/list" | grep -qx 400 || return 1
    ! grep 'Too many open files' "$work/list" | head -n 3 | grep .
}

# A short file takes little memory.
little_memory() (
    # shellcheck disable=SC3045 # every shell there is has -v
    ulimit -v 600000 && exits 0 "exclusive i32" "$scanbench" report "$work/rows.csv"
)

cut_metadata() {
    head -c 300 "$work/rows.csv-metadata.json" >"$work/cut" && mv "$work/cut" "$work/rows.csv-metadata.json" &&
        exits 0 "cut short; these metadata are ignored" "$scanbench" report "$work/rows.csv"
}

# report says on stderr that it cannot read the metadata, and there it cannot either.
reports_without_stderr() {
    rm -f "$work/rows.csv-metadata.json" && mkdir "$work/rows.csv-metadata.json" &&
        "$scanbench" report "$work/rows.csv" 2>/dev/full >"$work/report" && grep -q '^exclusive' "$work/report"
}

full_once() {
    full "$@" && [ "$(wc -l <"$work/errors")" -eq 1 ]
}

plan 19
claim "a backend in other letters is a mistake" exits 2 "did you mean opencl?" "$scanbench" list --device OpenCL:5
claim "so is one that is not" exits 2 "no plugin has the backend 'gpu'" "$scanbench" list --device gpu:1
claim "and no device" exits 2 "this is empty" "$scanbench" list --device ''
claim "an empty requirement is a mistake" exits 2 "this is empty" "$scanbench" list --require ''
claim "so is an empty item" exits 2 "an item is empty" "$scanbench" list --require ,
claim "an unknown requirement has a suggestion" exits 3 "did you mean cpu_serial?" \
    "$scanbench" list --require cpu_seral
claim "--help to a full disk" full --help
claim "-V to a full disk" full -V
claim "list to a full disk" full list --plugins "$right"
"$scanbench" -q --plugins "$right" --sizes 10 --max-samples 2 --csv "$work/rows.csv" 2>"$work/errors"
claim "report to a full disk" full_once report "$work/rows.csv"
claim "compare to a full disk" full_once compare "$work/rows.csv" "$work/rows.csv"
claim "report in little memory" little_memory
claim "metadata that were cut are told" cut_metadata
claim "nothing is lost where stderr is full" reports_without_stderr
claim "--dry-run to a full disk" full --plugins "$right" --sizes 10 --dry-run
claim "the table to a full disk" full --plugins "$right" --sizes 10 --max-samples 2 --csv "$work/t.csv"
if command -v taskset >/dev/null 2>&1 && [ "$(nproc)" -gt 1 ]; then
    claim "nothing is bound outside the inherited mask" bound
    claim "a core outside it is a mistake" outside
else
    skip 2 "there is no taskset, or one core alone"
fi
claim "hundreds of files are enough descriptors for each" many
