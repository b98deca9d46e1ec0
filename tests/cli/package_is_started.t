#!/bin/sh
# report, compare and submit start the package scanbench_results that lies with the program, and no other;
# without python3 they say what to install, and everything that measures works.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
unset SCANBENCH_PLUGIN_PATH
cd "$work" || exit 1
cp "$root/reports/cpu-2-cores/sweep.csv" rows.csv || exit 1
csv=$work/rows.csv

# stand_in NAME: a program of that name, before all others on the PATH, from stdin.
stand_in() {
    mkdir -p "$work/bin" && cat >"$work/bin/$1" && chmod +x "$work/bin/$1"
}

# The program without what lies beside it, on a PATH where python3 is what the argument says.
alone() { # COMMAND...
    PATH=$work/bin:$PATH "$@"
}

# A tree as `cmake --install` lays it out.
installed() {
    mkdir -p prefix/bin prefix/lib/scanbench && cp "$build/scanbench" prefix/bin/ &&
        cp -rL "$build/python" prefix/lib/scanbench/python && cp -rL "$build/plugins" prefix/lib/scanbench/
}

# Packages of that name where Python would look first, and modules that the package needs.
no_other_package() {
    mkdir -p elsewhere/scanbench_results && cd elsewhere || return 1
    for file in scanbench_results/__init__.py scanbench_results/__main__.py json.py csv.py sitecustomize.py; do
        echo 'raise SystemExit("another one")' >"$file"
    done
    PYTHONPATH=$work/elsewhere PYTHONSTARTUP=json.py exits 0 "" "$build/scanbench" report "$csv" &&
        ! grep -q 'another one' "$work/output"
}

writes_nothing_beside() { ! find prefix -name __pycache__ | grep .; }

as_written() { # the words that python3 is given, one a line
    printf '#!/bin/sh\nprintf "%%s\\n" "$@"\n' | stand_in python3
    alone "$build/scanbench" "$@" | sed '1,/start\.py$/d' >words
    rm bin/python3
    tr '\n' ' ' <words
}

gives() { # EXPECTED ARGUMENTS...
    expected=$1
    shift
    found=$(as_written "$@")
    echo "found '$found', expected '$expected'"
    [ "$found" = "$expected " ]
}

# Only the programs that scanbench itself needs: none.
without_python() { PATH=$work/none "$@"; }

measures() {
    without_python "$build/scanbench" -q --plugins cpu_serial --sizes 1e3 --max-samples 2 "$@"
}

says_so_first() {
    exits 2 "--page: report needs python3: apt install python3; or leave it out" \
        measures --csv new.csv --page new.html && [ ! -e new.csv ] && [ ! -e new.html ]
}

runs_without() {
    measures --csv out.csv && grep -q ,ok, out.csv && measures --dry-run --csv dry.csv --page p.html &&
        without_python "$build/scanbench" list >/dev/null
}

too_old() {
    printf '#!/bin/sh\n[ $# -gt 4 ] || exit 0\nexec /usr/bin/env -u PATH %s -c "import sys; sys.version_info = (3, 8, 0); exec(open(sys.argv[5]).read())" "$@"\n' \
        "$(command -v python3)" | stand_in python3
    exits 2 "Python 3.9 or later, and python3 is 3.8" alone "$build/scanbench" report "$csv"
    status=$?
    rm bin/python3
    return $status
}

broken() {
    printf '#!/bin/sh\necho "no module encodings" >&2\nexit 1\n' | stand_in python3
    exits 2 "cannot run \`python3 -c ''\`" alone "$build/scanbench" report "$csv"
    status=$?
    rm bin/python3
    return $status
}

fails_after_the_rows() {
    printf '#!/bin/sh\n[ $# -lt 7 ] || { echo "scanbench: no room" >&2; exit 2; }\n' | stand_in python3
    exits 2 "no page: python3 failed" alone "$build/scanbench" --plugins cpu_serial --sizes 1e3 --max-samples 2 \
        --csv kept.csv --page kept.html && grep -q ,ok, kept.csv
}

plan 24
claim "report of a build" exits 0 "" "$build/scanbench" report "$csv"
installed || exit 1
claim "report of an installed program" exits 0 "" prefix/bin/scanbench report "$csv"
claim "no file is written beside an installed package" writes_nothing_beside
rm -r prefix/lib/scanbench/python
claim "a package that is not there is named" exits 2 "lib/scanbench/python/scanbench_results/start.py, which is not there" \
    prefix/bin/scanbench report "$csv"
claim "no package of the working folder or of PYTHONPATH is taken" no_other_package
claim "options come as they were given" gives "report --html p.html --color auto --quiet -- a.csv -b.csv" \
    report -op.html -q a.csv -- -b.csv
cp "$csv" ./-dash.csv && claim "a file may begin with a dash" exits 0 "-dash" "$build/scanbench" report -- -dash.csv
claim "submit gives its own" gives "submit --output a.gz --name H200, 16 cores --foreign -- a.csv" \
    submit a.csv -o a.gz --name "H200, 16 cores" --foreign
claim "those with values too" gives "compare --threshold 2.5 --phase run,e2e --json - --markdown -- - b.csv" \
    compare --threshold=2.5% --phase run,e2e --json - --markdown - b.csv
claim "and those of a history" gives "report --color auto --json h.json --history d --threshold 5" \
    report --history d --json h.json --threshold 5
claim "and of an export" gives "report --color auto --export bencher -- a.csv" report --export=bencher a.csv
claim "a threshold without a history comes, too" gives "report --color auto --threshold 5 -- a.csv" report --threshold 5 a.csv
claim "and is refused there" \
    exits 2 "--threshold is of --history" "$build/scanbench" report --threshold 5 "$csv"
mkdir history && cp "$csv" history/ && "$build/scanbench" compare -q "$csv" "$csv" --json outcome.json
claim "a history does not replace what compare wrote" exits 2 "would overwrite the outcome of scanbench compare" \
    "$build/scanbench" report --history history --json outcome.json
"$build/scanbench" report -q --history history --json h.json
claim "but another history" "$build/scanbench" report -q --history history --json h.json
claim "a wrong option is refused before Python is started" exits 2 "unknown option --markdwn" \
    without_python "$build/scanbench" report --markdwn "$csv"
claim "so is a file that would be overwritten" exits 2 "would overwrite" \
    without_python "$build/scanbench" report "$csv" -o "$csv"
claim "report without python3 says what to install" exits 2 "report needs python3: apt install python3" \
    without_python "$build/scanbench" report "$csv"
claim "so does compare" exits 2 "needs python3: apt install python3" without_python "$build/scanbench" compare "$csv" "$csv"
claim "run --page says so before it measures" says_so_first
claim "run, dry runs and list need no Python" runs_without
claim "a python3 that is too old is told" too_old
claim "one that cannot run does not end as a wrong plugin does" broken
claim "if the page fails, the rows are there and the run has failed" fails_after_the_rows
