#!/bin/sh
# What goes wrong in a plugin written in Python is told as its author needs it, costs its row alone, and
# leaves no process behind.
# slow
# about: core harness tests/fixtures/python plugins/cpu_serial
set -u
. "$(dirname -- "$0")/../lib/python_plugins.sh"
files=$root/tests/fixtures/python
unset SCANBENCH_PYTHON VIRTUAL_ENV

plan_with_python 12

# costs STATUS TEXT FIXTURE ARGUMENTS...: its one row has the status and the text, the plugin beside it is
# measured, and no interpreter is left.
costs() {
    status=$1
    text=$2
    name=$3
    shift 3
    "$scanbench" --plugins "$files/$name.py,cpu_serial" --sizes 100 --types u32 --time-limit 0.05 --overwrite \
        --csv "$work/rows.csv" "$@" >"$work/said" 2>&1
    cat "$work/said" "$work/rows.csv"
    grep ",$name," "$work/rows.csv" >"$work/row"
    [ "$(wc -l <"$work/row")" = 1 ] && grep -qF ",run,$status," "$work/row" && grep -qF -- "$text" "$work/row" &&
        grep -q ',cpu_serial,.*,run,ok,' "$work/rows.csv" && nobody_runs "fixtures/python/[^ ]*$name.py"
}

told_in_full() {
    costs error 'ZeroDivisionError' raises -v && grep -qF 'Traceback (most recent call last):' "$work/said" &&
        grep -qF 'return value / 0' "$work/said"
}

# declares LINE TEXT: a file that says so is refused with the text.
declares() {
    printf '%s\ndef create(problem, **tunables): return lambda x, y: None\n' "$1" >"$work/says.py"
    "$scanbench" --plugins "$work/says.py" --sizes 100 --types u32 --csv - >"$work/said" 2>&1
    cat "$work/said"
    grep -qF -- "$2" "$work/said"
}

misdeclares() {
    declares 'SCANS = 3' 'TypeError: SCANS is 3, expected a dictionary' &&
        declares 'SCANS = {"sum": "u33"}' 'its SCANS has ""u33"", which is unknown; did you mean u32?' &&
        declares 'SCANS = {"sum": "u32"}; MAX_N = -5' 'ValueError: MAX_N is -5, expected 0 or more' &&
        declares 'SCANS = {"sum": "u32"}; TUNABLES = {"a b": (1, [1], "")}' "the tunable 'a b' is no argument's name" &&
        declares 'SCANS = {"sum": "u32"}; ARRAYS = "tensorflow"' 'expected one of torch, cupy, numba, jax, cuda'
}

has_no_interpreter() {
    for _ in $(seq 20); do
        "$scanbench" list --plugins "$files/right.py" --python no_python3 >"$work/said" 2>&1
        grep -qF 'the Python interpreter no_python3: No such file or directory; install python3' "$work/said" ||
            { cat "$work/said" && return 1; }
    done
}

# stopped_by SIGNAL: while run loops, the program gets it; then nothing of it is left.
stopped_by() {
    # In the background a shell lets its commands ignore SIGINT.
    python3 -c 'import os, signal, sys; signal.signal(signal.SIGINT, signal.SIG_DFL); os.execv(sys.argv[1], sys.argv[1:])' \
        "$scanbench" --plugins "$files/loops.py" --sizes 100 --types u32 --overwrite --csv "$work/stopped.csv" >"$work/said" 2>&1 &
    pid=$!
    for _ in $(seq 100); do
        grep -als 'fixtures/python/[l]oops.py-[qv]' /proc/[0-9]*/cmdline >/dev/null && break
        sleep 0.1
    done
    sleep 1
    kill "-$1" $pid
    wait $pid
    found=$?
    cat "$work/said"
    [ $found -ne 0 ] && nobody_runs 'fixtures/python/[l]oops.py'
}

claim "an exception is told with its file, its line, and who called" costs error \
    'ZeroDivisionError: division by zero (raises.py:7 in halve: return value / 0; called from raises.py:12 in run: y[0] = halve(x[0]))' raises
claim "and whole with -v" told_in_full
claim "create that has no memory says so" costs skipped 'MemoryError: a table of 2 TiB (raises_in_create.py:7 in create' \
    raises_in_create
claim "an interpreter that is not there is told, whichever of its end and the question comes first" has_no_interpreter
claim "a file that is no Python is told with its line" costs error 'damaged.py:5: SyntaxError' damaged
claim "what it declares is checked, and told by its name" misdeclares
claim "an endless loop is ended" costs timeout 'no progress for 5 s during run' loops --timeout 5
claim "a segmentation fault is told as such" costs crashed 'Segmentation fault' segfault
claim "exit in the middle is told with its status" costs crashed 'exited with status 7' exits
claim "x is read-only" costs error 'TypeError: cannot modify read-only memory (writes_input.py:8 in run: x[0] = 0)' writes_input
claim "Ctrl-C ends the interpreter, too" stopped_by INT
claim "so does an end of the program that it cannot see" stopped_by KILL
