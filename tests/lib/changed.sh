# shellcheck shell=sh
# changed FOLDER PATH...: may something below these paths of the repository FOLDER have changed? Against the
# branch that this one left, or on main against the commit before; where git does not know those, everything may
# have. Not in a tree without git, such as an archive of a release.

# The commit to compare with.
changed_base() {
    head=$(git -C "$1" rev-parse HEAD) || return 1
    for main in origin/main main; do
        base=$(git -C "$1" merge-base "$main" HEAD 2>/dev/null) || continue
        [ "$base" = "$head" ] || { echo "$base" && return; }
    done
    git -C "$1" rev-parse --verify --quiet HEAD~1
}

changed() {
    repository=$1
    shift
    git -C "$repository" rev-parse --git-dir >/dev/null 2>&1 || return 1
    base=$(changed_base "$repository") || return 0
    ! git -C "$repository" diff --quiet "$base" -- "$@" ||
        [ -n "$(git -C "$repository" ls-files --others --exclude-standard -- "$@")" ]
}
