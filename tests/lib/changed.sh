# shellcheck shell=sh
# changed FOLDER PATH...: may something below these paths of the repository FOLDER have changed since the commit of
# changed_base, or is something there that is not committed? Where that commit is not known, everything may have. In
# a tree without git, such as an archive of a release, nothing has.

# A hook of git that runs this names its own repository.
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_PREFIX

# The commit to compare with: SCANBENCH_BASE; else where this branch left main; on main itself, and in a clone that
# knows of no other branch, the last commit that is a day older than HEAD: .ci/nightly has run since. A clone too
# shallow to have it knows none. A date that runs ahead only makes it older.
changed_base() {
    if [ -n "${SCANBENCH_BASE-}" ]; then
        git -C "$1" rev-parse --verify --quiet "$SCANBENCH_BASE^{commit}"
        return
    fi
    head=$(git -C "$1" rev-parse --verify --quiet HEAD) || return 1
    for main in origin/main main; do
        base=$(git -C "$1" merge-base "$main" HEAD 2>/dev/null) || continue
        [ "$base" = "$head" ] || { echo "$base" && return; }
    done
    git -C "$1" log --first-parent --format='%ct %H' | awk '
        NR == 1 { day_before = $1 - 24 * 60 * 60 }
        $1 > day_before { base = ""; next }
        base == "" { base = $2 }
        END { if (base == "") exit 1; print base }'
}

changed() {
    repository=$1
    shift
    [ -e "$repository/.git" ] || return 1
    base=$(changed_base "$repository") || return 0
    ! git -C "$repository" diff --quiet "$base" -- "$@" ||
        [ -n "$(git -C "$repository" ls-files --others --exclude-standard -- "$@")" ]
}

# concerns FOLDER FILE: may what that test or stage is about have changed? It names its paths in a line
# `# about: PATH...`; itself, what tests share and what configures the build count always. One without such a line is
# about everything.
concerns() (
    about=$(sed -n 's/^# about: //p' "$1/$2")
    [ -n "$about" ] || exit 0
    set -f
    # shellcheck disable=SC2086 # one word per path, with patterns that are git's
    changed "$1" "$2" tests/lib tests/tap .ci/run cmake CMakeLists.txt CMakePresets.json $about
)
