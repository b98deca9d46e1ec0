#!/bin/sh
# A sweep over plugins that crash, hang, exit, scribble and lie (tests/fixtures/plugins):
# each costs its own rows alone, and the rows say what happened. tests/lib/corpus.sh says when a sample is enough.
# slow
# about: core harness tests/fixtures reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
. "$(dirname -- "$0")/../lib/corpus.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
broken=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH

# A line each: plugin, status, claims. Some claims below are about those named.
corpus_choose "right crash_in_create exits_in_run hang_in_destroy invents_status refuses_a_type scribbles \
spine_of_one_block writes_past odd_phase forks daemonises"
count=$(wc -l <"$work/table")

# The files of the plugins that hang, or of the others, as a list.
hanging=
others=
while read -r name status _; do
    case $status in
    timeout) hanging=$hanging$broken/$name.so, ;;
    *) others=$others,$broken/$name.so ;;
    esac
done <"$work/table"

# sweep NAME ARGUMENTS...: with what each plugin declares among these; its status is kept.
sweep() {
    name=$1
    shift
    found=0
    "$scanbench" -q --sizes 70000 --types i32,f32,f64,u32x2,i8,f16 --ops sum,max,affine --time-limit 0.005 \
        --csv - "$@" >"$work/$name.csv" 2>"$work/$name.err" || found=$?
    echo "$found" >"$work/$name.status"
}

# ended NAME: that sweep ended with status 1.
ended() {
    cat "$work/$1.err"
    echo "exit status $(cat "$work/$1.status")"
    [ "$(cat "$work/$1.status")" = 1 ]
}

# rows_of NAME: its rows, by the fifth column.
rows_of() {
    cat "$work/hang.csv" "$work/others.csv" | grep "^[^,]*,[^,]*,[^,]*,[^,]*,$1,"
}

# became NAME STATUS: all rows of what the plugin declares have that status. If it refuses all of
# that, the rows of what it does not declare count too.
became() {
    left_out=unsupported
    [ "$2" != unsupported ] || left_out=nothing
    rows_of "$1" | grep ',run,' | grep -v ",run,$left_out," | tee "$work/rows"
    [ -s "$work/rows" ] || return 1
    [ "$2" = any ] || ! grep -qv ",run,$2," "$work/rows"
}

# says NAME TEXT: the row's reason has the text.
says() {
    rows_of "$1" | tee "$work/rows" | grep -qF -- "$2"
}

# The system limits the memory, so that none is taken from others.
eats_memory() {
    found=0
    (
        # shellcheck disable=SC3045 # every shell there is has -v
        ulimit -v 1000000 &&
            "$scanbench" -q --plugins "$broken/eats_memory.so,$broken/right.so" --sizes 1000 \
                --time-limit 0.005 --csv "$work/eats.csv"
    ) 2>"$work/eats.err" || found=$?
    cat "$work/eats.err" "$work/eats.csv"
    [ "$found" -eq 1 ] && grep -q ',eats_memory,.*,run,crashed,' "$work/eats.csv" &&
        grep -q ',right,.*,run,ok,' "$work/eats.csv"
}

# A process left by a plugin's fork is gone with its worker.
no_process() {
    nobody_runs "$broken/[f]orks\|$broken/[d]aemon"
}

# odd_phase records under "Scan Kernel".
unknown_phase() {
    grep ',odd_phase,' "$work/others.csv" >"$work/rows"
    cat "$work/rows"
    ! grep -q 'Scan Kernel' "$work/rows" &&
        grep ',run,ok,' "$work/rows" | grep -q '[,;]unknown_phase[,;]'
}

plan $((count + 17))
# One sweep mostly waits, and the other computes meanwhile.
sweep hang --timeout 0.7 --plugins "$hanging$broken/right.so" &
sweep others --plugins "${others#,}"
wait
claim "a sweep over plugins that hang ends, with status 1" ended hang
claim "a sweep over the others ends, with status 1" ended others
while read -r name status _; do
    claim "$name: $status" became "$name" "$status"
done <"$work/table"
if command -v python3 >/dev/null 2>&1; then
    for name in hang others; do
        for what in clean numbers; do
            claim "$name: the CSV is whole, whatever was printed and written ($what)" \
                python3 "$root/tests/lib/rows.py" "$work/$name.csv" $what
        done
    done
else
    skip 4 "python3 is not installed"
fi
claim "the signal and the slot are told" says crash_in_create \
    "lost during create: killed by signal 11 (Segmentation fault)"
claim "a plugin that ends the process is told from one that dies" says exits_in_run \
    "ended by the plugin during run: exited with status 0"
claim "a hang is told with its slot" says hang_in_destroy \
    "no progress for 0.7 s during destroy (--timeout)"
claim "an unknown status is told by its number" says invents_status "run: unknown status 99"
claim "a refusal is told in the plugin's words" says refuses_a_type "i32 needs a newer device"
claim "garbage in the pipe is told" says scribbles "malformed message during run"
claim "where a wrong result begins is told" says spine_of_one_block \
    "65904 of 70000 elements are wrong, first at index 4096"
claim "a write behind the output is told" says writes_past "wrote past the end of the output"
claim "a time under an unknown phase has no row, and the others say so" unknown_phase
claim "eating memory costs one configuration" eats_memory
claim "what a plugin forks ends with its worker" no_process
remove_semaphores
