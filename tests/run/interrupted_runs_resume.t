#!/bin/sh
# What a run keeps when it is interrupted, killed or loses a worker, and how --resume
# completes the file.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_serial
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
sizes=1e3..1e4/20
configurations=21
# A configuration takes a tenth of a second, however precise it is.
slowly='--min-samples 1000000 --max-samples 1000000'

# Stops ignoring signals that may be ignored here: SIGINT in a shell's background, SIGHUP under
# nohup.
attentive=$work/attentive
cat >"$attentive" <<'END'
#!/usr/bin/env perl
$SIG{$_} = "DEFAULT" for qw(INT HUP TERM);
exec @ARGV;
END
chmod +x "$attentive"

# start FILE [COMMAND]: a run of some seconds in the background, as $supervisor; returns
# when its file has three finished configurations.
start() {
    csv=$1
    # shellcheck disable=SC2086 # several options
    ${2:-"$attentive"} "$scanbench" -q --plugins cpu_serial --sizes $sizes $slowly --time-limit 0.1 --csv "$csv" 2>"$csv.err" &
    supervisor=$!
    for _ in $(seq 1200); do
        [ "$(finished)" -ge 3 ] && return 0
        sleep 0.05
    done
    echo "nothing was measured in time"
    return 1
}

finished() {
    if [ -e "$csv" ]; then grep -v ',calibrator,' "$csv" | grep -c ',run,ok,'; else echo 0; fi
}

# ends STATUS: the supervisor ends with it.
ends() {
    status=0
    wait "$supervisor" || status=$?
    cat "$csv.err"
    echo "exit status $status, $(finished) of $configurations"
    [ "$status" -eq "$1" ]
}

children() {
    cat "/proc/$1/task/$1/children"
}

# Gone, or a zombie that nobody has waited for.
is_gone() {
    [ -z "$(tr -d '\0' <"/proc/$1/cmdline" 2>/dev/null)" ]
}

# all_gone PID...: within half a minute.
all_gone() {
    for _ in $(seq 300); do
        left=
        for worker in "$@"; do
            is_gone "$worker" || left="$left $worker"
        done
        [ -z "$left" ] && return 0
        sleep 0.1
    done
    echo "still there:$left"
    return 1
}

# interrupted SIGNAL STATUS: whole rows and a message are left, and no worker.
interrupted() {
    start "$work/$1.csv" || return 1
    workers=$(children "$supervisor")
    kill -s "$1" "$supervisor"
    # shellcheck disable=SC2086 # one word each
    ends "$2" && all_gone $workers && [ "$(finished)" -ge 3 ] && [ "$(finished)" -lt $configurations ] &&
        [ "$(tail -c 1 "$csv" | od -An -c | tr -d ' ')" = '\n' ] &&
        grep -q "interrupted; finished rows are in $csv.*--resume does the rest" "$csv.err"
}

# Before the first configuration is finished: its file has a header by then.
at_once() {
    csv=$work/at_once.csv
    # shellcheck disable=SC2086 # several options
    "$attentive" "$scanbench" --plugins cpu_serial --sizes 1e3 $slowly --time-limit 20 --csv "$csv" >"$csv.err" 2>&1 &
    supervisor=$!
    for _ in $(seq 1200); do
        [ -s "$csv" ] && break
        sleep 0.05
    done
    kill -s INT "$supervisor"
    ends 130 && grep -q 'interrupted; no configuration is finished. .*--resume' "$csv.err" &&
        ! grep -q 'configurations:' "$csv.err"
}

# resumes FILE KEPT: every configuration is there, once.
resumes() {
    csv=$1
    "$scanbench" --plugins cpu_serial --sizes $sizes --time-limit 0.1 --csv "$csv" --resume \
        >/dev/null 2>"$csv.err" || return 1
    cat "$csv.err"
    [ "$(finished)" -eq $configurations ] &&
        [ "$(grep -c '^schema,' "$csv")" -eq 1 ] &&
        [ "$(grep -v ',calibrator,' "$csv" | cut -d, -f 14,19 | sort | uniq -d | wc -l)" -eq 0 ] &&
        { [ "$2" -eq 0 ] || grep -q " $2 kept from before" "$csv.err"; }
}

# torn BYTES: cuts bytes off the end, and so the `run` row of the last configuration; its other rows
# must not appear twice.
torn() {
    csv=$work/torn.csv
    kept=$(($(csv=$work/INT.csv finished) - 1))
    head -c "-$1" "$work/INT.csv" >"$csv"
    resumes "$csv" "$kept"
}

# A row is known by all of its settings, also by the last of many long ones.
long_settings() {
    csv=$work/long.csv
    for values in 1 1,2,3; do
        "$scanbench" -q --plugins "$build/tests/fixtures/plugins/many_tunables.so" --sizes 10 \
            --set last=$values --time-limit 0.01 --csv "$csv" --resume || return 1
    done
    for value in 1 2 3; do
        [ "$(grep ',run,ok,' "$csv" | grep -c ";last=$value,")" -eq 1 ] || return 1
    done
}

another_schema() {
    sed '1s/schema,/scheme,/' "$work/INT.csv" >"$work/other.csv"
    cp "$work/other.csv" "$work/kept.csv"
    exits 2 "$work/other.csv" "$scanbench" --plugins cpu_serial --sizes 10 \
        --csv "$work/other.csv" --resume && cmp "$work/other.csv" "$work/kept.csv"
}

# Edited by hand: all that follows is within the quotes.
open_quote() {
    sed '3s/,hot,/,"hot,/' "$work/INT.csv" >"$work/quote.csv"
    cp "$work/quote.csv" "$work/kept.csv"
    exits 2 "a quote that is never closed" "$scanbench" --plugins cpu_serial --sizes 10 \
        --csv "$work/quote.csv" --resume && cmp "$work/quote.csv" "$work/kept.csv"
}

supervisor_killed() {
    start "$work/KILL.csv" || return 1
    workers=$(children "$supervisor")
    echo "workers: $workers"
    kill -s KILL "$supervisor"
    # shellcheck disable=SC2086 # one word each
    [ -n "$workers" ] && ends 137 && all_gone $workers && [ "$(finished)" -ge 3 ]
}

worker_killed() {
    start "$work/worker.csv" || return 1
    # shellcheck disable=SC2046 # one word each
    kill -s KILL $(children "$supervisor")
    ends 1 && [ "$(grep -v ',calibrator,' "$csv" | grep -c ',run,crashed,')" -eq 1 ] &&
        [ "$(finished)" -eq $((configurations - 1)) ] &&
        grep -q ',run,crashed,"\{0,1\}the worker was lost during .*killed by signal 9' "$csv"
}

# The shell and the program get Ctrl-C together; the worker must not.
whole_group() {
    command -v setsid >/dev/null 2>&1 || return 0
    start "$work/group.csv" "setsid $attentive" || return 1
    kill -s INT -- "-$supervisor"
    ends 130 && ! grep -q crashed "$csv"
}

# Both signals are ignored in a shell's background under nohup.
ignored() {
    start "$work/nohup.csv" nohup || return 1
    kill -s INT "$supervisor"
    kill -s HUP "$supervisor"
    ends 0 && [ "$(finished)" -eq $configurations ]
}

plan 16
claim "SIGINT keeps the finished rows, says so, and ends with status 130" interrupted INT 130
claim "before the first one it says that there is none" at_once
claim "SIGTERM does the same with status 143" interrupted TERM 143
claim "SIGHUP does the same with status 129" interrupted HUP 129
claim "signals that were ignored before stay ignored" ignored
claim "a configuration whose last row was cut short is measured again" torn 60
claim "so is one of which that row is missing" torn \
    "$(tail -n 1 "$work/INT.csv" | wc -c)"
csv=$work/INT.csv
claim "--resume measures the rest and nothing twice" resumes "$csv" "$(finished)"
claim "--resume of a whole file measures nothing" resumes "$csv" $configurations
claim "--resume of a file that is not there begins it" resumes "$work/new.csv" 0
claim "--resume tells settings apart by the last of 64 tunables" long_settings
claim "--resume leaves a file with other columns alone" another_schema
claim "--resume does not cut off the rows behind an open quote" open_quote
claim "kill -9 of the supervisor leaves no worker and keeps the rows" supervisor_killed
claim "kill -9 of a worker costs one configuration" worker_killed
claim "Ctrl-C on the whole group reaches the supervisor alone" whole_group
