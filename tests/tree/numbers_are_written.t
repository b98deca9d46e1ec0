#!/bin/sh
# reports/facts writes the numbers in the sentences of the pages in docs/, and what docs/measuring.md names is there.
# reports_are_fresh.t says that what it writes is what is committed.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
facts=$root/reports/facts

# mends PAGE SED: of a copy of the page changed like that, the page becomes what it was.
mends() {
    sed "$2" "$root/$1" >"$work/altered.md"
    ! cmp -s "$root/$1" "$work/altered.md" || { echo "the page has no such text" && return 1; }
    "$facts" "$1" "$work/altered.md" | diff "$root/$1" -
}

# misses PAGE SED TEXT: of such a copy there is no page, and the text says why.
misses() {
    sed "$2" "$root/$1" >"$work/altered.md"
    ! cmp -s "$root/$1" "$work/altered.md" || { echo "the page has no such text" && return 1; }
    exits 1 "$3" "$facts" "$1" "$work/altered.md"
}

# A tree of which a source has another constant.
follows_the_source() {
    mkdir -p "$work/tree"
    (cd "$root" && tar -cf - --exclude='*.csv' docs/measuring.md harness core plugins reports) | tar -xf - -C "$work/tree"
    mkdir -p "$work/tree/reports/h200" && cp "$root/reports/h200/small.csv" "$work/tree/reports/h200"
    sed -i 's/ROUNDS_WANTED = 20,/ROUNDS_WANTED = 21,/' "$work/tree/harness/sweep/rounds.h"
    SCANBENCH_BUILD=${SCANBENCH_BUILD:-$root/build} "$work/tree/reports/facts" docs/measuring.md >"$work/page.md"
    diff "$root/docs/measuring.md" "$work/page.md" >"$work/differ"
    cat "$work/differ"
    grep -c '^>' "$work/differ" | grep -qx 1 && grep -q '^>.*21 are' "$work/differ"
}

# Words between backquotes with an underscore are columns, flags or plugins; others may be options.
# shellcheck disable=SC2013 # a word a line
names_are_there() {
    missing=0
    tr '`' '\n' <"$root/docs/measuring.md" >"$work/words"
    for name in $(grep -x '[a-z]*_[a-z_]*' "$work/words"); do
        grep -qw "$name" "$root/docs/csv.md" || [ -d "$root/plugins/$name" ] ||
            { echo "csv.md has no $name" && missing=1; }
    done
    for name in $(sed -n 's/^\(compare \)*--\([a-z-]*\).*/\2/p' "$work/words"); do
        grep -qF "X(\"$name\"" "$root/harness/cli/option_map.h" || { echo "no option --$name" && missing=1; }
    done
    return $missing
}

plan 12
claim "in docs/plugins.md a gain is written anew" mends docs/plugins.md 's/1\.6×/1.7×/'
claim "and a share of the copy" mends docs/plugins.md 's/reach 66 %/reach 68 %/'
claim "in docs/comparing.md a constant is" mends docs/comparing.md 's/less than 20 µs, mostly/less than 21 µs, mostly/'
claim "a line of a terminal that no run showed is a mistake" \
    misses docs/options.md 's/^    \([*=^] cpu_chained  *\)\([0-9]\)/    \19\2/' "no row of docs/examples/terminal.csv is"
claim "in docs/scans.md traffic is written anew" mends docs/scans.md 's/^\(The order.*\|.*Traffic \)3n: two/\14n: two/'
claim "and work, with its fraction" mends docs/scans.md 's/^Traffic 2n\. Work 4¼n/Traffic 2n. Work 2n/'
claim "and a time" mends docs/scans.md 's/it takes 953 µs/it takes 565 µs/'
claim "in docs/measuring.md a constant is written anew" mends docs/measuring.md 's/14th and 27th/14th and 28th/'
claim "and a rate" mends docs/measuring.md 's/^\(| one run, 5 % slower: found | \)[0-9.]*/\177/'
claim "a sentence that is not there any more is a mistake" \
    misses docs/plugins.md 's/they cannot exceed/they never exceed/' "says 0 times, with these numbers or others: they cannot exceed"
claim "another constant in a source changes the page, in one place" follows_the_source
claim "every column, flag and option that docs/measuring.md names is there" names_are_there
