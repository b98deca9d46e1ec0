#!/bin/sh
# docs/scans.md: its excerpts are in the files that they name, its drawings are what the algorithms
# make of eight elements, what its tables compare are plugins, and its exercises change lines that are there. Its
# numbers are the matter of reports_are_fresh.t and numbers_are_written.t, what exercises print that of
# exercises_are_true.t.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
tool=$root/tests/lib/scans.py
exercises=$root/tests/lib/exercises.py

# sees SED TEXT [COMMAND...]: in a copy of the page changed like that, what the text says is found.
sees() {
    sed "$1" "$root/docs/scans.md" >"$work/altered.md"
    ! cmp -s "$root/docs/scans.md" "$work/altered.md" || { echo "the page has no such text" && return 1; }
    text=$2
    shift 2
    [ $# -gt 0 ] || set -- "$tool" "$root"
    exits 1 "$text" python3 "$@" "$work/altered.md"
}

sees_in_exercises() { sees "$1" "$2" "$exercises" "$root" check; }

plan 14
claim "docs/scans.md is true" python3 "$tool" "$root"
claim "a changed line of code would be seen" \
    sees 's/^\*right = op(\*left, \*right);/*right = op(*right, *left);/' "cuda_blelloch.cu has no"
claim "and one out of another file" sees 's/cuda_doublebuffer\/cuda_doublebuffer\.cu/common\/cuda\/cuda_common.h/' \
    "plugins/common/cuda/cuda_common.h has no"
claim "and code of which no file is named" sees 's/.plugins\/cpu_serial\/cpu_serial\.c./There/' "no file is named"
claim "and a drawing with a wrong number" sees 's/^    +2     2   7   8  12  13/    +2     2   7   8  12  14/' "drawn"
claim "and a drawing that lacks a row" sees '/^    root/d' "drawn"
claim "and a place in the compaction" sees 's/^    place    0   0   1   1   2/    place    0   0   1   1   3/' "drawn"
claim "and its result" sees 's/^    result   5   4   3/    result   5   3   4/' "the result of the compaction"
claim "and a table about a plugin that is not there" sees 's/over cpu_stdpar;/over cpu_stdpur;/' "there is no plugin cpu_stdpur"
claim "and a link to nothing" sees 's/pictures\/scans-h200\.png/pictures\/scans-h300.png/' "there is no pictures/scans-h300.png"
claim "each step has an exercise, whose line of code is there" python3 "$exercises" "$root" check
claim "a step without one would be seen" \
    sees_in_exercises '0,/^\*\*Exercise/s/^\*\*Exercise\.\*\*/Exercise./' "not one exercise"
claim "and a line that no file has" sees_in_exercises 's/from = 1 - from;/from = 2 - from;/' "0 times there"
claim "and a time that was not measured" sees_in_exercises 's/^\(    opencl_lookback .* +\)/\19/' "measured was"
