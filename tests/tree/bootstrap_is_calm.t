#!/bin/sh
# What ./bootstrap prints while it installs and builds: a line each, the rest into a log, of which it shows
# what matters when something fails. Shown with stand-ins for apt-get, cmake, prove and the program.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
clone=$work/clone
tools=$work/tools
mkdir -p "$clone/build" "$clone/tests" "$tools"
cp "$root/bootstrap" "$clone/" && cp -R "$root/tools" "$clone/" && : >"$clone/tests/tap"

# stand_in FILE: an executable shell script, from stdin.
stand_in() {
    { echo '#!/bin/sh' && cat; } >"$1" && chmod +x "$1"
}

# builds STATUS: what a build prints, into $work/printed, where cmake prints $work/building.
stand_in "$tools/cmake" <<'END_OF_SCRIPT'
case $1 in
--version) echo "cmake version 3.25.1" ;;
--preset) echo "-- Configuring done" ;;
--build) cat "$BUILDING"; ! grep -q ' Error 1$' "$BUILDING" ;;
esac
END_OF_SCRIPT
stand_in "$work/bootstrap" <<'END_OF_SCRIPT'
. "$1/tools/messages.sh" && . "$1/tools/build_progress.sh"
log_to "$2" && configured cmake --preset default && built cmake --build
END_OF_SCRIPT
builds() {
    found=0
    BUILDING=$work/building PATH=$tools:$PATH "$work/bootstrap" "$root" "$work/build.log" 2>"$work/printed" >"$work/stdout" || found=$?
    cat "$work/printed"
    echo "exit status $found"
    [ "$found" -eq "$1" ] && [ ! -s "$work/stdout" ]
}

# percents FIRST LAST: lines as make has them.
percents() {
    for i in $(seq "$1" "$2"); do
        printf '[%3d%%] Building C object a/CMakeFiles/a.dir/warnings_%d.c.o\n[%3d%%] Built target a\n' "$i" "$i" "$i"
    done
}

logged() { grep -qF -- "$1" "$work/build.log"; }

few_lines() {
    percents 1 100 >"$work/building"
    builds 0 && [ "$(wc -l <"$work/printed")" -le 6 ] && grep -q '50 % built' "$work/printed" &&
        grep -q 'built in [0-9]* s$' "$work/printed" && logged warnings_77.c.o && logged 'Configuring done'
}

ninja_too() {
    for i in $(seq 200); do echo "[$i/200] Building C object a.dir/a_$i.c.o"; done >"$work/building"
    builds 0 && [ "$(wc -l <"$work/printed")" -le 6 ] && grep -q '50 % built' "$work/printed" && logged a_77.c.o
}

one_line() {
    percents 1 100 | grep ' Built target ' >"$work/building"
    builds 0 && [ "$(cat "$work/printed")" = "bootstrap: nothing to build" ]
}

shows_the_error() {
    { percents 1 40 && echo "a.c:7:1: error: expected ';'" && percents 41 80 && echo 'make: *** [a] Error 1'; } >"$work/building"
    builds 1 && grep -q "a.c:7:1: error: expected" "$work/printed" && [ "$(wc -l <"$work/printed")" -le 40 ] &&
        grep -q "the build failed; the log is $work/build.log" "$work/printed"
}

tells_warnings() {
    { percents 1 10 && echo 'ld: warning: x.o: missing .note.GNU-stack' && echo 'make: warning: Clock skew' && percents 11 20; } >"$work/building"
    builds 0 && grep -q '2 warnings, in .*build.log; the first: ld: warning: x.o' "$work/printed"
}

# installs TEXT: install_packages with an apt-get that prints 50 lines and ends as $APT says.
stand_in "$tools/apt-get" <<'END_OF_SCRIPT'
seq 50 | sed 's/^/Unpacking package /'
[ "$APT" = 0 ] || echo "E: Unable to locate package uthash-dev"
exit "$APT"
END_OF_SCRIPT
stand_in "$tools/apt-cache" </dev/null
stand_in "$tools/id" <<'END_OF_SCRIPT'
echo 0
END_OF_SCRIPT
stand_in "$work/installs" <<'END_OF_SCRIPT'
. "$1/tools/messages.sh" && . "$1/tools/packages.sh"
log_to "$2" && install_packages uthash-dev libtbb-dev
END_OF_SCRIPT
installs() {
    APT=$1 PATH=$tools:$PATH "$work/installs" "$root" "$work/apt.log" 2>"$work/printed"
    cat "$work/printed"
    grep -qx 'Unpacking package 50' "$work/apt.log" && grep -qF -- "$2" "$work/printed" && [ "$(wc -l <"$work/printed")" -le "$3" ]
}

# tests ARGUMENT...: runs ./bootstrap test, with a program that writes its CSV and a prove that says how it was started.
stand_in "$clone/build/scanbench" <<'END_OF_SCRIPT'
while [ $# -gt 0 ]; do
    [ "$1" != --csv ] || echo short >"$2"
    shift
done
END_OF_SCRIPT
stand_in "$tools/prove" <<'END_OF_SCRIPT'
if [ "$1" = --dry ]; then
    shift && printf '%s\n' "$@" | grep -v '^-j'
else
    echo "prove $*"
fi
END_OF_SCRIPT
tests() {
    : >"$work/building"
    found=0
    BUILDING=$work/building PATH=$tools:$PATH "$clone/bootstrap" test "$@" >"$work/printed" 2>&1 || found=$?
    cat "$work/printed"
    return "$found"
}

keeps_the_csv() {
    echo long >"$clone/out.csv"
    tests -j1 && grep -qx long "$clone/out.csv" && grep -qx short "$clone/build/short-run/out.csv"
}

# It may install packages, which does not help.
needs_python() {
    echo 'exit 1' | stand_in "$tools/python3"
    ! APT=0 tests && grep -q "installing .*python3" "$work/printed" &&
        grep -q 'cannot go on without: .*python3' "$work/printed" && rm "$tools/python3"
}

refuses_early() {
    rm -rf "$clone/build/short-run"
    ! tests --sizes && grep -q 'there is no test --sizes; arguments of test are those of prove' "$work/printed" &&
        [ ! -e "$clone/build/short-run" ]
}

plan 11
claim "a build prints some lines, and all of it is in the log" few_lines
claim "so does one by ninja" ninja_too
claim "a build that has nothing to do prints one line" one_line
claim "one that fails shows the error and names the log" shows_the_error
claim "warnings are counted, and the first is shown" tells_warnings
claim "installing prints a line, and all of it is in the log" installs 0 "installing uthash-dev libtbb-dev; the log is" 1
claim "if it fails, apt-get's reason is shown" installs 100 "E: Unable to locate package uthash-dev" 8
claim "./bootstrap test leaves out.csv as it is" keeps_the_csv
claim "it proves two more files than there are cores at once, unless its arguments say otherwise" \
    grep -qx "prove -j $(($(nproc) + 2)) -j1" "$work/printed"
claim "without python3, which tests need, it does not begin" needs_python
claim "an argument that prove does not know is told before anything is measured" refuses_early
