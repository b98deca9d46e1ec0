#!/bin/sh
# The plugin guide leads where it says: its plugin builds, fails as it is shown to fail, and
# is right with the tail that it is given then.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
scanbench=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd)/scanbench || exit 1
guide=$root/docs/plugin-guide.md
unset SCANBENCH_PLUGIN_PATH
cd "$work" || exit 1

# block K: the K-th block of C in the guide.
block() {
    awk -v wanted="$1" '/^```c/ { count++; inside = count == wanted; next } /^```/ { inside = 0 } inside' \
        "$guide"
}

builds() {
    cc -O3 -shared -fPIC -I "$root/core/include" four_scan.c -o four_scan.so
}

# Every line that the guide shows of the proof is printed; on a slow machine with fewer runs.
prints_what_is_shown() {
    PATH=$(dirname "$scanbench"):$PATH scanbench validate ./four_scan.so >proof 2>&1
    cat proof
    sed -n "s/ ([0-9]* runs)\$//;s/^    \\($1\\)/\\1/p" "$guide" >shown
    [ -s shown ] && while read -r line; do
        grep -qF -- "$line" proof || { echo "is not printed: $line" && return 1; }
    done <shown
}

with_tail() {
    block 2 >"$work/tail"
    awk -v tail="$work/tail" '/float carry = 0;/ { while ((getline line < tail) > 0) print line; skip = 1 }
         /return SCAN_OK;/ { skip = 0 }
         !skip' four_scan.c >mended.c && mv mended.c four_scan.c && builds
}

is_right() {
    prints_what_is_shown 'ok 1[1-4] - ' && ! grep -q '^not ok' proof
}

block 1 >four_scan.c
plan 4
claim "the guide's plugin builds" builds
claim "the guide's plugin fails as the guide shows" prints_what_is_shown 'not ok 11\|  [a-z_]*: .*four_scan.*\|  reason: .*\|  looks_like: .*'
claim "the guide's plugin with its tail builds" with_tail
claim "the guide's plugin with its tail is right, as the guide shows" is_right
