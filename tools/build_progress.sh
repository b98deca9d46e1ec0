# shellcheck shell=sh
# A build that prints little: what cmake and make print goes into the log of messages.sh.

# Where the log was before the build, which warnings are searched from.
build_began=0

# configured COMMAND...: the first half of a build.
configured() {
    build_began=$(log_lines)
    in_log "$@" && return
    show_errors "$build_began"
    say "configuring failed; the log is $log"
    return 1
}

# built COMMAND...: the second half; COMMAND is one that prints its progress as make or ninja does.
built() {
    started=$(date +%s)
    { "$@" 2>&1 && echo "$build_good"; } | show_progress || {
        show_errors "$build_began"
        say "the build failed; the log is $log"
        return 1
    }
    tell_warnings
}

build_good='-- the build has succeeded'

# Prints how far the build on stdin is: on a terminal in a line that is rewritten, elsewhere in quarters.
# Succeeds if the build has.
show_progress() {
    worked= shown=-1 good=
    while IFS= read -r line; do
        printf '%s\n' "$line" >&3
        case $line in
        "$build_good") good=yes ;;
        "["*"] Built target "*) ;;
        "["*"] "*)
            worked=yes
            show_percent "$(percent_of "$line")"
            ;;
        esac
    done 3>>"$log"
    ! on_terminal || printf '\r\033[K' >&2
    [ -n "$good" ] || return 1
    if [ -n "$worked" ]; then
        say "built in $(($(date +%s) - started)) s"
    else
        say "nothing to build"
    fi
}

on_terminal() { [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; }

# Of "[ 12%] ..." as make has it, or "[12/345] ..." as ninja does.
percent_of() {
    part=${1#\[}
    part=${part%%\]*}
    case $part in
    *%) part=${part%\%} && echo "${part##* }" ;;
    */*) echo "$((100 * ${part%/*} / ${part#*/}))" ;;
    *) echo 0 ;;
    esac
}

show_percent() {
    if on_terminal; then
        [ "$1" -eq "$shown" ] || printf '\r\033[K%s: building, %d %%' "$(basename -- "$0")" "$1" >&2
        shown=$1
    elif [ "$shown" -lt 0 ] || [ "$1" -ge $((shown + 25)) ]; then
        if [ "$shown" -lt 0 ]; then say "building; the log is $log"; else say "$1 % built"; fi
        shown=$(($1 / 25 * 25))
    fi
}

tell_warnings() {
    warnings=$(tail -n "+$((build_began + 1))" "$log" | grep -E '(^|[^-_A-Za-z/.])[Ww]arning($|[^-_A-Za-z/.])') || return 0
    say "$(echo "$warnings" | wc -l) warnings, in $log; the first: $(echo "$warnings" | head -n 1)"
}
