#!/bin/sh
# Mistakes on the command line: each is named with the nearest right word, ends with
# status 2, and comes before anything is measured or written.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
csv=$work/rows.csv

# refuses TEXT ARGUMENTS...: with status 2 and the text, and no file is written.
refuses() {
    text=$1
    shift
    exits 2 "$text" "$scanbench" "$@" && [ ! -e "$csv" ]
}

# A full disk is known before the first configuration is.
before_measuring() {
    before=$(date +%s)
    refuses "writing /dev/full: No space left on device" --plugins cpu_serial \
        --sizes 1e3..1e6 --time-limit 20 --csv /dev/full &&
        [ $(($(date +%s) - before)) -lt 15 ]
}

# A folder whose name has a comma, in a list.
comma_in_path() {
    mkdir "$work/a,b" && cp "$build/plugins/cpu_serial.so" "$work/a,b/" &&
        "$scanbench" list -v --plugins "$work/a,b/cpu_serial.so,cpu_memcpy" >"$work/list" || return 1
    cat "$work/list"
    grep -qF "$work/a,b/cpu_serial.so" "$work/list" && grep -q cpu_memcpy "$work/list"
}

# The name of a folder without a slash, which would be an id.
bare_name() (
    cd "$work" && mkdir some_plugins && refuses "write './some_plugins'" list --plugins some_plugins
)

plan 54
claim "an option" refuses "unknown option --size; did you mean --sizes?" --size 10
claim "an option with its value" refuses "unknown option --typs; did you mean --types?" --typs=i32
claim "a letter" refuses "unknown option -x" -x
claim "a letter in a group" refuses "unknown option -x" -qx
claim "an abbreviation" refuses "unknown option --resum; did you mean --resume?" --resum
claim "an abbreviation of several" refuses "--re is ambiguous: --require, --results, --resume and --retry begin so" --re
claim "an option like no other" refuses "unknown option --frobnicate; see scanbench --help" \
    --frobnicate
claim "a value for an option that takes none" refuses "--quiet takes no value" --quiet=1
claim "an option without its value" refuses "--sizes needs a value: --sizes RANGE" --sizes
claim "an option of another command" refuses "--csv is not an option of this command" list --csv x
claim "a command" refuses "unknown command rum; did you mean run" rum
claim "a command behind an option" refuses "list is out of place; the command comes first" -q list
claim "a word out of place" refuses "write.me is out of place" run write.me
claim "a plugin" refuses "no plugin matches 'cpu_seral'; did you mean 'cpu_serial'?" \
    --plugins cpu_seral --csv "$csv"
claim "a plugin to list" refuses "no plugin matches 'cpu_seral'" list --plugins cpu_seral
claim "a plugin to validate" refuses "no plugin matches 'cpu_seral'" validate cpu_seral
claim "a glob that matches nothing" refuses "no plugin matches 'quantum_*'" --plugins 'quantum_*'
claim "a file that is not there" refuses "No such file" --plugins ./none.so
mkdir "$work/empty"
claim "a folder without plugins" refuses "$work/empty/ is a folder without plugins" \
    --plugins "$work/empty/"
claim "the same to validate" refuses "$work/empty is a folder without plugins" \
    validate "$work/empty"
claim "a word that list does not have" refuses '--words: "plugin" is unknown; did you mean plugins?' \
    list --words plugin
claim "a type" refuses '--types: "i23" is unknown; did you mean i32?' --types i32,i23 --csv "$csv"
claim "an operator" refuses '--ops: "sam" is unknown; did you mean sum?' --ops sam
claim "a kind" refuses '--kinds: "inclusiv" is unknown; did you mean inclusive?' --kinds inclusiv
claim "an operator that the type does not have" refuses \
    "--ops affine is not defined on --types i32: affine takes u32x2,f32x2" \
    --ops affine --types i32
claim "a tunable" refuses "--set blok: none of these plugins has such a tunable; did you mean block?" \
    --plugins template_cpu --set blok=3 --csv "$csv"
claim "a tunable to validate" refuses "did you mean block?" \
    validate template_cpu --sizes 10 --set blok=3
claim "a tunable without values" refuses "--set vt: write NAME=LIST" --set vt
claim "a tunable twice" refuses "vt is set twice" --set vt=1 --set vt=2
claim "a baseline" refuses '--baseline: no plugin is called "cpu_seria"; did you mean cpu_serial?' \
    --baseline cpu_seria --csv "$csv"
# Where OpenCL has no device, its rows say so and no name is wrong.
if "$scanbench" --plugins opencl_copy --require opencl --sizes 10 >/dev/null 2>&1; then
    claim "a device" refuses "--device quantum: no" --plugins 'opencl_copy,cpu_serial' \
        --device quantum --csv "$csv"
else
    skip 1 "OpenCL has no device here"
fi
claim "a folder without a slash" bare_name
claim "a comma within a path is none" comma_in_path
claim "a core" refuses "--pin fast: write auto, none, or the number of a core" --pin fast
claim "a pattern" refuses '--pattern: "one" is unknown; did you mean ones?' \
    validate cpu_serial --sizes 10 --pattern one
claim "a position that is no number" refuses "--pattern impulse:x: only impulse takes an index" \
    validate cpu_serial --sizes 10 --pattern impulse:x
claim "a pattern without sizes" refuses "--pattern and --set need --sizes" \
    validate cpu_serial --pattern ones
claim "a colour" refuses '--color: "sometimes" is unknown' --color sometimes --csv "$csv"
claim "a size" refuses "--sizes: 1x3" --sizes 1x3
claim "a size with an unknown suffix" refuses "the suffixes are k M G" --sizes 10q
claim "a range that goes down" refuses "--sizes:" --sizes 1e6..1e3
claim "a size below 0" refuses "--sizes:" --sizes -5
claim "a range without an end" refuses "--sizes:" --sizes 1e3..
claim "a factor of 1" refuses "--sizes:" --sizes '1..10*1'
claim "no size" refuses "--sizes:" --sizes ''
claim "a block of 0" refuses "--block-sizes: 0 is too small; the least is 1" --block-sizes 0
claim "a time that is none" refuses "--timeout soon: not a number above 0" \
    --timeout soon
claim "a time of 0" refuses "--time-limit 0: not a number above 0" --time-limit 0
claim "a count that is none" refuses "--min-samples few: not a whole number from 1 to 1000000" --min-samples few
claim "bytes that are none" refuses "--mem-limit much: not a whole number of 0 or more" --mem-limit much
claim "--resume without a file" refuses "--resume needs --csv FILE" --resume
claim "a place that is not there" refuses "opening $work/none/a.csv to write: No such file" \
    --plugins cpu_serial --sizes 10 --csv "$work/none/a.csv"
claim "a full disk, before anything is measured" before_measuring
claim "a full disk for the samples" refuses "No space left on device" \
    --plugins cpu_serial --sizes 10 --csv "$work/other.csv" --samples /dev/full
