#!/bin/sh
# docs/scans.md: its excerpts are in the files that they name, its drawings are what the algorithms
# make of eight elements, and what its tables compare are plugins. Its numbers are the matter of
# reports_are_fresh.t and numbers_are_written.t.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
tool=$root/tests/lib/scans.py

# sees SED TEXT: in a copy of the page changed like that, what the text says is found.
sees() {
    sed "$1" "$root/docs/scans.md" >"$work/altered.md"
    ! cmp -s "$root/docs/scans.md" "$work/altered.md" || { echo "the page has no such text" && return 1; }
    exits 1 "$2" python3 "$tool" "$root" "$work/altered.md"
}

plan 10
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
