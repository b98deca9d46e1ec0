#!/bin/sh
# What the commands in reports/ say of a wrong command line, before they do anything.
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
cd "$work" || exit 1

plan 7
claim "reports/measure without a folder is bad usage" exits 2 "usage: reports/measure DIR" "$root/reports/measure"
claim "an option is no folder" exits 2 "usage: reports/measure DIR" "$root/reports/measure" --help
claim "without a build it says so" exits 2 "there is no none/scanbench: run ./bootstrap build" \
    env SCANBENCH_BUILD=none "$root/reports/measure" "$work/into"
claim "and makes no folder" [ ! -e "$work/into" ]
claim "reports/site asks for one folder" exits 2 "required: OUT" "$root/reports/site"
claim "and names one without results" exits 2 "$work has no CSV" "$root/reports/site" "$work/site" "$work"
claim "reports/scale names a file that is not there" exits 1 "reports/scale: none.csv: No such file" "$root/reports/scale" none.csv
