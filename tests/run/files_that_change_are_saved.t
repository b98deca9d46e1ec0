#!/bin/sh
# A file that something else removes, moves, replaces, cuts off, writes or edits while a run writes it
# costs no row: all of them are in a new file, with which --resume goes on, and the run ends with 2.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_memcpy plugins/cpu_serial reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
cd "$work" || exit 1

many=10,20,30,40,50,60,70,80,90,100,110,120

# sweep_of PLUGINS SIZES OPTION...
sweep_of() {
    plugins=$1
    sizes=$2
    shift 2
    "$scanbench" -q --plugins "$plugins" --sizes "$sizes" --min-samples 60 --max-samples 60 --time-limit 0.2 "$@"
}

sweep() { sweep_of cpu_serial,cpu_memcpy "$many" "$@"; }

# begin NAME COMMAND: in an empty folder a run begins, and when its first rows are there, COMMAND is
# run. Sets found to the exit status of the run, whose messages are in `message`.
begin() {
    rm -rf "$1" && mkdir "$1" && cd "$1" || return 1
    sweep --csv out.csv --samples raw.csv --json rows.jsonl 2>message &
    run=$!
    for _ in $(seq 1000); do
        [ -s out.csv ] && [ "$(wc -l <out.csv)" -gt 2 ] && break
        sleep 0.02
    done
    first=$(sed -n 2p out.csv)
    eval "$2"
    found=0
    wait "$run" || found=$?
    cat message
    ls
}

# saved WHAT FILE NEW: it ended with 2 and says WHAT happened to FILE; NEW has the first row and more.
saved() {
    [ "$found" -eq 2 ] && grep -q "$2 $1 while a run wrote it: all rows so far are in $3" message &&
        [ "$(head -n 1 "$3" | cut -d, -f 1)" = schema ] && [ "$(wc -l <"$3")" -gt 2 ] &&
        tr -d '\000' <"$3" >clean && cmp clean "$3"
}

# Of the CSV: WHAT COMMAND
of_the_csv() (
    begin csv "$2" || return 1
    saved "$1" out.csv out.*Z.csv && sed -n 2p out.*Z.csv | grep -qxF "$first" || return 1
    # The group that was measured while it happened is there, too, and the rest can be measured.
    before=$(grep -c ,run, out.*Z.csv)
    sweep_of cpu_serial,cpu_memcpy 10,20,30 --csv out.*Z.csv --samples raw.csv --resume 2>resumed || { cat resumed && return 1; }
    [ "$(grep -c ,run, out.*Z.csv)" -ge "$before" ] && "$scanbench" report out.*Z.csv >/dev/null
)

stays_as_it_is() (
    begin theirs ': >out.csv && echo theirs >>out.csv' || return 1
    [ "$found" -eq 2 ] && [ "$(cat out.csv)" = theirs ]
)

of_samples_and_lines() (
    begin others ': >raw.csv; rm rows.jsonl' || return 1
    saved "was cut off" raw.csv raw.*Z.csv && test -s raw.*Z.csv-metadata.json &&
        grep -q "rows.jsonl was removed while a run wrote it: all rows so far are in rows.*Z.jsonl" message &&
        [ "$(wc -l <out.csv)" -eq $(($(cat rows.*Z.jsonl | wc -l) + 1)) ] && [ ! -s raw.csv ]
)

of_the_folder() (
    mkdir there && TMPDIR=$work/tmp && export TMPDIR && mkdir "$TMPDIR" && cd / || return 1
    sweep --csv "$work/there/out.csv" 2>"$work/message" &
    run=$!
    for _ in $(seq 1000); do
        [ -s "$work/there/out.csv" ] && [ "$(wc -l <"$work/there/out.csv")" -gt 2 ] && break
        sleep 0.02
    done
    rm -rf "$work/there"
    wait "$run"
    ended=$?
    cat "$work/message"
    # Where it is, the message says: the folder it was started in or that of temporary files.
    file=$(sed -n 's/.*so far are in \([^,]*\).*/\1/p' "$work/message")
    [ "$ended" -eq 2 ] && [ "$(wc -l <"$file")" -gt 2 ] && [ -s "$file-metadata.json" ] || return 1
    rm -f "$file" "$file-metadata.json"
)

at_the_end() (
    begin end "rm out.csv; kill -INT \$run" || return 1
    saved "was removed" out.csv out.*Z.csv && ! grep -q interrupted message
)

of_tune() (
    rm -rf tune && mkdir tune && cd tune || return 1
    "$scanbench" tune cpu_memcpy -q --sizes "$many" --time-limit 0.5 --csv out.csv >log 2>message &
    run=$!
    for _ in $(seq 1000); do
        [ -s out.csv ] && [ "$(wc -l <out.csv)" -gt 1 ] && break
        sleep 0.02
    done
    rm out.csv
    wait "$run"
    [ $? -eq 2 ] && found=2 saved "was removed" out.csv out.*Z.csv
)

page_is_of_what_was_saved() (
    rm -rf page && mkdir page && cd page || return 1
    sweep --csv out.csv --page page.html 2>message &
    run=$!
    for _ in $(seq 1000); do
        [ -s out.csv ] && [ "$(wc -l <out.csv)" -gt 2 ] && break
        sleep 0.02
    done
    : >out.csv
    wait "$run"
    grep -q '"path":"[^"]*out.*Z.csv"' page.html
)

# What came to be where the page goes is not the run's.
page_spares_others() (
    rm -rf spared && mkdir spared && cd spared || return 1
    sweep --csv two.csv --page page.html 2>message &
    run=$!
    for _ in $(seq 1000); do
        [ -s two.csv ] && [ "$(wc -l <two.csv)" -gt 2 ] && break
        sleep 0.02
    done
    echo theirs >page.html
    ended=0
    wait "$run" || ended=$?
    cat message
    [ "$ended" -eq 2 ] && [ "$(cat page.html)" = theirs ] && grep -q "no page: page.html became a file that" message &&
        [ "$(grep -c ,run, two.csv)" -gt 24 ]
)

# What is no change: another time, another name beside the old one, --resume that replaces the file.
undisturbed() (
    begin same 'touch out.csv raw.csv rows.jsonl; ln out.csv hard.csv; chmod 600 out.csv' || return 1
    [ "$found" -eq 0 ] && ! [ -s message ] && [ "$(grep -c ,run, out.csv)" -gt 24 ]
)

replaced_by_resume() (
    cd same || return 1
    crash=$build/tests/fixtures/plugins/crash_in_run.so
    sweep_of "$crash" 10 --csv two.csv 2>message
    sweep_of "cpu_serial,$crash" 10,20 --csv two.csv --resume 2>message
    inode=$(stat -c %i two.csv)
    sweep_of "cpu_serial,$crash" 10,20 --csv two.csv --resume --retry 2>message
    [ $? -eq 1 ] && ! grep -q "while a run wrote it" message && [ "$(stat -c %i two.csv)" -ne "$inode" ]
)

on_pipes() (
    mkfifo fifo || return 1
    cat fifo >piped &
    sweep_of cpu_serial 10,20 --csv fifo --samples /dev/null && wait && [ "$(grep -c ,run, piped)" -ge 2 ] && rm -f fifo*
)

plan 18
claim "a CSV that was removed" of_the_csv "was removed" "rm out.csv"
claim "moved away" of_the_csv "was moved away" "mv out.csv theirs.csv"
claim "replaced" of_the_csv "was replaced by another file" "cp out.csv new && mv new out.csv"
claim "replaced by an editor" of_the_csv "was replaced by another file" "sed -i s/a/b/ out.csv"
claim "cut to nothing" of_the_csv "was cut off" ": >out.csv"
claim "cut in the middle" of_the_csv "was cut off" "truncate -s 700 out.csv"
claim "appended to" of_the_csv "was written by another process" "echo theirs >>out.csv"
claim "edited in its place" of_the_csv "was edited" \
    "printf X | dd of=out.csv bs=1 seek=600 conv=notrunc status=none"
claim "what somebody else wrote there stays" stays_as_it_is
claim "samples and JSON lines are saved alike" of_samples_and_lines
claim "where the folder is gone, elsewhere" of_the_folder
claim "when the run is interrupted, too" at_the_end
claim "and in tune" of_tune
claim "the page is made of what was saved" page_is_of_what_was_saved
claim "the page overwrites nothing that came meanwhile" page_spares_others
claim "a new time, name or permission of the file changes nothing" undisturbed
claim "nor does --resume, which replaces it" replaced_by_resume
claim "nor pipes and devices" on_pipes
