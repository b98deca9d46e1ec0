#!/bin/sh
# .ci/run leaves out the stages whose subject has not changed and says so; where nobody can know, it runs all. Shown
# on a repository whose stages are stand-ins.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
unset SCANBENCH_TESTS SCANBENCH_BASE
stages="asan cppcheck device format fuzz include-rules oclgrind page python shell tidy tools tsan valgrind"

git_there() {
    git -C "$work/repository" -c user.name=test -c user.email=test@localhost -c commit.gpgsign=false "$@"
}

# runs STATUS: .ci/run ends with it; what it prints at last is in $work/summary.
runs() {
    found=0
    (cd "$work/repository" && .ci/run) >"$work/ran" 2>&1 || found=$?
    sed -n '/^== [0-9]* s in all/,$p' "$work/ran" >"$work/summary"
    cat "$work/ran"
    [ "$found" -eq "$1" ]
}

# summary_has STATE STAGE...: each stands there so.
summary_has() {
    state=$1
    shift
    for stage; do
        grep -qE "^$stage +$state( |\$)" "$work/summary" || { echo "$stage is not: $state" && return 1; }
    done
}

runs_what_changed() {
    runs 0 && summary_has ok asan cppcheck fuzz tidy bootstrap && summary_has 'not run' tsan page oclgrind &&
        grep -qE '^tsan .*unchanged since [0-9a-f]{12}: harness$' "$work/summary" && ! grep -q 'ran tsan' "$work/ran" &&
        grep -qx '3 slow tests are left out, for a reason' "$work/summary"
}

runs_all() {
    # shellcheck disable=SC2086 # one word per stage
    "$@" && summary_has ok $stages build bootstrap && ! grep -q 'not run' "$work/summary"
}

fails_with_a_stage() {
    printf '#!/bin/sh\necho error: broken; exit 3\n' >"$work/repository/.ci/shell"
    runs 3 && summary_has 'failed \(3\)' shell && grep -q '^1:error: broken' "$work/ran"
}

mkdir -p "$work/repository/.ci" "$work/repository/tests" "$work/repository/harness" "$work/repository/fuzz"
cp -R "$root/tests/lib" "$work/repository/tests"
cp "$root/.ci/run" "$work/repository/.ci"
for stage in $stages; do
    about=
    case $stage in
    tsan | page | oclgrind) about='# about: harness' ;;
    fuzz) about='# about: fuzz' ;;
    esac
    printf '#!/bin/sh\n# A stand-in.\n%s\necho "ran %s"\n' "$about" "$stage" >"$work/repository/.ci/$stage"
done
# shellcheck disable=SC2016 # expanded by the stand-in
printf '#!/bin/sh\n# A stand-in.\necho "bootstrap $*, SCANBENCH_TESTS=$SCANBENCH_TESTS"\n%s\n' \
    'echo "# 3 slow tests are left out, for a reason"' >"$work/repository/bootstrap"
chmod +x "$work/repository/bootstrap" "$work/repository/.ci"/*
printf '/build*/\n' >"$work/repository/.gitignore"
plan 4
if ! command -v git >/dev/null 2>&1; then
    skip 4 "git is not installed"
    exit 0
fi
git_there init -q -b main && git_there add -A && git_there commit -qm first
claim "all stages run where nobody knows what has changed" runs_all runs 0
echo changed >"$work/repository/fuzz/file"
export SCANBENCH_BASE=HEAD
claim "those whose subject has not changed do not run, and the summary says so" runs_what_changed
export SCANBENCH_TESTS=all
claim "all run where all are asked for" runs_all runs 0
unset SCANBENCH_TESTS
claim "a stage that fails is the exit status, and is shown" fails_with_a_stage
