# shellcheck shell=sh
# The Test Anything Protocol for tests in shell: `plan N`, then N claims. Sets $root, the
# repository, and $work, a folder that is removed when the test ends.
# shellcheck disable=SC2034 # for the test that reads this
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
work=$(mktemp -d "${TMPDIR:-/tmp}/XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tap_count=0

plan() {
    printf 'TAP version 13\n1..%d\n' "$1"
}

# claim TEXT COMMAND...: holds if the command succeeds; otherwise its output is shown, on stderr, which
# prove passes on.
claim() {
    tap_count=$((tap_count + 1))
    tap_text=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        echo "ok $tap_count - $tap_text"
    else
        echo "not ok $tap_count - $tap_text"
        echo "# ${0##*/} $tap_count: $tap_text" >&2
        awk '{ print "# " $0 }' "$work/log" >&2 # ends each line, the last one too
    fi
}

# skip N WHY: N claims that cannot be made here.
skip() {
    for _ in $(seq "$1"); do
        tap_count=$((tap_count + 1))
        echo "ok $tap_count # SKIP $2"
    done
}

# exits STATUS TEXT COMMAND...: the command ends with that status and its output has the text.
exits() {
    tap_status=$1
    tap_expected=$2
    shift 2
    tap_found=0
    "$@" >"$work/output" 2>&1 || tap_found=$?
    cat "$work/output"
    echo "exit status $tap_found, expected $tap_status and the text: $tap_expected"
    [ "$tap_found" -eq "$tap_status" ] && grep -qF -- "$tap_expected" "$work/output"
}

# nobody_runs PATTERN: within ten seconds no process has the pattern in its command. Brackets in the
# pattern keep grep from finding itself.
nobody_runs() {
    for _ in $(seq 100); do
        tap_left=$(grep -als "$1" /proc/[0-9]*/cmdline | tr '\n' ' ')
        [ -z "$tap_left" ] && return 0
        sleep 0.1
    done
    echo "left: $tap_left"
    return 1
}

# The plugin leaks_semaphores marks what it leaves to the system by its permissions.
remove_semaphores() {
    command -v ipcs >/dev/null 2>&1 || return 0
    for kind in s m; do
        ipcs -$kind | awk '$4 == 421 { print $2 }' | while read -r id; do
            ipcrm -$kind "$id"
        done
    done
}

# fits_in COLUMNS FILE: no line is wider. (Debian's awk counts bytes, grep characters.)
fits_in() {
    ! LC_ALL=C.UTF-8 grep -nE "^.{$(($1 + 1)),}" "$2"
}
