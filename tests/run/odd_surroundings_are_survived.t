#!/bin/sh
# Unusual surroundings of a run and a proof: how the program is started, what happens to its file
# meanwhile, and that no process of a plugin outlives it.
# slow
# about: core harness tests/fixtures reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
broken=$build/tests/fixtures/plugins
right=$broken/right.so
unset SCANBENCH_PLUGIN_PATH

# has_worker PID: before it ends, on a busy machine within a minute. Its output does not tell: it is buffered in a file until the
# end.
has_worker() {
    for _ in $(seq 3000); do
        [ -e "/proc/$1/cmdline" ] || break
        # shellcheck disable=SC2013 # numbers on one line
        for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
            tr '\0' ' ' 2>/dev/null <"/proc/$child/cmdline" | grep -q ' worker -q ' && return 0
        done
        sleep 0.02
    done
    echo "no worker was started"
    return 1
}

# As a build during a run does it: removes the file, then creates another of that name, here one
# that is not scanbench. Most workers of a proof start after its first. Claims about times are left
# out: on a busy machine they say something else.
replaced() {
    mkdir "$work/copy" && cp "$scanbench" "$work/copy/scanbench" || return 1
    "$work/copy/scanbench" validate "$right" --max-n 5000 \
        --claims sizes,levels,patterns,repeat,misaligned,bounds,buffers,input,heap,process \
        >"$work/replaced.tap" 2>&1 &
    proof=$!
    has_worker "$proof" || return 1
    rm "$work/copy/scanbench"
    printf '#!/bin/sh\nexit 9\n' >"$work/copy/scanbench" && chmod +x "$work/copy/scanbench"
    wait "$proof"
    found=$?
    cat "$work/replaced.tap"
    [ "$found" -eq 0 ] && ! grep -q '^not ok' "$work/replaced.tap"
}

# Exit status 2 if the proof itself cannot be written.
closed() {
    "$scanbench" validate "$right" --claims quiet,sizes,leaks,process --max-n 5000 \
        >"$work/closed.tap" 2>"$work/closed.err" <&- || return 1
    "$scanbench" validate "$right" --claims quiet,sizes,leaks,process --max-n 5000 \
        >"$work/closed.tap" 2>&- || return 1
    found=0
    "$scanbench" validate "$right" --claims quiet,sizes,leaks,process --max-n 5000 \
        --json "$work/closed.json" 2>"$work/closed.err" >&- || found=$?
    cat "$work/closed.err" "$work/closed.json"
    [ "$found" -eq 2 ] && grep -q 'stdout cannot be written' "$work/closed.err" &&
        grep -q '"failed": *0' "$work/closed.json"
}

few_descriptors() {
    (
        # shellcheck disable=SC3045 # every shell there is has -n
        ulimit -n 64 && "$scanbench" validate "$right" --max-n 5000
    )
}

# A run with all its files, a report and a proof.
small_stack() {
    (
        # shellcheck disable=SC3045 # every shell there is has -s
        ulimit -s 64 && "$scanbench" -q --plugins "$right" --sizes 1000,5000 --min-samples 1 \
            --max-samples 2 --csv "$work/stack.csv" --samples "$work/stack.samples" &&
            "$scanbench" -q --plugins "$right" --sizes 1000 --max-samples 2 --csv "$work/stack.csv" \
                --samples "$work/stack.samples" --page "$work/stack.html" &&
            "$scanbench" report "$work/stack.csv" && "$scanbench" validate "$right" --max-n 5000
    )
}

# A parent that ignores SIGCHLD passes that on.
deaf_parent() {
    # shellcheck disable=SC2016 # it is perl's
    exits 1 "killed by signal 11" perl -e '$SIG{CHLD} = "IGNORE"; exec @ARGV' \
        "$scanbench" -q --plugins "$broken/crash_in_run.so" --sizes 1000 --csv -
}

# Until it hangs, some tenths of a second after its worker's start, and then until the proof
# has ended. The best of five, for a busy machine.
interrupted() {
    for _ in 1 2 3 4 5; do
        interrupted_once "$1" || return 1
        [ "$took" -lt 900 ] && return 0
    done
    return 1
}

interrupted_once() {
    # shellcheck disable=SC2016 # it is perl's
    perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' "$scanbench" validate "$broken/$1.so" \
        --claims sizes >"$work/$1.tap" 2>&1 &
    proof=$!
    has_worker "$proof" || return 1
    sleep 0.7
    before=$(date +%s%N)
    kill -s INT "$proof"
    found=0
    wait "$proof" || found=$?
    took=$((($(date +%s%N) - before) / 1000000))
    echo "exit status $found after $took ms"
    [ "$found" -eq 130 ]
}

# For workers that end when asked, and for workers that are killed.
no_daemon() {
    "$scanbench" validate "$broken/daemonises.so" --claims same_bits,buffers,process --max-n 5000 &&
        return 1
    nobody_runs "$broken/[d]aemon"
}

# As a container is that is paused, for longer than a worker may be silent.
stopped() {
    "$scanbench" -q --plugins "$right" --sizes 1000,2000,3000 --min-samples 1000000 \
        --max-samples 1000000 --time-limit 0.4 --timeout 1 --csv "$work/stopped.csv" 2>&1 &
    run=$!
    for _ in $(seq 3000); do
        grep -qs ',run,ok,' "$work/stopped.csv" && break
        sleep 0.02
    done
    workers=$(cat "/proc/$run/task/$run/children")
    # shellcheck disable=SC2086 # one word each
    kill -s STOP "$run" $workers
    sleep 2
    # shellcheck disable=SC2086 # one word each
    kill -s CONT "$run" $workers
    wait "$run" && [ "$(grep -v ',calibrator,' "$work/stopped.csv" | grep -c ',run,ok,')" -eq 3 ]
}

# Its row says what happened, not that the plugin makes no progress.
worker_stopped() {
    "$scanbench" -q --plugins "$right" --sizes 1000 --min-samples 1000000 --max-samples 1000000 \
        --time-limit 1 --timeout 1 --csv "$work/halted.csv" 2>"$work/halted.err" &
    run=$!
    has_worker "$run" || return 1
    sleep 0.3
    # shellcheck disable=SC2046 # one word each
    kill -s STOP $(workers_of "$run")
    wait "$run"
    cat "$work/halted.err"
    grep -qE ',run,timeout,.*the worker was stopped during .* by signal 19 ' "$work/halted.csv"
}

# workers_of PID: its children.
workers_of() { cat "/proc/$1/task/$1/children" 2>/dev/null; }

# What the shell left open and what the run itself opens is not the plugin's: a worker has stdin, what
# goes to stderr, and the ends of its own two pipes.
few_inherited() {
    "$scanbench" -q --plugins "$right,$broken/watched.so" --sizes 1000 --min-samples 1000000 \
        --max-samples 1000000 --time-limit 0.7 --csv "$work/fds.csv" --samples "$work/fds.samples" \
        7<"$right" 9>"$work/mine" >"$work/fds.out" 2>"$work/fds.err" &
    run=$!
    for _ in $(seq 3000); do
        [ "$(workers_of "$run" | wc -w)" -ge 2 ] && [ -e "$work/fds.samples" ] && break
        sleep 0.02
    done
    sleep 0.2
    for worker in $(workers_of "$run"); do
        for fd in "/proc/$worker/fd/"*; do
            echo "$worker $(readlink "$fd")"
        done
    done >"$work/fds"
    wait "$run" || return 1
    sort "$work/fds" | uniq -c
    [ "$(cut -d ' ' -f 1 "$work/fds" | sort -u | wc -l)" -ge 2 ] &&
        ! grep -vE ' (/dev/null|.*/fds\.err|pipe:\[[0-9]+\])$' "$work/fds" &&
        [ "$(sort "$work/fds" | uniq -c | awk '$3 ~ /^pipe/ { n[$2]++ } END { for (w in n) print n[w] }' | sort -u)" = 2 ]
}

# As Ctrl-Z does it: the terminal tells the supervisor's group, in which no worker is. Each run of the
# plugin takes a quarter of a second, so that one is under way; a worker may be silent for one second.
suspended() {
    "$scanbench" -q --plugins "$broken/slow_when_large.so" --sizes 70000 --min-samples 3 --max-samples 3 \
        --time-limit 1 --timeout 1 --csv "$work/suspended.csv" 2>&1 &
    run=$!
    has_worker "$run" || return 1
    sleep 0.7
    kill -s TSTP "$run"
    for _ in $(seq 3000); do
        states=$(states_of "$run")
        case $states in T*T*) break ;; esac
        sleep 0.05
    done
    sleep 2
    kill -s CONT "$run"
    echo "states of the run and its workers: $states"
    wait "$run" || return 1
    case $states in
    T*T*) grep -q ',run,ok,' "$work/suspended.csv" ;;
    *) return 1 ;;
    esac
}

# states_of PID: of the process and its workers.
states_of() {
    for process in "$1" $(workers_of "$1"); do
        sed 's/.*) \(.\) .*/\1/' "/proc/$process/stat"
    done | tr '\n' ' '
}

plan 13
claim "a proof goes on when the program's file is replaced" replaced
claim "stdin, stdout or stderr may be closed" closed
claim "few descriptors are enough (ulimit -n 64)" few_descriptors
claim "so is a small stack (ulimit -s 64)" small_stack
claim "a worker started by hand says so" exits 2 "not by hand" \
    "$scanbench" worker -q "$right"
claim "how a worker ended is known though SIGCHLD was ignored" deaf_parent
claim "an interrupt does not wait for a plugin that hangs" interrupted hang_in_run
claim "nor for one that hears no signal" interrupted hang_deaf
claim "a daemon ends with the worker whose plugin started it" no_daemon
claim "a run that was stopped with its workers blames none of them" stopped
claim "the row of a worker that was stopped alone says so" worker_stopped
claim "a run that Ctrl-Z suspends stops measuring and blames no worker" suspended
claim "workers inherit no descriptor but their own" few_inherited
