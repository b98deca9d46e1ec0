# shellcheck shell=sh
# Messages to the user on stderr, and the log of what other programs print.

say() {
    printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2
}

die() { say "$@" && exit 2; }

has() { command -v "$1" >/dev/null 2>&1; }

# The log, or nothing: then what other programs print goes to stderr.
log=

log_to() {
    log=$1
    : >"$log" || die "the log $log cannot be written"
}

in_log() {
    if [ -n "$log" ]; then "$@" >>"$log" 2>&1; else "$@" >&2; fi
}

log_lines() {
    if [ -n "$log" ]; then wc -l <"$log"; else echo 0; fi
}

# show_errors LINE: what the log says of errors behind that line, or else its end.
show_errors() {
    [ -n "$log" ] || return 0
    tail -n "+$(($1 + 1))" "$log" | awk '
        { last[NR % 15] = $0 }
        /[Ee]rror[: ]|ERROR|\*\*\* |undefined reference|multiple definition/ { left = 8 }
        /^(E|Err):/ { left = 1 }
        left-- > 0 && shown < 30 { print "  " $0; shown++ }
        END {
            for (i = NR - 14; !shown && i <= NR; i++)
                if (i > 0)
                    print "  " last[i % 15]
        }' >&2
}
