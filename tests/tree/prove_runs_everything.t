#!/bin/sh
# `prove` with nothing named runs the C tests, the shell tests and every plugin of
# the build folder; shown on a repository of stand-ins.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"

stand_in() { # FILE SCRIPT: an executable shell script
    printf '#!/bin/sh\necho 1..1\n%s\n' "$2" >"$1" && chmod +x "$1"
}

proves() { # STATUS TEXT ARGUMENTS...
    expected_status=$1
    expected_text=$2
    shift 2
    (cd "$work/repository" && exits "$expected_status" "$expected_text" prove "$@")
}

# What .ci/fast runs after every change is part of it.
has_fast() {
    (cd "$root" && SCANBENCH_BUILD=$build .ci/fast --dry >"$work/fast") && cat "$work/fast" &&
        grep -q '^tests/cli/' "$work/fast" && grep -q "^$build/tests/" "$work/fast" &&
        ! grep -vE "^(tests/[a-z]+|$build/tests)/[^/]+\.t\$|^$build/plugins/[^/]+\.so\$" "$work/fast"
}

# Of three tests and two plugins, in the order in which they are run.
long_first() {
    : >"$work/repository/build/plugins/opencl_slow.so"
    stand_in "$work/repository/build/tests/plugin_cuda_slow.t" 'echo ok 1'
    (cd "$work/repository" && prove -v) >"$work/ran" 2>&1
    rm "$work/repository/build/plugins/opencl_slow.so" "$work/repository/build/tests/plugin_cuda_slow.t"
    sed -n 's/^\([^ ]*\) \.\.*[^.]*$/\1/p' "$work/ran" | tr '\n' ' ' >"$work/order"
    cat "$work/ran" "$work/order"
    set -- build/plugins/opencl_slow.so build/plugins/right.so build/tests/plugin_cuda_slow.t
    [ "$(cat "$work/order")" = "$* tests/a_folder/shell.t build/tests/c.t " ]
}

leaves_slow_out() {
    stand_in "$work/repository/tests/a_folder/slow.t" '# slow
echo ok 1'
    proves 0 "Files=3, Tests=3" && proves 0 "# 1 slow tests are left out" &&
        SCANBENCH_TESTS=all proves 0 "Files=4, Tests=4" && proves 0 "Files=1, Tests=1" tests/a_folder/slow.t
    result=$?
    rm "$work/repository/tests/a_folder/slow.t"
    return $result
}

# Of two tests that are about what has changed and what has not, and one that does not say.
takes_changed() {
    mkdir -p "$work/repository/core" "$work/repository/docs"
    stand_in "$work/repository/tests/a_folder/slow.t" '# slow
echo ok 1'
    for about in core docs; do
        stand_in "$work/repository/tests/a_folder/about_$about.t" "# slow
# about: $about/* cmake
echo ok 1"
        : >"$work/repository/$about/file"
    done
    git_there add -A && git_there commit -qm slow && echo changed >"$work/repository/core/file" || return 1
    export SCANBENCH_TESTS=changed SCANBENCH_BASE=HEAD
    proves 0 "Files=5, Tests=5" &&
        grep -qF "# 1 slow tests are left out, what they are about has not changed (tests/a_folder/about_docs.t)" \
            "$work/output" &&
        SCANBENCH_BASE=nothing proves 0 "Files=6, Tests=6" && SCANBENCH_TESTS=chanegd proves 255 "SCANBENCH_TESTS is 'chanegd'"
    result=$?
    unset SCANBENCH_TESTS SCANBENCH_BASE
    return $result
}

git_there() {
    git -C "$work/repository" -c user.name=test -c user.email=test@localhost -c commit.gpgsign=false "$@"
}

# Of a plugin whose folder has not changed, has changed, and of one without a folder; with all that is asked for.
extent_follows_changes() {
    asked=$work/asked
    stand_in "$work/repository/build/scanbench" "echo \"\$*\" >>'$asked'; echo ok 1"
    git_there init -q -b main && mkdir -p "$work/repository/plugins/right" || return 1
    git_there add -A && git_there commit -qm first && export SCANBENCH_BASE=HEAD || return 1
    : >"$work/repository/build/plugins/dropped_in.so"
    for plugin in right dropped_in; do proves 0 "Files=1" "build/plugins/$plugin.so" || return 1; done
    echo changed >"$work/repository/plugins/right/right.c"
    proves 0 "Files=1" build/plugins/right.so && rm -r "$work/repository/plugins/right/right.c" || return 1
    SCANBENCH_PROOF=full proves 0 "Files=1" build/plugins/right.so || return 1
    grep '^validate' "$asked" | tee "$work/validated"
    rm "$work/repository/build/plugins/dropped_in.so"
    [ "$(sed 's/.*right.so/right/; s/.*dropped_in.so/dropped_in/; s/ --types [^ ]*//' "$work/validated" | paste -sd ,)" = \
        "right --max-n 70000,dropped_in,right,right" ] && ! tail -n 1 "$work/validated" | grep -q types
}

build=${SCANBENCH_BUILD:-build}
mkdir -p "$work/repository/tests/a_folder" "$work/repository/build/tests" "$work/repository/build/plugins"
cp -R "$root/.proverc" "$work/repository"
cp -R "$root/tests/lib" "$root/tests/tap" "$work/repository/tests"
stand_in "$work/repository/tests/a_folder/shell.t" 'echo ok 1'
stand_in "$work/repository/build/tests/c.t" 'echo ok 1'
# The stand-in fails for the plugin whose name says so.
# shellcheck disable=SC2016 # expanded by the stand-in
stand_in "$work/repository/build/scanbench" \
    'case "$1 $2" in "validate "*wrong.so) echo not ok 1; exit 1 ;; validate*) echo ok 1 ;; esac'
: >"$work/repository/build/plugins/right.so"
unset SCANBENCH_BUILD SCANBENCH_TESTS SCANBENCH_BASE

plan 13
claim "prove runs all that .ci/fast runs" has_fast
claim "prove runs C tests, shell tests and plugins" proves 0 "Files=3, Tests=3"
claim "a file that is named runs alone" proves 0 "Files=1, Tests=1" tests/a_folder/shell.t
claim "what takes longest comes first" long_first
claim "a test that is marked slow runs where all are asked for, and prove says that it is left out" leaves_slow_out
stand_in "$work/repository/tests/a_folder/leaves.t" 'echo ok 1; mktemp >/dev/null'
claim "a test that leaves a file in the folder for temporary ones fails" proves 1 "a_folder/leaves.t has left behind: " \
    tests/a_folder/leaves.t
rm "$work/repository/tests/a_folder/leaves.t"
cp -R "$work/repository/build" "$work/repository/other build"
: >"$work/repository/other build/plugins/dropped_in.so"
export SCANBENCH_BUILD='other build'
claim "SCANBENCH_BUILD names another build folder" proves 0 "Files=4, Tests=4" -j 2
: >"$work/repository/other build/plugins/wrong.so"
claim "a plugin whose proof fails, fails prove" proves 1 "plugins/wrong.so"
export SCANBENCH_BUILD=none
claim "a build folder that is not there is an error" proves 2 "none/plugins: No such file"
unset SCANBENCH_BUILD
rm "$work/repository/build/scanbench"
claim "a build without the program fails prove, and says what is missing" proves 1 "there is no build/scanbench"
claim "a plugin is proved by the program of its own build" proves 0 "Files=1" "other build/plugins/right.so"
if command -v git >/dev/null 2>&1; then
    claim "a plugin that may have changed is proved at all sizes, another one at telling ones" extent_follows_changes
    claim "with SCANBENCH_TESTS=changed, slow tests run if what they are about may have changed" takes_changed
else
    skip 2 "git is not installed"
fi
