#!/bin/sh
# The program takes each command that README.md and docs/options.md show for measuring.
# slow
# about: README.md docs/options.md harness/cli harness/sweep
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
scanbench=${SCANBENCH_BUILD:-$root/build}/scanbench

# taken [SED]: each of them, changed like that, but for those with files of the reader's own. What is not built here may
# be missing.
taken() {
    cd "$work" || return
    sed -n 's/ *#.*//; s/^    scanbench \(--.*\)/\1/p' "$root/README.md" "$root/docs/options.md" |
        sed "/\.\//d; ${1:-}" | sort -u >commands
    [ "$(wc -l <commands)" -ge 10 ] || { echo "too few commands" && return 1; }
    while IFS= read -r arguments; do
        eval "'$scanbench' $arguments --dry-run" >said 2>&1 </dev/null ||
            grep -qE 'no plugin matches|has such a tunable' said || { echo "scanbench $arguments" && cat said && return 1; }
    done <commands
}

a_wrong_one_is_not() { ! taken 's/--results wide/--results wider/' && grep -q wider said; }

plan 2
claim "the program takes the commands of the pages" taken
claim "and a wrong one it does not" a_wrong_one_is_not
