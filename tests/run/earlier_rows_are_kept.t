#!/bin/sh
# Without --resume, the rows, samples and JSON lines that a file has are kept beside it under a name
# with their time; nothing is emptied before all files can be written.
# slow
# about: core harness tests/fixtures plugins/common plugins/cpu_memcpy plugins/cpu_serial reports/scanbench_results
set -u
. "$(dirname -- "$0")/../lib/tap.sh"
build=$(cd "${SCANBENCH_BUILD:-$root/build}" && pwd) || exit 1
scanbench=$build/scanbench
unset SCANBENCH_PLUGIN_PATH
cd "$work" || exit 1

# sweep_of PLUGIN SIZES OPTION...
sweep_of() {
    plugins=$1
    sizes=$2
    shift 2
    "$scanbench" -q --max-samples 2 --time-limit 0.01 --plugins "$plugins" --sizes "$sizes" "$@"
}

sweep() { sweep_of cpu_serial 10,20 "$@"; }

# begin NAME: an empty folder, into which three files of rows are measured and copied to ../NAME.was.
begin() {
    rm -rf "$1" "$1.was"
    mkdir "$1" && cd "$1" && sweep --csv out.csv --samples raw.csv --json rows.jsonl && cp -r . "../$1.was"
}

# kept FILE ENDING WAS: one file FILE.TIME.ENDING, whose time is that of the rows, with the bytes of WAS.
kept() {
    set -- "$1" "$2" "$3" "$1".*Z."$2"
    [ $# -eq 4 ] && cmp "$4" "$3" && grep -q "$(basename "$4" ".$2" | sed 's/.*\.//')-" "$4"
}

three_are_kept() (
    begin three || return 1
    sweep --csv out.csv --samples raw.csv --json rows.jsonl 2>message || return 1
    cat message && ls
    [ "$(wc -l <message)" -eq 1 ] && grep -q "rows of an earlier run are kept: out.csv as out.*Z.csv, raw.csv as raw" message &&
        grep -q -- "--resume" message && kept out csv ../three.was/out.csv && kept raw csv ../three.was/raw.csv &&
        kept rows jsonl ../three.was/rows.jsonl && ! cmp -s out.csv ../three.was/out.csv &&
        "$scanbench" compare out.*Z.csv out.csv >/dev/null
)

described() (
    begin described || return 1
    sweep --csv out.csv --samples raw.csv 2>message || return 1
    for file in out.*Z.csv raw.*Z.csv; do
        grep -q "\"url\": \"$file\"" "$file-metadata.json" || return 1
    done
    # but for the name it is what it was
    sed '/"url"/d' out.*Z.csv-metadata.json >a && sed '/"url"/d' ../described.was/out.csv-metadata.json >b && cmp a b &&
        sweep_of cpu_serial 10,20,30 --csv out.*Z.csv --resume
)

# Rows of one second have one name: the second file gets a number, and nothing is overwritten.
names_are_new() (
    begin names || return 1
    sweep --csv out.csv 2>message || return 1
    first=$(echo out.*Z.csv)
    cp "$first" ../first && cp "$first" out.csv && sweep --csv out.csv 2>message && cmp "$first" ../first &&
        cmp "${first%.csv}-2.csv" ../first || return 1
    rm "$first" && ln -s nowhere "$first" && cp ../first out.csv && sweep --csv out.csv 2>message &&
        cmp "${first%.csv}-3.csv" ../first && [ -L "$first" ] && ! [ -e nowhere ]
)

without_ending() (
    begin ending || return 1
    cp out.csv out && cp out.csv .hidden && cp out.csv dot.d.csv && sweep --csv out 2>message &&
        sweep --csv .hidden 2>message && sweep --csv dot.d.csv 2>message || return 1
    ls -A
    test -s out.*Z && test -s .hidden.*Z && test -s dot.d.*Z.csv
)

through_a_link() (
    begin link || return 1
    mkdir data && mv out.csv data/real.csv && ln -s data/real.csv out.csv && sweep --csv out.csv 2>message &&
        [ -L out.csv ] && cmp data/real.*Z.csv ../link.was/out.csv && ! cmp -s out.csv ../link.was/out.csv
)

permissions_stay() (
    begin modes || return 1
    chmod 600 out.csv && sweep --csv out.csv 2>message || return 1
    stat -c '%a %n' out*
    [ "$(stat -c %a out.csv out.*Z.csv out.csv-metadata.json out.*Z.csv-metadata.json | sort -u)" = 600 ]
)

discarded() (
    begin discarded || return 1
    sweep --csv out.csv --samples raw.csv --json rows.jsonl --overwrite 2>message && ! [ -s message ] &&
        [ "$(echo ./*)" = "./message ./out.csv ./out.csv-metadata.json ./raw.csv ./raw.csv-metadata.json ./rows.jsonl" ] &&
        ! cmp -s out.csv ../discarded.was/out.csv
)

# A header alone, or a part of it, is nothing to keep.
no_rows() (
    begin header || return 1
    head -n 1 ../header.was/out.csv >out.csv && sweep --csv out.csv 2>message && ! [ -s message ] || return 1
    head -c 100 ../header.was/out.csv >out.csv && sweep --csv out.csv 2>message && ! [ -s message ] &&
        [ -z "$(find . -name 'out.*Z.csv')" ]
)

# Saved by a spreadsheet they are rows, too.
odd_forms() (
    begin odd || return 1
    (printf '\357\273\277' && tr , ';' <../odd.was/out.csv | sed 's/$/\r/') >out.csv && cp out.csv was &&
        sweep --csv out.csv 2>message && cmp out.*Z.csv was
)

tune_keeps() (
    begin tune || return 1
    "$scanbench" tune cpu_memcpy --sizes 1000 --time-limit 0.01 -q --csv out.csv 2>message || return 1
    cat message
    grep -q "rows of an earlier run are kept: out.csv as" message && ! grep -q -- --resume message &&
        kept out csv ../tune.was/out.csv || return 1
    "$scanbench" tune cpu_memcpy --sizes 1000 --time-limit 0.01 -q --csv out.csv --overwrite 2>message &&
        [ "$(find . -name 'out.*Z.csv' | wc -l)" -eq 1 ]
)

resume_keeps_nothing_but_other_lines() (
    begin resumed || return 1
    sweep_of cpu_serial 10,20,30 --csv out.csv --json rows.jsonl --resume 2>message && ! [ -s message ] || return 1
    sweep --csv new.csv 2>message && sweep_of cpu_serial 10,20,30 --csv new.csv --json rows.jsonl --resume 2>message &&
        grep -q "kept: rows.jsonl as rows" message && [ "$(wc -l <new.csv)" -eq $(($(wc -l <rows.jsonl) + 1)) ]
)

# unharmed TEXT OPTION...: refused with the text, and all files are as they were, and no other.
unharmed() (
    begin unharmed || return 1
    text=$1
    shift
    exits 2 "$text" sweep "$@" && diff -r . ../unharmed.was
)

# As a user whom permissions bind.
in_a_locked_folder() (
    begin locked || return 1
    chmod 777 . && chmod 666 ./* && chmod 555 .
    chmod 755 "$work"
    if [ "$(id -u)" -eq 0 ]; then
        set -- setpriv --reuid 65534 --regid 65534 --clear-groups
    else
        set --
    fi
    exits 2 "which cannot be kept under another name: Permission denied" "$@" "$scanbench" -q --plugins cpu_serial \
        --sizes 10 --csv out.csv
    found=$?
    chmod 755 .
    [ "$found" -eq 0 ] && cmp out.csv ../locked.was/out.csv
)

plan 20
claim "rows, samples and lines are kept beside, with their time, and one line tells it" three_are_kept
claim "with metadata that name them, so that --resume goes on" described
claim "under names that nothing has" names_are_new
claim "with or without an ending" without_ending
claim "of a link, beside what it leads to" through_a_link
claim "permissions stay, those of a CSV are those of its metadata" permissions_stay
claim "--overwrite discards them" discarded
claim "a file without rows is not kept" no_rows
claim "one that a spreadsheet saved is" odd_forms
claim "tune keeps them, too" tune_keeps
claim "--resume keeps only lines of other runs" resume_keeps_nothing_but_other_lines
claim "--overwrite with --resume is a mistake" exits 2 "leave one out" sweep --csv x.csv --resume --overwrite
claim "a folder as --samples empties nothing" unharmed "this is a folder" --csv out.csv --samples .
claim "nor one that is not there" unharmed "No such file" --csv out.csv --samples none/raw.csv
claim "nor for --json" unharmed "No such file" --csv out.csv --samples raw.csv --json none/rows.jsonl
claim "nor for the page" unharmed "cannot be created: No such file" --csv out.csv --samples raw.csv --page none/p.html
claim "nor an unknown device" unharmed "no plugin" --csv out.csv --samples raw.csv --device none:1
claim "nor samples that are none, with --overwrite" unharmed "would overwrite" --csv out.csv --samples rows.jsonl --overwrite
claim "and no empty file is left" unharmed "No such file" --csv new.csv --samples none/raw.csv
if [ "$(id -u)" -ne 0 ] || { command -v setpriv >/dev/null && chmod 755 "$work" &&
    setpriv --reuid 65534 --regid 65534 --clear-groups "$scanbench" list --plugins cpu_serial >/dev/null 2>&1; }; then
    claim "where they cannot be kept the run is refused" in_a_locked_folder
else
    skip 1 "no other user can run scanbench here"
fi
