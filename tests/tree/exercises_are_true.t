#!/bin/sh
# The exercises of docs/scans.md: each is made in a copy of the tree, and its command prints what the answer shows. What
# compares times or needs a GPU is not run: scans_page_is_true.t holds such answers to committed data. Three of them,
# drawn anew each time, are made; with SCANBENCH_TESTS=all all are.
# slow
# about: docs/scans.md plugins core/include harness/proof harness/worker cmake tests/lib/exercises.py
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
tool=$root/tests/lib/exercises.py
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
copy=$work/tree
export CCACHE_BASEDIR="$copy"

# A tree with the program, whose plugins and tests are built one by one.
makes_copy() {
    mkdir "$copy" && (cd "$root" && tar -cf - --exclude='./build*' --exclude=./.git .) | tar -xf - -C "$copy" &&
        cmake -S "$copy" -B "$copy/build" -DCMAKE_CUDA_COMPILER= &&
        cp -r "$build/scanbench" "$copy/build/" || return 1
    [ ! -d "$build/oclgrind" ] || cp -r "$build/oclgrind" "$copy/build/"
}

# Not where a backend is missing.
can_be_built() { cmake --build "$copy/build" --target help | grep -w "$1" >/dev/null; }

prints() { # prints N TARGET: what the answer shows
    command=$(python3 "$tool" "$root" apply "$1" "$copy") && cmake --build "$copy/build" --target "$2" || return 1
    # A failure is what is to be shown.
    (cd "$copy" && eval "$command") >"$work/printed" 2>&1 || :
    python3 "$tool" "$root" undo "$1" "$copy"
    cat "$work/printed"
    python3 "$tool" "$root" answers "$1" "$work/printed"
}

# Without its change the first prints nothing of its answer.
unchanged() {
    command=$(python3 "$tool" "$root" apply "$1" "$copy") && python3 "$tool" "$root" undo "$1" "$copy" &&
        cmake --build "$copy/build" --target "$2" || return 1
    (cd "$copy" && eval "$command") >"$work/printed" 2>&1 || return 1
    exits 1 "not printed" python3 "$tool" "$root" answers "$1" "$work/printed"
}

python3 "$tool" "$root" list >"$work/all"
if [ "${SCANBENCH_TESTS-}" = all ]; then cp "$work/all" "$work/list"; else shuf -n 3 "$work/all" >"$work/list"; fi
plan $((2 + $(wc -l <"$work/list")))
claim "a copy of the tree is configured" makes_copy
while read -r number target; do
    if ! can_be_built "$target"; then
        skip 1 "$target cannot be built here"
    else
        claim "exercise $((number + 1)), $target: its command prints the answer" prints "$number" "$target"
    fi
done <"$work/list"
read -r number target <"$work/list"
claim "without the change it does not" unchanged "$number" "$target"
