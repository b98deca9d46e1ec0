#!/bin/sh
# tests/lib/corpus.sh takes all broken plugins where what they test may have changed, else a sample that a seed
# repeats.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
. "$(dirname -- "$0")/../lib/corpus.sh"
unset SCANBENCH_CORPUS SCANBENCH_BASE
tree=$root
root=$work/clone
named="right daemonises"

git_here() {
    git -C "$root" -c user.name=test -c user.email=test@localhost -c commit.gpgsign=false "$@"
}

# commits FILE HOURS: a commit that changes it, so many hours ago.
commits() {
    mkdir -p "$root/$(dirname "$1")"
    date +%N >>"$root/$1"
    git_here add -A && GIT_COMMITTER_DATE="$(($(date +%s) - 3600 * ${2:-0})) +0000" git_here commit -qm "$1"
}

# chooses full|sample: what is chosen now.
chooses() {
    corpus_choose "$named"
    echo "chosen: $corpus, $(wc -l <"$work/table") of $(wc -l <"$work/all") plugins"
    case $1 in
    full) [ "$corpus" = full ] && cmp "$work/table" "$work/all" ;;
    *) [ "$corpus" != full ] && [ "$(wc -l <"$work/table")" -lt "$(wc -l <"$work/all")" ] ;;
    esac
}

# repeats SEED: it takes the same again, in the order of the table, and another seed others.
repeats() {
    SCANBENCH_CORPUS=$1 && corpus_choose "$named" && mv "$work/table" "$work/one"
    SCANBENCH_CORPUS=$1 && corpus_choose "$named" && diff "$work/table" "$work/one" || return 1
    grep -vxFf "$work/one" "$work/all" >"$work/others"
    sort "$work/others" "$work/one" | diff - "$work/all.sorted" || return 1
    SCANBENCH_CORPUS=$(($1 + 1)) && corpus_choose "$named"
    unset SCANBENCH_CORPUS
    ! cmp -s "$work/table" "$work/one"
}

# words COLUMN: those of that column, some of which are lists with commas.
words() {
    awk -v at="$1" '{ print $at }' | tr , '\n' | sort -u
}

# has_each COLUMN: the sample of each of many seeds has each word of that column of the table, and those named.
has_each() {
    words "$1" <"$work/all" >"$work/words"
    for seed in 0 31415 4000000000 $(seq 40); do
        corpus_sample "$seed" "$named" <"$work/all" >"$work/sample"
        words "$1" <"$work/sample" | diff "$work/words" - || return 1
        for name in $named; do
            grep -q "^$name " "$work/sample" || return 1
        done
    done
}

# is_small: a sample takes less than a quarter of the corpus.
is_small() {
    for seed in $(seq 40); do
        corpus_sample "$seed" "$named" <"$work/all" | wc -l
    done | sort -n | uniq -c >"$work/counts"
    cat "$work/counts"
    [ "$(($(tail -n 1 "$work/counts" | awk '{ print $2 }') * 4))" -lt "$(wc -l <"$work/all")" ]
}

mkdir -p "$root/tests/fixtures/plugins"
cp "$tree/tests/fixtures/plugins/expected.txt" "$root/tests/fixtures/plugins/"
grep -v '^#' "$root/tests/fixtures/plugins/expected.txt" >"$work/all"
sort "$work/all" >"$work/all.sorted"
plan 20
claim "a sample has each status of a row" has_each 2
claim "and each claim that any plugin breaks" has_each 3
claim "and is small" is_small
claim "a seed repeats its sample, another takes other plugins" repeats 7
claim "without a repository, a sample is taken" chooses sample
if ! command -v git >/dev/null 2>&1; then
    skip 15 "git is not installed"
    exit 0
fi
git init -q -b main "$root"
commits README.md 60
claim "of a repository with one commit, all are taken" chooses full
commits harness/proof/x.c 30
commits README.md
claim "on main, a sample if no commit of the last day has changed what they test" chooses sample
commits harness/proof/x.c
commits README.md
claim "all if one has" chooses full
export SCANBENCH_BASE=HEAD
claim "a sample if nothing has changed since SCANBENCH_BASE" chooses sample
SCANBENCH_BASE=nothing
claim "all if that is no commit" chooses full
unset SCANBENCH_BASE
git_here checkout -qb branch
commits harness/worker/x.c
commits README.md
claim "on a branch, all if one of its commits has" chooses full
git_here checkout -q main
git_here checkout -qb other
commits docs/x.md
claim "a sample if none has, whatever main had before" chooses sample
git_here checkout -q --detach
claim "also of a commit that is on no branch" chooses sample
export GIT_DIR="$work/none"
. "$tree/tests/lib/changed.sh"
claim "and where a hook of git, which names its own repository, runs the tests" chooses sample
unset GIT_DIR
echo >>"$root/harness/proof/x.c"
claim "all if a file has changed that is not committed" chooses full
git_here checkout -q harness
: >"$root/tests/fixtures/plugins/new.c"
claim "or is new" chooses full
rm "$root/tests/fixtures/plugins/new.c"
git clone -q --depth 1 "file://$work/clone" "$work/shallow"
root=$work/shallow
claim "all in a clone that lacks what was there before" chooses full
git clone -q -b main "file://$work/clone" "$work/a clone"
root="$work/a clone"
git_here commit -q --allow-empty -m later && git_here update-ref -d refs/remotes/origin/main
claim "in a clone that knows its own commits alone, what the last day has changed counts" chooses full
rm -r "$work/shallow/.git" && mkdir "$work/shallow/.git"
root=$work/shallow
claim "all where git cannot read the repository" chooses full
SCANBENCH_CORPUS=full
claim "all if that is asked for" chooses full
