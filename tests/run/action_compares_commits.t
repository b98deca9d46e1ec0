#!/usr/bin/env bash
# The action compares a commit with its base: in repositories of two commits with a plugin that becomes slower or stays,
# in one run and by CSV; it says so in summary, outputs, comment and exit status. gh and GitHub are stood in for.
# slow
# about: .github/actions harness/commands reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
action=$root/.github/actions/compare
unset SCANBENCH_PLUGIN_PATH
export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org

commit() { git -C "$1" add -A && git -C "$1" commit -qm "$2"; }

# repository NAME SED: its first commit has a plugin, the second one that is changed like that.
repository() {
    git init -q -b main "$work/$1" && cd "$work/$1" || return
    "$build/scanbench" new my_scan >/dev/null && mv my_scan/my_scan.c . && rm -r my_scan && commit . base || return
    sed -i "$2" my_scan.c && date +%s%N >>notes && commit . head
}

# gh as far as the script uses it: comments lie in files.
mkdir "$work/bin" "$work/comments"
cat >"$work/bin/gh" <<'EOF'
#!/usr/bin/env bash
[ ! -e "$COMMENTS/forbidden" ] || { echo "HTTP 403" >&2 && exit 1; }
echo "$@" >>"$COMMENTS/asked"
case $* in
*PATCH*issues/comments/7*) cat "${!##body=@}" >"$COMMENTS/7" ;;
*POST*issues/12/comments*) cat "${!##body=@}" >"$COMMENTS/7" ;;
*issues/12/comments*) [ ! -e "$COMMENTS/7" ] || echo 7 ;;
*) exit 1 ;;
esac
EOF
chmod +x "$work/bin/gh"

# acts NAME [VARIABLE=VALUE...]: the action in that repository, as action.yml starts it.
acts() {
    cd "$work/$1" || return
    shift
    rm -f "$work/summary" "$work/outputs"
    # shellcheck disable=SC2016 # expanded by the action
    env PATH="$work/bin:$PATH" COMMENTS="$work/comments" RUNNER_TEMP="$work" GITHUB_STEP_SUMMARY="$work/summary" \
        GITHUB_OUTPUT="$work/outputs" GITHUB_REPOSITORY=o/r SCANBENCH="$build/scanbench" BASE=HEAD^ THRESHOLD=3 FAIL=true \
        BUILD='cc -O2 -shared -fPIC -I "$SCANBENCH_INCLUDE" my_scan.c -o my_scan.so' PLUGIN=my_scan.so \
        ARGUMENTS="--sizes 1e5 --time-limit 0.1" "$@" "$action/compare"
}

says() { # FILE TEXT
    grep -qF -- "$2" "$work/$1" || { cat "$work/$1" && return 1; }
}

leaves_nothing() { [ "$(git -C "$work/slow" worktree list | wc -l)" -eq 1 ] && [ -z "$(git -C "$work/slow" status --porcelain -uno)" ]; }

# Each run of action.yml is one of these files, and each input and variable is used.
is_whole() {
    sed -n 's/^  \([a-z]*\):$/\1/p' "$action/action.yml" | sed '/verdict\|markdown/,$d' | grep -v steps | while read -r input; do
        grep -qE "inputs\.$input\b" "$action/action.yml" || { echo "the input $input is not used" && exit 1; }
    done || return
    sed -n 's/^        \([A-Z_]*\): \${{.*/\1/p' "$action/action.yml" >"$work/variables"
    [ "$(wc -l <"$work/variables")" -ge 9 ] || return
    while read -r variable; do
        [ "$variable" = GH_TOKEN ] || grep -qE "\\$\{?$variable\b" "$action/compare" || { echo "$variable is not used" && return 1; }
    done <"$work/variables"
}

slower='/^static scan_status run(/,/^}/s/^    uint32_t carry.*/&\n    for (volatile int i = 0; i < 400000; i++) {\n    }/'
repository slow "$slower" >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
repository same 's/zzz//' >"$work/log" 2>&1 || { cat "$work/log" && exit 1; }
git clone -q --depth 1 "file://$work/slow" "$work/shallow"
base=$(git -C "$work/slow" rev-parse HEAD^)

plan 23
claim "its inputs reach the script" is_whole
claim "a plugin that has become slower ends it with status 4" exits 4 "## scanbench: slower" acts slow
claim "the table is in the summary" says summary "my\\_scan"
claim "with both commits" says summary "against $(git -C "$work/slow" rev-parse --short HEAD^)"
claim "the verdict is an output" says outputs "verdict=slower"
claim "with the file of the comment" test -s "$(sed -n 's/^markdown=//p' "$work/outputs")"
claim "nothing is left in the repository" leaves_nothing
claim "nobody is commented without a pull request" [ ! -e "$work/comments/asked" ]
claim "fail: false lets it pass" exits 0 "## scanbench: slower" acts slow FAIL=false COMMENT=true PULL_REQUEST=12
claim "the pull request gets a comment" says comments/7 "## scanbench: slower"
claim "all lines of the arguments count, and stay code" exits 0 '    --sizes 1e5 --time-limit 0.1 --seed 7' acts slow FAIL=false \
    $'ARGUMENTS=--sizes 1e5\n--time-limit 0.1\n--seed 7'
claim "a plugin that stays as it is passes" exits 0 "## scanbench: not slower" acts same COMMENT=true PULL_REQUEST=12 THRESHOLD=50
claim "the comment is replaced" says comments/asked "PATCH repos/o/r/issues/comments/7"
claim "by the new result" says comments/7 "## scanbench: not slower"
touch "$work/comments/forbidden"
claim "a token that can only read is a warning" exits 4 "::warning::" acts slow COMMENT=true PULL_REQUEST=12
csv=(PLUGIN= "ARGUMENTS=--plugins ./my_scan.so,cpu_memcpy --sizes 1e5 --time-limit 0.1")
claim "without a plugin two runs are compared" exits 0 "base.csv -\\> head.csv" acts slow FAIL=false "${csv[@]}"
claim "a shallow checkout gets its base" exits 4 "## scanbench: slower" acts shallow BASE="$base"
claim "a commit that there is not is told" exits 2 "::error::scanbench compare: the commit" acts slow BASE=none
ran=$work/ran
claim "nor is an option of git one" exits 2 "is not a commit" acts slow "BASE=--upload-pack=touch $ran;"
claim "which is not taken as one" [ ! -e "$ran" ]
claim "as is none" exits 2 "set the input base" acts slow BASE=
claim "and a build that fails" exits 2 "the build of the base fails" acts slow BUILD=false
claim "and what scanbench says" exits 2 "scanbench ends with status 2" acts slow "ARGUMENTS=--sizes none"
