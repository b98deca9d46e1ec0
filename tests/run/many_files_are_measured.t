#!/bin/sh
# Hundreds of plugin files are measured at once with the descriptors of a usual shell, the time to find
# files grows as their number, and only plugins that are asked for are loaded.
# slow
# about: core harness tests/fixtures
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
fixtures=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH
files=320

# Files whose plugins have ids of their own.
mkdir "$work/many" "$work/folder" || exit 1
for i in $(seq $((1000 - files)) 999); do
    # shellcheck disable=SC2016 # it is perl's
    ID=r$i perl -0pe 's/^right\0$/$ENV{ID}\0\0/' "$fixtures/right.so" >"$work/many/r$i.so" || exit 1
done
cp "$fixtures/logs_load.so" "$fixtures/right.so" "$work/folder" &&
    cp "$fixtures/two_plugins.so" "$work/folder/pair.so" || exit 1

# Their configurations are one group, all open at the same time.
measured() {
    (
        # shellcheck disable=SC3045 # every shell there is has -n
        ulimit -n 1024 && "$scanbench" -q --plugins "$work/many" --sizes 100 --max-samples 1 \
            --min-samples 1 --time-limit 0.001 --csv "$work/many.csv"
    ) || return 1
    cut -d, -f 19,20,21 "$work/many.csv" | sort | uniq -c
    [ "$(grep -v ',calibrator,' "$work/many.csv" | grep -c ',run,ok,')" = $files ] &&
        [ "$(grep -v ',calibrator,' "$work/many.csv" | cut -d, -f 5 | sort -u | wc -l)" = $((files + 1)) ]
}

# loads TEXT ARGUMENTS...: logs_load was loaded (yes) or not (no).
loads() {
    expected=$1
    shift
    rm -f "$work/log"
    MOCK_LOG=$work/log SCANBENCH_PLUGIN_PATH=$work/folder "$scanbench" "$@" || return 1
    found=no
    [ -e "$work/log" ] && found=yes
    echo "loaded: $found, expected $expected"
    [ "$found" = "$expected" ]
}

# Of an id that no file holds, the error names the nearest of all that there are.
unknown() {
    rm -f "$work/log"
    MOCK_LOG=$work/log SCANBENCH_PLUGIN_PATH=$work/folder exits 2 "did you mean 'right'" "$scanbench" list --plugins rigth &&
        [ -e "$work/log" ]
}

right=$work/folder/right.so
plan 9
claim "$files files are measured at once under ulimit -n 1024" measured
claim "a plugin in a folder that is searched is loaded" loads yes list
claim "a run of one file loads no other" loads no -q --plugins "$right" --sizes 10 --max-samples 1 \
    --min-samples 1 --csv "$work/one.csv"
claim "nor does its proof" loads no validate "$right" --claims sizes --max-n 100
claim "nor does one that its id names" loads no -q --plugins right --sizes 10 --max-samples 1 \
    --min-samples 1 --csv "$work/named.csv"
claim "nor its proof" loads no validate right --claims sizes --max-n 100
claim "but a plugin that is in a file of another name is found" loads no list --plugins two_plugins_max
claim "and all are loaded where an id is not found" unknown
claim "nor a list of it" loads no list --plugins "$right"
