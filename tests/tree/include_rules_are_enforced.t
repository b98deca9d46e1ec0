#!/bin/sh
# .ci/include-rules fails on a source that includes what its folder may not, and on a folder
# that has no rule; shown on a tree of stand-ins with every folder of the table.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
rules=$root/.ci/include-rules
tree=$work/tree

# with FILE LINE: the tree has that file with that line, for one claim.
with() {
    mkdir -p "$tree/$(dirname "$1")"
    printf '/* one line */\n%s\n' "$2" >"$tree/$1"
    added=$tree/$1
}

# finds STATUS TEXT: and the file that was added is gone.
finds() {
    exits "$1" "$2" "$rules" "$tree"
    held=$?
    rm -f "$added"
    return $held
}

"$rules" --table | while read -r place _; do
    case $place in
    *.c | *.h) mkdir -p "$tree/$(dirname "$place")" && : >"$tree/$place" ;;
    *) mkdir -p "$tree/$place" && : >"$tree/$place/stand_in.h" ;;
    esac
done
added=$work/none

plan 10
claim "a tree that keeps the rules passes" finds 0 " 0 against the rules"
with harness/worker/x.c '#include "proof/proof.h"'
claim "an include against the rules is named with its line" finds 1 \
    "harness/worker/x.c:2: harness/worker must not include proof/"
with core/text/x.h '  # include "problem/names.h" // why'
claim "so is one of a folder of core, however it is spaced" finds 1 "core/text/x.h:2: core/text must not"
with core/stats/x.c '#include "worker/trial.h"'
claim "core includes nothing of the harness" finds 1 "core/stats must not include worker/"
with harness/cli/x.c '#include <supervisor/session.h>'
claim "brackets hide nothing" finds 1 "harness/cli must not include supervisor/"
with harness/cli/x.c '#include <sys/types.h>'
claim "the headers of the system are free" finds 0 " 0 against"
with harness/protocol/x.c '#include "loader/loader.h"'
claim "core is open to every folder of the harness" finds 0 " 0 against"
with harness/net/x.c '#include "cli/options.h"'
claim "a folder without a rule is an error" finds 1 "harness/net is a folder that the rules do not know"
with harness/worker/x.c '#include "../proof/proof.h"'
claim "so is an include by another way" finds 1 "includes ../proof/, a folder that the rules do not know"
rm -r "$tree/harness/sweep"
claim "a rule for a folder that is gone is an error" finds 1 "harness/sweep has rules but no sources"
