#!/bin/sh
# The page of ./bootstrap run lies beside the CSV, wherever the arguments put that.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"

has_python() { ! [ -e "$work/no-python" ]; }
eval "$(sed -n -e '/^csv_of()/,/^}/p' -e '/^is_given()/,/^}/p' -e '/^main_job()/,/^}/p' "$root/bootstrap")"

is() { # EXPECTED ARGUMENTS...
    expected=$1
    shift
    found=$(csv_of "$@")
    echo "found $found, expected $expected"
    [ "$found" = "$expected" ]
}

# runs EXPECTED ARGUMENTS...: what scanbench is given.
runs() (
    expected=$1
    shift
    root=$work
    mkdir -p "$root/build"
    printf '#!/bin/sh\necho "$@"\n' >"$root/build/scanbench"
    chmod +x "$root/build/scanbench"
    found=$(main_job "$@")
    echo "found $found, expected $expected"
    [ "$found" = "$expected" ]
)

plan 12
claim "without --csv it is out.csv" is out.csv --sizes 1e3
claim "--csv FILE" is /a/b.csv --sizes 1e3 --csv /a/b.csv -q
claim "--csv=FILE" is c.csv --csv=c.csv
claim "-o FILE and -oFILE, the last one counts" is e.csv -o d.csv -oe.csv
claim "--csv -: stdout" is - --csv - --sizes 1e3
claim "--csv at the end, without a file, is left to scanbench" is out.csv --csv
claim "scanbench is given the file and the page" runs "run --csv out.csv --page ./report.html"
claim "and no option twice: --csv" runs "run --page a/report.html --csv a/b.csv" --csv a/b.csv
claim "-o" runs "run --page ./report.html -oc.csv --sizes 10" -oc.csv --sizes 10
claim "--page" runs "run --csv out.csv --page=p.html" --page=p.html
claim "to stdout without a page" runs "run --csv=- -q" --csv=- -q
: >"$work/no-python"
claim "and without one where there is no Python to make it" runs "run --csv out.csv --sizes 10" --sizes 10
