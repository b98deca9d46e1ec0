#!/bin/sh
# Ways to cheat a benchmark of kernels, in Python (tests/fixtures/python/cheats): each gives a row that is
# wrong or crashed, or a claim that fails, and a clock that is patched changes no time.
# slow
# about: core harness tests/fixtures/python
set -u
. "$(dirname -- "$0")/../lib/python_plugins.sh"
cheats=$root/tests/fixtures/python/cheats
unset SCANBENCH_PYTHON VIRTUAL_ENV
export LD_LIBRARY_PATH="$build/tests/fixtures/cuda" # for those on a GPU

plan_with_python 23

# sweep CHEAT N: its row of run is in $work/row.
sweep() {
    "$scanbench" --plugins "$cheats/$1.py" --sizes "$2" --types u32 --kinds exclusive --time-limit 0.1 --overwrite \
        --csv "$work/rows.csv" >"$work/said" 2>&1
    cat "$work/said" "$work/rows.csv"
    grep ",$1,.*,run," "$work/rows.csv" >"$work/row"
}

# caught STATUS TEXT CHEAT [N]
caught() {
    sweep "$3" "${4-1000}"
    [ "$(wc -l <"$work/row")" = 1 ] && grep -qF ",run,$1," "$work/row" && grep -qF -- "$2" "$work/row"
}

# Each run takes 20 ms, and its row says so.
true_times() {
    sweep patched_clock 100
    awk -F, 'FNR == NR { for (i = 1; i <= NF; i++) at[$i] = i; next } { good = $at["status"] == "ok" && $at["min_ns"] >= 2e7 }
        END { exit !good }' "$work/rows.csv" "$work/row"
}

# fails CLAIM TEXT CHEAT: the claim fails with that text, and no process stays.
fails() {
    "$scanbench" validate "$cheats/$3.py" --claims "$1" --types u32 --max-n 70000 >"$work/proof" 2>&1
    found=$?
    cat "$work/proof"
    [ $found = 1 ] && grep -q '^not ok 1 ' "$work/proof" && grep -qF -- "$2" "$work/proof" && nobody_runs "cheats/[^ ]*$3.py"
}

claim "an answer kept for an address is wrong" caught wrong "after a timed run element" by_address
claim "an answer kept for a beginning is wrong" caught wrong "after a timed run element" by_content
claim "a plugin that scans in its first calls alone is wrong" caught wrong "was not written" by_count
claim "results made in create are wrong" caught wrong "elements are wrong" in_create
claim "zeros are wrong" caught wrong "999 of 1000 elements are wrong" zeros
claim "garbage is wrong" caught wrong "1000 of 1000 elements are wrong" garbage
claim "nothing is wrong" caught wrong "1000 of 1000 elements are wrong" nothing
claim "a reference that is looked for is not there" caught wrong "elements are wrong" finds_reference
claim "an input that is changed is told" caught wrong "the input was changed" changes_input
claim "an exit in a later run is told, with status 0, too" caught crashed "exited with status 0" exits_later
claim "answers in the place of the driver are wrong" caught wrong "was not written" answers_itself
claim "work left to a thread is wrong" caught wrong "elements are wrong" thread_goes_on 200000
claim "and fails the claim about waiting" fails waits "has done its work when run returns" thread_goes_on
claim "a patched clock changes no time" true_times
claim "a child that survives fails the claim about the process" fails process "left a process behind" leaves_child
claim "and that about what is left behind" fails leaks "left a process behind" leaves_child
if [ "$(nproc)" -gt 1 ]; then
    claim "cores that it is not given are told" caught error "threads that it does not declare" leaves_core
else
    skip 1 "there is one core"
fi
claim "work left on a stream of a GPU is wrong" caught wrong "elements are wrong" gpu_leaves_stream
claim "arrays of a GPU that lie elsewhere are not written" caught wrong "elements are wrong" gpu_swaps_buffers
claim "a write behind an array of a GPU is told" caught wrong "wrote past the end of the output" gpu_enlarges_buffer
claim "an answer kept for an array of a GPU is wrong" caught wrong "after a timed run element" gpu_by_identity
claim "times of a GPU that leave the run unexplained are flagged" caught ok device_below_run gpu_patched_events 4000
claim "no interpreter is left of them all" nobody_runs 'fixtures/python/[c]heats'
