#!/bin/sh
# A plugin's file that is replaced, overwritten or removed during a run: rows of another build never
# stand under the hash of the first one.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_serial
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
cd "$work" || exit 1
cp "$build/plugins/cpu_serial.so" old.so
{ cat old.so && echo; } >new.so # loads, and has another hash
sizes=1e3..1e4/20
configurations=21

# resume [OPTION...]: goes on with mine.csv.
resume() {
    "$scanbench" -q --plugins ./mine.so --sizes $sizes --time-limit 0.02 --csv mine.csv --resume "$@"
}

# start: ./mine.so is old.so, and a run of some seconds in the background has three rows of it.
start() {
    rm -f mine.*
    cp old.so mine.so
    "$scanbench" -q --plugins ./mine.so --sizes $sizes --time-limit 0.1 --min-samples 1000000 \
        --max-samples 1000000 --csv mine.csv 2>mine.err &
    supervisor=$!
    for _ in $(seq 3000); do
        [ -e mine.csv ] && [ "$(measured)" -ge 3 ] && return 0
        sleep 0.05
    done
    echo "nothing was measured in time"
    return 1
}

measured() { grep -v ',calibrator,' mine.csv | grep -c ',run,ok,'; }
changed() { grep -c ",run,error,.*its file was $1 during the run" mine.csv; }

# kill_workers: those of the run; it starts others.
kill_workers() {
    # shellcheck disable=SC2046 # one word each
    kill -s KILL $(cat "/proc/$supervisor/task/$supervisor/children")
}

# ends STATUS
ends() {
    found=0
    wait "$supervisor" || found=$?
    cat mine.err
    cut -d, -f 14,19-21 mine.csv
    echo "exit status $found, expected $1"
    [ "$found" -eq "$1" ]
}

# is_not_loaded WORD COMMAND...: once the command has changed the file, no other worker loads it.
is_not_loaded() {
    word=$1
    shift
    start && "$@" && kill_workers && ends 1 || return 1
    rows=$(measured)
    [ "$(changed "$word")" -ge 10 ] && [ $((rows + $(changed "$word"))) -ge $((configurations - 1)) ] &&
        ! grep -v ',calibrator,' mine.csv | tail -n 5 | grep ',run,ok,'
}

hash_is_old() {
    sum=$(sha256sum <old.so | cut -d ' ' -f 1)
    grep '"id"' mine.csv-metadata.json
    grep '"id": "cpu_serial"' mine.csv-metadata.json | grep -qF "\"sha256\": \"$sum\""
}

# The worker that lives has the old file.
replaced_alone() {
    start && mv new.copy mine.so && ends 0 && [ "$(measured)" -eq $configurations ]
}

overwritten() {
    start && echo >>mine.so && ends 1 && [ "$(changed overwritten)" -ge 10 ]
}

# As by `make install` of the same build.
same_content() {
    start && touch mine.so && cp old.so again.so && mv again.so mine.so && kill_workers && ends 1 &&
        [ "$(grep -v ',calibrator,' mine.csv | grep -c ',run,crashed,')" -eq 1 ] && [ "$(measured)" -eq $((configurations - 1)) ]
}

resumed() {
    is_not_loaded replaced mv new.copy mine.so || return 1
    exits 2 "has rows of another build of cpu_serial" resume --retry &&
        cp old.so mine.so && resume --retry && [ "$(measured)" -eq $configurations ]
}

proof() {
    cp old.so mine.so
    "$scanbench" validate ./mine.so >mine.tap 2>mine.err &
    validate=$!
    for _ in $(seq 3000); do
        grep -q '^ok' mine.tap && break
        sleep 0.02
    done
    echo >>mine.so
    wait "$validate"
    cat mine.tap
    grep -q "its file was overwritten during the run" mine.tap &&
        grep -q "not a mistake of the plugin: its file was changed meanwhile" mine.tap
}

plan 8
cp new.so new.copy
claim "a worker does not load the file that replaces it" is_not_loaded replaced mv new.copy mine.so
claim "and the metadata have the hash of the one that was measured" hash_is_old
claim "nor is one loaded that was removed" is_not_loaded removed rm mine.so
cp new.so new.copy
claim "a worker that lives goes on with the file that it has loaded" replaced_alone
claim "unless that is overwritten in place" overwritten
claim "another file with the same content is the same build" same_content
cp new.so new.copy
claim "--resume takes the old build, and no other" resumed
claim "a proof is of one build" proof
