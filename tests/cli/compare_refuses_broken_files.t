#!/bin/sh
# scanbench compare refuses what is not the CSV of a run, names the line, and ends with status 2.
# slow
# about: harness/cli harness/commands harness/output reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=${SCANBENCH_BUILD:-$root/build}
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
"$scanbench" -q --plugins cpu_serial --sizes 10,20 --time-limit 0.01 --csv "$work/good.csv" \
    --samples "$work/samples.csv" 2>/dev/null

refuses() {
    text=$1
    shift
    exits 2 "$text" "$scanbench" compare "$@"
}

# spoils TEXT LINE COLUMN VALUE: a copy of the file with another value there.
spoils() {
    perl -F, -lae '
        BEGIN { ($line, $column, $value) = splice @ARGV, 0, 3 }
        chomp @F;
        if ($. == 1) { @place{@F} = 0 .. $#F }
        $F[$place{$column}] = $value if $. == $line;
        print join ",", @F, ("") x (keys(%place) - @F)' "$2" "$3" "$4" "$work/good.csv" >"$work/spoilt.csv"
    refuses "$1" "$work/good.csv" "$work/spoilt.csv"
}

is_unchanged() {
    refuses "would overwrite" --json "$work/good.csv" "$work/good.csv" "$work/good.csv" &&
        [ "$(wc -l <"$work/good.csv")" -ge 3 ]
}

plan 21
claim "what the program wrote is accepted" "$scanbench" compare "$work/good.csv" "$work/good.csv"
claim "no file" refuses "compare needs two files"
claim "one file" refuses "compare needs two files" "$work/good.csv"
claim "a file that is not there" refuses "opening $work/no.csv: No such file" "$work/good.csv" "$work/no.csv"
: >"$work/empty.csv"
claim "an empty file" refuses "empty.csv is empty: no header" "$work/good.csv" "$work/empty.csv"
claim "a file of samples" refuses "samples.csv, line 1: no column" "$work/samples.csv" "$work/good.csv"
claim "a file of metadata" refuses "metadata.json, line" "$work/good.csv" "$work/good.csv-metadata.json"
claim "a program" refuses "zero byte" "$work/good.csv" "$scanbench"
claim "a folder" refuses "is a folder; name a file in it" "$work/good.csv" "$work"
claim "a time that is none" spoils 'spoilt.csv, line 3: median_ns "soon" is not a number' 3 median_ns soon
claim "a negative one" spoils 'line 3: median_ns "-5" is not a number of 0 or more' 3 median_ns -5
claim "an infinite one" spoils 'line 2: q1_ns "inf" is not a number' 2 q1_ns inf
claim "one that is missing" spoils 'line 3: median_ns "" is not a time, but the row is ok' 3 median_ns ''
claim "a size that is none" spoils 'line 2: n "1e3" is not a whole number' 2 n 1e3
claim "a negative size" spoils 'line 2: n "-3" is not a number of elements' 2 n -3
claim "a block that is none" spoils 'line 2: block "x" is not a whole number' 2 block x
claim "an unknown status" spoils 'line 2: status "fine" is not a status' 2 status fine
claim "another schema" spoils 'line 2: schema "2" is not one that this program knows' 2 schema 2
(head -n 2 "$work/good.csv" && sed -n 3p "$work/good.csv" | head -c 300) >"$work/cut.csv"
claim "a file that was cut" refuses "the file seems to be cut short" "$work/good.csv" "$work/cut.csv"
claim "JSON over a file that is compared" is_unchanged
claim "a full disk" refuses "No space left on device" --json /dev/full "$work/good.csv" "$work/good.csv"
