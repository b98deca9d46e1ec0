#!/bin/sh
# The manual and the completions come from the table that --help is printed from:
# they name every option of it, and the tools that read them find nothing wrong.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench

for form in man bash zsh fish; do
    "$scanbench" --help=$form >"$work/$form" || exit 1
done
for verb in run list validate; do
    "$scanbench" $verb --help
done | sed -n -e 's/^  -., --\([a-z-]*\).*/\1/p' -e 's/^      --\([a-z-]*\).*/\1/p' | sort -u >"$work/options"

# Each option of --help, as $2 and $3 put it before and behind its name.
names_all() {
    [ "$(wc -l <"$work/options")" -gt 20 ] || return
    while read -r option; do
        grep -qF -- "$2$option$3" "$work/$1" || { echo "no $option" && return 1; }
    done <"$work/options"
}

# with TOOL TEXT COMMAND...: the claim, where there is the tool.
with() {
    if command -v "$1" >/dev/null 2>&1; then
        shift
        claim "$@"
    else
        skip 1 "$1 is not installed"
    fi
}

# From stdin: mandoc takes a path such as tmp.2Xy/man for a page of section 2. The level
# is all but the conventions of a BSD's base system.
lints() {
    mandoc -Tlint -Wstyle <"$work/man" && mandoc -Tascii <"$work/man" >"$work/read"
}

# completes EXPECTED WORD...: the last word, in bash.
completes() {
    expected=$1
    shift
    # shellcheck disable=SC2016 # expanded by bash
    found=$(bash -c '. "$0" && COMP_WORDS=("$@") && COMP_CWORD=$(($# - 1)) && _scanbench &&
        echo "${COMPREPLY[*]}"' "$work/bash" "$@")
    echo "found: $found"
    [ "$found" = "$expected" ]
}

completes_files() {
    cd "$work" && mkdir folder && : >rows.csv && : >mine.so &&
        completes "rows.csv" scanbench --csv rows &&
        completes "mine.so folder" scanbench validate ''
}

plan 18
claim "--help=man names every option" names_all man ' Fl -' ''
claim "--help=bash names every option" names_all bash '--' ''
claim "--help=zsh names every option" names_all zsh '--' ''
claim "--help=fish names every option" names_all fish '-l ' ' '
claim "a form that there is not is refused" exits 2 "write one of man bash zsh fish" \
    "$scanbench" --help=csh
with mandoc "mandoc finds nothing wrong with the manual" lints
with bash "bash takes its completions" bash -n "$work/bash"
with zsh "zsh takes its completions" zsh -n "$work/zsh"
with fish "fish takes its completions" fish -n "$work/fish"
with bash "commands complete" completes "list" scanbench li
with bash "options complete" completes "--sizes --set --seed --samples" scanbench --s
with bash "options of another command do not" completes "" scanbench list --si
with bash "values complete" completes "u32 u64 u32x2" scanbench --types u
with bash "values behind = complete" completes "never" scanbench --color = n
with bash "lists complete" completes "sum,max sum,min" scanbench run --ops sum,m
with bash "numbers do not" completes "" scanbench --sizes 1
with bash "files complete" completes_files
claim "the build has printed the manual" cmp "$work/man" "$build/manual/scanbench.1"
