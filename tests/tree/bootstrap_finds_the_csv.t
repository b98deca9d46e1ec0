#!/bin/sh
# The page of ./bootstrap run lies beside the CSV, wherever the arguments put that.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"

eval "$(sed -n '/^csv_of()/,/^}/p' "$root/bootstrap")"

is() { # EXPECTED ARGUMENTS...
    expected=$1
    shift
    found=$(csv_of "$@")
    echo "found $found, expected $expected"
    [ "$found" = "$expected" ]
}

plan 6
claim "without --csv it is out.csv" is out.csv --sizes 1e3
claim "--csv FILE" is /a/b.csv --sizes 1e3 --csv /a/b.csv -q
claim "--csv=FILE" is c.csv --csv=c.csv
claim "-o FILE and -oFILE, the last one counts" is e.csv -o d.csv -oe.csv
claim "--csv -: stdout" is - --csv - --sizes 1e3
claim "--csv at the end, without a file, is left to scanbench" is out.csv --csv
