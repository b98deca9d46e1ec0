#!/bin/sh
# What a person sees: on a terminal the progress and the table, and CSV only where it was asked for.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_memcpy plugins/cpu_serial reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH NO_COLOR COLUMNS

# terminal COLUMNS ARGUMENTS...: runs scanbench in a terminal so wide. $seen is what it showed, and
# $lines the same without carriage returns and escapes.
terminal() {
    columns=$1
    shift
    seen=$work/seen
    lines=$work/lines
    script -qec "stty cols $columns; '$scanbench' $*" /dev/null </dev/null >"$seen" 2>&1
    status=$?
    tr '\r' '\n' <"$seen" | sed 's/\x1b\[[0-9;]*[A-Za-z]//g' >"$lines"
    cat "$lines"
    return "$status"
}

few="--plugins cpu_serial,cpu_memcpy --sizes 1000,2000 --time-limit 0.05"

# widest: how many columns the widest of $lines has, but for messages, which may be piped to grep.
widest() {
    python3 -c 'import sys
print(max(len(line.rstrip("\n")) for line in open(sys.argv[1], encoding="utf-8")
    if not line.startswith("scanbench: ")))' "$lines"
}

table_alone() {
    # shellcheck disable=SC2086 # words
    terminal 80 $few && grep -q '^n = 2,000$' "$lines" && grep -q '^\^ cpu_memcpy ' "$lines" &&
        ! grep -q '^schema,' "$lines" && ! grep -q ',run,ok,' "$lines"
}

fits() {
    [ "$(widest)" -le 80 ]
}

bar_fits() {
    # shellcheck disable=SC2086
    terminal 40 $few && grep ' left' "$lines" >"$work/bars" && lines=$work/bars && [ "$(widest)" -lt 40 ]
}

# narrow TEXT ARGUMENTS...: in 40 columns no line is longer, but for paths, and the text is there.
narrow() {
    text=$1
    shift
    terminal 40 "$@" && grep -qF -- "$text" "$lines" && [ "$(wc -l <"$lines")" -ge 3 ] &&
        grep -vE '^(scanbench: |      file )' "$lines" >"$work/texts" && fits_in 40 "$work/texts"
}

narrow_tables() {
    # shellcheck disable=SC2086
    narrow "speedup" $few --csv "$work/narrow.csv" && narrow "cpu_serial" report "$work/narrow.csv" &&
        narrow "same  [1]" compare "$work/narrow.csv" "$work/narrow.csv" &&
        narrow "best" tune cpu_memcpy --sizes 1000 --time-limit 0.05 &&
        narrow "one loop, one accumulator" list -v --plugins cpu_serial,cpu_memcpy
}

csv_on_demand() {
    # shellcheck disable=SC2086
    terminal 80 $few --csv - && grep -q '^schema,' "$lines" && grep -q ',run,ok,' "$lines"
}

# Somebody who wants neither progress nor table wants the rows.
quiet_has_rows() {
    # shellcheck disable=SC2086
    terminal 80 -q $few && grep -q ',run,ok,' "$lines" && ! grep -q 'n = ' "$lines"
}

colors() {
    # shellcheck disable=SC2086
    terminal 80 $few && grep -q "$(printf '\033\[1m')" "$seen" &&
        NO_COLOR=1 && export NO_COLOR && terminal 80 $few &&
        ! grep -q "$(printf '\033\[1m')" "$seen" && unset NO_COLOR
}

# Once it has a row, whose samples say so.
interrupted() {
    # shellcheck disable=SC2016 # it is perl's
    perl -e '$SIG{INT} = "DEFAULT"; exec @ARGV' script -qec \
        "exec '$scanbench' --plugins cpu_serial --sizes 1e3..1e6 --time-limit 5 --samples '$work/raw.csv'" \
        /dev/null </dev/null >"$work/out" 2>&1 &
    terminal=$!
    for _ in $(seq 600); do
        grep -qs ',run,' "$work/raw.csv" && break
        sleep 0.1
    done
    # shellcheck disable=SC2046 # one word each
    kill -s INT $(cat "/proc/$terminal/task/$terminal/children")
    wait "$terminal"
    cat "$work/out"
    grep -q 'interrupted; finished rows are in the table' "$work/out"
}

pipe() {
    # shellcheck disable=SC2086
    "$scanbench" $few >"$work/out" 2>"$work/err" && cat "$work/err" &&
        grep -q ',run,ok,' "$work/out" && ! grep -q 'n = ' "$work/out" &&
        grep -q '^n = 1,000$' "$work/err" && ! grep -q "$(printf '\r')" "$work/err"
}

one_line_a_reason() {
    "$scanbench" --plugins 'cpu_serial,cuda_*,!cuda_cub_*' --sizes 1000 --time-limit 0.01 >/dev/null 2>"$work/err"
    cat "$work/err"
    ! grep -q '^Unavailable:' "$work/err" ||
        { [ "$(grep -c '^  cuda_.*: ' "$work/err")" -eq 1 ] && grep -q ' more: ' "$work/err"; }
}

dry_run() {
    # shellcheck disable=SC2086
    "$scanbench" $few --dry-run >"$work/out" 2>"$work/err" && cat "$work/out" "$work/err" &&
        ! grep -q about "$work/out" &&
        grep -qE '^# about [0-9]+ s for [0-9]+ configurations in 2 groups$' "$work/err"
}

# From a quarter of the way on the time of arrival is known. This machine may be busy with other
# things, so the test allows more than harness/tests/forecast_test.c does, and takes the best of three.
end_is_known() {
    for _ in 1 2 3; do
        end_is_known_once && return 0
    done
    return 1
}

end_is_known_once() {
    terminal 80 --plugins cpu_serial,cpu_memcpy,cpu_stdpar_seq --sizes 1e3..1e6 --time-limit 0.7 &&
        python3 - "$lines" <<'END'
import re, sys
bars = re.findall(r"% (\d+):(\d\d), (\d+):(\d\d) left", open(sys.argv[1], encoding="utf-8").read())
times = [(60 * int(a) + int(b), 60 * int(c) + int(d)) for a, b, c, d in bars]
total = times[-1][0]
off = max(abs(passed + left - total) for passed, left in times if passed >= total / 4)
print(f"{total} s, off by {off} s at most")
sys.exit(total < 3 or off > 0.4 * total + 1)
END
}

plan 12
if command -v script >/dev/null && script -qec true /dev/null </dev/null >/dev/null 2>&1; then
    claim "a terminal shows the table, and no CSV" table_alone
    claim "in 80 columns" fits
    claim "the progress bar fits a narrow terminal" bar_fits
    claim "so does what all commands print" narrow_tables
    claim "--csv - writes CSV to the terminal" csv_on_demand
    claim "--quiet does too" quiet_has_rows
    claim "NO_COLOR leaves colours out" colors
    claim "an interrupted run says that its rows are in the table" interrupted
    claim "from a quarter of the way on the bar knows the end" end_is_known
else
    skip 9 "script(1) of util-linux is missing"
fi
claim "a pipe has CSV, and what is for people goes to stderr, without a bar" pipe
claim "plugins that are unavailable for one reason share a line" one_line_a_reason
claim "--dry-run says on stderr how long the run takes" dry_run
