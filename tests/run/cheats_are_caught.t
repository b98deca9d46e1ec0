#!/bin/sh
# A default timed run catches plugins that are faster than they should be while they are timed
# (tests/fixtures/plugins/cheats.txt), and blames no plugin that is right.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_memcpy plugins/cpu_serial reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
mocks=$build/tests/fixtures/plugins
unset SCANBENCH_PLUGIN_PATH
grep -v '^#' "$root/tests/fixtures/plugins/cheats.txt" >"$work/cheats"

# sweep NAME FILES SIZES ARGUMENTS...: its rows are in $work/NAME.csv.
sweep() {
    name=$1
    files=$2
    sizes=$3
    shift 3
    case " $* " in *" --time-limit "*) ;; *) set -- "$@" --time-limit 0.05 ;; esac
    "$scanbench" -q --plugins "$files" --sizes "$sizes" --overwrite --csv "$work/$name.csv" \
        "$@" >/dev/null 2>"$work/$name.err"
}

# rows NAME PLUGIN: its rows of run.
rows() {
    grep "^[^,]*,[^,]*,[^,]*,[^,]*,$2,.*,run," "$work/$1.csv"
}

# says SWEEP PLUGIN STATUS TEXT: every row says so.
says() {
    rows "$1" "$2" | tee "$work/rows"
    [ -s "$work/rows" ] && ! grep -v ",run,$3," "$work/rows" && grep -qF -- "$4" "$work/rows"
}

# caught PLUGIN STATUS TEXT: in the sweep, or in one of two longer ones. On a busy machine a thread that
# run has not waited for can be done by chance before anybody looks, and a short sweep may end before
# it asks for a recorded run.
caught() {
    says cheats "$@" && return 0
    for again in 1 2; do
        sweep "again$again" "$mocks/$1.so" 1000000 --time-limit 0.5
        says "again$again" "$@" && return 0
    done
    return 1
}

# fine SWEEP PLUGIN: all of its rows are ok, and no remark doubts them.
fine() {
    rows "$1" "$2" | tee "$work/rows"
    [ -s "$work/rows" ] && ! grep -v ',run,ok,' "$work/rows" &&
        ! grep -E 'bad_time|unknown_phase|device_exceeds_run|device_below_run' "$work/rows"
}

# Every row is ok, or about a device that is not there, or about what the plugin refuses.
all_fine() {
    cat "$work/$1.err"
    grep ',run,' "$work/$1.csv" | grep -v ',phase,status,' >"$work/rows"
    grep -q ',run,ok,' "$work/rows" && ! grep -vE ',run,(ok|unavailable|unsupported|skipped),' "$work/rows"
}

# Times that are none have no row, and the others say so.
no_such_times() {
    sweep records "$mocks/records_no_times.so" 1000
    cat "$work/records.csv"
    [ "$(grep -c ',run,ok,.*bad_time;unknown_phase' "$work/records.csv")" = 1 ] &&
        ! grep -qE ',(device|e2e|kernel:[a-z]*),ok,' "$work/records.csv"
}

# Nor have times that a device's clock gives as 0; the row of the run says so, and others read the file.
no_zero_times() {
    sweep coarse "$mocks/coarse_device_clock.so" 1000
    cat "$work/coarse.csv"
    [ "$(grep -c ',run,ok,.*coarse_clock' "$work/coarse.csv")" = 1 ] &&
        ! grep -qE ',(device|kernel:[a-z]*),ok,' "$work/coarse.csv" &&
        "$scanbench" report "$work/coarse.csv" >"$work/coarse.report"
}

# In an interval of many runs, which a small n needs, no run comes after a pause but the first, and none
# from elsewhere. The thread that changes the input may get no core in a short sweep of a busy machine.
caught_in_intervals() {
    for again in 1 2 3 4 5; do
        sweep "interval$again" "$mocks/$1.so" 1000
        says "interval$again" "$1" wrong 'a timed run' && return 0
    done
    return 1
}

# A device whose time is a part of what run takes is right, but its rows say so.
flags_a_part() {
    sweep part "$mocks/records_a_part.so" 2000000
    says part records_a_part ok device_below_run
}

# Where others keep the second thread from its core, it cannot be told by its use of that.
doubts_two() {
    caught two_for_one error 'threads that it does not declare' || says again2 two_for_one ok threads
}

# The file's own cpu_serial and its own copy are rows like any other.
own_judges_do_not_count() {
    sweep own "$mocks/own_baseline.so" 100000
    "$scanbench" -q --plugins "cpu_serial,cpu_memcpy,$mocks/right.so" --sizes 100000 --overwrite \
        --csv "$work/ours.csv" --time-limit 0.05
    rows own own_baseline
    rows ours right
    [ -z "$(cells own own_baseline)" ] && [ -n "$(cells ours right)" ]
}

# Nor does a copy that is called as ours count, for any file.
copies_in_our_place_do_not_count() {
    sweep place "$mocks/copy_in_our_place.so,$mocks/right.so" 100000
    rows place cpu_memcpy
    rows place right
    [ -n "$(rows place cpu_memcpy)" ] && [ -n "$(rows place right)" ] && [ -z "$(cells place right)" ] &&
        [ -z "$(cells place copy_in_our_place)" ]
}

# The program knows the names of all of its copies.
ours_are_known() {
    grep -hA 1 'SCAN_ROLE_CEILING,' "$root"/plugins/*/*.c "$root"/plugins/*/*.cu |
        sed -n 's/.*\.id = "\(.*\)",/\1/p' | sort >"$work/ceilings"
    sed -n '/ ours\[\] = /,/;/p' "$root/harness/output/row.c" | grep -o '"[a-z_]*"' | tr -d '"' | sort |
        diff "$work/ceilings" - && [ -s "$work/ceilings" ]
}

# cells SWEEP PLUGIN: its pct_copy and its speedup.
cells() {
    rows "$1" "$2" | cut -d , -f 38-39 | tr -d ','
}

# closes NUMBER: what a run of seed 1 says of its inputs; the last is of the closing comparison.
closes() {
    sweep "shows$1" "$mocks/shows_input.so" 1 -v --seed 1 --csv "$work/shows$1.csv"
    grep -o 'first word .*' "$work/shows$1.err" | cut -d ' ' -f 3 >"$work/words$1"
}

# Two runs of one seed measure the same input and end with others.
seeds_are_unpredictable() {
    closes 1
    closes 2
    cat "$work/words1" "$work/words2"
    [ "$(head -n 1 "$work/words1")" = "$(head -n 1 "$work/words2")" ] &&
        [ "$(tail -n 1 "$work/words1")" != "$(tail -n 1 "$work/words2")" ]
}

# The reason names the seed of an input that the row's cells do not have, and the seed repeats it.
seed_repeats() {
    sweep first "$mocks/wrong_on_other_inputs.so" 1000
    rows first wrong_on_other_inputs
    seed=$(rows first wrong_on_other_inputs | sed -n 's/.*(input: random, --seed \([0-9]*\)).*/\1/p')
    [ "${seed:-1}" != 1 ] || return 1
    sweep again "$mocks/wrong_on_other_inputs.so" 1000 --seed "$seed"
    rows again wrong_on_other_inputs
    found=$(rows first wrong_on_other_inputs | grep -o 'got .*, expected [0-9-]*')
    rows again wrong_on_other_inputs | grep -F "$found (input: random)"
}

all=
while read -r name _; do
    all=$all,$mocks/$name.so
done <"$work/cheats"
right='right remote_device fake_device keeps_addresses shared_device in_place_only known_time cached_device interrupted'
names=
for name in $right; do
    names=$names,$mocks/$name.so
done
plan $(($(wc -l <"$work/cheats") + $(echo "$right" | wc -w) + 16))
sweep cheats "${all#,}" 1000000
while read -r name status text; do
    claim "$name: $status" caught "$name" "$status" "$text"
done <"$work/cheats"
sweep right "${names#,}" 1,2,3,4097,100000
for name in $right; do
    claim "$name is blamed for nothing" fine right "$name"
done
sweep shipped "cpu_serial,opencl_*" 1,1000,70001 --types i8,u16,i32,f32,f64,u32x2,f32x2 \
    --ops sum,max,min,affine --kinds inclusive,exclusive --time-limit 0.01
claim "nor are plugins that come with scanbench" all_fine shipped
sweep cold "$mocks/right.so,$mocks/fake_device.so,cpu_serial" 5000 --cache cold
claim "nor where caches are cold" all_fine cold
claim "a time that is none, and a phase that is not the plugin's, have no row" no_such_times
claim "nor has a phase that took less than its clock can tell" no_zero_times
claim "a plugin that works only after a pause is caught" caught_in_intervals works_after_a_pause
claim "so is one that works only where it is called from elsewhere" caught_in_intervals works_elsewhere
if [ "$(nproc)" -gt 1 ]; then
    claim "or after any pause between two runs" caught_in_intervals works_when_rested
    claim "a thread that is not declared is caught on another core" \
        caught borrows_a_core error 'threads that it does not declare'
    claim "one beside the single thread that is asked for is caught, or flagged on a busy machine" doubts_two
else
    skip 3 "there is one processing unit"
fi
# The maxima of bytes grow in 255 places at most, wherever these are.
sweep bytes "$mocks/bytes_from_memory.so" 20000000 --types i8 --ops max
claim "an answer is not kept where few elements change it" \
    says bytes bytes_from_memory wrong "after a timed run element"
claim "a device's time far below that of run is flagged" flags_a_part
claim "a file's own baseline and its own copy do not count" own_judges_do_not_count
claim "nor does a copy under the name of ours" copies_in_our_place_do_not_count
claim "and the names of ours are known" ours_are_known
claim "the input of the closing comparison cannot be known" seeds_are_unpredictable
claim "but the row that it fails names its seed, with which it fails again" seed_repeats
